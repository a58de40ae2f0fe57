// Subscribes again to a source that failed.

extension EventStream {
  /// Subscribes to the stream again when it fails, up to `count` times in all, each time after `delay`.
  ///
  /// A failure that is answered so is not passed on, what the failed attempt still says is ignored, and values that
  /// came before it stay handed on. The failure after the last attempt passes, as it does without this operator. A
  /// stream that merges several sources starts all of them again when one fails: put `retry` on the source.
  /// A negative count stops the program.
  ///
  /// ```swift
  /// let answer = EventStream { emit in emit(try await service.answer()) }
  ///   .retry(3, delay: .seconds(1))
  /// ```
  public func retry(
    _ count: Int, delay: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) -> EventStream {
    require(count >= 0, "retry: the count must not be negative")
    return retried(count, delay: delay, on: clock)
  }

  private func retried<C: Clock>(
    _ count: Int, delay: Duration, on clock: C
  ) -> EventStream where C.Duration == Duration {
    let upstream = self
    return EventStream(subscribing: { context, receive in
      let attempts = Attempts(upstream, count, delay, clock, context, receive)
      attempts.start()
      return EventSubscription(.repeatable) { attempts.cancel() }
    })
  }
}

/// The attempts of one subscription. Events need no gate: an attempt begins only after the one before has failed, and
/// what a failed one still says is ignored.
private final class Attempts<Element: Sendable, C: Clock>: @unchecked Sendable where C.Duration == Duration {
  // Safe to share: what changes is only touched under `lock`.
  private let upstream: EventStream<Element>
  private let delay: Duration
  private let clock: C
  private let context: StreamContext
  private let receive: @Sendable (StreamEvent<Element>) -> Void
  private let lock = Lock()
  private var timer: DeadlineTimer<C>?
  private var left: Int
  private var number = 0
  private var slot: SubscriptionSlot?
  private var isCancelled = false
  /// An attempt is being subscribed to: one that fails at once is followed in a loop, not by recursion.
  private var isStarting = false
  private var startsAgain = false

  init(
    _ upstream: EventStream<Element>, _ count: Int, _ delay: Duration, _ clock: C, _ context: StreamContext,
    _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void
  ) {
    self.upstream = upstream
    self.left = count
    self.delay = delay
    self.clock = clock
    self.context = context
    self.receive = receive
    if delay > .zero {
      timer = DeadlineTimer(clock: clock, runner: context.runner) { [weak self] _ in self?.start() }
    }
  }

  func start() {
    let isFirst = lock.withLock {
      startsAgain = true
      defer { isStarting = true }
      return !isStarting
    }
    guard isFirst else { return }
    while let (attempt, slot) = nextAttempt() {
      slot.hold(upstream.subscribe(in: context.within(slot)) { self.handle($0, of: attempt) })
    }
  }

  func cancel() {
    let running = lock.withLock {
      isCancelled = true
      let running = slot
      slot = nil
      return running
    }
    timer?.stop()
    running?.end()
  }

  private func nextAttempt() -> (Int, SubscriptionSlot)? {
    let next = SubscriptionSlot(in: context.slot)
    return lock.withLock {
      // The slot of the attempt before was taken when that failed.
      guard startsAgain, !isCancelled else {
        isStarting = false
        return nil
      }
      startsAgain = false
      number += 1
      slot = next
      return (number, next)
    }
  }

  private func handle(_ event: StreamEvent<Element>, of attempt: Int) {
    let answer: AnswerToEvent = lock.withLock {
      if attempt != number || isCancelled { return .ignored }
      guard case .failure = event, left > 0 else { return .passes }
      left -= 1
      // What the failed attempt still says has an old number.
      number += 1
      let failed = slot
      slot = nil
      return .retries(failed)
    }
    switch answer {
    case .passes: receive(event)
    case .ignored: break
    case .retries(let failed):
      failed?.end()
      if let timer { timer.set(clock.now.advanced(by: delay)) } else { start() }
    }
  }
}

private enum AnswerToEvent {
  case passes
  case ignored
  /// The attempt has failed; its slot is to be ended.
  case retries(SubscriptionSlot?)
}
