// Runs: one effect, from its registration to its end.
// Never: decides whether its values count; it hands everything to the lane, which asks the machine.
// Guarded by: the lane's lock guards what changes. `key` is set once, under it, before anybody else knows it.

internal import Dispatch

/// What the lane knows of an effect.
@usableFromInline
protocol EffectHandling: AnyObject, Sendable {
  var key: SlotKey { get set }
  /// The action that it was returned for, and the id that it was given.
  var cause: (any Sendable)? { get }
  var id: EffectID? { get }
  /// The query of the state that asks for it, if one does.
  var query: (any Sendable)? { get }
  /// When it was returned; nil if it is no effect of the user's.
  var since: ContinuousClock.Instant? { get }
  /// Starts it. In a turn.
  func start()
  /// Asks for its start in a later step, when something ended elsewhere.
  func startLater()
  /// Times the windows that its start as a throttled effect has opened.
  func openWindows(_ windows: [SlotKey])
  func cancel()
  /// It ended by itself. Called under the lane's lock; what is returned is let go after unlocking.
  func endLocked() -> EndedEffect
  /// Few enough of its values wait again.
  func didDrain()
}

/// What an effect that has ended by itself leaves.
@usableFromInline
struct EndedEffect {
  fileprivate var feed: EffectFeed?
  fileprivate var isFeedToCancel: Bool
  fileprivate var waiters: [CallWaiter]

  func letGo() {
    if isFeedToCancel { feed?.cancel() }
    for waiter in waiters { waiter.resume() }
  }
}

/// What an effect gets its values from.
@usableFromInline
enum EffectFeed {
  case task(Task<Void, Never>)
  case subscription(EventSubscription)

  func cancel() {
    switch self {
    case .task(let task): task.cancel()
    case .subscription(let subscription): subscription.cancel()
    }
  }
}

/// What has to be done after a decision about effects, outside of the lane's lock.
@usableFromInline
struct EffectOrders {
  var cancelled: [any EffectHandling] = []
  var started: [any EffectHandling] = []
  /// The windows of throttled effects to be timed.
  var windows: [SlotKey] = []
  var callers: [CallWaiter] = []
  var emptiedGroups: [SlotKey] = []
  var isRegistered = false
  var isSelfWait = false

  var isNothing: Bool {
    cancelled.isEmpty && started.isEmpty && callers.isEmpty && emptiedGroups.isEmpty && windows.isEmpty
  }

  /// Cancels and resumes. What is to be started is the turn's business.
  func carryOut() {
    for effect in cancelled { effect.cancel() }
    for caller in callers { caller.resume() }
  }

  /// The same outside of a turn: what is to be started gets a step of its own.
  func carryOutElsewhere() {
    carryOut()
    for effect in started { effect.startLater() }
  }
}

/// A task that waits in `perform`.
@usableFromInline
final class CallWaiter: Sendable {
  private let continuation: UnsafeContinuation<Void, Never>

  init(_ continuation: UnsafeContinuation<Void, Never>) {
    self.continuation = continuation
  }

  func resume() {
    continuation.resume()
  }
}

