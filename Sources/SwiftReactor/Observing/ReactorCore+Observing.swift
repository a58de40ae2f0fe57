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
    return EventSubscription { [weak self, lane] in
      if lane.cancelObserver(number) != nil { self?.receive(.nothing, .tidying) }
    }
  }

  @usableFromInline
  func observe<Value>(_ observer: PathObserver<State, Value>, isolation: IsolatedReceiver<Value>.Isolation)
    -> EventSubscription
  {
    check(isMainActor: isolation == .mainActor, isOtherActor: isolation == .otherActor)
    return observe(observer)
  }

  /// A closure of an actor is only taken where the reactor's queue is that actor's.
  func check(isMainActor: Bool, isOtherActor: Bool) {
    precondition(
      !isMainActor || lane.isMain,
      """
      A @MainActor closure observes a reactor of the queue "\(queue.label)", which is not the main queue. Make the \
      reactor with `queue: .main`, or observe with a nonisolated closure and hop to the main actor in it.
      """)
    precondition(
      !isOtherActor,
      """
      A closure of an actor observes a reactor. Observers are called on the reactor's queue: observe with a nonisolated \
      closure and send the value to the actor, or iterate `states` there.
      """)
  }

  /// The observer is told from here on. In a turn.
  func enroll(_ number: SlotKey) {
    guard let observer = lane.observer(number) else { return }
    let typed = unsafeDowncast(observer, to: StateObserver<State>.self)
    // Cancelled elsewhere in between: its path need not be watched.
    guard lane.register(number, in: typed.enroll(in: self)) else { return tidy() }
    isObserved = true
    typed.deliver(storage.displayed.value)
  }

  func addAudience() -> Int {
    lane.ask { $0.addAudience(to: key) }
  }

  /// The base state has changed.
  func deliver() {
    guard let hook = hooks.state else { return tell(storage) }
    for state in hook.push([storage.value.pointee]) { show(state) }
  }

  /// `transform(state:)` handed on a state.
  func show(_ state: State) {
    let shown = storage.displayed
    _ = shown.replace(with: state)
    tell(shown)
  }

  private func tell(_ storage: StateStorage<State>) {
    afterCommit?()
    guard isObserved else { return }
    var changed: ContiguousArray<Int> = []
    // By index: comparing runs user code, which may add observers.
    var index = 0
    while index < watches.count {
      let watch = watches[index]
      if watch.refresh(storage.value) { changed.append(watch.audience) }
      index += 1
    }
    var next = (observer: lane.beginDelivery(of: key, changed: changed), hasGone: false)
    while let observer = next.observer {
      // Safe: only observers of this state are announced for this reactor.
      unsafeDowncast(observer, to: StateObserver<State>.self).deliver(storage.value)
      next = lane.nextObserver()
    }
    if next.hasGone { tidy() }
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
    return core.observe(CommitObserver(receive))
  }
}
