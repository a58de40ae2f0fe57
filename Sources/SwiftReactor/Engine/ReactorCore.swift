// Joins: one reactor's lane, state, hooks, observers and inbox. The engine's typed half.
// Never: decides about order; the lane's machine does.
// Guarded by: what is said at each; what is marked "in a turn" belongs to whoever holds the turn.

public import Dispatch

/// The engine of one reactor. ``BaseReactor`` has one; a class that conforms to ``Reactor`` makes one itself.
///
/// ```swift
/// let core = ReactorCore<Action, Mutation, State>(initialState: State())
/// init() { core.connect(self) }  // last, when everything else is set
/// ```
public final class ReactorCore<Action: Sendable, Mutation: Sendable, State: Sendable>: @unchecked Sendable {
  // Safe to share: constants, and what "Guarded by" says above.

  // Ten thousand idle reactors are ten thousand of these: what only some of them need lies in CoreParts.

  /// The queue on which everything of this reactor happens.
  public let queue: DispatchQueue
  @usableFromInline let lane: Lane
  @usableFromInline let storage: StateStorage<State>
  @usableFromInline let key: SlotKey
  /// Brings what other threads have sent to the queue. Guarded by the lane's lock.
  @exclusivity(unchecked) private var drain: KeptDrain?

  /// The reactor itself. It holds the core, not the other way round.
  @usableFromInline weak var owner: AnyObject?
  /// Not counted, because it stays; nil before `connect`.
  @exclusivity(unchecked) private var uncountedConnection: Unmanaged<Connection>?

  /// The payloads of what waits, in the order in which the machine keeps the arrivals. Guarded by the lane's lock.
  @usableFromInline @exclusivity(unchecked) var inbox = Inbox<Payload>()
  /// The reactor, as long as something waits that was accepted from outside: that keeps it alive. The lane's lock.
  @usableFromInline @exclusivity(unchecked) var keeper: AnyObject?
  @usableFromInline @exclusivity(unchecked) var keptCount: UInt32 = 0
  /// Somebody watches, so arrivals are noted with what their senders were doing. The lane's lock.
  @usableFromInline @exclusivity(unchecked) var isTraced = false

  // In a turn.
  /// No hook, no middleware, nobody listens to the subjects: an action goes straight to `mutate`.
  @usableFromInline @exclusivity(unchecked) var isPlain = true
  /// Somebody may want to hear of a commit.
  @usableFromInline @exclusivity(unchecked) var isObserved = false
  @usableFromInline @exclusivity(unchecked) var isWatched = false
  @usableFromInline @exclusivity(unchecked) var hearsEveryCommit = false
  /// Somebody sees all steps.
  @usableFromInline @exclusivity(unchecked) var hasWatchers = false
  /// The thread is marked as the one that may pass something through the hooks.
  @usableFromInline @exclusivity(unchecked) var isMarked = false
  /// Feedback has begun: every commit is followed.
  @usableFromInline @exclusivity(unchecked) var isFed = false
  /// The audience of the path that a commit has changed; 0: none, `several`: the lane has a list of them.
  @usableFromInline @exclusivity(unchecked) var changed: UInt32 = 0
  /// The paths that are observed, once any is. Not counted, because every commit asks; `parts` holds it.
  @usableFromInline @exclusivity(unchecked) var uncountedWatches: Unmanaged<PathWatches<State>>?
  @usableFromInline @exclusivity(unchecked) var parts: TurnParts<Action, Mutation, State>?

  /// Guarded by the state's lock.
  @exclusivity(unchecked) var sharedParts: SharedParts<Action, Mutation, State>?
  /// Its place among ancestors and children, once it has any. The turn's; others read it under the state's lock.
  @usableFromInline @exclusivity(unchecked) var tree: TreeNode?

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
  final class Connection: ReactorType, @unchecked Sendable {
    // Safe to share: the closures capture nothing but types.
    let engine: (AnyObject) -> ReactorCore
    let start: (ReactorCore) -> Void
    let work: (ReactorCore) -> Lane.Following
    let deliver: (@escaping Receive) -> Deliver
    let intake: (ReactorCore, StreamEvent<Mutation>, SlotKey) -> Void

