// Operators that wait: delay, debounce, throttle and timeout.
//
// They decide by instants of their clock, not by when a task happens to run: a timer that is late changes nothing.
// Windows are half open, from their first instant up to, but not including, their last.

extension EventStream {
  /// Hands everything on `duration` later: each value, error and the end, in order, with the pauses between them.
  ///
  /// Values come from a task (see ``receive(on:)``). They wait in memory; cancelling drops them.
  ///
  /// ```swift
  /// let later = toasts.delay(for: .seconds(2))
  /// ```
  public func delay(for duration: Duration, clock: any Clock<Duration> = ContinuousClock()) -> EventStream {
    delayed(for: duration, on: clock)
  }

  /// Hands a value on when no other came for `duration` after it; values that are followed sooner are dropped.
  ///
  /// A value that comes exactly `duration` after another does not replace it: both are handed on. The end hands on at
  /// once what is held, and ends; an error passes at once and leaves what is held. Values come from a task (see
  /// ``receive(on:)``).
  ///
  /// ```swift
  /// let queries = texts.debounce(for: .milliseconds(300))
  /// ```
  public func debounce(for duration: Duration, clock: any Clock<Duration> = ContinuousClock()) -> EventStream {
    debounced(for: duration, on: clock)
  }

  /// Hands on at most one value in `duration`.
  ///
  /// A value that comes outside of a window is handed on at once and opens a window of `duration`. What comes inside a
  /// window is dropped or, with `latest`, the newest of it is held and handed on when the window ends; that opens the
  /// next window. A value that comes exactly at the end of a window belongs to the time after it. The end hands on at
  /// once what is held, and ends; an error passes at once. Held values come from a task (see ``receive(on:)``).
  ///
  /// ```swift
  /// let positions = drags.throttle(for: .milliseconds(50), latest: true)
  /// ```
  public func throttle(
    for duration: Duration, latest: Bool = true, clock: any Clock<Duration> = ContinuousClock()
  ) -> EventStream {
    throttled(for: duration, latest: latest, on: clock)
  }

  /// Ends the stream, and cancels its source, when no value came for `duration`: since it was subscribed to, or since
  /// the last value. A value that comes exactly at the end of that time is too late.
  ///
  /// ```swift
  /// let answers = replies.timeout(after: .seconds(5)).append(.timedOut)
  /// ```
  public func timeout(after duration: Duration, clock: any Clock<Duration> = ContinuousClock()) -> EventStream {
    limited(to: duration, on: clock)
  }

  private func delayed<C: Clock>(for duration: Duration, on clock: C) -> EventStream where C.Duration == Duration {
    timed(on: clock) { DelayOperator<Element, C.Instant>(duration: duration) }
  }

  private func debounced<C: Clock>(for duration: Duration, on clock: C) -> EventStream where C.Duration == Duration {
    timed(on: clock) { DebounceOperator<Element, C.Instant>(duration: duration) }
  }

  private func throttled<C: Clock>(
    for duration: Duration, latest: Bool, on clock: C
  ) -> EventStream where C.Duration == Duration {
    timed(on: clock) { ThrottleOperator<Element, C.Instant>(duration: duration, keepsLatest: latest) }
  }

  private func limited<C: Clock>(to duration: Duration, on clock: C) -> EventStream where C.Duration == Duration {
    timed(on: clock) { TimeoutOperator<Element, C.Instant>(duration: duration) }
  }
}

private struct DelayOperator<Element: Sendable, Instant: InstantProtocol>: TimedOperator
where Instant.Duration == Duration {
  let duration: Duration
  private var waiting = Ring<(event: StreamEvent<Element>, deadline: Instant)>()

  init(duration: Duration) {
    self.duration = duration
  }

  mutating func handle(_ input: TimedInput<Element, Instant>, _ outlet: TimedOutlet<Element, Instant>) -> Bool {
    switch input {
    case .started:
      return true
    case .event(let event, let now):
      let deadline = now.advanced(by: duration)
      let isFirst = waiting.isEmpty
      waiting.append((event, deadline))
      if isFirst { outlet.wake(deadline) }
      return true
    case .due(let instant):
      while let first = waiting.first, first.deadline <= instant, !outlet.slot.isEnded {
        _ = waiting.popFirst()
        switch first.event {
        case .value(let element): outlet.send(element)
        case .failure: outlet.receive(first.event)
        case .finished: return outlet.finish()
        }
      }
      if let next = waiting.first { outlet.wake(next.deadline) }
      return true
    }
  }
}