/// One effect of a reactor. It knows the reactor's core weakly: effects keep no reactor alive (Contract G17).
///
/// A body that is nothing but a task feeds it directly; other streams are subscribed to.
@usableFromInline
final class EffectHandle<Action: Sendable, Mutation: Sendable, State: Sendable>: EmitterTarget<Mutation>,
  EffectHandling, StreamBacklog, @unchecked Sendable
{
  // Safe to share: see "Guarded by".
  //
  // No property has a type that depends on the reactor's, but for references: in a deinit nobody knows those types, and
  // has to ask the runtime for each.
  @usableFromInline @exclusivity(unchecked) weak var core: ReactorCore<Action, Mutation, State>?
  /// The table of the lane holds the handle until it ends, so this is no cycle that stays.
  @usableFromInline let lane: Lane
  @usableFromInline let cause: (any Sendable)?
  @usableFromInline let name: EffectName?
  /// That of its task, as ``TaskNode`` keeps it.
  @usableFromInline let priority: UInt8
  @usableFromInline let returned = ContinuousClock.now
  /// Its code, if it is nothing else. Read at the start, then by its own task only, which lets go of it at its end.
  @usableFromInline @exclusivity(unchecked) var body: TaskNode<Mutation>.Body?
  /// Where its values come from, if it is no code and they are not there at once.
  @usableFromInline let node: StreamNode<Mutation>?
  /// What only few effects have.
  @usableFromInline let prelude: EffectPrelude<Mutation>?
  @usableFromInline @exclusivity(unchecked) var key = SlotKey.none
  @usableFromInline
  var id: EffectID? { name?.id }
  @usableFromInline
  var query: (any Sendable)? { prelude?.query }
  @usableFromInline
  var since: ContinuousClock.Instant? { returned }

  @usableFromInline @exclusivity(unchecked) var feed: EffectFeed?
  @usableFromInline @exclusivity(unchecked) var isOver = false
  /// The body said that it is finished before it was: what is left of it is cancelled.
  @usableFromInline @exclusivity(unchecked) var isFinishedEarly = false
  @usableFromInline @exclusivity(unchecked) var drainWaiters: [CallWaiter] = []

  /// The usual effect: a source, and no id.
  @inlinable
  init(of core: ReactorCore<Action, Mutation, State>, node: StreamNode<Mutation>, action: Action) {
    self.core = core
    self.lane = core.lane
    self.cause = action
    self.name = nil
    if let task = node.task {
      self.body = task.produce
      self.priority = task.priority
      self.node = nil
    } else {
      self.priority = 0
      self.node = node
    }
    self.prelude = nil
  }

  @usableFromInline
  init(
    of core: ReactorCore<Action, Mutation, State>, stream: EventStream<Mutation>, name: EffectName?, action: Action?,
    query: (any Sendable)? = nil, initial: [Mutation] = []
  ) {
    self.core = core
    self.lane = core.lane
    self.cause = action
    self.name = name
    let source: StreamNode<Mutation>? = if case .node(let node) = stream.source { node } else { nil }
    let task = source?.task
    body = task?.produce
    priority = task?.priority ?? 0
    node = task == nil ? source : nil
    let isPlain = source != nil && query == nil && initial.isEmpty
    let instant = source == nil ? stream.source : .never
    prelude = isPlain ? nil : EffectPrelude(query: query, initial: initial, source: instant)
  }

  @usableFromInline
  func start() {
    guard let core else { return }
    if let prelude, !prelude.initial.isEmpty { core.receive(.mutations(prelude.initial), from: key) }
    if body != nil || node != nil { return start(in: core) }
    // Values that are there at once need no subscription: they are arrivals of this very turn.
    if case .never? = prelude?.source { return }
    if case .just(let mutation)? = prelude?.source { core.intake(.value(mutation), key) }
    core.effectDidEnd(key)
  }

  /// Starts an effect that does not have its values at once.
  @usableFromInline
  func start(in core: ReactorCore<Action, Mutation, State>) {
    guard let node else { return keep(.task(startTask(with: core.parts?.runner))) }
    var context = StreamContext(
      runner: EffectOrigin.Runner(core.runner, origin: EffectOrigin(lane: lane, effect: key)))
    context.backlog = self
    keep(.subscription(node.subscribe(in: context) { [self] event in emit(event) }))
  }

  @usableFromInline
  func startLater() {
    core?.receive(.nothing, .effectStart, from: key)
  }

  @usableFromInline
  func openWindows(_ windows: [SlotKey]) {
    guard let core, let window = name?.window else { return }
    for key in windows {
      let timer = WindowTimer(of: core, key: key)
      core.lane.attach(timer, as: key)
      timer.run(window, with: core.runner)
    }
  }

  @usableFromInline
  func cancel() {
    var ended = lane.ask { _ in endLocked() }
    ended.isFeedToCancel = true
    ended.letGo()
  }

  @usableFromInline
  func endLocked() -> EndedEffect {
    isOver = true
    if case nil = feed, drainWaiters.isEmpty { return EndedEffect(feed: nil, isFeedToCancel: false, waiters: []) }
    defer {
      feed = nil
      drainWaiters = []
    }
    // A task that has returned needs no cancelling.
    var hasReturned = false
    if case .task? = feed { hasReturned = !isFinishedEarly }
    return EndedEffect(feed: feed, isFeedToCancel: !hasReturned, waiters: drainWaiters)
  }

  override func waitUntilBelow(_ bound: Int) async {
    let wait = InnerWait.begin(for: lane)
    defer { wait?.endInnerWait() }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let waiter = CallWaiter(continuation)
        let isWaiting = lane.ask { machine in
          guard !isOver, !Task.isCancelled, machine.wantsBelow(bound, of: key) else { return false }
          drainWaiters.append(waiter)
          return true
        }
        if !isWaiting { waiter.resume() }
      }
    } onCancel: {
      didDrain()
    }
  }

  @usableFromInline
  func didDrain() {
    let waiters = lane.ask { _ in
      defer { drainWaiters = [] }
      return drainWaiters
    }
    for waiter in waiters { waiter.resume() }
  }

  override func emit(_ event: StreamEvent<Mutation>) {
    core?.intake(event, key)
  }

  override func finish() {
    lane.ask { _ in isFinishedEarly = true }
    core?.effectDidEnd(key)
  }

  override func bodyDidReturn() {
    guard let core else { return }
    // There is nothing left to run and to cancel, and the queue need not be the one that frees all that.
    body = nil
    var returned: EffectFeed?
    core.effectDidEnd(key) { swap(&returned, &feed) }
    withExtendedLifetime(returned) {}
  }

  /// The feed is there. It may be too late for it: the effect may have ended while it started.
  private func keep(_ feed: EffectFeed) {
    let isTooLate = lane.ask { _ in
      if !isOver { self.feed = feed }
      return isOver
    }
    if isTooLate { feed.cancel() }
  }
}

