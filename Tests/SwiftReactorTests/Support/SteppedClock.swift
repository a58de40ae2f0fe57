// A clock that stands still until a test moves it: what sleeps on it wakes exactly when the test says so.

import Foundation

/// A clock for tests of rate limits.
final class SteppedClock: Clock, @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`.

  struct Instant: InstantProtocol, Sendable {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct Sleeper {
    let ticket: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, Never>
  }

  private let lock = NSLock()
  private var time = Instant(offset: .zero)
  private var lastTicket = 0
  private var sleepers: [Sleeper] = []

  var now: Instant { lock.withLock { time } }
  var minimumResolution: Duration { .nanoseconds(1) }

  /// How many tasks sleep on it.
  var sleeping: Int { lock.withLock { sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let ticket = lock.withLock {
      lastTicket += 1
      return lastTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let passes = lock.withLock {
          if deadline <= time || Task.isCancelled { return true }
          sleepers.append(Sleeper(ticket: ticket, deadline: deadline, continuation: continuation))
          return false
        }
        if passes { continuation.resume() }
      }
    } onCancel: {
      wake { $0.ticket == ticket }
    }
    try Task.checkCancellation()
  }

  /// Moves the time and wakes whoever is due, the earliest first.
  func advance(by duration: Duration) {
    let target = lock.withLock { time.advanced(by: duration) }
    while let next = lock.withLock({ sleepers.map(\.deadline).filter { $0 <= target }.min() }) {
      lock.withLock { time = max(time, next) }
      wake { $0.deadline <= next }
    }
    lock.withLock { time = target }
  }

  private func wake(_ isDue: (Sleeper) -> Bool) {
    let due = lock.withLock {
      let due = sleepers.filter(isDue).sorted { ($0.deadline, $0.ticket) < ($1.deadline, $1.ticket) }
      sleepers.removeAll(where: isDue)
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
