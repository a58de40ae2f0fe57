// Follows: an answer's effects, from their registration in the step to their start after the delivery.
// Never: starts one that was cancelled in between; registration comes before anybody is told, so that whoever cancels
//   from then on always wins (Contract G14).
// Guarded by: the turn. What the lane answers is carried out without a lock.

extension ReactorCore {
  /// The second half of a step that has effects. `isHeld`: see `step`.
  @inlinable
  func follow<R: Reactor>(
    _ requests: EffectRequests<Mutation>, of action: Action, by reactor: R, call: SlotKey, hasCommit: Bool, isHeld: Bool
  ) where R.Action == Action, R.Mutation == Mutation, R.State == State {
    switch requests {
    case .none: break
    case _ where hasWatchers:
      followRegistered(requests.list, of: action, call: call, hasCommit: hasCommit)
    case .just(let mutation):
      // Where somebody is told of a commit first, the value waits until that has happened.
      if isHeld, !isFed, !hasCommit || !isObserved, lane.pass(for: key) {
        commit(mutation, of: reactor)
      } else {
        followInstant(mutation, call: call, hasCommit: hasCommit)
      }
    case .node(let node):
      follow(EffectHandle(of: self, node: node, action: action), call: call, hasCommit: hasCommit)
    case .several(let list):
      followRegistered(list, of: action, call: call, hasCommit: hasCommit)
    }
  }

  @usableFromInline
  func followRegistered(
    _ requests: [EffectRequest<Mutation>], of action: Action, call: SlotKey, hasCommit: Bool
  ) {
    var orders: [EffectOrders] = []
    register(requests, action: action, call: call, &orders)
    if hasCommit, isObserved { deliver() }
    for order in orders { carryOutInStep(order) }
  }

  /// Carries out what an answer of `mutate` asked for; watchers hear of it.
  @usableFromInline
  func carryOutInStep(_ orders: EffectOrders) {
    tellOfEffects(orders)
    carryOut(orders)
  }

  /// The same for the smallest effect there is: one value that is there already, and no id. It needs no object.
  @inlinable
  func followInstant(_ mutation: Mutation, call: SlotKey, hasCommit: Bool) {
    let notices: Lane.Notices
    if hasCommit, isObserved {
      let effect = lane.registerUnnamed(for: key, call: call)
      deliver()
      // None: the call that it belongs to was cancelled.
      guard !effect.isNone else { return }
      notices = lane.arriveOnlyValue(effect, for: key) { inbox.append(.mutation(mutation)) }
    } else {
      notices = lane.arriveOnlyValue(for: key, call: call) { inbox.append(.mutation(mutation)) }
    }
    if !notices.isEmpty { report(notices, action: nil) }
  }

  /// The same for the usual answer: one effect without an id, and nobody who watches.
  @inlinable
  func follow(
    _ effect: EffectHandle<Action, Mutation, State>, call: SlotKey, hasCommit: Bool
  ) {
    guard lane.register(effect, for: key, call: call) else { return hasCommit && isObserved ? deliver() : () }
    if hasCommit, isObserved {
      deliver()
      // Somebody who was told of the commit may have cancelled it.
      guard lane.knows(effect) else { return }
    }
    effect.start(in: self)
  }

  /// Makes the effects of one answer known, from left to right. What follows from it is carried out after the delivery:
  /// cancelling runs code of the user, who must find everybody told of the commit.
  @usableFromInline
  func register(
    _ requests: [EffectRequest<Mutation>], action: Action, call: SlotKey, _ orders: inout [EffectOrders]
  ) {
    for request in requests {
      switch request {
      case .cancel(let id): cancel(id, &orders)
      case .start(let stream, let name):
        let effect = EffectHandle(of: self, stream: stream, name: name, action: action)
        _ = register(effect, call: call, &orders)
      }
    }
  }

  /// Makes one effect known; none if it was dropped.
  func register(
    _ effect: EffectHandle<Action, Mutation, State>, call: SlotKey, _ orders: inout [EffectOrders]
  ) -> SlotKey {
    let order = lane.register(
      effect, for: key, under: effect.name.map { group(of: $0.id) } ?? .none,
      rule: effect.name?.rule ?? .concurrent(max: .max), call: call)
    append(order, to: &orders)
    if order.isSelfWait { reportSelfWait(effect.cause as? Action, effect.id) }
    return effect.key
  }

  func cancel(_ id: EffectID, _ orders: inout [EffectOrders]) {
    if let group = parts?.ids.group(of: id) { append(lane.decide { $0.cancel(group: group) }, to: &orders) }
  }

  func append(_ order: EffectOrders, to orders: inout [EffectOrders]) {
    parts?.ids.forget(order.emptiedGroups)
    orders.append(order)
  }

  @usableFromInline
  func effectEnded(_ effect: SlotKey) {
    let orders = lane.decide { $0.effectEnded(effect) }
    tellOfEffects(orders, ended: effect)
    carryOut(orders)
  }

  /// The action of a `perform` is handled.
  @usableFromInline
  func settle(_ call: SlotKey) {
    carryOut(lane.decide { $0.didHandleAction(of: call) })
  }

  /// Carries out a decision that was made in the turn: cancels, resumes, and starts what was not cancelled since.
  @usableFromInline
  func carryOut(_ orders: EffectOrders) {
    if orders.isNothing { return }
    orders.carryOut()
    parts?.ids.forget(orders.emptiedGroups)
    for effect in orders.started {
      if lane.ask({ $0.effects.contains(effect.key) }) {
        tell(.started, effect)
        effect.start()
      }
      // Also for an effect that was cancelled meanwhile: an open window that nobody times would never close.
      if !orders.windows.isEmpty { effect.openWindows(orders.windows) }
    }
  }

  /// The machine's number for a user's id.
  private func group(of id: EffectID) -> SlotKey {
    if let known = parts?.ids.group(of: id), lane.ask({ $0.keep(group: known) }) { return known }
    let group = lane.ask { $0.makeGroup(for: key) }
    madeParts.ids.remember(group, for: id)
    return group
  }

  private func reportSelfWait(_ action: Action?, _ id: EffectID?) {
    report(
      .misuse, action: action,
      """
      an effect under the id \(id.map { "\($0.value)" } ?? "") waits, through `perform`, for an effect that can only \
      start when it has ended. Send the action without waiting, or use another id.
      """)
  }
}
