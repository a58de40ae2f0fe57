// The way out of a stream or an observation.

/// Keeps an observation or a stream alive, until it is cancelled or let go.
///
/// Returned by ``EventStream/sink(_:)`` and ``BaseReactor/observe(_:_:)``. Keep it for as long as you want to be called:
/// letting it go cancels it. A local variable that is not used any more may be let go before the end of its scope, in
/// optimised builds: keep it in a property, or use `withExtendedLifetime`.
///
/// **Threads.** `cancel()` may be called from any thread, any number of times, also inside the callback it belongs to.
/// When it is called on the queue of a reactor's observation, the callback is not called again once it returned; from
/// elsewhere a call that has begun may still be running, and none begins afterwards (Contract G12).
///
/// ```swift
/// var subscriptions: Set<EventSubscription> = []
/// reactor.observe(\.count) { print($0) }.store(in: &subscriptions)
/// ```
public final class EventSubscription: Hashable, @unchecked Sendable {
  // Safe to share: `onCancel` is only touched under `lock`, the others are constants.
  private let lock: Lock?
  private var onCancel: (@Sendable () -> Void)?
  private let isRepeatable: Bool

  /// Makes a subscription that runs `onCancel` once: at `cancel()` or when the subscription is let go.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    self.lock = Lock()
    self.onCancel = onCancel
    isRepeatable = false
  }

  /// What the framework itself does to end something. It may be done twice, so each of two threads that cancel at once
  /// does it: to both applies that the end has come when `cancel` returns (Contract G12).
  enum Repetition { case repeatable }

  init(_: Repetition, _ onCancel: @escaping @Sendable () -> Void) {
    self.lock = Lock()
    self.onCancel = onCancel
    isRepeatable = true
  }

  /// A subscription to something that has ended already: there is nothing to cancel.
  @usableFromInline
  init() {
    lock = nil
    onCancel = nil
    isRepeatable = false
  }

  /// The one for everything that has ended while it was subscribed to: it need not be made each time.
  @usableFromInline static let ended = EventSubscription()

  deinit {
    onCancel?()
  }

  /// Ends the observation. The second and later calls do nothing.
  public func cancel() {
    guard let lock else { return }
    if isRepeatable { lock.withLock { onCancel }?() }
    // The closure is called and released after unlocking: both may run user code.
    let action = lock.withLock {
      let action = onCancel
      onCancel = nil
      return action
    }
    if !isRepeatable { action?() }
  }

  /// Keeps the subscription in a set, the usual place for an owner that has several.
  public func store(in subscriptions: inout Set<EventSubscription>) {
    subscriptions.insert(self)
  }

  /// Two subscriptions are equal when they are the same one.
  public static func == (lhs: EventSubscription, rhs: EventSubscription) -> Bool {
    lhs === rhs
  }

  /// Hashes the identity of the subscription.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
