// Wakes one timed operator. A task that sleeps on the operator's clock, so it works with every clock and cannot trap,
// whatever the order of start, stop and release.

/// At most one sleeping task, which calls `fire` when the newest deadline is reached.
///
/// Moving the deadline does not touch the task: it wakes at the old one, sees the new one and sleeps on. Deadlines only
/// move later.
final class DeadlineTimer<C: Clock>: @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`.
  private let clock: C
  private let runner: any EffectRunner
  private let fire: @Sendable (C.Instant) -> Void
  private let lock = Lock()
  private var deadline: C.Instant?
  private var task: Task<Void, Never>?
  /// Counts the tasks, so that a late hand-over of an old one does not replace a newer one.
  private var taskNumber = 0
  private var runs = false
  private var isStopped = false

  /// `fire` is called in the timer's task with the deadline that was reached.
  init(clock: C, runner: any EffectRunner, _ fire: @escaping @Sendable (C.Instant) -> Void) {
    self.clock = clock
    self.runner = runner
    self.fire = fire
  }

  /// Sets or moves the deadline.
  func set(_ newDeadline: C.Instant) {
    let starting: Int? = lock.withLock {
      if isStopped { return nil }
      deadline = newDeadline
      if runs { return nil }
      runs = true
      taskNumber += 1
      return taskNumber
    }
    guard let starting else { return }
    let task = runner.start(priority: nil) { [self] in await run() }
    let isLate = lock.withLock {
      if isStopped { return true }
      if starting == taskNumber, runs { self.task = task }
      return false
    }
    if isLate { task.cancel() }
  }

  /// Ends the timer for good. A call of `fire` that has begun may still be running.
  func stop() {
    let running = lock.withLock {
      isStopped = true
      deadline = nil
      let running = task
      task = nil
      return running
    }
    running?.cancel()
  }

  private func run() async {
    while let target = nextDeadline() {
      // A clock whose sleep throws without being cancelled counts as one whose time has come.
      try? await clock.sleep(until: target, tolerance: nil)
      if takeDue(target) { fire(target) }
    }
  }

  /// The deadline to sleep for; without one the task ends, and a later one starts a new task.
  private func nextDeadline() -> C.Instant? {
    lock.withLock {
      if let deadline { return deadline }
      runs = false
      task = nil
      return nil
    }
  }

  private func takeDue(_ target: C.Instant) -> Bool {
    lock.withLock {
      guard let deadline, deadline <= target else { return false }
      self.deadline = nil
      return true
    }
  }
}

/// What comes to a timed operator through its gate.
enum TimedInput<Element: Sendable, Instant: Sendable>: Sendable {
  /// Comes first, before the upstream is subscribed to.
  case started(Instant)
  /// From upstream, with the instant at which it came.
  case event(StreamEvent<Element>, Instant)
  /// From the timer, with the deadline that was reached.
  case due(Instant)
}

/// How a timed operator decides. It is only called inside its gate, one call at a time, and answers whether the stream
/// goes on.
protocol TimedOperator<Element, Instant>: SendableMetatype {
  associatedtype Element: Sendable
  associatedtype Instant: Sendable
  mutating func handle(_ input: TimedInput<Element, Instant>, _ outlet: TimedOutlet<Element, Instant>) -> Bool
}

/// What a timed operator may do.
struct TimedOutlet<Element: Sendable, Instant: Sendable>: Sendable {
  /// The stream's own slot.
  let slot: SubscriptionSlot
  let receive: @Sendable (StreamEvent<Element>) -> Void
  /// Wakes the operator at that instant, in place of the one asked for before.
  let wake: @Sendable (Instant) -> Void

  /// Hands a value on, unless the subscription was cancelled in the same delivery.
  func send(_ element: Element) {
    if !slot.isEnded { receive(.value(element)) }
  }

  /// Hands the end on and lets the upstream go. Answers that nothing follows.
  func finish() -> Bool {
    if !slot.isEnded { receive(.finished) }
    slot.end()
    return false
  }
}

extension EventStream {
  /// Makes the stream of a timed operator: one gate for the upstream and the timer.
  func timed<C: Clock, Operator: TimedOperator>(
    on clock: C, _ makeOperator: @escaping @Sendable () -> Operator
  ) -> EventStream where Operator.Element == Element, Operator.Instant == C.Instant {
    let upstream = self
    return EventStream(subscribing: { context, receive in
      let slot = SubscriptionSlot(in: context.slot)
      let state = SerialBox(makeOperator())
      let entrance = TimedEntrance<Element, C.Instant>()
      let timer = DeadlineTimer(clock: clock, runner: context.runner) { entrance.gate?.emit(.due($0)) }
      let outlet = TimedOutlet(slot: slot, receive: receive, wake: { timer.set($0) })
      let gate = StreamGate<TimedInput<Element, C.Instant>>(in: context) { input, _ in
        let goesOn = state.value.handle(input, outlet)
        if !goesOn { timer.stop() }
        return goesOn
      }
      entrance.gate = gate
      gate.emit(.started(clock.now))
      if !slot.isEnded {
        slot.hold(upstream.subscribe(in: context.behind(gate, in: slot)) { gate.emit(.event($0, clock.now)) })
      }
      return EventSubscription(.repeatable) {
        gate.close()
        timer.stop()
        slot.end()
      }
    })
  }
}

/// The timer's way to the gate, which it does not keep alive: the subscription does.
private final class TimedEntrance<Element: Sendable, Instant: Sendable>: @unchecked Sendable {
  // Safe to share: it is set once, before the timer is first started.
  weak var gate: StreamGate<TimedInput<Element, Instant>>?
}
