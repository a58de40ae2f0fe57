// Starts: calls each `transform` hook once and connects what it returned.
// Never: runs before the reactor's first use, so never from an initializer of a base class (Contract G18).
// Guarded by: the turn.

extension ReactorCore {
  /// First use. In a turn, before the arrival that caused it.
  @inlinable
  func start<R: Reactor>(_: R.Type) where R.Action == Action, R.Mutation == Mutation, R.State == State {
    beginUse()
    guard let owner, parts?.replacement == nil else { return }
    // Safe: the owner is what `connect` was called with, and that was an `R`.
    let reactor = unsafeDowncast(owner, to: R.self)
    // What the mutation hook injects is handled first, then what the action hook injects. The receivers are formed here
    // so that they are specialised in the module that knows the types.
    startMutationHook({ reactor.transform(mutation: $0) }) { Hook.receiver($0) }
    startActionHook({ reactor.transform(action: $0) }) { Hook.receiver($0) }
    startStateHook({ reactor.transform(state: $0) }) { Hook.receiver($0) }
    beginFeedback()
  }

  /// From here on `restore` is an arrival like any other.
  @usableFromInline
  func beginUse() {
    storage.lock.withLock { storage.isInUse = true }
  }

  @usableFromInline
  func startMutationHook(
    _ transform: (EventStream<Mutation>) -> EventStream<Mutation>,
    receiver: (Hook<Mutation>) -> @Sendable (StreamEvent<Mutation>) -> Void
  ) {
    let output = { self.output(.mutationBehindHook, Payload.mutation) }
    let context = StreamContext(runner: runner)
    guard let hook = Hook.make(transform, of: self, in: context, output, receiver: receiver) else { return }
    madeParts.hooks.mutation = hook
    updatePlain()
  }

  @usableFromInline
  func startActionHook(
    _ transform: (EventStream<Action>) -> EventStream<Action>,
    receiver: (Hook<Action>) -> @Sendable (StreamEvent<Action>) -> Void
  ) {
    let output = { self.output(.actionBehindHook, Payload.action) }
    let context = StreamContext(runner: runner)
    guard let hook = Hook.make(transform, of: self, in: context, output, receiver: receiver) else { return }
    madeParts.hooks.action = hook
    updatePlain()
  }

  /// Late elements of a hook wait like everything else; injected ones come before everything that waits.
  private func output<Element: Sendable>(
    _ stage: ReactorMachine.Stage, _ payload: @escaping @Sendable (Element) -> Payload
  ) -> Hook<Element>.Output {
    Hook<Element>.Output(
      late: { [weak self] in self?.receive(payload($0), stage) },
      injected: { [weak self] in self?.receive(payload($0), stage, isInjected: true) },
      failed: { [weak self] in self?.receive(.failure($0, nil), .failure) })
  }

  @usableFromInline
  func startStateHook(
    _ transform: (EventStream<State>) -> EventStream<State>,
    receiver: (Hook<State>) -> @Sendable (StreamEvent<State>) -> Void
  ) {
    let output = {
      var output = self.output(.shownState) { Payload.state($0) }
      output.injected = nil
      return output
    }
    let context = StreamContext(runner: runner)
    guard let hook = Hook.make(transform, of: self, in: context, output, receiver: receiver) else { return }
    require(tree == nil, stateHookMessage)
    // What is shown is a state of its own from here on, first the base itself.
    storage.show(StateStorage(currentState))
    madeParts.hooks.state = hook
    noteObservers()
    let mark = beginPassing()
    let states = hook.takePassed().all + hook.pass(currentState).all
    endPassing(mark)
    for state in states { show(state) }
  }

  /// Drops what the core keeps about things that were cancelled elsewhere, and notes what somebody asked for.
  @usableFromInline
  func tidy() {
    parts?.ids.forget { group in lane.ask { !$0.groups.contains(group) } }
    pathWatches?.forget { audience in lane.ask { $0.vacate(audience, of: key) } }
    tree?.prune()
    updatePlain()
    noteObservers()
  }
}
