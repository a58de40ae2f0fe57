// Runs: one effect, from its registration to its end.
// Never: decides whether its values count; it hands everything to the lane, which asks the machine.
// Guarded by: `lock` guards the subscription. `key` is set once, under the lane's lock, before anybody else knows it.

internal import Dispatch

/// What the lane knows of an effect.
protocol EffectHandling: AnyObject, Sendable {
  var key: SlotKey { get set }
  /// The action that it was returned for, and the id that it was given.
  var cause: (any Sendable)? { get }
  var id: EffectID? { get }
  /// Starts it. In a turn.
  func start()
  /// Asks for its start in a later step, when something ended elsewhere.
  func startLater()
  /// Times the windows that its start as a throttled effect has opened.
  func openWindows(_ windows: [SlotKey])
  func cancel()
  /// Few enough of its values wait again.
  func didDrain()
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
final class EffectHandle<Action: Sendable, Mutation: Sendable, State: Sendable>: EffectHandling, StreamBacklog,
  @unchecked Sendable
{
  // Safe to share: see "Guarded by".
  private weak var core: ReactorCore<Action, Mutation, State>?
  let action: Action?
  let name: EffectName?
  let since = ContinuousClock.now
  private let stream: EventStream<Mutation>
  var key = SlotKey.none
  var cause: (any Sendable)? { action }
  var id: EffectID? { name?.id }

  private let lock = Lock()
  private var subscription: EventSubscription?
  private var isCancelled = false
  private var drainWaiters: [CallWaiter] = []

  init(
    of core: ReactorCore<Action, Mutation, State>, stream: EventStream<Mutation>, name: EffectName?, action: Action?
  ) {
    self.core = core
    self.stream = stream
    self.name = name
    self.action = action
  }

  func start() {
    guard let core else { return }
    // Values that are there at once need no subscription: they are arrivals of this very turn.
    switch stream.source {
    case .empty: core.effectDidEnd(key)
    case .never: return
    case .just(let mutation):
      core.receive(.mutation(mutation), from: key)
      core.effectDidEnd(key)
    case .node(let node):
      var context = StreamContext(
        runner: EffectOrigin.Runner(core.runner, origin: EffectOrigin(lane: core.lane, effect: key)))
      context.backlog = self
      keep(node.subscribe(in: context) { [self] event in receive(event) })
    }
  }

  func startLater() {
    core?.receive(.nothing, .effectStart, from: key)
  }

  func openWindows(_ windows: [SlotKey]) {
    guard let core, let window = name?.window else { return }
    for key in windows {
      let timer = WindowTimer(of: core, key: key)
      core.lane.attach(timer, as: key)
      timer.run(window, with: core.runner)
    }
  }

  func cancel() {
    let (subscription, waiters) = lock.withLock { () -> (EventSubscription?, [CallWaiter]) in
      isCancelled = true
      defer {
        self.subscription = nil
        drainWaiters = []
      }
      return (self.subscription, drainWaiters)
    }
    subscription?.cancel()
    for waiter in waiters { waiter.resume() }
  }

  func waitUntilBelow(_ bound: Int) async {
    guard let core else { return }
    let wait = InnerWait.begin()
    defer { wait?.endInnerWait() }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let waiter = CallWaiter(continuation)
        let isWaiting = lock.withLock {
          guard !isCancelled, !Task.isCancelled else { return false }
          drainWaiters.append(waiter)
          return true
        }
        guard isWaiting else { return waiter.resume() }
        // The order matters: whoever drains after this asked for it finds the waiter.
        if !core.lane.ask({ $0.wantsBelow(bound, of: key) }) { didDrain() }
      }
    } onCancel: {
      didDrain()
    }
  }

  func didDrain() {
    let waiters = lock.withLock {
      defer { drainWaiters = [] }
      return drainWaiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func receive(_ event: StreamEvent<Mutation>) {
    guard let core else { return }
    switch event {
    case .value(let mutation): core.receive(.mutation(mutation), from: key)
    case .failure(let error): core.receive(.failure(error, action), .failure, from: key)
    case .finished: core.effectDidEnd(key)
    }
  }

  /// The subscription came back. It may be too late for it: the effect may have been cancelled while it started.
  private func keep(_ subscription: EventSubscription) {
    let isTooLate = lock.withLock {
      if !isCancelled { self.subscription = subscription }
      return isCancelled
    }
    if isTooLate { subscription.cancel() }
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

  func start() {}
  func startLater() {}
  func openWindows(_ windows: [SlotKey]) {}
  func didDrain() {}

  private func end() {
    core?.effectDidEnd(key)
  }
}
