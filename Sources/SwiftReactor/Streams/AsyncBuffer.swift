// Between something that pushes and a task that pulls: what has come and not been asked for, or who asks.

/// How much an async sequence keeps for a consumer that is slower than its source.
public struct EventBuffering: Hashable, Sendable {
  @usableFromInline
  enum Limit: Hashable, Sendable {
    case unbounded
    case newest(Int)
    case oldest(Int)
  }

  let limit: Limit

  /// Keeps everything. Memory grows with what the consumer has not yet taken.
  public static let unbounded = EventBuffering(limit: .unbounded)

  /// Keeps the newest `count` values and drops older ones. A count below 1 stops the program.
  public static func newest(_ count: Int) -> EventBuffering {
    require(count > 0, "EventBuffering.newest: the count must be at least 1")
    return EventBuffering(limit: .newest(count))
  }

  /// Keeps the oldest `count` values and drops what comes while that many wait. A count below 1 stops the program.
  public static func oldest(_ count: Int) -> EventBuffering {
    require(count > 0, "EventBuffering.oldest: the count must be at least 1")
    return EventBuffering(limit: .oldest(count))
  }
}

/// The buffer of one consumer. Elements come from any thread, one task at a time asks.
final class AsyncBuffer<Element: Sendable>: StreamBacklog, @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`. Continuations are resumed, and elements released, after
  // unlocking.
  private let lock = Lock()
  private let buffering: EventBuffering
  /// That of the reactor whose values these are, if they are one's.
  private let lane: Lane?
  private let waiters: BacklogWaiters
  private var elements = Ring<Element>()
  private var consumer: CheckedContinuation<Element?, Never>?
  /// No element comes any more; those that are there can still be taken.
  private var isFinished = false

  init(_ buffering: EventBuffering, of lane: Lane? = nil) {
    self.buffering = buffering
    self.lane = lane
    waiters = BacklogWaiters(lock: lock)
  }

  /// Gives the element to the task that asks, or keeps it. Does nothing after the end.
  func append(_ element: Element) {
    var dropped: Element?
    var asking: CheckedContinuation<Element?, Never>?
    lock.lock()
    if !isFinished {
      swap(&asking, &consumer)
      if asking == nil { dropped = keep(element) }
    }
    lock.unlock()
    asking?.resume(returning: element)
    _ = dropped
  }

  /// Says that no element comes any more. What is kept can still be taken.
  func finish() {
    lock.lock()
    isFinished = true
    let asking = consumer
    consumer = nil
    let ready = waiters.takeReady(count: 0)
    lock.unlock()
    asking?.resume(returning: nil)
    for continuation in ready { continuation.resume() }
  }

  /// Ends it for the consumer too: what is kept is dropped.
  func cancel() {
    var dropped = Ring<Element>()
    lock.withLock {
      isFinished = true
      swap(&dropped, &elements)
    }
    finish()
  }

  /// Takes the next element, or waits for one. Answers nil at the end and when the calling task is cancelled; the
  /// latter is the end of the buffer. Only one task may ask at a time.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
    let wait = InnerWait.begin(for: lane)
    defer { wait?.endInnerWait() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lock.lock()
        if consumer != nil {
          lock.unlock()
          mistake("an async iterator of \(Element.self) was asked for a value by two tasks at once; give each its own")
        }
        let element = elements.popFirst()
        if element == nil, !isFinished {
          consumer = continuation
          lock.unlock()
          return
        }
        let ready = waiters.takeReady(count: elements.count)
        lock.unlock()
        continuation.resume(returning: element)
        for continuation in ready { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }

  func waitUntilBelow(_ bound: Int) async {
    await waiters.wait(untilBelow: bound) { [self] in isFinished ? 0 : elements.count }
  }

  /// Called under the lock; answers what has to go, to be released after unlocking.
  private func keep(_ element: Element) -> Element? {
    switch buffering.limit {
    case .unbounded:
      elements.append(element)
      return nil
    case .newest(let count):
      let dropped = elements.count >= count ? elements.popFirst() : nil
      elements.append(element)
      return dropped
    case .oldest(let count):
      if elements.count < count { elements.append(element) }
      return nil
    }
  }
}
