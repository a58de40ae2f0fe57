// A repeating timer as a stream, and the handle that pauses it.

/// Pauses and resumes the intervals that were made with it.
///
/// All calls are allowed in any order and any number of times, from any thread, also when no interval runs or the
/// control is the last thing left of it: there is nothing underneath that could trap.
///
/// ```swift
/// let control = IntervalControl()
/// let seconds = EventStream.interval(every: .seconds(1), control: control)
/// control.pause()
/// ```
public final class IntervalControl: @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`.
  private let lock = Lock()
  private var paused = false
  /// Counts the changes, so that two that cross on their way to an interval end as they were made.
  private var change = 0
  private var intervals: [Int: any PausableInterval] = [:]
  private var nextNumber = 0

  /// Makes a control that is not paused.
  public init() {}

  /// Whether the intervals stand still.
  public var isPaused: Bool { lock.withLock { paused } }

  /// Stops the time of the intervals: what is left until the next tick is left after ``resume()``, too.
  public func pause() {
    setPaused(true)
  }

  /// Lets the time of the intervals go on.
  public func resume() {
    setPaused(false)
  }

  private func setPaused(_ isPaused: Bool) {
    var change = 0
    var running: [Int: any PausableInterval] = [:]
    lock.withLock {
      paused = isPaused
      self.change += 1
      change = self.change
      running = intervals
    }
    for (_, interval) in running.sorted(by: { $0.key < $1.key }) { interval.setPaused(isPaused, change: change) }
  }

  fileprivate func add(_ interval: any PausableInterval) -> Int {
    let (number, change, paused) = lock.withLock {
      nextNumber += 1
      intervals[nextNumber] = interval
      return (nextNumber, self.change, self.paused)
    }
    interval.setPaused(paused, change: change)
    return number
  }

  fileprivate func remove(_ number: Int) {
    // Released after unlocking.
    var removed: (any PausableInterval)?
    lock.withLock { removed = intervals.removeValue(forKey: number) }
    _ = removed
  }
}

extension EventStream where Element == Int {
  /// Ticks for ever, every `period`, starting one period after the subscription. The values are the numbers of the
  /// ticks, from 1. A period that is not positive stops the program.
  ///
  /// Ticks keep to the multiples of the period: a late one does not delay the next, and several late ones come one
  /// after the other at once. A `SuspendingClock` does not count the time for which the machine sleeps. Values come
  /// from a task (see ``receive(on:)``).
  ///
  /// ```swift
  /// let seconds = EventStream.interval(every: .seconds(1))
  /// ```
  public static func interval(
    every period: Duration, clock: any Clock<Duration> = ContinuousClock(), control: IntervalControl? = nil
  ) -> EventStream {
    require(period > .zero, "interval: the period must be positive")
    return ticking(every: period, on: clock, control)
  }

  private static func ticking<C: Clock>(
    every period: Duration, on clock: C, _ control: IntervalControl?
  ) -> EventStream where C.Duration == Duration {
    EventStream(subscribing: { context, receive in
      let gate = StreamGate<Int>(in: context) { tick, _ in
        receive(.value(tick))
        return true
      }
      let interval = Interval(every: period, on: clock, runner: context.runner) { gate.emit($0) }
      let number = control?.add(interval)
      if number == nil { interval.setPaused(false, change: 0) }
      return EventSubscription(.repeatable) {
        gate.close()
        interval.stop()
        if let number { control?.remove(number) }
      }
    })
  }
}

private protocol PausableInterval: AnyObject, Sendable {
  /// Tells of the change with that number; older ones than the newest are ignored.
  func setPaused(_ isPaused: Bool, change: Int)
}

/// The timer of one subscription. It begins paused, with a whole period left.
private final class Interval<C: Clock>: PausableInterval, @unchecked Sendable where C.Duration == Duration {
  // Safe to share: what changes is only touched under `lock`; `timer` is set once, in `init`.
  private let period: Duration
  private let clock: C
  private let emit: @Sendable (Int) -> Void
  private let lock = Lock()
  private var timer: DeadlineTimer<C>!
  private var ticks = 0
  private var newestChange = -1
  /// The instant of the next tick; nil while paused.
  private var next: C.Instant?
  /// What is left until the next tick, while paused.
  private var left: Duration

  init(every period: Duration, on clock: C, runner: any EffectRunner, _ emit: @escaping @Sendable (Int) -> Void) {
    self.period = period
    self.left = period
    self.clock = clock
    self.emit = emit
    timer = DeadlineTimer(clock: clock, runner: runner) { [weak self] in self?.tick(at: $0) }
  }

  func setPaused(_ isPaused: Bool, change: Int) {
    let now = clock.now
    lock.withLock {
      guard change > newestChange else { return }
      newestChange = change
      if isPaused, let planned = next {
        left = max(.zero, now.duration(to: planned))
        next = nil
      } else if !isPaused, next == nil {
        next = now.advanced(by: left)
      }
    }
    sleep()
  }

  func stop() {
    timer.stop()
  }

  private func tick(at instant: C.Instant) {
    let tick: Int? = lock.withLock {
      // Paused, or paused and resumed, while the timer was on its way here.
      guard let planned = next, planned <= instant else { return nil }
      next = planned.advanced(by: period)
      ticks += 1
      return ticks
    }
    if let tick { emit(tick) }
    sleep()
  }

  /// Tells the timer what is planned now. While paused it is left alone: it wakes once, and `tick` does nothing. When
  /// two threads cross here, the older plan may be told last; it is the earlier one, so `tick` tells the newer.
  private func sleep() {
    if let planned = lock.withLock({ next }) { timer.set(planned) }
  }
}
