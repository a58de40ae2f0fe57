// The reactor of the nesting tests: any state, changed by closures, so that trees of any shape can be put together.

import Dispatch
import SwiftReactor

typealias Change<State> = @Sendable (inout State) -> Void

enum CellAction<State: Sendable>: Sendable {
  case change(Change<State>)
  /// Answers with whatever the test likes, computed on the queue inside `mutate`.
  case answer(@Sendable (Cell<State>) -> Mutations<Change<State>>)
}

final class Cell<State: Sendable>: BaseReactor<CellAction<State>, Change<State>, State>, @unchecked Sendable {
  // Safe to share: what this class adds are constants of Sendable types.

  struct Hooks: Sendable {
    var action: @Sendable (EventStream<CellAction<State>>) -> EventStream<CellAction<State>> = { $0 }
    var mutation: @Sendable (EventStream<Change<State>>) -> EventStream<Change<State>> = { $0 }
    var state: @Sendable (EventStream<State>) -> EventStream<State> = { $0 }
    var output: @Sendable (any Sendable, AnyObject) -> CellAction<State>? = { _, _ in nil }
    var failure: @Sendable (any Error) -> Void = { _ in }
    /// Whatever lives as long as the reactor.
    var life: Lives.Life?
  }

  private let hooks: Hooks

  init(_ state: State, on queue: DispatchQueue, hooks: Hooks = Hooks()) {
    self.hooks = hooks
    super.init(initialState: state, queue: queue)
  }

  override func mutate(action: CellAction<State>) -> Mutations<Change<State>> {
    switch action {
    case .change(let change): [change]
    case .answer(let answer): answer(self)
    }
  }

  override func reduce(into state: inout State, mutation: @escaping Change<State>) { mutation(&state) }

  override func transform(action: EventStream<CellAction<State>>) -> EventStream<CellAction<State>> {
    hooks.action(action)
  }
  override func transform(mutation: EventStream<Change<State>>) -> EventStream<Change<State>> {
    hooks.mutation(mutation)
  }
  override func transform(state: EventStream<State>) -> EventStream<State> { hooks.state(state) }
  override func effectFailed(_ error: any Error, action: CellAction<State>?) { hooks.failure(error) }
  override func received(output: any Sendable, from child: AnyObject) -> CellAction<State>? {
    hooks.output(output, child)
  }

  func change(_ change: @escaping Change<State>) { action(.change(change)) }
  func answer(_ answer: @escaping @Sendable (Cell<State>) -> Mutations<Change<State>>) { action(.answer(answer)) }
}

struct Leaf: Equatable, Sendable {
  var id = 0
  var n = 0
  var list: [Int] = []
}

enum Room: Equatable, Sendable {
  case empty
  case kitchen(Leaf)
  case study(Leaf)
}

extension Case where Whole == Room, Value == Leaf {
  static let kitchen = Case(embed: Room.kitchen, extract: { if case .kitchen(let leaf) = $0 { leaf } else { nil } })
  static let study = Case(embed: Room.study, extract: { if case .study(let leaf) = $0 { leaf } else { nil } })
}

/// A state with a place of every kind.
struct House: Equatable, Sendable {
  var id = 0
  var n = 0
  var door = Leaf()
  var garden = Leaf()
  var guest: Leaf?
  var room = Room.empty
  var rows: [Leaf] = []
  var cards = Keyed<Int, Leaf>()

  /// The sum over everything in it.
  var total: Int {
    let room =
      switch self.room {
      case .empty: 0
      case .kitchen(let leaf), .study(let leaf): leaf.n
      }
    return n + door.n + garden.n + (guest?.n ?? 0) + room + rows.reduce(0) { $0 + $1.n }
      + cards.reduce(0) { $0 + $1.n }
  }
}

struct Street: Equatable, Sendable {
  var n = 0
  var house = House()
  var empty: House?
  var houses = Keyed<Int, House>()
}

/// A house with all its children.
final class Home: Sendable {
  let queue: DispatchQueue
  let reactor: Cell<House>
  let door: Cell<Leaf>
  let garden: Cell<Leaf>
  let guest: OptionalChild<Cell<Leaf>>
  let kitchen: OptionalChild<Cell<Leaf>>
  let study: OptionalChild<Cell<Leaf>>
  let rows: KeyedChildren<Int, Cell<Leaf>>
  let cards: KeyedChildren<Int, Cell<Leaf>>

  /// - Parameters:
  ///   - made: The state that children are made with.
  ///   - reports: Takes what the children report.
  init(
    _ state: House = House(), on queue: DispatchQueue = DispatchQueue(label: "home"),
    hooks: Cell<House>.Hooks = .init(), made: Leaf = Leaf(id: -1, n: -1), child: Cell<Leaf>.Hooks = .init(),
    reports: Recorder<ReactorReport>? = nil
  ) {
    let make: @Sendable () -> Cell<Leaf> = {
      guard let reports else { return Cell(made, on: queue, hooks: child) }
      return ReactorReports.withTestHandler({ reports.append($0) }) { Cell(made, on: queue, hooks: child) }
    }
    self.queue = queue
    reactor = Cell(state, on: queue, hooks: hooks)
    (door, garden) = (make(), make())
    reactor.nest(door, at: \.door)
    reactor.nest(garden, at: \.garden)
    guest = reactor.nest(at: \.guest, make)
    kitchen = reactor.nest(at: \.room, case: .kitchen, make)
    study = reactor.nest(at: \.room, case: .study, make)
    rows = reactor.children(at: \.rows, id: \.id) { _ in make() }
    cards = reactor.children(at: \.cards) { _ in make() }
  }

  func sync<Result>(_ body: () throws -> Result) rethrows -> Result { try queue.sync(execute: body) }
}

extension Keyed where ID == Int, Element == Leaf {
  init(_ ids: some Sequence<Int>) { self.init(ids.map { Leaf(id: $0) }, id: \.id) }
}

/// Runs `body` on a queue of its own, as a turn of nobody: everything in it is on the queue.
func onQueue<Result>(_ body: (DispatchQueue) throws -> Result) rethrows -> Result {
  let queue = DispatchQueue(label: "nest")
  return try queue.sync { try body(queue) }
}
