// What every reactor can be asked and told, whether it is a BaseReactor or conforms to Reactor by itself.

public import Dispatch

extension Reactor {
  // MARK: In

  /// Sends an action; see ``BaseReactor/action(_:)``.
  @inlinable
  public func action(_ action: Action) {
    core.send(action, to: self)
  }

  /// The entrance for actions as a value; see ``BaseReactor/action``.
  public var action: EventSubject<Action> { core.actions }

  /// The entrance for mutations; see ``BaseReactor/mutation``.
  public var mutation: EventSubject<Mutation> { core.mutations }

  /// Sends an action and waits until everything its effects emitted is committed; see ``BaseReactor/perform(_:)``.
  nonisolated(nonsending) public func perform(_ action: Action) async {
    await core.perform(action)
  }

  /// Sends an action, then waits while a condition holds; see ``BaseReactor/action(_:while:)``.
  nonisolated(nonsending) public func action(
    _ action: Action, while condition: @Sendable (State) -> Bool
  ) async {
    self.action(action)
    for await state in states where !condition(state) { return }
  }

  /// Replaces the state; see ``BaseReactor/restore(_:)``.
  public func restore(_ state: State) {
    core.restore(state)
  }

  // MARK: Out

  /// The committed state, from any thread; see ``BaseReactor/state``. As a stream it is `core.$state`.
  public var state: State { core.state }

  /// Tells `receive` the value of a path; see ``BaseReactor/observe(_:_:)``.
  @inlinable
  public func observe<Value: Equatable & Sendable>(
    _ path: KeyPath<State, Value>,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    core.observe(path, receive)
  }

  /// The same with a comparison of your own; see ``BaseReactor/observe(_:by:_:)``.
  @inlinable
  public func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, by areEqual: @escaping @Sendable (Value, Value) -> Bool,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    core.observe(path, by: areEqual, receive)
  }

  /// Tells `receive` each assignment of a ``Pulse``; see ``BaseReactor/pulse(_:_:)``.
  @inlinable
  public func pulse<Value: Sendable>(
    _ path: KeyPath<State, Pulse<Value>>,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    core.pulse(path, receive)
  }

  /// The states as an async sequence; see ``BaseReactor/states``.
  public var states: StateSequence<State> { core.states }

  /// The values of one path as an async sequence; see ``BaseReactor/values(of:buffering:)``.
  public func values<Value: Equatable & Sendable>(
    of path: KeyPath<State, Value>, buffering: EventBuffering? = nil
  ) -> StateSequence<Value> {
    core.values(of: path, buffering: buffering)
  }

  /// The queue on which everything of this reactor happens.
  public var queue: DispatchQueue { core.queue }

  /// The effects that run or wait; see ``BaseReactor/effects``.
  public var effects: [ReactorEffect<Action>] { core.listEffects() }

  /// Cancels all effects; see ``BaseReactor/cancelEffects()``.
  public func cancelEffects() {
    core.cancelEffects()
  }
}
