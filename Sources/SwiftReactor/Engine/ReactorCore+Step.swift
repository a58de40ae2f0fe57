// Handles: one arrival. mutate → sync mutations → reduce for each → one commit → delivery → effects start.
// Never: nests; what is sent from inside a step is an arrival of its own.
// Guarded by: the turn. `reduce` runs under the state lock, everything else without any lock.

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
    if isObserved || !answer.effects.isEmpty || !call.isNone {
      finishStep(hasCommit: answer.first != nil, effects: answer.effects, action: action, call: call)
    }
  }

  /// Everything that is no action before its hook.
  @usableFromInline
  func handle<R: Reactor>(_ payload: Payload, _ taken: ReactorMachine.Taken, of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    switch (taken.arrival.stage, payload) {
    case (.actionBehindHook, .action(let action)):
      step(behindHook: [action], of: reactor, call: .none)
    case (.mutation, .mutation(let mutation)):
      taps.mutation?.send(mutation)
      commit(hooks.mutation?.push([mutation]) ?? [mutation], of: reactor)
    case (.mutationBehindHook, .mutation(let mutation)):
      commit([mutation], of: reactor)
    case (.shownState, .state(let box)):
      show(box.value)
    case (.restore, .state(let box)):
      commit(restored: box.value)
    case (.failure, .failure(let error, let action)):
      reactor.effectFailed(error, action: action)
    case (.effectEnd, _):
      carryOut(lane.decide { $0.effectEnded(taken.arrival.about) })
    case (.effectStart, _):
      lane.effect(taken.arrival.about)?.start()
    case (.observation, _):
      enroll(taken.arrival.about)
    case (.tidying, _):
      tidy()
    default:
      break
    }
  }

  // MARK: Through hooks

  @usableFromInline
  func stepThroughHooks<R: Reactor>(_ action: Action, of reactor: R, call: SlotKey)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    taps.action?.send(action)
    step(behindHook: hooks.action?.push([action]) ?? [action], of: reactor, call: call)
  }

  /// What the action hook made of one action: one commit, whatever it multiplied.
  private func step<R: Reactor>(behindHook actions: [Action], of reactor: R, call: SlotKey)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    var reduced: [Mutation] = []
    var requests: [(Action, [EffectRequest<Mutation>])] = []
    let before = watchers.isEmpty ? nil : storage.value.pointee
    // Several actions, one commit: nobody elsewhere may see the state between them.
    if actions.count > 1 { storage.hold() }
    for action in actions {
      for watcher in watchers { watcher.willMutate(action) }
      let answer = reactor.mutate(action: action)
      if let mutation = taps.mutation { for sent in answer.sync { mutation.send(sent) } }
      let mutations = hooks.mutation?.push(answer.sync) ?? answer.sync
      reduce(mutations, of: reactor)
      reduced += mutations
      requests.append((action, answer.effects))
    }
    if actions.count > 1 { storage.letGo() }
    if let before, !reduced.isEmpty { tellWatchers(reduced, before: before) }
    var orders: [EffectOrders] = []
    for (action, effects) in requests { register(effects, action: action, call: call, &orders) }
    if !reduced.isEmpty { deliver() }
    for order in orders { launch(order) }
    settle(call)
  }

  /// The commit of mutations that belong to no action.
  private func commit<R: Reactor>(_ mutations: [Mutation], of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    guard !mutations.isEmpty else { return }
    let before = watchers.isEmpty ? nil : storage.value.pointee
    reduce(mutations, of: reactor)
    if let before { tellWatchers(mutations, before: before) }
    deliver()
  }

  private func reduce<R: Reactor>(_ mutations: [Mutation], of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    guard !mutations.isEmpty else { return }
    storage.commit { state in
      for mutation in mutations { reactor.reduce(into: &state, mutation: mutation) }
    }
  }

  private func commit(restored state: State) {
    let old = storage.replace(with: state)
    if !watchers.isEmpty { tellWatchers([], before: old) }
    deliver()
  }

  private func tellWatchers(_ mutations: [Mutation], before: State) {
    let after = storage.value.pointee
    for watcher in watchers { watcher.didCommit(mutations, before: before, after: after) }
  }

  // MARK: After the commit

  @usableFromInline
  func finishStep(hasCommit: Bool, effects: [EffectRequest<Mutation>], action: Action, call: SlotKey) {
    // Registered before anybody is told, so that whoever cancels from now on always wins; started last.
    var orders: [EffectOrders] = []
    if !effects.isEmpty { register(effects, action: action, call: call, &orders) }
    if hasCommit { deliver() }
    for order in orders { launch(order) }
    settle(call)
  }

  private func settle(_ call: SlotKey) {
    guard !call.isNone else { return }
    carryOut(lane.decide { $0.didHandleAction(of: call) })
  }

  // MARK: Effects

  /// Makes the effects of one answer known, from left to right.
  private func register(
    _ requests: [EffectRequest<Mutation>], action: Action, call: SlotKey, _ orders: inout [EffectOrders]
  ) {
    for request in requests {
      switch request {
      case .cancel(let id):
        guard let group = ids.group(of: id) else { continue }
        let order = lane.decide { $0.cancel(group: group) }
        ids.forget(order.emptiedGroups)
        order.carryOut()
      case .start(let stream, let name):
        let effect = EffectHandle(of: self, stream: stream, name: name, action: action)
        let order = lane.register(
          effect, for: key, under: name.map { group(of: $0.id) } ?? .none,
          rule: name?.rule ?? .concurrent(max: .max), call: call)
        ids.forget(order.emptiedGroups)
        order.carryOut()
        if order.isSelfWait { reportSelfWait(action, name?.id) }
        orders.append(order)
      }
    }
  }

  /// The machine's number for a user's id.
  private func group(of id: EffectID) -> SlotKey {
    if let known = ids.group(of: id), lane.ask({ $0.keep(group: known) }) { return known }
    let group = lane.ask { $0.makeGroup(for: key) }
    ids.remember(group, for: id)
    return group
  }

  /// Carries out a decision that was made in the turn.
  private func carryOut(_ orders: EffectOrders) {
    orders.carryOut()
    ids.forget(orders.emptiedGroups)
    launch(orders)
  }

  /// Starts what an earlier decision said, unless it was cancelled since.
  private func launch(_ orders: EffectOrders) {
    for effect in orders.started {
      if lane.ask({ $0.effects.contains(effect.key) }) { effect.start() }
      // Also for an effect that was cancelled meanwhile: an open window that nobody times would never close.
      effect.openWindows(orders.windows)
    }
  }

  private func reportSelfWait(_ action: Action, _ id: EffectID?) {
    report(
      .misuse, action: action,
      """
      an effect under the id \(id.map { "\($0.value)" } ?? "") waits, through `perform`, for an effect that can only \
      start when it has ended. Send the action without waiting, or use another id.
      """)
  }
}
