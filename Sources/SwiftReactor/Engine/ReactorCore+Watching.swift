// Watches: the watched half of a step, and the seam through which tests put themselves in.
// Never: runs for a reactor that nobody watches.
// Guarded by: the turn; `isTraced` by the lane's lock.

internal import Dispatch

extension ReactorCore {
  // MARK: Attaching

  /// Lets `watcher` see every step from here on. On the queue it is there when this returns; from elsewhere it is there
  /// before anything that the caller sends afterwards.
  ///
  /// The steps of reactors that are nested in this one, now or later, are seen too.
  ///
  /// - Parameters:
  ///   - runner: What makes the tasks of effects from here on; nil for no change. Nested reactors get the same.
  ///   - didJoin: Is told of the nested reactors.
  package func attach(
    _ watcher: any StepWatcher<State>, runner: (any EffectRunner)? = nil,
    didJoin: (@Sendable (any RestingReactor) -> Void)? = nil
  ) {
    lane.ask { _ in isTraced = true }
    receive(.order(WatchOrder(watcher: watcher, runner: runner, didJoin: didJoin)), .tidying)
  }

  /// Lets a watcher that watches at times in or out, as it wants by then.
  func refresh(_ watcher: some StepWatcher<State> & SwitchedWatcher) {
    if watcher.wantsSteps { lane.ask { _ in isTraced = true } }
    receive(.order(WatchOrder(refreshed: watcher)), .tidying)
  }

  /// Takes the place of the reactor's code: actions go to `record`, mutations and hooks to nobody. Only `restore` changes
  /// the state from here on.
  package func replace(_ record: @escaping @Sendable (any Sendable) -> Void) {
    receive(.order(WatchOrder(replacement: record)), .tidying)
  }

  /// Calls the hooks, if that has not happened yet: the first use without an action.
  package func startIfNeeded() {
    if lane.ask({ $0.reactors[key]?.isStarted == false }) { receive(.nothing, .start) }
  }

  /// Carries out an order. In a turn.
  func follow(_ order: WatchOrder<State>) {
    if let errand = order.errand { return errand() }
    if let runner = order.runner { madeParts.runner = runner }
    if let didJoin = order.didJoin { watching.didJoin = didJoin }
    if let watcher = order.watcher { add(watcher) }
    if let watcher = order.refreshed as? any SwitchedWatcher {
      let isHere = watchers.contains { ($0 as AnyObject) === watcher }
      if watcher.wantsSteps, !isHere { add(order.refreshed!) }
      if !watcher.wantsSteps { removeWatchers { ($0 as AnyObject) === watcher } }
    }
    if let replacement = order.replacement {
      let parts = madeParts
      parts.replacement = replacement
      parts.hooks.stop()
      parts.hooks = Hooks()
    }
    for effect in order.cancelled { tell(.cancelled, effect) }
    updatePlain()
  }

  private func add(_ watcher: any StepWatcher<State>) {
    lane.ask { _ in isTraced = true }
    let watching = watching
    if !hasWatchers { watching.notes = StepNotes() }
    watching.watchers.append(watcher)
    hasWatchers = true
    for member in tree?.members ?? [] where watching.watchers.count == 1 { member.watch(from: relay) }
  }

  // MARK: Nested reactors

  /// What a nested reactor tells its parent's watchers.
  var relay: WatchRelay {
    WatchRelay(runner: runner, didJoin: watching.didJoin) { [weak self] in
      guard let self else { return }
      watching.stateBeforeNested = stateBeforeStep()
    } willMutate: { [weak self] action, reactor, source in
      for watcher in self?.watchers ?? [] { watcher.willMutate(action, of: reactor, from: source) }
    } didStep: { [weak self] reactor, actions, mutations, source in
      guard let self, let before = watching.stateBeforeNested else { return }
      watching.stateBeforeNested = nil
      let step = WatchedStep(
        reactor: reactor, actions: actions, mutations: mutations, source: source, before: before, after: currentState)
      for watcher in watchers { watcher.didStep(step) }
    } effectDid: { [weak self] event, effect in
      self?.tell(event, effect)
    }
  }

  /// An ancestor is watched. In a turn, or before first use.
  func watch(from relay: WatchRelay) {
    lane.ask { _ in isTraced = true }
    madeParts.runner = relay.runner
    watching.didJoin = relay.didJoin
    relay.didJoin?(self)
    add(RelayWatcher<State>(relay))
    updatePlain()
  }

  /// The reactor is no longer nested.
  func endRelay() {
    removeWatchers { $0 is RelayWatcher<State> }
    updatePlain()
  }

