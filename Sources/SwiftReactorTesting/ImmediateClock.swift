// Time that is always there already.

internal import SwiftReactor

/// A clock on which nobody waits: a sleep moves the time to its end and returns.
///
/// For tests in which the pauses do not matter. What it cannot show is that something happens *before* its time; for that
/// there is ``ManualClock``.
///
/// ```swift
/// let test = TestReactor(SearchReactor(clock: ImmediateClock()))
/// await test.send(.type("dog"))
/// await test.receive(.results(["Bulldog"]))
/// ```
///
/// Do not use it for something that repeats until it is stopped: it would repeat without a pause.
public final class ImmediateClock: Clock, @unchecked Sendable {
  // Safe to share: `time` is only touched under `lock`.

  /// A point in time; the same as that of a ``ManualClock``.
  public typealias Instant = ManualClock.Instant

  private let lock = Lock()
  private var time: Instant

  /// Makes a clock that shows `now`.
  public init(now: Instant = Instant()) {
    time = now
  }

  /// The end of the longest sleep so far.
  public var now: Instant { lock.withLock { time } }
  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// Moves the time to `deadline` and lets others run once. Throws `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    lock.withLock { time = max(time, deadline) }
    await Task.yield()
    try Task.checkCancellation()
  }
}
