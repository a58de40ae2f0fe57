// Handles: one arrival. mutate → sync mutations → reduce for each → one commit → delivery → effects start.
// Never: nests; what is sent from inside a step is an arrival of its own.
// Guarded by: the turn. `reduce` runs under the state lock, everything else without any lock.
//
// Everything here is inlinable so that it is specialised in the module that knows the reactor's types.

extension ReactorCore {
  /// The step of an action. `isHeld`: the caller holds the reactor, and nothing has waited in front of the action.
  @inlinable
  func step<R: Reactor>(_ action: Action, of reactor: R, call: SlotKey, at place: SendPlace, isHeld: Bool = false)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    guard isPlain else { return stepThroughHooks(action, of: reactor, call: call, at: place) }
    let answer = reactor.mutate(action: action)
    if answer.first != nil {
      storage.commit { state in
        if let first = answer.first { reactor.reduce(into: &state, mutation: first) }
        for mutation in answer.rest { reactor.reduce(into: &state, mutation: mutation) }
      }
    }
    if case .none = answer.requests {
      if isObserved, answer.first != nil { deliver() }
    } else {
      follow(answer.requests, of: action, by: reactor, call: call, hasCommit: answer.first != nil, isHeld: isHeld)
    }
    if !call.isNone { settle(call) }
  }

  /// Everything that is no action before its hook.
  @inlinable
  func handle<R: Reactor>(_ payload: Payload, _ taken: ReactorMachine.Taken, of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    switch (taken.stage, payload) {
    case (.mutation, .mutation(let mutation)):
      if isPlain { commit(mutation, of: reactor) } else { commitThroughHooks(mutation, [], taken, of: reactor) }
    case (.mutation, .mutations(let mutations)):
      commitThroughHooks(mutations[0], Array(mutations.dropFirst()), taken, of: reactor)
    case (_, .traced(let traced)):
      note(traced)
      if let action = traced.action { step(action, of: reactor, call: taken.call, at: .unknown) }
      if let mutation = traced.mutation { commitThroughHooks(mutation, [], taken, of: reactor) }
    case (.actionBehindHook, .action(let action)):
      if hasWatchers { beginStep(at: taken.stage, about: .none) }
      step(behindHook: action, of: reactor, call: .none)
      if hasWatchers { endStep() }
    case (.mutationBehindHook, .mutation(let mutation)):
      if hasWatchers { beginStep(at: taken.stage, about: .none) }
      commit(Passed(first: mutation), of: reactor)
      if hasWatchers { endStep() }
    case (.output, .output(let output)):
      if let action = reactor.received(output: output.value, from: output.child) {
        if hasWatchers { beginStep(at: taken.stage, about: .none) }
        step(action, of: reactor, call: .none, at: .unknown)
      }
    case (.failure, .failure(let error, let action)):
      if hasWatchers { tellWatchers(of: error, in: taken.about) }
      reactor.effectFailed(error, action: action)
    case (.effectEnd, _): effectEnded(taken.about)
    default:
      handle(payload, taken)
    }
  }

  /// What needs nothing of the reactor.
  @usableFromInline
  func handle(_ payload: Payload, _ taken: ReactorMachine.Taken) {
    switch (taken.stage, payload) {
    case (.shownState, .state(let state)): show(state)
    case (.restore, .state(let state)): commit(restored: state)
    case (.nested, _): tellAfterNesting()
    case (.effectStart, _):
      guard let effect = lane.effect(taken.about) else { return }
      tell(.started, effect)
      effect.start()
    case (.observation, _): enroll(taken.about)
    case (.tidying, .order(let order)): follow(order)
    case (.tidying, .feedback(let event)): follow(event)
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
    for watcher in watchers { watcher.willStep() }
    let old = storage.replace(with: state)
    if hasWatchers {
      beginStep(at: .restore, about: .none)
      tellWatchers([], [], before: old)
    }
    deliver()
    if hasWatchers { endStep() }
  }

  // MARK: Through hooks

  /// The same step where somebody sits in between. What the action hook makes of one action is one commit.
  @inlinable
  func stepThroughHooks<R: Reactor>(_ action: Action, of reactor: R, call: SlotKey, at place: SendPlace)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    if let replacement = parts?.replacement {
      replacement(action)
      return call.isNone ? () : settle(call)
    }
    let mark = beginPassing()
    defer { endPassing(mark) }
    if parts?.isTapped == true { tap(action) }
    if hasWatchers { beginStep(of: action, at: place) }
    let actions = parts?.hooks.action?.pass(action) ?? Passed(first: action)
    if actions.rest.isEmpty {
      if let first = actions.first { step(behindHook: first, of: reactor, call: call) }
    } else {
      step(multiplied: actions.all, of: reactor, call: call)
    }
    if hasWatchers { endStep() }
    if !call.isNone { settle(call) }
  }

  @inlinable
  func step<R: Reactor>(behindHook action: Action, of reactor: R, call: SlotKey)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    let before = hasWatchers ? stateBeforeStep() : nil
    let (mutations, requests) = reduce(action, of: reactor)
    if let before { tellWatchers([action], mutations.all, before: before) }
    if case .none = requests {
      if isObserved, mutations.first != nil { deliver() }
    } else {
      follow(requests, of: action, by: reactor, call: call, hasCommit: mutations.first != nil, isHeld: false)
    }
  }

  /// Several actions out of one: one commit all the same, and each reads what the one before it did. Nobody elsewhere
  /// may see the state between them.
  @inlinable
  func step<R: Reactor>(multiplied actions: [Action], of reactor: R, call: SlotKey)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    let before = hasWatchers ? stateBeforeStep() : nil
    var mutations: [Mutation] = []
    var requests: [(Action, [EffectRequest<Mutation>])] = []
    let tree = storage.currentTree
    tree.hold()
    for action in actions {
      let (passed, asked) = reduce(action, of: reactor)
      mutations += passed.all
      requests.append((action, asked.list))
    }
    tree.letGo()
    if let before { tellWatchers(actions, mutations, before: before) }
    var orders: [EffectOrders] = []
    for (action, effects) in requests { register(effects, action: action, call: call, &orders) }
    if !mutations.isEmpty, isObserved { deliver() }
    for order in orders { carryOutInStep(order) }
  }

  /// From an action to its commit.
  @inlinable
  func reduce<R: Reactor>(_ action: Action, of reactor: R) -> (Passed<Mutation>, EffectRequests<Mutation>)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    if hasWatchers { tellWatchers(beforeMutating: action) }
    let answer = reactor.mutate(action: action)
    guard let first = answer.first else { return (Passed(), answer.requests) }
    let mutations = pass(first, answer.rest)
    reduce(mutations, of: reactor)
    return (mutations, answer.requests)
  }

  @inlinable
  func pass(_ first: Mutation, _ rest: [Mutation] = []) -> Passed<Mutation> {
    if parts?.isTapped == true { tap(first, rest) }
    guard let hook = parts?.hooks.mutation else { return Passed(first: first, rest: rest) }
    let mark = beginPassing()
    defer { endPassing(mark) }
    return hook.pass(first, rest)
  }

  /// Marks the thread as the one that passes something through this reactor's hooks, once per step.
  @inlinable
  func beginPassing() -> ThreadMark.Outer? {
    if isMarked { return nil }
    isMarked = true
    return ThreadMark.begin(self)
  }

  @inlinable
  func endPassing(_ outer: ThreadMark.Outer?) {
    guard let outer else { return }
    isMarked = false
    ThreadMark.end(outer)
  }

  @inlinable
  func reduce<R: Reactor>(_ mutations: Passed<Mutation>, of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    guard mutations.first != nil else { return }
    storage.commit { state in
      if let first = mutations.first { reactor.reduce(into: &state, mutation: first) }
      for mutation in mutations.rest { reactor.reduce(into: &state, mutation: mutation) }
    }
  }

  /// The commit of mutations that belong to no action.
  @inlinable
  func commit<R: Reactor>(_ mutations: Passed<Mutation>, of reactor: R)
  where R.Action == Action, R.Mutation == Mutation, R.State == State {
    guard mutations.first != nil else { return }
    let before = hasWatchers ? stateBeforeStep() : nil
    reduce(mutations, of: reactor)
    if let before { tellWatchers([], mutations.all, before: before) }
    if isObserved { deliver() }
  }

  /// The same for mutations, one at least, that have not met their hook.
  @inlinable
  func commitThroughHooks<R: Reactor>(
    _ first: Mutation, _ rest: [Mutation], _ taken: ReactorMachine.Taken, of reactor: R
  ) where R.Action == Action, R.Mutation == Mutation, R.State == State {
    if parts?.replacement != nil { return }
    if hasWatchers { beginStep(at: taken.stage, about: taken.about) }
    commit(pass(first, rest), of: reactor)
    if hasWatchers { endStep() }
  }

  @usableFromInline
  func tap(_ action: Action) {
    storage.lock.withLock { sharedParts?.taps.action }?.send(action)
  }

  @usableFromInline
  func tap(_ first: Mutation, _ rest: [Mutation]) {
    guard let node = storage.lock.withLock({ sharedParts?.taps.mutation }) else { return }
    node.send(first)
    for mutation in rest { node.send(mutation) }
  }
}
