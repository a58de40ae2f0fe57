// Values that happen once: alerts, navigation, "saved".

/// A property of a state whose assignments are events: each is delivered once, however often the state changes otherwise.
///
/// ```swift
/// struct State {
///   @Pulse var alert: String?
/// }
/// // in reduce: state.alert = "No connection"
/// let subscription = reactor.pulse(\.$alert) { alert in show(alert) }
/// ```
///
/// Assigning the same value again is a new event. Two assignments in one commit are one event, with the last value. An
/// event that nobody observes is gone: who observes later does not get it. The value stays readable until the next
/// assignment.
///
/// Equality, hash and coding see the value only, so bookkeeping never makes two states differ. A state that is restored
/// brings no events with it.
@propertyWrapper
public struct Pulse<Value: Sendable>: Sendable {
  private var value: Value
  /// The number of the assignment, larger than that of every earlier one in the program; 0 for the initial value.
  @usableFromInline var number: UInt64 = 0

  /// Makes a pulse with an initial value, which is no event.
  public init(wrappedValue: Value) {
    value = wrappedValue
  }

  /// The value that was assigned last. Assigning one is an event.
  public var wrappedValue: Value {
    get { value }
    set {
      value = newValue
      number = ChangeNumber.next()
    }
  }

  /// The pulse itself, for ``BaseReactor/pulse(_:_:)``.
  public var projectedValue: Pulse { self }
}

extension Pulse: Equatable where Value: Equatable {
  /// True if the values are equal, whenever they were assigned.
  public static func == (lhs: Pulse, rhs: Pulse) -> Bool { lhs.value == rhs.value }
}

extension Pulse: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Pulse: Decodable where Value: Decodable {
  /// Decodes the value. That is no event.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension Pulse: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension BaseReactor {
  /// Tells `receive` each assignment of a ``Pulse`` from now on, once. There is no initial value.
  ///
  /// **Threads.** Like ``observe(_:_:)``: `receive` is called on the reactor's queue.
  ///
  /// ```swift
  /// let subscription = reactor.pulse(\.$alert) { alert in show(alert) }
  /// ```
  @inlinable
  public final func pulse<Value: Sendable>(
    _ path: KeyPath<State, Pulse<Value>>,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    core.pulse(path, receive)
  }
}

extension ReactorCore {
  /// Tells `receive` each assignment of a ``Pulse``; see ``BaseReactor/pulse(_:_:)``.
  @inlinable
  public func pulse<Value: Sendable>(
    _ path: KeyPath<State, Pulse<Value>>,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    pulse(path, IsolatedReceiver(receive))
  }

  @inlinable
  func pulse<Value: Sendable>(
    _ path: KeyPath<State, Pulse<Value>>, _ receiver: IsolatedReceiver<Value>
  ) -> EventSubscription {
    observe(
      path, by: { old, new in new.number <= old.number }, isInitialTold: false,
      isolation: receiver.isolation, { receiver($0.wrappedValue) })
  }
}