  private func removeWatchers(where isGone: (any StepWatcher<State>) -> Bool) {
    guard hasWatchers else { return }
    watching.watchers.removeAll(where: isGone)
    guard watching.watchers.isEmpty else { return }
    hasWatchers = false
    // From here on nothing costs anything.
    lane.ask { _ in isTraced = false }
    watching.notes = StepNotes()
    for member in tree?.members ?? [] { member.endRelay() }
  }

  /// Runs `body` on the reactor's queue and returns its answer; at once if that is where the caller is.
  nonisolated(nonsending) package func onQueue<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    if lane.isCurrent { return body() }
    // A checked continuation: ThreadSanitizer does not see the hand-over of an unsafe one that carries a generic value.
    return await withCheckedContinuation { continuation in
      lane.run(on: queue) { continuation.resume(returning: body()) }
    }
  }

  // MARK: Sources

  /// What an action becomes in the inbox. Under the lane's lock.
  @inlinable
  func payload(_ action: Action, at place: SendPlace) -> Payload {
    isTraced ? traced(action, nil, at: place) : .action(action)
  }

  @usableFromInline
  func traced(_ action: Action?, _ mutation: Mutation?, at place: SendPlace) -> Payload {
    var phase: StepSource.Kind?
    var cause: Action?
    // Only whoever holds the turn may look at what belongs to it.
    if lane.isWorkingHere {
      phase = watching.notes.phase == .mutate && ThreadMark.isReducing ? .reduce : watching.notes.phase ?? .otherReactor
      cause = watching.notes.action
    }
    return .traced(
      TracedArrival(
        action: action, mutation: mutation, effect: EffectOrigin.current, phase: phase, cause: cause,
        place: place.known))
  }

  /// A traced arrival is handled: find out what its sender was.
  @usableFromInline
  func note(_ traced: TracedArrival<Action, Mutation>) {
    if let phase = traced.phase {
      watching.notes.source = StepSource(phase, action: traced.cause)
    } else {
      watching.notes.source = source(of: traced.effect)
    }
    watching.notes.source?.place = traced.place
  }

  private func source(of origin: EffectOrigin?) -> StepSource {
    guard let origin else { return StepSource(.outside) }
    return source(of: origin.lane.effect(origin.effect))
  }

  private func source(of effect: (any EffectHandling)?) -> StepSource {
    var source = StepSource(.effect, action: effect?.cause)
    source.effect = effect?.id
    source.query = effect?.query
    return source
  }

  // MARK: Steps

  /// A watched step of an action begins, before its hook.
  @usableFromInline
  func beginStep(of action: Action, at place: SendPlace) {
    // Noted when it came, or else it came just now, on this thread.
    if watching.notes.source == nil {
      watching.notes.source = source(of: EffectOrigin.current)
      watching.notes.source?.place = place.known
    }
    watching.notes.phase = .hook
    watching.notes.action = action
  }

  /// A watched step of something else begins.
  @usableFromInline
  func beginStep(at stage: ReactorMachine.Stage, about effect: SlotKey) {
    watching.notes.phase = .hook
    switch stage {
    case .mutation where effect.isNone:
      if watching.notes.source == nil { watching.notes.source = StepSource(.outside) }
    case .mutation:
      let source = source(of: lane.effect(effect))
      watching.notes.source = source
      watching.notes.action = source.action as? Action
    case .restore: watching.notes.source = StepSource(.restore)
    case .output: watching.notes.source = StepSource(.output)
    default: watching.notes.source = StepSource(.hook)
    }
  }

  @usableFromInline
  func stateBeforeStep() -> State {
    for watcher in watchers { watcher.willStep() }
    return currentState
  }

  @usableFromInline
  func endStep() {
    watching.notes = StepNotes()
  }

  @usableFromInline
  func tellWatchers(beforeMutating action: Action) {
    watching.notes.phase = .mutate
    watching.notes.action = action
    let source = watching.notes.source ?? StepSource(.hook)
    for watcher in watchers { watcher.willMutate(action, of: typeName, from: source) }
  }

  @usableFromInline
  func tellWatchers(_ actions: [Action], _ mutations: [Mutation], before: State) {
    watching.notes.phase = .observer
    let step = WatchedStep(
      reactor: typeName, actions: actions, mutations: mutations, source: watching.notes.source ?? StepSource(.hook),
      before: before, after: currentState)
    for watcher in watchers { watcher.didStep(step) }
  }

  // MARK: Effects

  func tell(_ event: EffectEvent, _ effect: WatchedEffect) {
    for watcher in watchers { watcher.effectDid(event, effect) }
  }

  @usableFromInline
  func tellWatchers(of error: any Error, in effect: SlotKey) {
    if let effect = lane.effect(effect) { tell(.failed(error), effect) }
  }

  func tell(_ event: EffectEvent, _ effect: any EffectHandling) {
    if hasWatchers, let watched = watched(effect) { tell(event, watched) }
  }

  /// Something that was decided about effects is carried out. The one that came to its end by itself is among those that
  /// have to be cancelled: nothing of it may stay.
  func tellOfEffects(_ orders: EffectOrders, ended: SlotKey = .none) {
    if !hasWatchers { return }
    for effect in orders.cancelled { tell(effect.key == ended ? .ended : .cancelled, effect) }
  }

  /// The same for what was decided outside of a turn: watchers hear of it in one.
  func traceEffects(_ orders: EffectOrders) {
    guard !orders.cancelled.isEmpty, lane.ask({ _ in isTraced }) else { return }
    let cancelled = orders.cancelled.compactMap { watched($0) }
    if !cancelled.isEmpty { receive(.order(WatchOrder(cancelled: cancelled)), .tidying) }
  }

  /// The effects that run or wait, in the order in which they were returned; then those of nested reactors.
  package var watchedEffects: [WatchedEffect] {
    let own = lane.listEffects(of: key).compactMap { effect in
      var watched = watched(effect)
      watched?.isWaiting = lane.ask { $0.effects[effect.key]?.phase == .waiting }
      return watched
    }
    let membership = storage.lock.withLock { tree }
    return own + (membership?.members ?? []).flatMap(\.watchedEffects)
  }

  /// What makes the tasks of effects. In a turn, or on the queue.
  package var effectRunner: any EffectRunner { runner }

  /// Nil for what is only the window of a throttled effect.
  private func watched(_ effect: any EffectHandling) -> WatchedEffect? {
    guard effect is EffectHandle<Action, Mutation, State> else { return nil }
    return WatchedEffect(key: effect.key, reactor: typeName, action: effect.cause, query: effect.query, name: effect.id)
  }
}

