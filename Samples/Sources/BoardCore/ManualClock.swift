// Time that passes when somebody says so: the line mode's, and that of tests.

internal import Foundation

/// A clock that stands still until it is told to advance.
///
/// Whoever sleeps on it works in a task of its own, so the clock has to know when all of them have done what they woke up
/// for. It is told how many sleep when nothing is due: then there is nothing to guess, and the same commands always give
/// the same output.
package final class ManualClock: Clock, @unchecked Sendable {
  package struct Instant: InstantProtocol {
    fileprivate var offset = Swift.Duration.zero

    package func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  // Safe to share: what changes is only touched under `lock`.
  private let lock = NSLock()
  private var current = Instant()
  private var sleepers: [Int: Sleeper] = [:]
  /// Sleepers that were cancelled before they slept.
  private var cancelled: Set<Int> = []
  private var lastNumber = 0
  /// Who waits until so many sleep.
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  package init() {}

  package var now: Instant { lock.withLock { current } }
  package var minimumResolution: Swift.Duration { .zero }
  /// How many tasks sleep.
  package var sleeperCount: Int { lock.withLock { sleepers.count } }

  package func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let number = lock.withLock {
      lastNumber += 1
      return lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        add(Sleeper(deadline: deadline, continuation: continuation), number)
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Lets time pass, one deadline after the other. One caller at a time.
  ///
  /// It returns when so many sleep again, and each has done before what it woke up for; or when the calling task is
  /// cancelled, so that a test in which one never sleeps again ends with its time limit.
  ///
  /// - Parameter sleepers: How many tasks sleep whenever nothing is due.
  package func advance(by duration: Swift.Duration, sleepers count: Int) async {
    let end = now.advanced(by: duration)
    await rest(count)
    while !Task.isCancelled, let woken = wakeNext(until: end) {
      for sleeper in woken { sleeper.continuation.resume() }
      await rest(count)
    }
    lock.withLock { current = end }
  }

  private func rest(_ count: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = lock.withLock {
          if sleepers.count == count || Task.isCancelled { return true }
          waiting = (count, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiting = lock.withLock {
        defer { self.waiting = nil }
        return self.waiting
      }
      waiting?.continuation.resume()
    }
  }

  /// All whose deadline is the next one, in the order in which they went to sleep.
  private func wakeNext(until end: Instant) -> [Sleeper]? {
    lock.withLock {
      guard let next = sleepers.values.map(\.deadline).min(), next <= end else { return nil }
      current = max(current, next)
      let due = sleepers.filter { $0.value.deadline == next }.sorted { $0.key < $1.key }
      for (number, _) in due { sleepers[number] = nil }
      return due.map(\.value)
    }
  }

  private func add(_ sleeper: Sleeper, _ number: Int) {
    enum Answer { case sleeps, isCancelled, isOver }
    let (answer, reached) = lock.withLock { () -> (Answer, CheckedContinuation<Void, Never>?) in
      if cancelled.remove(number) != nil { return (.isCancelled, nil) }
      if sleeper.deadline <= current { return (.isOver, nil) }
      sleepers[number] = sleeper
      return (.sleeps, takeReached())
    }
    switch answer {
    case .sleeps: reached?.resume()
    case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
    case .isOver: sleeper.continuation.resume()
    }
  }

  private func cancel(_ number: Int) {
    let (sleeper, reached) = lock.withLock { () -> (Sleeper?, CheckedContinuation<Void, Never>?) in
      guard let sleeper = sleepers.removeValue(forKey: number) else {
        cancelled.insert(number)
        return (nil, nil)
      }
      return (sleeper, takeReached())
    }
    sleeper?.continuation.resume(throwing: CancellationError())
    reached?.resume()
  }

  /// Under `lock`.
  private func takeReached() -> CheckedContinuation<Void, Never>? {
    guard let (count, continuation) = waiting, sleepers.count == count else { return nil }
    waiting = nil
    return continuation
  }
}
