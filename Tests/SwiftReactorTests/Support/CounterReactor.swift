// The reactor of the stories: a few numbers and texts, actions that change them at once or later, and hooks that a test
// can put in.

import Dispatch
import SwiftReactor

final class CounterReactor: BaseReactor<CounterReactor.Action, CounterReactor.Mutation, CounterReactor.State>,
  @unchecked Sendable
{
  // Safe to share: what this class adds are constants of Sendable types.

  struct State: Equatable, Sendable {
    var n = 0
    var a = 0
    var b = 0
    var text = ""
    @Pulse var alert: String? = nil
    var log = StoryLog()
    var items: [Int] = []
  }

  enum Action: Sendable {
    case nop
    case inc
    case incTwice
    case incBoth
    case setA(Int)
    case setB(Int)
    case setText(String)
    case write([String])
    case alert(String)
    case incLater
    case setALater(Int)
    /// Answers with whatever the test likes, computed on the queue inside `mutate`.
    case answer(@Sendable (CounterReactor) -> Mutations<Mutation>)

    /// Sets `n` to a value.
    static func setN(_ value: Int) -> Action { .answer([.setN(value)]) }

    /// The same for an answer that needs no reactor.
    static func answer(_ mutations: @escaping @Sendable @autoclosure () -> Mutations<Mutation>) -> Action {
      .answer { _ in mutations() }
    }
  }

  enum Mutation: Sendable {
    case inc
    case setN(Int)
    case setA(Int)
    case setB(Int)
    case setText(String)
    case write(String)
    case alert(String)
    case change(@Sendable (inout State) -> Void)
  }

  /// What a test puts into the flow. Left alone, each hands on what it got.
  struct Hooks: Sendable {
    var action: @Sendable (EventStream<Action>) -> EventStream<Action> = { $0 }
    var mutation: @Sendable (EventStream<Mutation>) -> EventStream<Mutation> = { $0 }
    var state: @Sendable (EventStream<State>) -> EventStream<State> = { $0 }
    var onMutate: @Sendable (CounterReactor, Action) -> Void = { _, _ in }
    var onReduce: @Sendable (State, Mutation) -> Void = { _, _ in }
    var onFailure: @Sendable (any Error, Action?) -> Void = { _, _ in }
    var onDeinit: @Sendable () -> Void = {}
  }

  private let hooks: Hooks

  init(_ initialState: State = State(), queue: DispatchQueue = .main, hooks: Hooks = Hooks()) {
    self.hooks = hooks
    super.init(initialState: initialState, queue: queue)
  }

  /// A reactor on a serial queue of its own.
  static func onOwnQueue(_ initialState: State = State(), hooks: Hooks = Hooks()) -> CounterReactor {
    CounterReactor(initialState, queue: DispatchQueue(label: "counter"), hooks: hooks)
  }

  deinit {
    hooks.onDeinit()
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    hooks.onMutate(self, action)
    switch action {
    case .nop: return .none
    case .inc: return [.inc]
    case .incTwice: return [.inc, .inc]
    case .incBoth: return [.inc, .write("inc")]
    case .setA(let value): return [.setA(value)]
    case .setB(let value): return [.setB(value)]
    case .setText(let text): return [.setText(text)]
    case .write(let lines): return Mutations(sync: lines.map(Mutation.write))
    case .alert(let text): return [.alert(text)]
    case .incLater: return .run { emit in emit(.inc) }
    case .setALater(let value): return .run { emit in emit(.setA(value)) }
    case .answer(let make): return make(self)
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    hooks.onReduce(state, mutation)
    switch mutation {
    case .inc: state.n += 1
    case .setN(let value): state.n = value
    case .setA(let value): state.a = value
    case .setB(let value): state.b = value
    case .setText(let text): state.text = text
    case .write(let line): state.log.append(line)
    case .alert(let text): state.alert = text
    case .change(let change): change(&state)
    }
  }

  override func transform(action: EventStream<Action>) -> EventStream<Action> { hooks.action(action) }
  override func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> { hooks.mutation(mutation) }
  override func transform(state: EventStream<State>) -> EventStream<State> { hooks.state(state) }

  override func effectFailed(_ error: any Error, action: Action?) {
    hooks.onFailure(error, action)
    super.effectFailed(error, action: action)
  }
}

extension CounterReactor {
  /// Runs `body` on the reactor's queue and waits for it. Not for reactors of the main queue: a test is on it already.
  func onQueue<Result>(_ body: (CounterReactor) throws -> Result) rethrows -> Result {
    try queue.sync { try body(self) }
  }

  /// The number of effects that run or wait.
  var effectCount: Int { effects.count }
}

/// The error of the stories.
struct StoryError: Error, Equatable {
  var name = "story"
}
