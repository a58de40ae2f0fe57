// The way onto a dispatch queue.

public import Dispatch

extension EventStream {
  /// Hands everything on in blocks of `queue`, in order: the values, errors and the end.
  ///
  /// Every value makes the hop, also one that is emitted on the queue. What waits is handed on in one block; what comes
  /// while it runs is left to a later one, so that the queue's other work gets its turn. After cancelling on the queue
  /// nothing arrives any more.
  ///
  /// Put it in front of a ``sink(_:)`` whose closure belongs to the main actor:
  ///
  /// ```swift
  /// let subscription = downloads.receive(on: .main).sink { label.text = "\($0)" }
  /// ```
  public func receive(on queue: DispatchQueue) -> EventStream {
    let upstream = self
    return EventStream(subscribing: { context, receive in
      let hop = QueueHop(to: queue, in: context, receive)
      let slot = SubscriptionSlot(in: context.slot)
      var inner = context.behind(hop, in: slot)
      inner.requiresMainQueue = false
      slot.hold(upstream.subscribe(in: inner) { hop.take($0) })
      return EventSubscription(.repeatable) {
        hop.close()
        slot.end()
      }
    })
  }
}

/// What waits for its block.
private final class QueueHop<Element: Sendable>: StreamBacklog, @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`.
  private let queue: DispatchQueue
  private var downstream: (any StreamBacklog)?
  private let lock = Lock()
  private let waiters: BacklogWaiters
  private var receive: (@Sendable (StreamEvent<Element>) -> Void)?
  private var waiting = Ring<StreamEvent<Element>>()
  private var isScheduled = false

  init(
    to queue: DispatchQueue, in context: StreamContext, _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void
  ) {
    self.queue = queue
    self.downstream = context.backlog
    self.receive = receive
    waiters = BacklogWaiters(lock: lock)
  }

  func take(_ event: StreamEvent<Element>) {
    let schedules = lock.withLock {
      if receive == nil { return false }
      waiting.append(event)
      defer { isScheduled = true }
      return !isScheduled
    }
    if schedules { schedule() }
  }

  func close() {
    var dropped = Ring<StreamEvent<Element>>()
    var receiver: (@Sendable (StreamEvent<Element>) -> Void)?
    var oldDownstream: (any StreamBacklog)?
    lock.lock()
    swap(&dropped, &waiting)
    swap(&receiver, &receive)
    swap(&oldDownstream, &downstream)
    let ready = waiters.takeReady(count: 0)
    lock.unlock()
    for continuation in ready { continuation.resume() }
  }

  func waitUntilBelow(_ bound: Int) async {
    await waiters.wait(untilBelow: bound) { [self] in waiting.count }
    await lock.withLock { downstream }?.waitUntilBelow(bound)
  }

  private func schedule() {
    queue.async { self.handOn() }
  }

  private func handOn() {
    var left = lock.withLock { waiting.count }
    while left > 0 {
      lock.lock()
      guard let receive, let event = waiting.popFirst() else {
        lock.unlock()
        break
      }
      let ready = waiters.takeReady(count: waiting.count)
      lock.unlock()
      for continuation in ready { continuation.resume() }
      receive(event)
      if case .finished = event { close() }
      left -= 1
    }
    let schedulesAgain = lock.withLock {
      isScheduled = !waiting.isEmpty
      return isScheduled
    }
    if schedulesAgain { schedule() }
  }
}
