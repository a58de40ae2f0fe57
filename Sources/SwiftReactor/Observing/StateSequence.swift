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

  let makeCursor: @Sendable () -> StateCursor<Element>

  /// Begins to follow the states.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(cursor: makeCursor())
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

/// One consumer. Its end is the end of the registration.
class StateCursor<Element: Sendable>: @unchecked Sendable {
  // Safe to share: subclasses hold constants that guard themselves.
  nonisolated(nonsending) func next() async -> Element? { nil }
}

/// A consumer for whom nothing is kept: it is told of changes and reads the newest.
final class NewestCursor<Element: Sendable>: StateCursor<Element>, @unchecked Sendable {
  // Safe to share: constants.
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

  nonisolated(nonsending) override func next() async -> Element? {
    if signal.begin() { register() }
    while await signal.wait(for: Element.self) {
      if let element = read() { return element }
    }
    return nil
  }
}

/// A consumer with a buffer, for those who ask for one. It is registered from the beginning.
final class BufferedCursor<Element: Sendable>: StateCursor<Element>, @unchecked Sendable {
  // Safe to share: constants.
  private let buffer: AsyncBuffer<Element>
  private let subscription: EventSubscription

  init(_ buffer: AsyncBuffer<Element>, _ subscription: EventSubscription) {
    self.buffer = buffer
    self.subscription = subscription
  }

  nonisolated(nonsending) override func next() async -> Element? {
    let element = await buffer.next()
    // Nil is the end, or the end of the task that asks.
    if element == nil { subscription.cancel() }
    return element
  }
}

/// "Something changed", remembered once.
final class ChangeSignal: @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`.
  /// That of the reactor whose changes are meant.
  private let lane: Lane
  private let lock = Lock()
  private var isSet = false
  private var isOver = false
  private var hasBegun = false
  private var subscription: EventSubscription?
  private var waiter: UnsafeContinuation<Bool, Never>?

  init(of lane: Lane) {
    self.lane = lane
  }

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
  nonisolated(nonsending) func wait(for element: Any.Type) async -> Bool {
    let wait = InnerWait.begin(for: lane)
    defer { wait?.endInnerWait() }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let answer = lock.withLock { () -> Bool? in
          if isOver { return false }
          if isSet {
            isSet = false
            return true
          }
          require(
            waiter == nil,
            "an iterator over states, \(element), was asked for a value by two tasks at once; give each its own")
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

  /// The values of one path; see ``BaseReactor/values(of:buffering:)``.
  public func values<Value: Equatable & Sendable>(
    of path: KeyPath<State, Value>, buffering: EventBuffering? = nil
  ) -> StateSequence<Value> {
    // Safe: key paths are immutable.
    nonisolated(unsafe) let path = path
    guard let buffering else { return sequence({ $0[keyPath: path] }, areEqual: ==) }
    return StateSequence { [weak self, lane] in
      let buffer = AsyncBuffer<Value>(buffering, of: lane)
      guard let self else {
        buffer.finish()
        return BufferedCursor(buffer, EventSubscription())
      }
      let last = LastValue<Value>()
      let observer = CommitObserver<State> { state in
        if let value = last.replace(state.pointee[keyPath: path]) { buffer.append(value) }
      } finish: {
        buffer.finish()
      }
      return BufferedCursor(buffer, self.observe(observer))
    }
  }

  /// What `value` takes out of the states, without what equals the one before.
  func sequence<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, areEqual: (@Sendable (Value, Value) -> Bool)?
  ) -> StateSequence<Value> {
    StateSequence { [weak self, lane] in
      let signal = ChangeSignal(of: lane)
      let seen = Seen<Value>()
      return NewestCursor(signal) { [weak self] in
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

/// The value that an observer told last.
private final class LastValue<Value: Equatable & Sendable>: @unchecked Sendable {
  // Safe to share: only touched in turns.
  private var value: Value?

  /// The new value, if it differs from the one before.
  func replace(_ new: Value) -> Value? {
    if value == new { return nil }
    value = new
    return new
  }
}
