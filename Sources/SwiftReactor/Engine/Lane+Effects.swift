// Carries out what the machine decides about effects and calls: finds the objects that belong to its numbers.
// Never: decides, runs user code or releases an object under the lock.
// Guarded by: the lane's lock.

extension Lane {
  func register(
    _ effect: any EffectHandling, for reactor: SlotKey, under group: SlotKey,
    rule: ReactorMachine.Rule, call: SlotKey
  ) -> EffectOrders {
    lock.withLock {
      let consequences = machine.register(
        for: reactor, under: group, rule: rule, call: call, isOfState: effect.query != nil)
      // The effects that it replaces come out first: the new one may have got the place of one of them.
      let cancelled = consequences.cancelled.compactMap { effects.take($0) }
      if !consequences.registered.isNone {
        effect.key = consequences.registered
        effects.set(effect, for: consequences.registered)
      }
      return orders(for: consequences, cancelled: cancelled)
    }
  }

  /// Registers an effect that has no id and no object; `none` if its call was cancelled.
  @usableFromInline
  func registerUnnamed(for reactor: SlotKey, call: SlotKey) -> SlotKey {
    lock.withLock { machine.registerUnnamed(for: reactor, call: call) }
  }

  /// Registers an effect that has no id, to be started by the caller; false if its call was cancelled.
  @usableFromInline
  func register(_ effect: any EffectHandling, for reactor: SlotKey, call: SlotKey) -> Bool {
    lock.withLock {
      let key = machine.registerUnnamed(for: reactor, call: call)
      if key.isNone { return false }
      effect.key = key
      effects.set(effect, for: key)
      return true
    }
  }

  /// Is the effect still to be carried out?
  @usableFromInline
  func knows(_ effect: any EffectHandling) -> Bool {
    lock.withLock { machine.effects.contains(effect.key) }
  }

  func attach(_ effect: any EffectHandling, as key: SlotKey) {
    let isKnown = lock.withLock {
      guard machine.effects.contains(key) else { return false }
      effects.set(effect, for: key)
      return true
    }
    if !isKnown { effect.cancel() }
  }

  func effect(_ key: SlotKey) -> (any EffectHandling)? {
    lock.withLock { machine.effects.contains(key) ? effects[key] : nil }
  }

  /// Asks the machine about effects and finds the objects that its answer is about. Carry the orders out after it.
  func decide(_ question: (inout ReactorMachine) -> ReactorMachine.Consequences) -> EffectOrders {
    lock.withLock { orders(for: question(&machine)) }
  }

  /// Asks the machine something that has no consequences.
  func ask<Answer>(_ question: (inout ReactorMachine) -> Answer) -> Answer {
    lock.withLock { question(&machine) }
  }

  /// The running and waiting effects of a reactor, in order of registration.
  func listEffects(of reactor: SlotKey) -> [any EffectHandling] {
    lock.withLock { () -> [any EffectHandling] in
      machine.effects(of: reactor).filter { machine.effects[$0]?.phase != .window }.compactMap { effects[$0] }
    }
  }

  func orders(
    for consequences: ReactorMachine.Consequences, cancelled: [any EffectHandling]? = nil
  ) -> EffectOrders {
    EffectOrders(
      cancelled: cancelled ?? consequences.cancelled.compactMap { effects.take($0) },
      started: consequences.started.compactMap { effects[$0] },
      windows: consequences.openedWindows,
      callers: consequences.finishedCalls.compactMap { callers.take($0) },
      emptiedGroups: consequences.emptiedGroups,
      isSelfWait: consequences.isSelfWait)
  }

  // MARK: Calls

  /// Resumes `waiter` once everything that belongs to the call is committed; at once if it is.
  func wait(for call: SlotKey, _ waiter: CallWaiter) {
    let isOver = lock.withLock {
      guard machine.calls.contains(call) else { return true }
      callers.set(waiter, for: call)
      return false
    }
    if isOver { waiter.resume() }
  }
}
