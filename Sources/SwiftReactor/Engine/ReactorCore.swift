// Joins: one reactor's lane, state, hooks, observers and inbox. The engine's typed half.
// Never: decides about order; the lane's machine does.
// Guarded by: `inbox` and `injected` by the lane's lock; what is marked "in a turn" belongs to whoever holds the turn.

public import Dispatch

/// The engine of one reactor. ``BaseReactor`` has one; a class that conforms to ``Reactor`` makes one itself.
///
/// ```swift
/// let core = ReactorCore<Action, Mutation, State>(initialState: State())
/// init() { core.connect(self) }  // last, when everything else is set
/// ```
public final class ReactorCore<Action: Sendable, Mutation: Sendable, State: Sendable>: @unchecked Sendable {
  // Safe to share: constants, and what "Guarded by" says above.

  /// The queue on which everything of this reactor happens.
  public let queue: DispatchQueue
  @usableFromInline let lane: Lane
  @usableFromInline let storage: StateStorage<State>
  @usableFromInline let key: SlotKey
  /// What the reactor was given in place of a `reduce` of its own.
  @usableFromInline let reducer: Reduce<State, Mutation>?
  /// Brings what other threads have sent to the queue. Guarded by the state's lock.
  @exclusivity(unchecked) private var drain: DispatchWorkItem?
  /// Takes the reports of this reactor in a test. A child that has none takes its parent's. Guarded by the state's lock.
  var reportHandler: (@Sendable (ReactorReport) -> Void)?

  /// The reactor itself. It holds the core, not the other way round.
  @usableFromInline weak var owner: AnyObject?
  @exclusivity(unchecked) var connection: Connection?

  /// The payloads of what waits, in the order in which the machine keeps the arrivals.
  @usableFromInline @exclusivity(unchecked) var inbox = Inbox<Payload>()
  /// The payloads of what hooks inject while they are started.
  private var injected = Inbox<Payload>()
  /// Somebody watches, so arrivals are noted with what their senders were doing. Guarded by the lane's lock.
  @usableFromInline @exclusivity(unchecked) var isTraced = false
  /// The reactor, as long as something waits that was accepted from outside: that keeps it alive.
  @usableFromInline @exclusivity(unchecked) var keeper: AnyObject?
  @usableFromInline @exclusivity(unchecked) var keptCount = 0

  // In a turn.
  /// No hook, no middleware, nobody listens to the subjects: an action goes straight to `mutate`.
  @usableFromInline @exclusivity(unchecked) var isPlain = true
  /// Somebody may want to hear of a commit.
  @usableFromInline @exclusivity(unchecked) var isObserved = false
  @usableFromInline @exclusivity(unchecked) var isWatched = false
  @usableFromInline @exclusivity(unchecked) var hearsEveryCommit = false
  @usableFromInline @exclusivity(unchecked) var hooks = Hooks<Action, Mutation, State>()
  /// The thread is marked as the one that may pass something through the hooks.
  @usableFromInline @exclusivity(unchecked) var isMarked = false
  var ids = EffectIDs()
  @usableFromInline @exclusivity(unchecked) var watches = PathWatches<State>()
  /// The audience of the first path that a commit has changed; 0: none.
  @usableFromInline @exclusivity(unchecked) var changed = 0
  /// All of them, if there are several; kept for its memory.
  @usableFromInline @exclusivity(unchecked) var otherChanged: ContiguousArray<Int> = []
  /// Called after every commit, before anybody is told: for what mirrors the state into other frameworks.
  @usableFromInline @exclusivity(unchecked) var afterCommit: (@Sendable (UnsafeMutablePointer<State>) -> Void)?
  /// What the state asks for. Before first use it is guarded by the state's lock.
  var feedbacks: [Feedback<Mutation, State>] = []
  /// Feedback has begun: every commit is followed.
  @usableFromInline @exclusivity(unchecked) var isFed = false
  /// The call and the effect of what is handled just now, for the effects that it makes the state ask for.
  @usableFromInline @exclusivity(unchecked) var feedbackCause = (call: SlotKey.none, effect: SlotKey.none)
  /// See everything and change nothing.
  @usableFromInline @exclusivity(unchecked) var watchers: [any StepWatcher<State>] = []
  /// What runs just now, while somebody watches.
  var notes = StepNotes<Action>()
  /// Gets the actions in place of the reactor's code.
  @usableFromInline @exclusivity(unchecked) var replacement: (@Sendable (any Sendable) -> Void)?
  /// Makes the tasks of effects, hooks and timers.
  var runner: any EffectRunner
  /// The state before the step of a nested reactor that is under way, for those who watch this one.
  var stateBeforeNested: State?
  /// Is told of nested reactors that are watched from here.
  var didJoin: (@Sendable (any RestingReactor) -> Void)?
  /// Somebody listens to the subjects.
  @usableFromInline @exclusivity(unchecked) var isTapped = false

