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
    let read = Self.reading(path)
    return observe(
      PathObserver(
        path: path, isInitialTold: true, read: read,
        update: { state, value in
          let new = read(state)
          if new == value.pointee { return false }
          value.pointee = new
          return true
        }, receive: { receiver($0.pointee) }),
      isolation: receiver.isolation)
  }

  /// The same with a comparison of your own; see ``BaseReactor/observe(_:by:_:)``.
  @inlinable
  public func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, by areEqual: @escaping @Sendable (Value, Value) -> Bool,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    let receiver = IsolatedReceiver(receive)
    return observe(path, by: areEqual, isInitialTold: true, isolation: receiver.isolation, { receiver($0) })
  }

  @inlinable
  func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, sharedAs shared: AnyKeyPath? = nil, by areEqual: @escaping (Value, Value) -> Bool,
    isInitialTold: Bool = true, isolation: ReceiverIsolation, _ receive: @escaping @Sendable (Value) -> Void
  ) -> EventSubscription {
    let read = Self.reading(path)
    return observe(
      PathObserver(
        path: shared, isInitialTold: isInitialTold, read: read,
        update: { state, value in
          let new = read(state)
          if areEqual(value.pointee, new) { return false }
          value.pointee = new
          return true
        }, receive: { receive($0.pointee) }),
      isolation: isolation)
  }

  /// What takes a value out of a state. A stored path is read where it lies; the closure is formed here so that it is
  /// specialised in the module that knows the types.
  @inlinable
  static func reading<Value>(_ path: KeyPath<State, Value>) -> (UnsafeMutablePointer<State>) -> Value {
    guard let offset = MemoryLayout<State>.offset(of: path) else { return { $0.pointee[keyPath: path] } }
    return { (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee }
  }
}