    init(
      _ name: AnyObject.Type, engine: @escaping (AnyObject) -> ReactorCore, start: @escaping (ReactorCore) -> Void,
      work: @escaping (ReactorCore) -> Lane.Following, deliver: @escaping (@escaping Receive) -> Deliver,
      intake: @escaping (ReactorCore, StreamEvent<Mutation>, SlotKey) -> Void
    ) {
      self.engine = engine
      self.start = start
      self.work = work
      self.deliver = deliver
      self.intake = intake
      super.init(name)
    }

    override func engine(of reactor: AnyObject) -> any LaneTenant { engine(reactor) }
  }

  @usableFromInline typealias Receive = @Sendable (StreamEvent<State>) -> Void
  @usableFromInline typealias Deliver = @Sendable (UnsafeMutablePointer<State>) -> Void

  /// Makes a core.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - queue: A serial queue. With a concurrent one nothing tears, but "on the queue" loses its meaning.
  @inlinable
  public convenience init(initialState: State, queue: DispatchQueue = .main) {
    self.init(initialState: initialState, reducer: nil, queue: queue)
  }

  /// Makes a core whose reactor has no `reduce` of its own; see ``BaseReactor/init(initialState:reduce:queue:)``.
  @inlinable
  public convenience init(initialState: State, reduce: Reduce<State, Mutation>, queue: DispatchQueue = .main) {
    self.init(initialState: initialState, reducer: reduce, queue: queue)
  }

  @inlinable
  convenience init(initialState: State, reducer: Reduce<State, Mutation>?, queue: DispatchQueue) {
    // Made here, where the type of the state is known.
    self.init(StateStorage(initialState), reducer: reducer, queue: queue)
  }

  @usableFromInline
  init(_ storage: StateStorage<State>, reducer: Reduce<State, Mutation>?, queue: DispatchQueue) {
    let environment = ReactorEnvironment.current
    self.queue = queue
    lane = environment.lane(queue)
    self.storage = storage
    key = lane.admit()
    _state = ReactorState(self)
    if let reducer { madeParts.reducer = reducer }
    if let runner = environment.runner { madeParts.runner = runner }
    if let handler = ReactorReports.testHandler { madeSharedParts.reportHandler = handler }
    environment.didMake?(self)
  }

  deinit {
    close()
    storage.forgetReaders()
  }

  /// Tells the core whose engine it is. Call it last in `init`; an action before it stops the program with a message.
  @inlinable
  public func connect<R: Reactor>(_ reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    // The closures are formed here so that they are specialised in the module that knows the types.
    connect(
      reactor, as: R.self,
      // Safe: it is only asked about reactors that were connected here.
      engine: { reactor in unsafeDowncast(reactor, to: R.self).core },
      start: { core in core.start(R.self) },
      work: { core in core.work(R.self) },
      deliver: { receive in
        let deliver: Deliver = { state in receive(.value(state.pointee)) }
        return deliver
      },
      intake: { core, event, effect in core.takeIn(event, from: effect) })
  }

  @usableFromInline
  func connect(
    _ reactor: AnyObject, as type: Any.Type, engine: @escaping (AnyObject) -> ReactorCore,
    start: @escaping (ReactorCore) -> Void, work: @escaping (ReactorCore) -> Lane.Following,
    deliver: @escaping (@escaping Receive) -> Deliver,
    intake: @escaping (ReactorCore, StreamEvent<Mutation>, SlotKey) -> Void
  ) {
    require(
      connection == nil,
      """
      \(Swift.type(of: reactor)): core.connect(_:) was called twice, first by \(typeName); a core belongs to one reactor
      """)
    let name: AnyObject.Type = Swift.type(of: reactor)
    let known = ReactorType.of(name, as: type) {
      Connection(
        name, engine: engine, start: start, work: work, deliver: deliver, intake: intake)
    }
    owner = reactor
    // Safe: what is known of a type was made here, for the same actions, mutations and states.
    uncountedConnection = .passUnretained(unsafeDowncast(known, to: Connection.self))
    lane.introduce(reactor, .passUnretained(known), as: key)
  }

