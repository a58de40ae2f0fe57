// Starts: calls each `transform` hook once and connects what it returned.
// Never: runs before the reactor's first use, so never from an initializer of a base class (Contract G18).
// Guarded by: the turn.

extension ReactorCore {
  /// First use. In a turn, before the arrival that caused it.
  @usableFromInline
  func start<R: Reactor>(_: R.Type) where R.Action == Action, R.Mutation == Mutation, R.State == State {
    guard let owner else { return }
    // Safe: the owner is what `connect` was called with, and that was an `R`.
    let reactor = unsafeDowncast(owner, to: R.self)
    let context = StreamContext(runner: runner)
    // What the mutation hook injects is handled first, then what the action hook injects.
    hooks.mutation = Hook.make(
      { reactor.transform(mutation: $0) }, in: context,
      output(.mutationBehindHook, Payload.mutation))
    hooks.action = Hook.make(
      { reactor.transform(action: $0) }, in: context,
      output(.actionBehindHook, Payload.action))
    updatePlain()
    startStateHook({ reactor.transform(state: $0) }, in: context)
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

  private func startStateHook(_ transform: (EventStream<State>) -> EventStream<State>, in context: StreamContext) {
    var output = output(.shownState) { Payload.state(Box($0)) }
    output.injected = nil
    guard let hook = Hook.make(transform, in: context, output) else { return }
    // What is shown is a state of its own from here on, first the base itself.
    storage.show(StateStorage(storage.value.pointee))
    hooks.state = hook
    isObserved = true
    for state in hook.takeCollected() + hook.push([storage.value.pointee]) { show(state) }
  }

  /// Drops what the core keeps about things that were cancelled elsewhere, and notes what somebody asked for.
  func tidy() {
    ids.forget { group in lane.ask { !$0.groups.contains(group) } }
    watches.forget { audience in lane.ask { $0.vacate(audience, of: key) } }
    updatePlain()
    isObserved = lane.ask { $0.hasObservers(key) } || afterCommit != nil || hooks.state != nil
  }
}
