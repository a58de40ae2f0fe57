// Handles: one arrival. mutate → sync mutations → reduce for each → one commit → delivery → effects start.
// Never: nests; what is sent from inside a step is an arrival of its own.
// Guarded by: the turn. `reduce` runs under the state lock, everything else without any lock.
//
// Everything here is inlinable so that it is specialised in the module that knows the reactor's types.

extension ReactorCore {
  /// The step of an action.
  @inlinable
  func step<R: Reactor>(_ action: Action, of reactor: R, call: SlotKey)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    guard isPlain else { return stepThroughHooks(action, of: reactor, call: call) }
    let answer = reactor.mutate(action: action)
    if answer.first != nil {
      storage.commit { state in
        if let first = answer.first { reactor.reduce(into: &state, mutation: first) }
        for mutation in answer.rest { reactor.reduce(into: &state, mutation: mutation) }
      }
    }
    if answer.effects.isEmpty {
      if isObserved, answer.first != nil { deliver() }
    } else {
      follow(answer.effects, of: action, call: call, hasCommit: answer.first != nil)
    }
    if !call.isNone { settle(call) }
  }

  /// Everything that is no action before its hook.
  @inlinable
  func handle<R: Reactor>(_ payload: Payload, _ taken: ReactorMachine.Taken, of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    switch (taken.stage, payload) {
    case (.mutation, .mutation(let mutation)):
      if isPlain { commit(mutation, of: reactor) } else { commitThroughHooks(mutation, of: reactor) }
      if taken.isLast { effectEnded(taken.about) }
    case (.actionBehindHook, .action(let action)):
      step(behindHook: CollectionOfOne(action), of: reactor, call: .none)
    case (.mutationBehindHook, .mutation(let mutation)):
      commit(behindHook: [mutation], of: reactor)
    case (.failure, .failure(let error, let action)):
      reactor.effectFailed(error, action: action)
    default:
      handle(payload, taken)
    }
  }

  /// What needs nothing of the reactor.
  @usableFromInline
  func handle(_ payload: Payload, _ taken: ReactorMachine.Taken) {
    switch (taken.stage, payload) {
    case (.shownState, .state(let box)): show(box.value)
    case (.restore, .state(let box)): commit(restored: box.value)
    case (.effectEnd, _): effectEnded(taken.about)
    case (.effectStart, _): lane.effect(taken.about)?.start()
    case (.observation, _): enroll(taken.about)
    case (.tidying, _): tidy()
    default: break
    }
  }

  /// The commit of one mutation that belongs to no action.
  @inlinable
  func commit<R: Reactor>(_ mutation: Mutation, of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    storage.commit { state in reactor.reduce(into: &state, mutation: mutation) }
    if isObserved { deliver() }
  }

  private func commit(restored state: State) {
    let old = storage.replace(with: state)
    if !watchers.isEmpty { tellWatchers([], before: old) }
    deliver()
  }

  // MARK: Through hooks

  @inlinable
  func stepThroughHooks<R: Reactor>(_ action: Action, of reactor: R, call: SlotKey)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    if isTapped { tap(action) }
    if let hook = hooks.action {
      hook.push(action)
      // The hook's own buffer is taken, so that the next push, of a later step, finds an empty one.
      let actions = hook.takeCollected()
      step(behindHook: actions, of: reactor, call: call)
      hook.reuse(actions)
    } else {
      step(behindHook: CollectionOfOne(action), of: reactor, call: call)
    }
  }

  /// What the action hook made of one action: one commit, whatever it multiplied.
  @inlinable
  func step<R: Reactor, Actions: Collection<Action>>(behindHook actions: Actions, of reactor: R, call: SlotKey)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    var requests: [(action: Action, effects: [EffectRequest<Mutation>])] = []
    let before = watchers.isEmpty ? nil : storage.value.pointee
    var reduced: [Mutation] = []
    var hasCommit = false
    // Several actions, one commit: nobody elsewhere may see the state between them.
    let isHeld = actions.count > 1
    if isHeld { storage.hold() }
    for action in actions {
      for watcher in watchers { watcher.willMutate(action) }
      let answer = reactor.mutate(action: action)
      if let first = answer.first {
        let mutations = passMutationHook(first, answer.rest)
        if !mutations.isEmpty {
          hasCommit = true
          storage.commit { state in
            for mutation in mutations { reactor.reduce(into: &state, mutation: mutation) }
          }
          if before != nil { reduced += mutations }
        }
        hooks.mutation?.reuse(mutations)
      }
      if !answer.effects.isEmpty { requests.append((action, answer.effects)) }
    }
    if isHeld { storage.letGo() }
    if let before, hasCommit { tellWatchers(reduced, before: before) }
    if requests.isEmpty {
      if hasCommit, isObserved { deliver() }
    } else {
      var starts: [EffectStart] = []
      for request in requests { register(request.effects, action: request.action, call: call, &starts) }
      if hasCommit, isObserved { deliver() }
      launch(starts)
    }
    if !call.isNone { settle(call) }
  }

  @inlinable
  func passMutationHook(_ first: Mutation, _ rest: [Mutation]) -> ContiguousArray<Mutation> {
    if isTapped { tap(first, rest) }
    guard let hook = hooks.mutation else {
      var all: ContiguousArray = [first]
      all.append(contentsOf: rest)
      return all
    }
    hook.push(first)
    for mutation in rest { hook.push(mutation) }
    return hook.takeCollected()
  }

  @inlinable
  func commitThroughHooks<R: Reactor>(_ mutation: Mutation, of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    let mutations = passMutationHook(mutation, [])
    commit(behindHook: mutations, of: reactor)
    hooks.mutation?.reuse(mutations)
  }

  @inlinable
  func commit<R: Reactor>(behindHook mutations: ContiguousArray<Mutation>, of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    guard !mutations.isEmpty else { return }
    let before = watchers.isEmpty ? nil : storage.value.pointee
    storage.commit { state in
      for mutation in mutations { reactor.reduce(into: &state, mutation: mutation) }
    }
    if let before { tellWatchers(Array(mutations), before: before) }
    if isObserved { deliver() }
  }

  @usableFromInline
  func tap(_ action: Action) {
    storage.lock.withLock { taps?.action }?.send(action)
  }

  @usableFromInline
  func tap(_ first: Mutation, _ rest: [Mutation]) {
    guard let node = storage.lock.withLock({ taps?.mutation }) else { return }
    node.send(first)
    for mutation in rest { node.send(mutation) }
  }

  @usableFromInline
  func tellWatchers(_ mutations: [Mutation], before: State) {
    let after = storage.value.pointee
    for watcher in watchers { watcher.didCommit(mutations, before: before, after: after) }
  }
}
