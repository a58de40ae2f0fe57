// The reactor under stress, for all kinds that need no more than one.

package import Dispatch
internal import Foundation
package import SwiftReactor

/// How the numbers of the senders become numbers of lanes, each of which promises an order.
package struct LaneMap: Sendable {
  package let kind: StressKind
  private let plan: StressPlan

  package init(kind: StressKind, plan: StressPlan) {
    self.kind = kind
    self.plan = plan
  }

  private var names: [String] {
    switch kind {
    case .sync: ["synchronous"]
    case .async: ["effects"]
    case .mixed: ["synchronous", "effects"]
    case .nested: ["to the parent", "to its child"]
    case .reentrant: ["sent", "from mutate", "from reduce", "from an observer"]
    }
  }

  package var lanesPerSender: Int { names.count }

  /// Every other number goes another way.
  private var isHalfAndHalf: Bool { kind == .mixed || kind == .nested }

  package var expected: [Int] {
    plan.counts.flatMap { count in
      // Half of them, the first one of an odd number more, go the first way.
      isHalfAndHalf ? [(count + 1) / 2, count / 2] : Array(repeating: count, count: lanesPerSender)
    }
  }

  package func name(_ lane: Int) -> String {
    let sender = lane / lanesPerSender
    let who = sender == plan.queueSender ? "the sender on the queue" : "sender \(sender + 1)"
    return "\(who), \(names[lane % lanesPerSender])"
  }

  /// Where an action of a sender is booked. `stage` counts the actions that one action causes.
  package func place(of token: Token, stage: Int = 0) -> Place {
    if isHalfAndHalf {
      return Place(token: token, stage: 0, lane: token.sender * 2 + token.number % 2, number: token.number / 2)
    }
    return Place(token: token, stage: stage, lane: token.sender * lanesPerSender + stage, number: token.number)
  }
}

/// A place in the books.
package struct Place: Sendable, Hashable {
  package let token: Token
  package let stage: Int
  package let lane: Int
  package let number: Int
}

package final class CountingReactor: BaseReactor<CountingReactor.Action, Place, CountingReactor.State>,
  @unchecked Sendable  // Safe to share: its only property is constant; the state is the base class's.
{
  package struct Action: Sendable {
    let token: Token
    /// Which of the actions that one action causes: 0 is the first of them.
    let stage: Int
  }

  package struct State: Sendable {
    /// Kept in place: no commit copies it.
    var ledger: Ledger
    /// The last commit. The serial number tells apart what would otherwise be equal.
    var last: Last?
  }

  struct Last: Sendable, Hashable {
    let place: Place
    let serial: Int
  }

  private let map: LaneMap

  package init(_ map: LaneMap, queue: DispatchQueue) {
    self.map = map
    super.init(initialState: State(ledger: Ledger(expected: map.expected)), queue: queue)
  }

  package override func mutate(action: Action) -> Mutations<Place> {
    let place = map.place(of: action.token, stage: action.stage)
    switch map.kind {
    case .sync, .nested:
      return [place]
    case .async:
      return later(place)
    case .mixed:
      return action.token.number.isMultiple(of: 2) ? [place] : later(place)
    case .reentrant:
      if action.stage == 0 { send(action.token, stage: 1) }
      return [place]
    }
  }

  package override func reduce(into state: inout State, mutation place: Place) {
    state.ledger.record(lane: place.lane, number: place.number)
    state.last = Last(place: place, serial: (state.last?.serial ?? 0) + 1)
    if map.kind == .reentrant, place.stage == 1 { send(place.token, stage: 2) }
  }

  func send(_ token: Token, stage: Int) {
    action(Action(token: token, stage: stage))
  }

  /// One effect after the other for each sender: the order is the queue policy's.
  private func later(_ place: Place) -> Mutations<Place> {
    .run { emit in emit(place) }.effect(id: place.token.sender, .queued)
  }
}

/// A counting reactor on a queue of its own, with an observer that keeps books as well.
package final class ReactorTarget: StressTarget {
  package let queue = DispatchQueue(label: "reactor under stress")
  private let map: LaneMap
  private let reactor: CountingReactor
  private let observed: ObservedBook
  private let subscription: EventSubscription

  package init(_ map: LaneMap, handled: @escaping @Sendable (Token) -> Void) {
    self.map = map
    reactor = CountingReactor(map, queue: queue)
    observed = ObservedBook(Ledger(expected: map.expected))
    subscription = reactor.observe(\.last) { [observed, weak reactor] last in
      guard let place = last?.place else { return }
      observed.record(place)
      if map.kind == .reentrant, place.stage < 3 {
        if place.stage == 2 { reactor?.send(place.token, stage: 3) }
      } else {
        handled(place.token)
      }
    }
  }

  package func send(_ token: Token) {
    reactor.send(token, stage: 0)
  }

  package func books() -> [Book] {
    [
      Book(name: "in reduce", ledger: reactor.state.ledger, laneName: map.name),
      Book(name: "in an observer", ledger: observed.ledger, laneName: map.name),
    ]
  }
}

final class ObservedBook: @unchecked Sendable {
  // Safe to share: the ledger is only touched under the lock.
  private let lock = NSLock()
  private var books: Ledger

  init(_ ledger: Ledger) { books = ledger }

  var ledger: Ledger { lock.withLock { books } }

  func record(_ place: Place) {
    lock.withLock { books.record(lane: place.lane, number: place.number) }
  }
}
