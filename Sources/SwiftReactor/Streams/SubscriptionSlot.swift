// A place for a subscription that may have to be ended before it exists: a source that emits at once does so before
// its `subscribe` returns.

/// Holds one upstream subscription of an operator and ends it, now or as soon as it is there.
@usableFromInline
final class SubscriptionSlot: @unchecked Sendable {
  // Safe to share: `held` and `ended` are only touched under `lock`.
  private let lock = Lock()
  private let parent: SubscriptionSlot?
  private var held: EventSubscription?
  private var ended = false

  /// `parent` is the slot of the operator's own receiver: when that has ended, this has.
  init(in parent: SubscriptionSlot? = nil) {
    self.parent = parent
  }

  /// Whether nobody wants further values.
  @usableFromInline var isEnded: Bool {
    var slot: SubscriptionSlot? = self
    while let current = slot {
      if current.lock.withLock({ current.ended }) { return true }
      slot = current.parent
    }
    return false
  }

  /// Keeps `subscription`, or cancels it if the slot has ended.
  func hold(_ subscription: EventSubscription) {
    // `held` is set once, so nothing is released in here.
    let isLate = lock.withLock {
      if !ended { held = subscription }
      return ended
    }
    if isLate { subscription.cancel() }
  }

  /// Cancels what is held, or what will be. Of two threads that do so at once, both have cancelled it when they return.
  func end() {
    let subscription = lock.withLock {
      ended = true
      return held
    }
    subscription?.cancel()
    // Released after unlocking.
    _ = lock.withLock { held.take() }
  }
}

extension StreamContext {
  /// What an operator lends to its upstream so that it can end it from inside a delivery.
  func within(_ slot: SubscriptionSlot) -> StreamContext {
    var context = self
    context.slot = slot
    return context
  }

  /// What an operator with a queue of its own lends to its upstream.
  func behind(_ backlog: any StreamBacklog, in slot: SubscriptionSlot) -> StreamContext {
    var context = within(slot)
    context.backlog = backlog
    return context
  }
}