  /// Its place among ancestors and children, once it has any. Others read it under the state's lock.
  @usableFromInline @exclusivity(unchecked) var tree: TreeNode?

  /// The streams of `action` and `mutation`, once somebody asked for them. Guarded by the state's lock.
  @usableFromInline @exclusivity(unchecked) var taps: Taps<Action, Mutation>?

  /// Those who show what is there, and want to be told when it is to be shown again. Guarded by the state's lock.
  var controls: [ShownControl<State>] = []
  #if canImport(Combine)
    /// What views are told with, once there is one. Guarded by the state's lock.
    var viewPublisher: ViewPublisher?
  #endif

  /// What arrives with an arrival. The rare ones are boxed, so that the frequent ones stay small.
  @usableFromInline
  enum Payload {
    case nothing
    case action(Action)
    case mutation(Mutation)
    indirect case state(State)
    indirect case failure(any Error, Action?)
    indirect case output(ChildOutput)
    /// What an effect has at once, as one commit.
    indirect case mutations([Mutation])
    indirect case feedback(FeedbackEvent<Mutation, State>)
    case traced(TracedArrival<Action, Mutation>)
    case order(WatchOrder<State>)
  }

  /// What the core knows to do with the concrete type of its reactor. An object, since to look into a generic struct costs a
  /// question to the runtime each time.
  final class Connection {
    let start: (ReactorCore) -> Void
    let work: (ReactorCore) -> Lane.Following
    let deliver: (@escaping Receive) -> Deliver
    let intake: (ReactorCore, StreamEvent<Mutation>, SlotKey) -> Void
    let intakeEnd: (ReactorCore, SlotKey) -> Void
    let type: AnyObject.Type

    init(
      start: @escaping (ReactorCore) -> Void, work: @escaping (ReactorCore) -> Lane.Following,
      deliver: @escaping (@escaping Receive) -> Deliver,
      intake: @escaping (ReactorCore, StreamEvent<Mutation>, SlotKey) -> Void,
      intakeEnd: @escaping (ReactorCore, SlotKey) -> Void, type: AnyObject.Type
    ) {
      self.start = start
      self.work = work
      self.deliver = deliver
      self.intake = intake
      self.intakeEnd = intakeEnd
      self.type = type
    }
  }

  @usableFromInline typealias Receive = @Sendable (StreamEvent<State>) -> Void
  @usableFromInline typealias Deliver = @Sendable (UnsafeMutablePointer<State>) -> Void

  /// Makes a core.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - queue: A serial queue. With a concurrent one nothing tears, but "on the queue" loses its meaning.
  public convenience init(initialState: State, queue: DispatchQueue = .main) {
    self.init(initialState: initialState, reducer: nil, queue: queue)
  }

  /// Makes a core whose reactor has no `reduce` of its own; see ``BaseReactor/init(initialState:reduce:queue:)``.
  public convenience init(initialState: State, reduce: Reduce<State, Mutation>, queue: DispatchQueue = .main) {
    self.init(initialState: initialState, reducer: reduce, queue: queue)
  }

  @usableFromInline
  init(initialState: State, reducer: Reduce<State, Mutation>?, queue: DispatchQueue) {
    self.reducer = reducer
    let environment = ReactorEnvironment.current
    self.queue = queue
    lane = environment.lane(queue)
    runner = environment.runner
    reportHandler = ReactorReports.testHandler
    storage = StateStorage(initialState)
    key = lane.admit()
    _state = ReactorState(self)
    lane.introduce(self, as: key)
    environment.didMake?(self)
  }

  deinit {
    close()
  }

  /// Tells the core whose engine it is. Call it last in `init`; an action before it stops the program with a message.
  @inlinable
  public func connect<R: Reactor>(_ reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    // The closures are formed here so that they are specialised in the module that knows the types.
    connect(
      reactor,
      start: { core in core.start(R.self) },
      work: { core in core.work(R.self) },
      deliver: { receive in
        let deliver: Deliver = { state in receive(.value(state.pointee)) }
        return deliver
      },
      intake: { core, event, effect in core.takeIn(event, from: effect) },
      intakeEnd: { core, effect in core.takeInEnd(of: effect) })
  }