/// What an effect has besides its source, or in place of one.
@usableFromInline
final class EffectPrelude<Mutation: Sendable>: Sendable {
  let query: (any Sendable)?
  /// What is there at its start, as one commit.
  let initial: [Mutation]
  let source: EventStream<Mutation>.Source

  init(query: (any Sendable)?, initial: [Mutation], source: EventStream<Mutation>.Source) {
    self.query = query
    self.initial = initial
    self.source = source
  }
}

/// The time after the start of a throttled effect.
private final class WindowTimer<Action: Sendable, Mutation: Sendable, State: Sendable>: EffectHandling,
  @unchecked Sendable
{
  // Safe to share: `task` is only touched under `lock`, `key` is never changed after it was made.
  private weak var core: ReactorCore<Action, Mutation, State>?
  var key: SlotKey
  var cause: (any Sendable)? { nil }
  var id: EffectID? { nil }
  var query: (any Sendable)? { nil }
  var since: ContinuousClock.Instant? { nil }
  private let lock = Lock()
  private var task: Task<Void, Never>?
  private var isCancelled = false

  init(of core: ReactorCore<Action, Mutation, State>, key: SlotKey) {
    self.core = core
    self.key = key
  }

  func run(_ window: EffectWindow, with runner: any EffectRunner) {
    let task = runner.start(priority: nil) { [weak self] in
      try? await window.clock.sleep(for: window.length)
      if !Task.isCancelled { self?.end() }
    }
    let isTooLate = lock.withLock {
      self.task = task
      return isCancelled
    }
    if isTooLate { task.cancel() }
  }

  func cancel() {
    let task = lock.withLock {
      isCancelled = true
      return self.task
    }
    task?.cancel()
  }

  func endLocked() -> EndedEffect { EndedEffect(feed: nil, isFeedToCancel: false, waiters: []) }
  func start() {}
  func startLater() {}
  func openWindows(_ windows: [SlotKey]) {}
  func didDrain() {}

  private func end() {
    core?.effectDidEnd(key)
  }
}
