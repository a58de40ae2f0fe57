// A parent with children in every kind of place, for the tests of nesting.

import Dispatch
import SwiftReactor

/// The child of the stories: two numbers that belong together, a counter, and answers that a test makes up.
final class RowReactor: BaseReactor<RowReactor.Action, RowReactor.Mutation, RowReactor.Row>, @unchecked Sendable {
  // Safe to share: what this class adds are constants of Sendable types.
  struct Row: Equatable, Sendable {
    var id = 0
    var n = 0
    var x = 0
    var y = 0
    var inner = Inner()
  }

  struct Inner: Equatable, Sendable { var depth = 0 }

  enum Action: Sendable {
    case inc
    /// Sets both, in one mutation.
    case move(Int)
    case say(String)
    case answer(@Sendable (RowReactor) -> Mutations<Mutation>)
  }

  enum Mutation: Sendable { case inc, move(Int) }

  private let onDeinit: @Sendable () -> Void

  init(_ row: Row = Row(), queue: DispatchQueue, onDeinit: @escaping @Sendable () -> Void = {}) {
    self.onDeinit = onDeinit
    super.init(initialState: row, queue: queue)
  }

  deinit { onDeinit() }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .inc: return [.inc]
    case .move(let value): return [.move(value)]
    case .say(let line):
      output(line)
      return .none
    case .answer(let make): return make(self)
    }
  }

  override func reduce(into state: inout Row, mutation: Mutation) {
    switch mutation {
    case .inc: state.n += 1
    case .move(let value):
      state.x = value
      state.y = value
    }
  }
}

extension RowReactor.Action {
  /// Starts an effect that waits at `gate`, however often it is cancelled, and then adds one.
  static func gated(_ gate: Gate, id: some Hashable & Sendable) -> Self {
    .answer { _ in
      Mutations<RowReactor.Mutation>.run { emit in
        await gate.wait()
        emit(.inc)
      }.effect(id: id)
    }
  }
}

/// The parent.
final class FamilyReactor: BaseReactor<FamilyReactor.Action, FamilyReactor.Action, FamilyReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  typealias Row = RowReactor.Row

  enum Screen: Equatable, Sendable { case none, edit(Row), show(Row) }

  struct State: Equatable, Sendable {
    var left = Row(id: -1)
    var right = Row(id: -2)
    var detail: Row?
    var screen = Screen.none
    var rows: [Row] = []
    var board = Keyed<Int, Row>()
    var said: [String] = []
  }

  enum Action: Sendable {
    case change(@Sendable (inout State) -> Void)
    case said(String)
  }

  init(_ state: State = State(), queue: DispatchQueue = DispatchQueue(label: "family")) {
    super.init(initialState: state, queue: queue)
  }

  override func mutate(action: Action) -> Mutations<Action> { [action] }

  override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .change(let change): change(&state)
    case .said(let line): state.said.append(line)
    }
  }

  override func received(output: any Sendable, from child: AnyObject) -> Action? {
    (output as? String).map(Action.said)
  }

  func change(_ change: @escaping @Sendable (inout State) -> Void) { action(.change(change)) }

  /// Makes a child on the same queue.
  func makeRow(_ id: Int, onDeinit: @escaping @Sendable () -> Void = {}) -> RowReactor {
    RowReactor(Row(id: id), queue: queue, onDeinit: onDeinit)
  }
}

extension Case where Whole == FamilyReactor.Screen, Value == FamilyReactor.Row {
  static let edit = Case(embed: FamilyReactor.Screen.edit) { if case .edit(let row) = $0 { row } else { nil } }
  static let show = Case(embed: FamilyReactor.Screen.show) { if case .show(let row) = $0 { row } else { nil } }
}