  @usableFromInline
  func connect(
    _ reactor: AnyObject, start: @escaping (ReactorCore) -> Void,
    work: @escaping (ReactorCore) -> Lane.Following,
    deliver: @escaping (@escaping Receive) -> Deliver,
    intake: @escaping (ReactorCore, StreamEvent<Mutation>, SlotKey) -> Void,
    intakeEnd: @escaping (ReactorCore, SlotKey) -> Void
  ) {
    require(owner == nil, "core.connect(_:) was called twice; a core belongs to one reactor")
    owner = reactor
    connection = Connection(
      start: start, work: work, deliver: deliver, intake: intake, intakeEnd: intakeEnd, type: type(of: reactor))
  }

  /// What hands a state to a receiver of `$state`.
  func delivery(to receive: @escaping Receive) -> Deliver {
    if let connection { return connection.deliver(receive) }
    return { state in receive(.value(state.pointee)) }
  }

  /// The reactor is going away.
  @usableFromInline
  func close() {
    lane.remove(key)
    // Nobody else touches these any more: whoever held the turn for this reactor held the reactor.
    hooks.stop()
    hooks = Hooks()
    for feedback in feedbacks { feedback.end() }
    taps?.finish()
    tree?.close()
  }

  // MARK: State

  /// The committed state, from any thread; its projection `$state` is the stream of states. Inside a `reduce` this stops the
  /// program: use the parameter. See ``BaseReactor/state``.
  @ReactorState public var state: State

  /// Stops the program if this reactor does not belong to the main queue.
  package func requireMainQueue(for what: String) {
    require(
      lane.isMain,
      """
      \(what) has to belong to the main queue; this one has "\(queue.label)". Make it with `queue: .main`, and let one \
      with a queue of its own tell it what to show.
      """)
  }

  // MARK: Sending

  /// The way of an action. On the queue and outside a turn it is committed and delivered when this returns.
  @inlinable
  public func send<R: Reactor>(_ action: Action, to reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    send(action, to: reactor, at: .unknown)
  }