/// The way from a nested reactor to those who watch its parent.
final class WatchRelay: Sendable {
  let runner: any EffectRunner
  let didJoin: (@Sendable (any RestingReactor) -> Void)?
  let willStep: @Sendable () -> Void
  let willMutate: @Sendable (any Sendable, String, StepSource) -> Void
  let didStep: @Sendable (String, [any Sendable], [any Sendable], StepSource) -> Void
  let effectDid: @Sendable (EffectEvent, WatchedEffect) -> Void

  init(
    runner: any EffectRunner, didJoin: (@Sendable (any RestingReactor) -> Void)?,
    willStep: @escaping @Sendable () -> Void,
    willMutate: @escaping @Sendable (any Sendable, String, StepSource) -> Void,
    didStep: @escaping @Sendable (String, [any Sendable], [any Sendable], StepSource) -> Void,
    effectDid: @escaping @Sendable (EffectEvent, WatchedEffect) -> Void
  ) {
    self.runner = runner
    self.didJoin = didJoin
    self.willStep = willStep
    self.willMutate = willMutate
    self.didStep = didStep
    self.effectDid = effectDid
  }
}

/// Watches a nested reactor for its parent's watchers.
struct RelayWatcher<State: Sendable>: StepWatcher {
  private let relay: WatchRelay

  init(_ relay: WatchRelay) {
    self.relay = relay
  }

  func willStep() { relay.willStep() }

  func willMutate(_ action: any Sendable, of reactor: String, from source: StepSource) {
    relay.willMutate(action, reactor, source)
  }

  func didStep(_ step: WatchedStep<State>) {
    relay.didStep(step.reactor, step.actions, step.mutations, step.source)
  }

  func effectDid(_ event: EffectEvent, _ effect: WatchedEffect) { relay.effectDid(event, effect) }
}

/// A reactor, as those who wait for its rest see it.
package protocol RestingReactor: AnyObject, Sendable {
  /// How much waits to be handled.
  var waitingCount: Int { get }
  /// How much has been handled or waits, and how many effects run: it differs if anything has happened in between.
  var activity: [Int] { get }
  /// Returns when everything that stood in the reactor's queue has run.
  nonisolated(nonsending) func passQueue() async
  func cancelEffects()
  /// Ends it, although somebody may keep it: what waits is not handled any more, nor what comes later.
  func abandon()
}

extension ReactorCore: RestingReactor {
  package var waitingCount: Int {
    lane.ask { Int(inbox.count) + $0.aheadCount(of: key) }
  }

  package var activity: [Int] {
    [waitingCount, storage.commitCount, lane.listEffects(of: key).count]
  }

  nonisolated(nonsending) package func passQueue() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      lane.run(on: queue) { continuation.resume() }
    }
  }

  package func abandon() {
    lane.remove(key)
    // What waits would keep the reactor for ever.
    let kept = lane.ask { _ in
      keptCount = 0
      return keeper.take()
    }
    withExtendedLifetime(kept) {}
  }
}