  var connection: Connection? { uncountedConnection?.takeUnretainedValue() }

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
    if let parts {
      parts.hooks.stop()
      parts.hooks = Hooks()
      for feedback in parts.feedbacks { feedback.end() }
    }
    if let shared = storage.lock.withLock({ sharedParts }) {
      for feedback in shared.comingFeedbacks { feedback.end() }
      shared.taps.finish()
    }
    tree?.close()
  }

  // MARK: State

  /// The committed state, from any thread; its projection `$state` is the stream of states. Inside a `reduce` this stops the
  /// program: use the parameter. See ``BaseReactor/state``.
  @ReactorState public var state: State

  /// What reads it, for whoever shows it as its own.
  var stateReader: ReactorState<State> { _state }

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
      step(action, of: reactor, call: .none, at: place, isHeld: true)
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
      for: key, call: call, on: queue, isElsewhere: isElsewhere, drain: { keptDrain }
    ) {
      inbox.append(payload(action, at: place))
      keep(reactor)
    }
    if !notices.isEmpty { report(notices, action: action, call: call) }
  }

  /// The drain of this reactor's queue, made when it is first wanted. Under the lane's lock.
  @usableFromInline
  var keptDrain: KeptDrain {
    if let drain { return drain }
    let made = KeptDrain(of: lane, for: queue)
    drain = made
    return made
  }

  /// An action for whoever the core belongs to, or nobody.
  func send(_ action: Action, at place: SendPlace = .unknown) {
    var owner = connectedOwner()
    if owner == nil { return }
    // Held only until what waits keeps it: a step that lets go of the reactor is its end, also inside this call.
    let notices = lane.arriveAction(for: key, call: .none, on: queue, isElsewhere: false, drain: { keptDrain }) {
      inbox.append(payload(action, at: place))
      if let reactor = owner.take() { keep(reactor) }
    }
    if !notices.isEmpty { report(notices, action: action) }
  }

  /// A mutation from outside, past `mutate`.
  func send(mutation: Mutation, at place: SendPlace = .unknown) {
    var owner = connectedOwner()
    if owner == nil { return }
    let arrival = ReactorMachine.Arrival(reactor: key, stage: .mutation, isKeeping: true)
    let notices = lane.arrive(arrival, from: lane.sender, on: queue, drain: { keptDrain }) {
      inbox.append(isTraced ? traced(nil, mutation, at: place) : .mutation(mutation))
      if let reactor = owner.take() { keep(reactor) }
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
    let sender = isInjected ? .startingHook : lane.sender
    let notices = lane.arrive(arrival, from: sender, on: queue, drain: { keptDrain }) {
      if isInjected { madeParts.injected.append(payload) } else { inbox.append(payload) }
      if let keeper { keep(keeper) }
    }
    if !notices.isEmpty { report(notices, action: nil) }
  }

  /// Lets in what an effect has to say.
  func intake(_ event: StreamEvent<Mutation>, _ effect: SlotKey) {
    connection?.intake(self, event, effect)
  }

  /// The same, where the types are known.
  @inlinable
  func takeIn(_ event: StreamEvent<Mutation>, from effect: SlotKey) {
    switch event {
    case .value(let mutation):
      let notices = lane.arrive(.mutation, of: effect, for: key, on: queue, drain: { keptDrain }) {
        inbox.append(.mutation(mutation))
      }
      if !notices.isEmpty { report(notices, action: nil) }
    case .finished: effectDidEnd(effect)
    case .failure(let error): takeIn(error, from: effect)
    }
  }

  /// Lets in the end of an effect, if it is still there. `alongside` is done under the same lock.
  @usableFromInline
  func effectDidEnd(_ effect: SlotKey, alongside: () -> Void = {}) {
    let notices = lane.arrive(.effectEnd, of: effect, for: key, on: queue, drain: { keptDrain }, store: alongside)
    if !notices.isEmpty { report(notices) }
  }

  @usableFromInline
  func takeIn(_ error: any Error, from effect: SlotKey) {
    receive(.failure(error, lane.effect(effect)?.cause as? Action), .failure, from: effect)
  }

  func connectedOwner() -> AnyObject? {
    require(connection != nil, ReactorType.notConnected(State.self))
    return owner
  }

  // MARK: Working

  /// Handles what waits for this reactor. In a turn. `holder` is the reactor, if the caller holds it anyway.
  @inlinable
  func work<R: Reactor>(_: R.Type, holding holder: AnyObject? = nil) -> Lane.Following
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    var following = Lane.Following()
    var payload: Payload?
    // The reactor is held for a step, and on to the next as long as somebody else holds it too.
    var object = holder
    while let taken = lane.take(
      for: key, endsPlainly: !hasWatchers, else: &following, { taken in payload = fetch(taken, &object) })
    {
      // What came to its end on the way here may have let go of it.
      if !taken.isKeeping { Self.letGoIfLast(&object, holder) }
      guard !taken.isDropped, !taken.isDone, let item = payload.take() else {
        if taken.isLate { reportLate(payload, call: taken.call) }
        payload = nil
        continue
      }
      if object == nil { object = owner }
      if let held = object.map({ Unmanaged<R>.fromOpaque(Unmanaged.passUnretained($0).toOpaque()) }) {
        if isFed { noteCause(call: taken.call, effect: taken.about) }
        // Safe: the owner is what `connect` was called with, and that was an `R`. `object` holds it meanwhile.
        held._withUnsafeGuaranteedRef { reactor in
          if case .action(let action) = item, taken.stage == .action {
            step(action, of: reactor, call: taken.call, at: .unknown)
          } else {
            handle(item, taken, of: reactor)
          }
        }
        if taken.isLongTurn || taken.isOverdue { reportLongTurn(item, isOverdue: taken.isOverdue) }
      }
      Self.letGoIfLast(&object, holder)
      // As it would if the end had come by itself: not any more if this step let go of the reactor.
      if taken.isLast, !taken.isEnded, object != nil || owner != nil { effectEnded(taken.about) }
    }
    if isFed { noteCause(call: .none, effect: .none) }
    return following
  }

  /// Notes that something waits that keeps the reactor alive. Under the lane's lock.
  @inlinable
  func keep(_ reactor: AnyObject) {
    if keptCount == 0 { keeper = reactor }
    keptCount &+= 1
  }

  /// Lets go of a reactor that nobody else holds. To find that out is cheaper than to ask the weak reference again.
  @inlinable
  static func letGoIfLast(_ object: inout AnyObject?, _ holder: AnyObject?) {
    #if canImport(ObjectiveC)
      // An object of Objective-C does not say whether others hold it.
      object = holder
    #else
      if isKnownUniquelyReferenced(&object) { object = nil }
    #endif
  }

  /// Takes a payload out of its inbox, and the reactor into `object` if something keeps it. Under the lane's lock, so
  /// nothing of the user's is released here.
  @inlinable
  func fetch(_ taken: ReactorMachine.Taken, _ object: inout AnyObject?) -> Payload? {
    let payload = taken.isInjected ? fetchInjected() : taken.stage == .effectEnd ? .nothing : inbox.popFirst()
    if taken.isKeeping {
      if object == nil { object = keeper }
      keptCount &-= 1
      // Not the last reference: `object` is one.
      if keptCount == 0 { keeper = nil }
    }
    return payload
  }

  @usableFromInline
  func fetchInjected() -> Payload? { parts?.injected.popFirst() }

  func updatePlain() {
    let isTapped = storage.lock.withLock { sharedParts?.taps.isEmpty == false }
    if isTapped || parts != nil { madeParts.isTapped = isTapped }
    isPlain = !hasWatchers && !isTapped && (parts.map { $0.hooks.isPlain && $0.replacement == nil } ?? true)
  }
}

extension ReactorCore: LaneTenant {
  func start() { connection?.start(self) }
  func work() -> Lane.Following {
    guard let connection else { mistake(ReactorType.notConnected(State.self)) }
    return connection.work(self)
  }
  func rest() { lane.ask { _ in inbox.trim() } }
}
