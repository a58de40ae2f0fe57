// Observing one part of a state.

extension BaseReactor {
  /// Tells `receive` the value of a path: the current one once, then only values that differ.
  ///
  /// ```swift
  /// let subscription = reactor.observe(\.count) { count in label.text = "\(count)" }
  /// ```
  ///
  /// **Threads.** `receive` is called on the reactor's queue. On that queue the current value is handed over before this
  /// returns; from elsewhere it comes on the queue. A closure of the main actor needs a reactor of the main queue; with
  /// any other the program stops with a message. After `cancel()` on the queue it is not called again.
  ///
  /// **Cost.** A path is compared once per commit, however many observe it. Only its value is kept, not the state.
  @inlinable
  public final func observe<Value: Equatable & Sendable>(
    _ path: KeyPath<State, Value>,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    core.observe(path, receive)
  }

  /// The same with a comparison of your own; values for which it is true count as equal.
  @inlinable
  public final func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, by areEqual: @escaping @Sendable (Value, Value) -> Bool,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    core.observe(path, by: areEqual, receive)
  }
}

extension ReactorCore {
  /// Tells `receive` the value of a path; see ``BaseReactor/observe(_:_:)``.
  @inlinable
  public func observe<Value: Equatable & Sendable>(
    _ path: KeyPath<State, Value>,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    let receiver = IsolatedReceiver(receive)
    return observe(path, sharedAs: path, by: ==, isolation: receiver.isolation, { receiver($0) })
  }

  /// The same with a comparison of your own; see ``BaseReactor/observe(_:by:_:)``.
  @inlinable
  public func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, by areEqual: @escaping @Sendable (Value, Value) -> Bool,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    let receiver = IsolatedReceiver(receive)
    return observe(path, sharedAs: nil, by: areEqual, isolation: receiver.isolation, { receiver($0) })
  }

  @inlinable
  func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, sharedAs shared: AnyKeyPath?,
    by areEqual: @escaping (Value, Value) -> Bool, isInitialTold: Bool = true, isolation: ReceiverIsolation,
    _ receive: @escaping @Sendable (Value) -> Void
  ) -> EventSubscription {
    // A stored path is read where it lies; the closures are formed here so that they are specialised in the module that
    // knows the types.
    let offset = MemoryLayout<State>.offset(of: path)
    let read: (UnsafeMutablePointer<State>) -> Value = { state in
      guard let offset else { return state.pointee[keyPath: path] }
      return (UnsafeRawPointer(state) + offset).assumingMemoryBound(to: Value.self).pointee
    }
    let update: (UnsafeMutablePointer<State>, inout Value) -> Bool = { state, value in
      let new = read(state)
      if areEqual(value, new) { return false }
      value = new
      return true
    }
    return observe(
      PathObserver(path: shared, isInitialTold: isInitialTold, read: read, update: update, receive: receive),
      isolation: isolation)
  }
}