private struct DebounceOperator<Element: Sendable, Instant: InstantProtocol>: TimedOperator
where Instant.Duration == Duration {
  let duration: Duration
  private var held: (element: Element, deadline: Instant)?

  init(duration: Duration) {
    self.duration = duration
  }

  mutating func handle(_ input: TimedInput<Element, Instant>, _ outlet: TimedOutlet<Element, Instant>) -> Bool {
    switch input {
    case .started:
      return true
    case .event(.value(let element), let now):
      let previous = held
      let deadline = now.advanced(by: duration)
      held = (element, deadline)
      // The timer is late, but the pause was long enough.
      if let previous, previous.deadline <= now { outlet.send(previous.element) }
      outlet.wake(deadline)
      return true
    case .event(.failure(let error), _):
      outlet.receive(.failure(error))
      return true
    case .event(.finished, _):
      if let held { outlet.send(held.element) }
      return outlet.finish()
    case .due(let instant):
      guard let due = held, due.deadline <= instant else { return true }
      held = nil
      outlet.send(due.element)
      return true
    }
  }
}

private struct ThrottleOperator<Element: Sendable, Instant: InstantProtocol>: TimedOperator
where Instant.Duration == Duration {
  let duration: Duration
  let keepsLatest: Bool
  private var windowEnd: Instant?
  private var held: Element?

  init(duration: Duration, keepsLatest: Bool) {
    self.duration = duration
    self.keepsLatest = keepsLatest
  }

  mutating func handle(_ input: TimedInput<Element, Instant>, _ outlet: TimedOutlet<Element, Instant>) -> Bool {
    switch input {
    case .started:
      return true
    case .event(.value(let element), let now):
      closeWindow(at: now, outlet)
      if let windowEnd {
        guard keepsLatest else { return true }
        held = element
        outlet.wake(windowEnd)
      } else {
        windowEnd = now.advanced(by: duration)
        outlet.send(element)
      }
      return true
    case .event(.failure(let error), _):
      outlet.receive(.failure(error))
      return true
    case .event(.finished, _):
      if let held { outlet.send(held) }
      return outlet.finish()
    case .due(let instant):
      closeWindow(at: instant, outlet)
      return true
    }
  }

  /// Ends the window if its time is over, and hands on what it held, which opens the next one where it ended.
  private mutating func closeWindow(at now: Instant, _ outlet: TimedOutlet<Element, Instant>) {
    guard let end = windowEnd, end <= now else { return }
    guard let element = held else {
      windowEnd = nil
      return
    }
    held = nil
    let next = end.advanced(by: duration)
    windowEnd = next <= now ? nil : next
    outlet.send(element)
  }
}

private struct TimeoutOperator<Element: Sendable, Instant: InstantProtocol>: TimedOperator
where Instant.Duration == Duration {
  let duration: Duration
  private var deadline: Instant?

  init(duration: Duration) {
    self.duration = duration
  }

  mutating func handle(_ input: TimedInput<Element, Instant>, _ outlet: TimedOutlet<Element, Instant>) -> Bool {
    switch input {
    case .started(let now):
      return wait(from: now, outlet)
    case .event(.value(let element), let now):
      if let deadline, deadline <= now { return outlet.finish() }
      outlet.send(element)
      return wait(from: now, outlet)
    case .event(.failure(let error), _):
      outlet.receive(.failure(error))
      return true
    case .event(.finished, _):
      return outlet.finish()
    case .due(let instant):
      if let deadline, deadline <= instant { return outlet.finish() }
      return true
    }
  }

  private mutating func wait(from now: Instant, _ outlet: TimedOutlet<Element, Instant>) -> Bool {
    let next = now.advanced(by: duration)
    deadline = next
    outlet.wake(next)
    return true
  }
}
