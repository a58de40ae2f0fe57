// States as an async sequence that holds none.

/// The states of a reactor, or the values of one path, as an async sequence that never fails.
///
/// ```swift
/// for await state in reactor.states { print(state.count) }
/// for await count in reactor.values(of: \.count) { print(count) }
/// ```
///
/// It holds no value: it is told that something changed, and reads the newest when it is asked. A slow consumer delays
/// nobody and skips what it was too slow for; a cancelled one leaves nothing behind. Each iterator gets its own values.
/// It ends when the reactor is gone.
///
/// **Threads.** Iterate wherever you like. The first value is the current one.
public struct StateSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// The sequence never fails.
  public typealias Failure = Never

  let makeNext: @Sendable () -> StateCursor<Element>

  /// Begins to follow the states.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(cursor: makeNext())
  }

  /// One consumer.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let cursor: StateCursor<Element>

    /// The newest element that this consumer has not seen; waits until there is one. Nil when the reactor is gone or the
    /// task is cancelled.
    public mutating func next() async -> Element? {
      await cursor.next()
    }

    /// The same, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await cursor.next()
    }
  }
}

/// What one consumer has seen. Its end is the end of the registration.
final class StateCursor<Element: Sendable>: Sendable {
  private let signal: ChangeSignal
  /// The newest element, nil if it was seen already.
  private let read: @Sendable () -> Element?
  /// Begins the registration, at the first question.
  private let register: @Sendable () -> Void

  init(
    _ signal: ChangeSignal, register: @escaping @Sendable () -> Void, read: @escaping @Sendable () -> Element?
  ) {
    self.signal = signal
    self.register = register
    self.read = read
  }

  deinit {
    signal.end()
  }

  nonisolated(nonsending) func next() async -> Element? {
    if signal.begin() { register() }
    while await signal.wait() {
      if let element = read() { return element }
    }
    return nil
  }
}

/// "Something changed", remembered once.
final class ChangeSignal: @unchecked Sendable {
  // Safe to share: everything is only touched under `lock`.
  private let lock = Lock()
  private var isSet = false
  private var isOver = false
  private var hasBegun = false
  private var subscription: EventSubscription?
  private var waiter: UnsafeContinuation<Bool, Never>?

  /// True the first time.
  func begin() -> Bool {
    lock.withLock {
      defer { hasBegun = true }
      return !hasBegun && !isOver
    }
  }

  /// Keeps the registration until the end.
  func keep(_ subscription: EventSubscription) {
    let isTooLate = lock.withLock {
      if !isOver { self.subscription = subscription }
      return isOver
    }
    if isTooLate { subscription.cancel() }
  }

  func set() {
    let waiter = lock.withLock { () -> UnsafeContinuation<Bool, Never>? in
      guard !isOver else { return nil }
      defer { self.waiter = nil }
      isSet = self.waiter == nil
      return self.waiter
    }
    waiter?.resume(returning: true)
  }

  /// Nothing will change any more, or nobody asks any more.
  func end() {
    let (waiter, subscription) = lock.withLock {
      defer {
        self.waiter = nil
        self.subscription = nil
      }
      isOver = true
      return (self.waiter, self.subscription)
    }
    waiter?.resume(returning: false)
    subscription?.cancel()
  }

  /// Waits for a change; false at the end, and when the task is cancelled.
  nonisolated(nonsending) func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let answer = lock.withLock { () -> Bool? in
          if isOver { return false }
          if isSet {
            isSet = false
            return true
          }
          require(waiter == nil, "One iterator of a state sequence is asked by two tasks at once")
          waiter = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      end()
    }
  }
}

extension ReactorCore {
  /// All states; see ``BaseReactor/states``.
  public var states: StateSequence<State> {
    sequence({ $0 }, areEqual: nil)
  }

  /// What `value` takes out of the states, without what equals the one before.
  func sequence<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, areEqual: (@Sendable (Value, Value) -> Bool)?
  ) -> StateSequence<Value> {
    StateSequence { [weak self] in
      let signal = ChangeSignal()
      let seen = Seen<Value>()
      return StateCursor(signal) { [weak self] in
        guard let self else { return signal.end() }
        let observer = SignalObserver<State>(signal: { signal.set() }, finish: { signal.end() })
        signal.keep(self.observe(observer))
      } read: { [weak self] in
        guard let (state, commit) = self?.storage.readWithCommit() else { return nil }
        return seen.take(commit, { value(state) }, areEqual)
      }
    }
  }
}

/// What a consumer has seen: the number of the last commit, and the value it got last.
private final class Seen<Value: Sendable>: @unchecked Sendable {
  // Safe to share: only touched by the one task that asks its iterator.
  private var commit = -1
  private var value: Value?

  /// The value, unless it was seen.
  func take(_ commit: Int, _ make: () -> Value, _ areEqual: ((Value, Value) -> Bool)?) -> Value? {
    guard commit != self.commit else { return nil }
    self.commit = commit
    let new = make()
    // Without a comparison there is nothing to remember the value for.
    guard let areEqual else { return new }
    if let value, areEqual(value, new) { return nil }
    value = new
    return new
  }
}
