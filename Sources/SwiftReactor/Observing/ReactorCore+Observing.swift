// Delivers: tells the observers of a commit, and takes new ones in.
// Never: tells somebody of a commit twice, or before the state can be read (Contract G10).
// Guarded by: the turn; the observers' order and life are the machine's.

internal import Dispatch

extension ReactorCore {
  /// Begins to tell `observer`: the current value now, then what follows.
  ///
  /// On the queue the current value is handed over before this returns, inside `reduce` after the step, from elsewhere on
  /// the queue.
  func observe(_ observer: StateObserver<State>) -> EventSubscription {
    guard let number = lane.announce(observer, of: key) else {
      observer.end()
      return EventSubscription()
    }
    if lane.isInsideTurn, !ThreadMark.isReducing {
      enroll(number)
      if lane.ask({ $0.reactors[key]?.isStarted == false }) { receive(.nothing, .start) }
    } else {
      receive(.nothing, .observation, from: number)
    }
    return EventSubscription(.repeatable) { [weak self, lane] in
      if lane.cancelObserver(number) != nil { self?.receive(.nothing, .tidying) }
    }
  }

  @usableFromInline
  func observe<Value>(_ observer: PathObserver<State, Value>, isolation: ReceiverIsolation)
    -> EventSubscription
  {
    check(isMainActor: isolation == .mainActor, isOtherActor: isolation == .otherActor)
    return observe(observer)
  }

  /// A closure of an actor is only taken where the reactor's queue is that actor's.
  func check(isMainActor: Bool, isOtherActor: Bool) {
    require(
      !isMainActor || lane.isMain,
      """
      A @MainActor closure observes \(typeName) on the queue "\(queue.label)", which is not the main queue. Make the \
      reactor with `queue: .main`, or observe with a nonisolated closure and hop to the main actor in it.
      """)
    require(
      !isOtherActor,
      """
      A closure of an actor observes \(typeName). Observers are called on the reactor's queue: observe with a \
      nonisolated closure and send the value to the actor, or iterate `states` there.
      """)
  }

  /// The observer is told from here on. In a turn.
  func enroll(_ number: SlotKey) {
    guard let observer = lane.observer(number) else { return }
    let typed = unsafeDowncast(observer, to: StateObserver<State>.self)
    // Cancelled elsewhere in between: its path need not be watched.
    guard lane.register(number, in: typed.enroll(in: self)) else { return tidy() }
    noteObservers()
    storage.displayed.withState { typed.deliverInitial($0) }
  }

  /// Notes for the short way of a step whether there is somebody to tell.
  func noteObservers() {
    (isWatched, hearsEveryCommit) = lane.ask {
      ($0.hasObservers(key) || parts?.afterCommit != nil, $0.hasObservers(key, audience: 0))
    }
    isObserved = isWatched || isFed || parts?.hooks.state != nil || tree != nil
    tree?.setWatched(isWatched || isFed, isFed: isFed)
  }

  func addAudience() -> Int {
    lane.ask { $0.addAudience(to: key) }
  }

  /// The base state has changed.
  @inlinable
  func deliver() {
    if let tree { return deliverInTree(tree) }
    if isFed { deliverWithFeedback() } else { deliverToObservers() }
  }

  @inlinable
  func deliverToObservers() {
    guard let hook = parts?.hooks.state else { return tell() }
    let mark = beginPassing()
    let states = hook.pass(currentState)
    endPassing(mark)
    if let first = states.first { show(first) }
    for state in states.rest { show(state) }
  }

  /// `transform(state:)` handed on a state.
  @inlinable
  func show(_ state: State) {
    _ = storage.displayed.replace(with: state)
    if isWatched { tell() }
  }

  /// The state as it is. In a turn.
  @usableFromInline
  var currentState: State { storage.withState { $0.pointee } }

  /// Tells the observers what is shown.
  @inlinable
  func tell() {
    if parts?.hooks.state == nil { return storage.withState { tell(at: $0) } }
    storage.displayed.withState { tell(at: $0) }
  }

  @inlinable
  func tell(at state: UnsafeMutablePointer<State>) {
    if parts?.afterCommit != nil { callAfterCommit(state) }
    if let uncountedWatches {
      uncountedWatches._withUnsafeGuaranteedRef { findChanges(among: $0, in: state) }
      if changed == 0, !hearsEveryCommit { return }
    } else {
      changed = 0
    }
    let told = changed == Self.several ? beginDeliveryOfSeveral() : lane.beginDelivery(of: key, changed: Int(changed))
    var position = 0
    while position < told.count, !lane.disturbed.isSeen {
      // Safe: only observers of this state are announced for this reactor, and who leaves meanwhile is kept.
      told.list[position]._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: StateObserver<State>.self).deliver(state)
      }
      position &+= 1
    }
    // Undisturbed it ends when the turn goes on, which takes the lock anyway.
    if lane.disturbed.isSeen { tellRest(at: state, after: position) }
  }

  /// The same with a question to the machine before each.
  @usableFromInline
  func tellRest(at state: UnsafeMutablePointer<State>, after position: Int) {
    defer { lane.endDelivery() }
    while let observer = lane.nextObserver(after: position) {
      unsafeDowncast(observer, to: StateObserver<State>.self).deliver(state)
    }
  }

  @usableFromInline
  func callAfterCommit(_ state: UnsafeMutablePointer<State>) { parts?.afterCommit?(state) }

  /// Which of the observed paths have another value now? One is noted as a number; only several make a list.
  @inlinable
  func findChanges(among watches: PathWatches<State>, in state: UnsafeMutablePointer<State>) {
    changed = 0
    // By index: comparing runs user code, which may add observers.
    var index = 0
    while index < watches.uncounted.count {
      watches.uncounted[index]._withUnsafeGuaranteedRef {
        if $0.refresh(state) { noteChange(of: $0.audience) }
      }
      index &+= 1
    }
  }

  /// In place of an audience: the lane has a list of them.
  @inlinable static var several: UInt32 { .max }

  /// The list is the lane's, and the next reactor's, as soon as the delivery knows it.
  @usableFromInline
  func beginDeliveryOfSeveral() -> Lane.Told {
    defer { lane.otherChanged.removeAll(keepingCapacity: true) }
    return lane.beginDelivery(of: key, changed: lane.otherChanged)
  }

  @inlinable
  func noteChange(of audience: Int) {
    if changed == 0 {
      changed = UInt32(truncatingIfNeeded: audience)
    } else {
      if changed != Self.several { lane.otherChanged.append(Int(changed)) }
      changed = Self.several
      lane.otherChanged.append(audience)
    }
  }

  /// The states as a stream: the current one, then every commit.
  var stateStream: EventStream<State> { EventStream(.node(StateNode(self))) }
}

/// The source behind `$state`. It knows the core weakly: streams keep no reactor alive.
private final class StateNode<Action: Sendable, Mutation: Sendable, State: Sendable>: StreamNode<State>,
  @unchecked Sendable
{
  // Safe to share: a weak constant.
  private weak var core: ReactorCore<Action, Mutation, State>?

  init(_ core: ReactorCore<Action, Mutation, State>) {
    self.core = core
  }

  override func subscribe(
    in context: StreamContext, _ receive: @escaping @Sendable (StreamEvent<State>) -> Void
  ) -> EventSubscription {
    guard let core else {
      receive(.finished)
      return EventSubscription()
    }
    core.check(isMainActor: context.requiresMainQueue, isOtherActor: false)
    return core.observe(CommitObserver(core.delivery(to: receive)) { receive(.finished) })
  }
}
