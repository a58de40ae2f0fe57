// Those who wait until a queue is shorter: the pacing behind `Emitter.whenDrained`.

/// Suspends tasks until fewer than a number of values wait in a queue. It shares the lock of the queue.
final class BacklogWaiters: @unchecked Sendable {
  // Safe to share: everything below is only touched under `lock`, the one of the queue.
  private final class Waiter {
    let bound: Int
    var continuation: CheckedContinuation<Void, Never>?
    var isCancelled = false

    init(bound: Int) {
      self.bound = bound
    }
  }

  /// What a waiter is to do: called under the lock, so that it fits to what waits.
  typealias Count = @Sendable () -> Int

  private let lock: Lock
  private var waiters: [Waiter] = []

  init(lock: Lock) {
    self.lock = lock
  }

  /// Returns when `count()`, which is called under the lock, is below `bound`, or the calling task is cancelled.
  func wait(untilBelow bound: Int, count: @escaping Count) async {
    if lock.withLock({ count() < bound }) { return }
    let waiter = UncheckedWaiter(Waiter(bound: bound))
    let wait = InnerWait.begin()
    defer { wait?.endInnerWait() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = lock.withLock {
          if waiter.value.isCancelled || count() < bound { return true }
          waiter.value.continuation = continuation
          waiters.append(waiter.value)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let continuation = lock.withLock {
        waiter.value.isCancelled = true
        waiters.removeAll { $0 === waiter.value }
        let continuation = waiter.value.continuation
        waiter.value.continuation = nil
        return continuation
      }
      continuation?.resume()
    }
  }

  /// Takes those whose bound is reached, to be resumed after unlocking. Called under the lock.
  func takeReady(count: Int) -> [CheckedContinuation<Void, Never>] {
    if waiters.isEmpty { return [] }
    var ready: [CheckedContinuation<Void, Never>] = []
    waiters.removeAll { waiter in
      guard count < waiter.bound else { return false }
      if let continuation = waiter.continuation { ready.append(continuation) }
      waiter.continuation = nil
      return true
    }
    return ready
  }

  // Safe to share: the waiter is only touched under the lock.
  private struct UncheckedWaiter: @unchecked Sendable {
    let value: Waiter

    init(_ value: Waiter) {
      self.value = value
    }
  }
}
