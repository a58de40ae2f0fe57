// A value of the state that a control shows and changes, with the reactor's flow in between.

/// A two-way connection between one value of a state and a control: reading takes it from the state, setting sends an
/// action or a mutation.
///
/// It knows the flow. What was set is not shown until the reactor has answered, and then it is the answer that is shown:
///
/// ```swift
/// let name = reactor.binding(\.name, action: Profile.Action.setName)
/// name.value = "a name that is far too long"
/// name.value  // what the reducer made of it: "a name that i"
/// ```
///
/// - After a `set` on the queue, `value` is what the reducer made of it. Nothing jumps back in between. An answer that
///   comes *later*, from an effect, is shown later: until then it is the old value.
/// - A value that the reducer corrected or refused is shown again, even if the state did not change by it: ``observe(_:)``
///   is told once more, and who tracks the path with the Observation module, or is an `ObservableObject`'s view, draws
///   anew. Observers of the path hear nothing, since nothing has changed.
/// - Telling a control what to show never sets anything. A control that calls back when it is told something sets the
///   value that it was told, and that is the end of it.
/// - For a child whose state is gone a `set` does nothing, except that the action is reported as late.
///
/// A binding can be made anew whenever it is needed; it keeps the reactor alive, and nothing else.
///
/// **Threads.** Reading and setting may be done from anywhere; a `set` outside of the queue is an action like any other and
/// comes soon, in order. **Cost.** A `set` costs one arrival more than its action.
public struct StateBinding<Value: Sendable>: Sendable {
  private let read: @Sendable () -> Value
  private let write: @Sendable (Value) -> Void
  private let follow: @Sendable (@escaping @Sendable (Value) -> Void, ReceiverIsolation) -> EventSubscription

  /// Makes a binding for a path. `send` sends what stands for the new value.
  init<Action, Mutation, State>(
    _ core: ReactorCore<Action, Mutation, State>, _ path: KeyPath<State, Value>,
    keeping reactor: any AnyObject & Sendable, _ send: @escaping @Sendable (Value) -> Void
  ) {
    // Safe: key paths are immutable.
    nonisolated(unsafe) let path = path
    read = { withExtendedLifetime(reactor) { core.read(path) } }
    write = { value in
      send(value)
      core.showAgain(path, unless: value)
    }
    follow = { receive, isolation in core.control(path, isolation, receive) }
  }

  /// The value in the state; setting it sends the action or the mutation. Inside a tracking scope of the Observation
  /// module reading it follows it.
  public var value: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// Sets the value: the same as assigning to ``value``, as a function.
  public func set(_ value: Value) { write(value) }

  /// Tells a control what to show: the value now, each other value after that, and once more the one that is there when
  /// something else was set.
  ///
  /// ```swift
  /// let subscription = name.observe { field.text = $0 }
  /// ```
  ///
  /// **Threads.** As with ``BaseReactor/observe(_:_:)``: called on the reactor's queue, for the first time before this
  /// returns if that is where it is called.
  public func observe(
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    let receiver = IsolatedReceiver(receive)
    return follow({ receiver($0) }, receiver.isolation)
  }
}

extension Reactor {
  /// A binding whose `set` sends an action. See ``StateBinding``.
  ///
  /// - Parameters:
  ///   - path: What it shows.
  ///   - action: The action for a new value, such as `Action.setName`.
  public func binding<Value: Sendable>(
    _ path: KeyPath<State, Value>, action: @escaping @Sendable (Value) -> Action
  ) -> StateBinding<Value> {
    // Where it was made is not known here, and this file is of no interest to those who look on.
    StateBinding(core, path, keeping: self) { [self] in core.send(action($0), to: self) }
  }

  /// A binding whose `set` sends a mutation, past `mutate`. See ``StateBinding``. Say `mutation:`: a trailing closure without a
  /// label makes an action.
  ///
  /// - Parameters:
  ///   - path: What it shows.
  ///   - mutation: The mutation for a new value.
  @_disfavoredOverload
  public func binding<Value: Sendable>(
    _ path: KeyPath<State, Value>, mutation: @escaping @Sendable (Value) -> Mutation
  ) -> StateBinding<Value> {
    StateBinding(core, path, keeping: self) { [core] in core.send(mutation: mutation($0)) }
  }
}
