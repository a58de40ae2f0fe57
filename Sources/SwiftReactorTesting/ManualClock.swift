// Time that stands still until a test moves it.

internal import SwiftReactor

/// A clock that a test moves by hand: an effect that sleeps on it wakes exactly when the test says so.
///
/// Give the reactor a clock as a dependency, `any Clock<Duration>`: the real one in the app, this one in tests. The timed
/// operators of streams and the rate limits of effects take one too.
///
/// ```swift
/// let clock = ManualClock()
/// let test = TestReactor(SearchReactor(clock: clock))
/// await test.send(.type("dog"))
/// await clock.advance(by: .milliseconds(300))
/// await test.receive(.results(["Bulldog"]))
/// ```
///
/// Moving the time first lets everything come to rest, so a task that was just about to sleep does sleep; then it wakes
/// who is due, the earliest first and one at a time, and after each lets everything come to rest again. What goes to sleep
/// while the time moves is woken in the same call if its time comes.
///
/// **Threads.** All calls may be made from any thread and task. One `advance` or `run` at a time.
public final class ManualClock: Clock, @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`.

  /// A point in the time of a ``ManualClock``.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock was made.
    public var offset: Duration

    /// Makes an instant.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// A later (or earlier) instant.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The time from this instant to another one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Is the first one earlier?
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    /// The time since the clock was made, in words.
    public var description: String { "\(offset)" }
  }

  private struct Sleeper {
    let number: Int
    let deadline: Instant
    let continuation: UnsafeContinuation<Bool, Never>
    let parking: ParkedTask?

    func wake(_ isDue: Bool) {
      parking?.end()
      continuation.resume(returning: isDue)
    }
  }

  private struct WeakPool {
    weak var pool: TestPool?
  }

  private let lock = Lock()
  private var time: Instant
  private var sleepers: [Sleeper] = []
  private var cancelled: Set<Int> = []
  private var lastNumber = 0
  private var pools: [WeakPool] = []
  private var hasStrangers = false
  /// The exploration that it was made in. A constant.
  private weak var world: ExploredWorld?

  /// Makes a clock that shows `now`.
  public init(now: Instant = Instant()) {
    time = now
    world = ExploredWorld.current
    world?.adopt(self)
  }

  /// What the clock shows.
  public var now: Instant { lock.withLock { time } }
  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }
  /// When those who sleep will wake, the earliest first.
  public var sleeps: [Instant] { lock.withLock { sleepers.map(\.deadline).sorted() } }

  /// Sleeps until the test has moved the time to `deadline`; returns at once if it has come. Throws `CancellationError` as
  /// soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let token = TaskToken.current
    let number = lock.withLock {
      lastNumber += 1
      note(token?.pool)
      return lastNumber
    }
    let parking = token?.park(.clock(self)) { [weak self] in
      "sleeps until \(deadline) on a ManualClock that shows \(self?.now.description ?? "nothing")"
    }
    defer { parking?.end() }
    let isDue = await withTaskCancellationHandler {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
        let answer: Bool? = lock.withLock {
          if cancelled.remove(number) != nil { return false }
          if deadline <= time { return true }
          sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation, parking: parking))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let sleeper: Sleeper? = lock.withLock {
        guard let index = sleepers.firstIndex(where: { $0.number == number }) else {
          cancelled.insert(number)
          return nil
        }
        return sleepers.remove(at: index)
      }
      sleeper?.wake(false)
    }
    lock.withLock { _ = cancelled.remove(number) }
    if !isDue { throw CancellationError() }
  }

  /// Moves the time by `duration`, waking who is due on the way.
  public nonisolated(nonsending) func advance(by duration: Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the time to `instant`, waking who is due on the way. The time does not go back: an earlier instant wakes nobody.
  public nonisolated(nonsending) func advance(to instant: Instant) async {
    world?.noteThread()
    await rest()
    while let sleeper = takeFirst(until: instant) {
      sleeper.wake(true)
      await rest()
    }
    lock.withLock { time = max(time, instant) }
  }

  /// Moves the time on until nobody sleeps any more.
  ///
  /// `limit` is how many sleeps may be woken. A timer that repeats for ever would keep this going: beyond the limit it stops
  /// and records a failure.
  public nonisolated(nonsending) func run(
    limit: Int = 10_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    var count = 0
    world?.noteThread()
    await rest()
    while let sleeper = takeFirst(until: nil) {
      count += 1
      sleeper.wake(true)
      await rest()
      if count == limit, !sleeps.isEmpty {
        FailureSink().record(
          """
          run(): after \(limit) sleeps somebody still sleeps on this clock, until \(sleeps[0]).

          Hint: Something sleeps again and again. Use `advance(by:)`, or end it first.
          """, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
        return
      }
    }
  }

  // MARK: Exploring

  /// The time until the first one wakes.
  var timeToNext: Duration? { lock.withLock { sleepers.map(\.deadline).min().map { time.duration(to: $0) } } }

  /// Moves the time without waking anybody.
  func move(by duration: Duration) {
    lock.withLock { time = time.advanced(by: duration) }
  }

  /// Wakes the first one whose time has come. False: there is none.
  func wakeFirst() -> Bool {
    guard let sleeper = takeFirst(until: now) else { return false }
    sleeper.wake(true)
    return true
  }

  // MARK: Parts

  /// Under the lock: who sleeps belongs to a test whose rest can be waited for, or to none.
  private func note(_ pool: TestPool?) {
    guard let pool else {
      hasStrangers = true
      return
    }
    pools.removeAll { $0.pool == nil }
    if !pools.contains(where: { $0.pool === pool }) { pools.append(WeakPool(pool: pool)) }
  }

  private nonisolated(nonsending) func rest() async {
    var (pools, needsPatience) = lock.withLock { (self.pools.compactMap(\.pool), hasStrangers) }
    if let current = TestPool.current, !pools.contains(where: { $0 === current }) { pools.append(current) }
    if pools.isEmpty { needsPatience = true }
    if needsPatience { await settleByPatience([]) }
    for pool in pools { await pool.settle() }
    // What the second one did may concern the first one.
    if pools.count > 1 { for pool in pools { await pool.settle() } }
  }

  /// The next one who is due until `target`, or at all; the time moves there.
  private func takeFirst(until target: Instant?) -> Sleeper? {
    lock.withLock {
      let due = sleepers.indices.filter { index in target.map { sleepers[index].deadline <= $0 } ?? true }
      let first = due.min {
        (sleepers[$0].deadline, sleepers[$0].number) < (sleepers[$1].deadline, sleepers[$1].number)
      }
      guard let first else { return nil }
      let sleeper = sleepers.remove(at: first)
      time = max(time, sleeper.deadline)
      return sleeper
    }
  }
}
