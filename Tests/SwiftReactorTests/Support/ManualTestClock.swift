// Time that stands still until a test moves it, and that knows when everything has come to rest.

import Foundation

@testable import SwiftReactor

/// A clock for tests. Its `runner` makes the tasks that sleep on it; the clock counts them, so it can tell when each
/// has ended or sleeps, without guessing how long that takes.
final class ManualTestClock: Clock, @unchecked Sendable {
  struct Instant: InstantProtocol {
    var offset: Swift.Duration

    func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct Sleeper {
    let number: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  // Safe to share: what changes is only touched under `lock`.
  private let lock = NSLock()
  private var current = Instant(offset: .zero)
  private var sleepers: [Sleeper] = []
  private var cancelled: Set<Int> = []
  private var nextNumber = 0
  private var running = 0
  private var settling: [CheckedContinuation<Void, Never>] = []

  var now: Instant { lock.withLock { current } }
  var minimumResolution: Swift.Duration { .zero }
  var runner: any EffectRunner { CountingRunner(clock: self) }
  /// How many tasks sleep.
  var sleeperCount: Int { lock.withLock { sleepers.count } }
  /// How many tasks have not ended.
  var taskCount: Int { lock.withLock { running } }

  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let number = lock.withLock {
      nextNumber += 1
      return nextNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let result: Result<Void, any Error>? = lock.withLock {
          if cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if deadline <= current { return .success(()) }
          sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation))
          return nil
        }
        if let result { continuation.resume(with: result) } else { wakeSettled() }
      }
    } onCancel: {
      let sleeper: Sleeper? = lock.withLock {
        guard let index = sleepers.firstIndex(where: { $0.number == number }) else {
          cancelled.insert(number)
          return nil
        }
        return sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves on step by step: at each deadline on the way everything comes to rest first.
  func advance(by duration: Swift.Duration) async {
    let target = now.advanced(by: duration)
    await settle()
    while let sleeper = takeFirst(until: target) {
      sleeper.continuation.resume()
      await settle()
    }
    lock.withLock { current = target }
  }

  /// Moves the time without waking anybody: every timer is late.
  func jump(by duration: Swift.Duration) {
    lock.withLock { current = current.advanced(by: duration) }
  }

  /// Returns when every task has ended or sleeps.
  func settle() async {
    await withCheckedContinuation { continuation in
      let isSettled = lock.withLock {
        if running == sleepers.count { return true }
        settling.append(continuation)
        return false
      }
      if isSettled { continuation.resume() }
    }
  }

  private func takeFirst(until target: Instant) -> Sleeper? {
    lock.withLock {
      let due = sleepers.indices.filter { sleepers[$0].deadline <= target }
      let first = due.min {
        (sleepers[$0].deadline, sleepers[$0].number) < (sleepers[$1].deadline, sleepers[$1].number)
      }
      guard let first else { return nil }
      let sleeper = sleepers.remove(at: first)
      current = max(current, sleeper.deadline)
      return sleeper
    }
  }

  private func wakeSettled() {
    let waiting = lock.withLock {
      guard running == sleepers.count else { return [CheckedContinuation<Void, Never>]() }
      defer { settling = [] }
      return settling
    }
    for continuation in waiting { continuation.resume() }
  }

  private struct CountingRunner: EffectRunner {
    let clock: ManualTestClock

    func start(priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      clock.lock.withLock { clock.running += 1 }
      return Task.detached(priority: priority) {
        await operation()
        clock.lock.withLock { clock.running -= 1 }
        clock.wakeSettled()
      }
    }
  }
}
