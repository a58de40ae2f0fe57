// Follows: an answer's effects, from their registration in the step to their start after the delivery.
// Never: starts one that was cancelled in between; registration comes before anybody is told, so that whoever cancels
//   from then on always wins (Contract G14).
// Guarded by: the turn. What the lane answers is carried out without a lock.

/// An effect that was registered in this step and is to be started at its end.
@usableFromInline
struct EffectStart {
  var key: SlotKey
  var effect: (any EffectHandling)?
  /// The windows that its start as a throttled effect has opened.
  var windows: [SlotKey] = []
}

extension ReactorCore {
  /// The second half of a step that has effects.
  @usableFromInline
  func follow(_ requests: [EffectRequest<Mutation>], of action: Action, call: SlotKey, hasCommit: Bool) {
    if requests.count == 1, case .start(let stream, nil) = requests[0], case .just(let mutation) = stream.source {
      return followInstant(mutation, call: call, hasCommit: hasCommit)
    }
    var starts: [EffectStart] = []
    register(requests, action: action, call: call, &starts)
    if hasCommit, isObserved { deliver() }
    launch(starts)
  }

  /// The same for the smallest effect there is: one value that is there already, and no id. It needs no object.
  private func followInstant(_ mutation: Mutation, call: SlotKey, hasCommit: Bool) {
    let effect = lane.registerInstant(for: key, call: call)
    if hasCommit, isObserved { deliver() }
    // None: the call that it belongs to was cancelled.
    if !effect.isNone { receive(.mutation(mutation), .mutation, from: effect, isLast: true) }
  }

  /// Makes the effects of one answer known, from left to right.
  @usableFromInline
  func register(
    _ requests: [EffectRequest<Mutation>], action: Action, call: SlotKey, _ starts: inout [EffectStart]
  ) {
    for request in requests {
      switch request {
      case .cancel(let id):
        guard let group = ids.group(of: id) else { continue }
        carryOut(lane.decide { $0.cancel(group: group) })
      case .start(let stream, let name):
        let effect = EffectHandle(of: self, stream: stream, name: name, action: action)
        let orders = lane.register(
          effect, for: key, under: name.map { group(of: $0.id) } ?? .none,
          rule: name?.rule ?? .concurrent(max: .max), call: call)
        orders.carryOut()
        ids.forget(orders.emptiedGroups)
        if orders.isSelfWait { reportSelfWait(action, name?.id) }
        for effect in orders.started {
          starts.append(EffectStart(key: effect.key, effect: effect, windows: orders.windows))
        }
      }
    }
  }

  /// Starts what was registered, unless it was cancelled since.
  @usableFromInline
  func launch(_ starts: [EffectStart]) {
    for start in starts where lane.ask({ $0.effects.contains(start.key) }) {
      start.effect?.start()
      if !start.windows.isEmpty { start.effect?.openWindows(start.windows) }
    }
  }

  @usableFromInline
  func effectEnded(_ effect: SlotKey) {
    carryOut(lane.decide { $0.effectEnded(effect) })
  }

  /// The action of a `perform` is handled.
  @usableFromInline
  func settle(_ call: SlotKey) {
    carryOut(lane.decide { $0.didHandleAction(of: call) })
  }

  /// Carries out a decision that was made in the turn.
  private func carryOut(_ orders: EffectOrders) {
    if orders.isNothing { return }
    orders.carryOut()
    ids.forget(orders.emptiedGroups)
    launch(orders.started.map { EffectStart(key: $0.key, effect: $0, windows: orders.windows) })
  }

  /// The machine's number for a user's id.
  private func group(of id: EffectID) -> SlotKey {
    if let known = ids.group(of: id), lane.ask({ $0.groups.contains(known) }) { return known }
    let group = lane.ask { $0.makeGroup(for: key) }
    ids.remember(group, for: id)
    return group
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
