// What every reactor can be asked and told, whether it is a BaseReactor or conforms to Reactor by itself.

public import Dispatch

extension Reactor {
  // MARK: In

  /// Sends an action; see ``BaseReactor/action(_:)``.
  @inlinable
  public func action(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    core.send(action, to: self, at: SendPlace(fileID: fileID, line: line))
  }

  /// The same as a value: `numbers.map(Action.add).sink(reactor.action)`.
  @inlinable
  @_disfavoredOverload
  public func action(_ action: Action) {
    core.send(action, to: self)
  }

  /// The entrance for actions as a value; see ``BaseReactor/action``.
  public var action: EventSubject<Action> { core.actions }

  /// The entrance for mutations; see ``BaseReactor/mutation``.
  public var mutation: EventSubject<Mutation> { core.mutations }

  /// Sends an action and waits until everything its effects emitted is committed; see ``BaseReactor/perform(_:fileID:line:)``.
  nonisolated(nonsending) public func perform(
    _ action: Action, fileID: StaticString = #fileID, line: UInt = #line
  ) async {
    await core.perform(action, fileID: fileID, line: line)
  }

  /// Sends an action, then waits while a condition holds; see ``BaseReactor/action(_:while:fileID:line:)``.
  nonisolated(nonsending) public func action(
    _ action: Action, while condition: @Sendable (State) -> Bool, fileID: StaticString = #fileID, line: UInt = #line
  ) async {
    self.action(action, fileID: fileID, line: line)
    for await state in states where !condition(state) { return }
  }

  /// Replaces the state; see ``BaseReactor/restore(_:)``.
  public func restore(_ state: State) {
    core.restore(state)
  }

  /// Restores what `load` reads, such as a saved state. If it throws, the state stays as it is, and the error is reported
  /// once (``ReactorReport/Kind-swift.struct/restoreFailed``).
  ///
  /// ```swift
  /// reactor.restore(from: { try JSONDecoder().decode(App.State.self, from: data) })
  /// ```
  ///
  /// A state that was saved by an older version lacks what is new: give its parts an `init(from:)` that reads with
  /// `decodeIfPresent`, or null, and falls back to the default.
  ///
  /// - Returns: Could it be read?
  @discardableResult
  public func restore(from load: () throws -> State) -> Bool {
    do {
      core.restore(try load())
      return true
    } catch {
      core.report(
        .restoreFailed, action: nil, "a saved state could not be read, and the state stays as it is: \(error)")
      return false
    }
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