  /// The same, with the place in the code that sends it.
  @inlinable
  public func send<R: Reactor>(_ action: Action, to reactor: R, at place: SendPlace)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    let entry = lane.enter(key)
    if entry == .now {
      step(action, of: reactor, call: .none, at: place)
      // What was sent from inside is mostly this reactor's own.
      if !lane.leave() { lane.drain(queue, work(R.self, holding: reactor)) }
    } else {
      send(action, keeping: reactor, call: .none, at: place, isElsewhere: entry == .elsewhere)
    }
  }

  /// The long way: the action waits, if only for its turn in this very call.
  @inlinable
  func send(
    _ action: Action, keeping reactor: AnyObject, call: SlotKey, at place: SendPlace, isElsewhere: Bool = false
  ) {
    let notices = lane.arriveAction(
      for: key, call: call, on: queue, isElsewhere: isElsewhere, drain: { self.keptDrain }
    ) {
      inbox.append(payload(action, at: place))
      keep(reactor)
    }
    if !notices.isEmpty { report(notices, action: action, call: call) }
  }

  /// The drain of this reactor's queue, made when it is first wanted.
  @usableFromInline
  var keptDrain: DispatchWorkItem {
    if let known = storage.lock.withLock({ drain }) { return known }
    let made = lane.makeDrain(for: queue)
    return storage.lock.withLock {
      if let drain { return drain }
      drain = made
      return made
    }
  }

  /// An action for whoever the core belongs to, or nobody.
  func send(_ action: Action, at place: SendPlace = .unknown) {
    guard let owner = connectedOwner() else { return }
    send(action, keeping: owner, call: .none, at: place)
  }

  /// A mutation from outside, past `mutate`.
  func send(mutation: Mutation, at place: SendPlace = .unknown) {
    guard let owner = connectedOwner() else { return }
    let arrival = ReactorMachine.Arrival(reactor: key, stage: .mutation, isKeeping: true)
    let notices = lane.arrive(arrival, from: lane.sender, on: queue) {
      inbox.append(isTraced ? traced(nil, mutation, at: place) : .mutation(mutation))
      keep(owner)
    }
    if !notices.isEmpty { report(notices, action: nil) }
  }

  /// Replaces the state. Before first use that is done at once, wherever it is called, and starts nothing.
  package func restore(_ state: State) {
    guard let owner = connectedOwner() else { return }
    if lane.ask({ _ in inbox.isEmpty }), storage.replaceBeforeUse(with: state) { return }
    receive(.state(state), .restore, keeping: owner)
  }

  /// Lets something in from an effect, a hook or an observation.
  func receive(
    _ payload: Payload, _ stage: ReactorMachine.Stage = .mutation, from about: SlotKey = .none,
    keeping keeper: AnyObject? = nil, isInjected: Bool = false, isLast: Bool = false
  ) {
    var arrival = ReactorMachine.Arrival(reactor: key, stage: stage, about: about)
    arrival.isLast = isLast
    arrival.isKeeping = keeper != nil
    let notices = lane.arrive(arrival, from: isInjected ? .startingHook : lane.sender, on: queue) {
      if isInjected { injected.append(payload) } else { inbox.append(payload) }
      if let keeper { keep(keeper) }
    }
    if !notices.isEmpty { report(notices, action: nil) }
  }

  /// Lets in what an effect has to say.
  func intake(_ event: StreamEvent<Mutation>, _ effect: SlotKey) {
    connection?.intake(self, event, effect)
  }

  func effectDidEnd(_ effect: SlotKey) {
    connection?.intakeEnd(self, effect)
  }

  /// The same, where the types are known.
  @inlinable
  func takeIn(_ event: StreamEvent<Mutation>, from effect: SlotKey) {
    switch event {
    case .value(let mutation):
      let notices = lane.arrive(.mutation, of: effect, for: key, on: queue) { inbox.append(.mutation(mutation)) }
      if !notices.isEmpty { report(notices, action: nil) }
    case .finished: takeInEnd(of: effect)
    case .failure(let error): takeIn(error, from: effect)
    }
  }

  @inlinable
  func takeInEnd(of effect: SlotKey) {
    let notices = lane.arrive(.effectEnd, of: effect, for: key, on: queue) { inbox.append(.nothing) }
    if !notices.isEmpty { report(notices, action: nil) }
  }

  @usableFromInline
  func takeIn(_ error: any Error, from effect: SlotKey) {
    let handle = lane.effect(effect) as? EffectHandle<Action, Mutation, State>
    receive(.failure(error, handle?.action), .failure, from: effect)
  }

  func connectedOwner() -> AnyObject? {
    require(connection != nil, Self.notConnected)
    return owner
  }

  @usableFromInline static var notConnected: String {
    "This ReactorCore has no reactor: call core.connect(self) last in the reactor's init."
  }

  // MARK: Working

  /// Handles what waits for this reactor. In a turn. `holder` is the reactor, if the caller holds it anyway.
  @inlinable
  func work<R: Reactor>(_: R.Type, holding holder: AnyObject? = nil) -> Lane.Following
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    var following = Lane.Following()
    var payload: Payload?
    // The reactor is held for one step, or for as long as something waits that keeps it alive anyway.
    var object = holder
    var isKept = false
    while let taken = lane.take(
      for: key, endsPlainly: watchers.isEmpty, else: &following,
      { taken in (payload, isKept) = fetch(taken, &object) })
    {
      guard !taken.isDropped, !taken.isDone, let item = payload.take() else {
        if taken.isLate { reportLate(payload, call: taken.call) }
        payload = nil
        continue
      }
      if object == nil { object = owner }
      if let object {
        // Safe: the owner is what `connect` was called with, and that was an `R`.
        let reactor = unsafeDowncast(object, to: R.self)
        if isFed { feedbackCause = (taken.call, taken.about) }
        if case .action(let action) = item, taken.stage == .action {
          step(action, of: reactor, call: taken.call, at: .unknown)
        } else {
          handle(item, taken, of: reactor)
        }
        if taken.isLongTurn || taken.isOverdue { reportLongTurn(item, isOverdue: taken.isOverdue) }
      }
      if !isKept { object = holder }
    }
    if isFed { feedbackCause = (.none, .none) }
    return following
  }

  /// Notes that something waits that keeps the reactor alive. Under the lane's lock.
  @inlinable
  func keep(_ reactor: AnyObject) {
    if keptCount == 0 { keeper = reactor }
    keptCount &+= 1
  }

  /// Takes a payload out of its inbox, and the reactor into `object` if something keeps it. Under the lane's lock, so
  /// nothing of the user's is released here. The second result says whether more waits that keeps the reactor.
  @inlinable
  func fetch(_ taken: ReactorMachine.Taken, _ object: inout AnyObject?) -> (Payload?, Bool) {
    let payload = taken.isInjected ? fetchInjected() : inbox.popFirst()
    if taken.isKeeping {
      if object == nil { object = keeper }
      keptCount &-= 1
      // Not the last reference: `object` is one.
      if keptCount == 0 { keeper = nil }
    }
    return (payload, keptCount > 0)
  }

  @usableFromInline
  func fetchInjected() -> Payload? { injected.popFirst() }

  /// How much hooks have injected that is not handled yet. Under the lane's lock.
  var injectedCount: Int { injected.count }

  func updatePlain() {
    isTapped = storage.lock.withLock { taps != nil }
    isPlain = hooks.isPlain && watchers.isEmpty && replacement == nil && !isTapped
  }
}

extension ReactorCore: LaneTenant {
  func start() { connection?.start(self) }
  func work() -> Lane.Following {
    guard let connection else { mistake(Self.notConnected) }
    return connection.work(self)
  }
}
