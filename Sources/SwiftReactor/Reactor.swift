// The protocol behind BaseReactor, for those who do not want the class.

/// A state machine: actions go in, `mutate` turns them into mutations, `reduce` makes the next state.
///
/// Most people subclass ``BaseReactor``. Conform to `Reactor` when your class has another superclass. Everything behaves
/// the same:
///
/// ```swift
/// final class Counter: Reactor {
///   enum Action { case increment }
///   let core = ReactorCore<Action, Action, Int>(initialState: 0)
///
///   init() { core.connect(self) }
///
///   func mutate(action: Action) -> Mutations<Action> { [action] }
///   func reduce(into state: inout Int, mutation: Action) { state += 1 }
/// }
/// ```
///
/// **Threads.** `mutate`, `reduce`, the hooks and `effectFailed` are called on the reactor's queue, one at a time
/// (Contract G3). Everything else may be called from any thread.
public protocol Reactor<Action, Mutation, State>: AnyObject, Sendable {
  /// What comes in from outside: what the user did, what the server said.
  associatedtype Action: Sendable
  /// A single change of the state.
  associatedtype Mutation: Sendable = Action
  /// What the reactor knows.
  associatedtype State: Sendable

  /// The engine of this reactor. Make it with the initial state, and call `core.connect(self)` last in `init`.
  var core: ReactorCore<Action, Mutation, State> { get }

  /// Turns an action into mutations: some at once, some later. See ``BaseReactor/mutate(action:)``.
  func mutate(action: Action) -> Mutations<Mutation>
  /// Changes the state in place. See ``BaseReactor/reduce(into:mutation:)``.
  func reduce(into state: inout State, mutation: Mutation)
  /// Makes a new state from the old one. See ``BaseReactor/reduce(state:mutation:)``.
  func reduce(state: State, mutation: Mutation) -> State
  /// Sees all actions before `mutate`. See ``BaseReactor/transform(action:)``.
  func transform(action: EventStream<Action>) -> EventStream<Action>
  /// Sees all mutations before `reduce`. See ``BaseReactor/transform(mutation:)``.
  func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation>
  /// Sees all states before they are shown. See ``BaseReactor/transform(state:)``.
  func transform(state: EventStream<State>) -> EventStream<State>
  /// An effect or a stream in a hook ended with an error. See ``BaseReactor/effectFailed(_:action:)``.
  func effectFailed(_ error: any Error, action: Action?)
  /// A child told something that is no state. See ``BaseReactor/received(output:from:)``.
  func received(output: any Sendable, from child: AnyObject) -> Action?
}

extension Reactor {
  /// Calls the ``Reduce`` that the core was made with, if any, otherwise ``reduce(state:mutation:)``.
  @inlinable
  public func reduce(into state: inout State, mutation: Mutation) {
    if let reducer = core.reducer { return reducer(into: &state, mutation) }
    state = reduce(state: state, mutation: mutation)
  }

  /// Returns the state unchanged.
  @inlinable
  public func reduce(state: State, mutation: Mutation) -> State { state }

  /// Returns the stream unchanged.
  public func transform(action: EventStream<Action>) -> EventStream<Action> { action }
  /// Returns the stream unchanged.
  public func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> { mutation }
  /// Returns the stream unchanged.
  public func transform(state: EventStream<State>) -> EventStream<State> { state }

  /// Answers with no action.
  public func received(output: any Sendable, from child: AnyObject) -> Action? { nil }

  /// Reports the error (Contract G22).
  public func effectFailed(_ error: any Error, action: Action?) {
    core.reportFailure(error, action: action)
  }
}

extension Reactor where Mutation == Action {
  /// Takes the action as the mutation.
  public func mutate(action: Action) -> Mutations<Mutation> { [action] }
}
