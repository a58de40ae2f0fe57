// A parent under stress together with its children, whose states are parts of its own.

package import Dispatch
internal import SwiftReactor

/// Books what it is sent, in its own part of the parent's state or as the parent.
private final class PartReactor: BaseReactor<Place, Place, PartReactor.State>,
  @unchecked Sendable  // Safe to share: it has no stored property.
{
  struct State: Sendable, Identifiable {
    var id = 0
    /// Kept in place: no commit copies it.
    var ledger: Ledger
    /// The serial number tells apart what would otherwise be equal.
    var last: CountingReactor.Last?

    mutating func record(_ place: Place) {
      ledger.record(lane: place.lane, number: place.number)
      last = CountingReactor.Last(place: place, serial: (last?.serial ?? 0) + 1)
    }
  }

  override func mutate(action: Place) -> Mutations<Place> { [action] }
  override func reduce(into state: inout State, mutation: Place) { state.record(mutation) }
}

private final class ParentReactor: BaseReactor<Place, Place, ParentReactor.State>,
  @unchecked Sendable  // Safe to share: its stored properties are constants, or made before anybody else knows it.
{
  struct State: Sendable {
    var own: PartReactor.State
    var child: PartReactor.State
    var elements = Keyed<Int, PartReactor.State>()
    var visitor: PartReactor.State?
  }

  override func mutate(action: Place) -> Mutations<Place> { [action] }

  override func reduce(into state: inout State, mutation: Place) {
    state.own.record(mutation)
    // Children come and go beside those that are counted, and these move.
    let blank = PartReactor.State(ledger: Ledger(expected: []))
    switch mutation.number % 16 {
    case 0: state.elements.append(blank, id: 1 + mutation.number % 5)
    case 4: state.elements.move(0, to: state.elements.count - 1)
    case 8: state.elements.remove(1 + mutation.number % 5)
    case 12: state.visitor = state.visitor == nil ? blank : nil
    default: break
    }
  }
}

/// Every other action of a sender goes to the parent; the others of even senders go to a child at a stored property, those
/// of odd ones to an element of a keyed collection. All are observed at the parent.
package final class NestedTarget: StressTarget {
  package let queue = DispatchQueue(label: "reactors under stress")
  private let map: LaneMap
  private let parent: ParentReactor
  private let child: PartReactor
  private let element: PartReactor
  private let observed: ObservedBook
  private let subscriptions: [EventSubscription]

  package init(_ map: LaneMap, handled: @escaping @Sendable (Token) -> Void) {
    self.map = map
    let books = (0..<3).map { Self.part($0, of: map) }
    let parent = ParentReactor(initialState: .init(own: books[0], child: books[1]), queue: queue)
    parent.restore(.init(own: books[0], child: books[1], elements: Keyed([books[2]])))
    let child = PartReactor(initialState: books[1], queue: queue)
    let queue = queue
    let blank = PartReactor.State(ledger: Ledger(expected: []))
    (element, observed) = (
      queue.sync {
        parent.nest(child, at: \.child)
        _ = parent.nest(at: \.visitor) { PartReactor(initialState: blank, queue: queue) }
        return parent.children(at: \.elements) { _ in PartReactor(initialState: blank, queue: queue) }.reactor(for: 0)
      },
      ObservedBook(Ledger(expected: map.expected))
    )
    self.parent = parent
    self.child = child
    let receive: @Sendable (CountingReactor.Last?) -> Void = { [observed] last in
      guard let place = last?.place else { return }
      observed.record(place)
      handled(place.token)
    }
    subscriptions = [
      parent.observe(\.own.last, receive), parent.observe(\.child.last, receive),
      parent.observe(\.elements[id: 0]?.last, { receive($0 ?? nil) }),
    ]
  }

  /// Which reactor a lane belongs to: 0 is the parent, 1 the child, 2 the element.
  private static func owner(of lane: Int) -> Int {
    lane % 2 == 0 ? 0 : lane / 2 % 2 == 0 ? 1 : 2
  }

  private static func part(_ owner: Int, of map: LaneMap) -> PartReactor.State {
    let expected = map.expected.enumerated().map { Self.owner(of: $0) == owner ? $1 : 0 }
    return PartReactor.State(ledger: Ledger(expected: expected))
  }

  package func send(_ token: Token) {
    let place = map.place(of: token)
    switch Self.owner(of: place.lane) {
    case 0: parent.action(place)
    case 1: child.action(place)
    default: element.action(place)
    }
  }

  package func books() -> [Book] {
    let state = parent.state
    var books = [("of the parent", state.own.ledger), ("of the child", state.child.ledger)]
    if let element = state.elements[id: 0] { books.append(("of the element", element.ledger)) }
    return books.map { Book(name: "in reduce \($0)", ledger: $1, laneName: map.name) }
      + [Book(name: "in an observer", ledger: observed.ledger, laneName: map.name)]
  }
}
