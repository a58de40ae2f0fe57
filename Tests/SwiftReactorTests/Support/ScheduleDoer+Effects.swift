// The doer's half that is about effects and calls.

@testable import SwiftReactor

extension ScheduleWorld {
  mutating func stepOfEffect(_ frame: Frame, _ thread: Int, _ plan: Plan) throws(Violation) {
    switch frame {
    case .request(let step, let next, let group, let started):
      try request(step, next, group, started, thread, plan)
    case .launch(let list, let step):
      push(.launch(Array(list.dropFirst()), step), thread)
      let isKnown = machine.effects.contains(effects[list[0]].key!)
      if isKnown || plan.fault != .windowIsNotTimed {
        for window in windows(of: list[0], plan) { push(.attach(window), thread) }
      }
      if isKnown { push(.run(list[0]), thread) }
    case .run(let effect): try run(effect)
    case .attach(let window): effects[window].isStarted = machine.effects.contains(effects[window].key!)
    case .settle(let call): carryOut(machine.didHandleAction(of: calls[call].key!), thread)
    case .effectEnded(let effect): end(effect, thread, plan)
    case .lastEnded(let effect, let reactor):
      // As it would if the end had come by itself: not any more if the step let go of the reactor.
      if reactors[reactor].isAlive { end(effect, thread, plan) }
    case .startOne(let effect):
      if machine.effects.contains(effects[effect].key!) { push(.run(effect), thread) }
    case .wait(let call, let item):
      if onQueue == thread, !ledger.isHandled(item) {
        throw Violation(guarantee: .performReturns, text: "called on the queue it suspends before it commits")
      }
      if machine.calls.contains(calls[call].key!) {
        push(.parked(call, item), thread)
      } else {
        try checkReturn(of: call, item)
      }
    case .parked(let call, let item): try checkReturn(of: call, item)
    default: break
    }
  }

  // MARK: Registration

  /// One request of a step: the group of the id is asked for, or made, and then the effect is registered.
  private mutating func request(
    _ step: Step, _ next: Int, _ group: SlotKey?, _ started: [Int], _ thread: Int, _ plan: Plan
  ) throws(Violation) {
    let reactor = step.reactor
    switch plan.reactions[step.item]!.requests[next] {
    case .instant(let effect, let item):
      if isHeld(thread), !reactors[reactor].isObserved, machine.pass(for: reactors[reactor].key) {
        effects[effect].hasEnded = true
        return try pass(item, in: reactor, thread)
      }
      let key = machine.registerUnnamed(
        for: reactors[reactor].key, call: step.call.flatMap { calls[$0].key } ?? .none)
      if !key.isNone {
        try checkMayRegister(step)
        effects[effect].key = key
        effects[effect].call = step.call
      }
      push(.request(step, next: next + 1, group: nil, started: []), thread)
    case .cancel(let id):
      push(.request(step, next: next + 1, group: nil, started: started), thread)
      let outcome = machine.cancel(group: reactors[reactor].ids[id]!)
      carryOut(outcome, thread)
      forget(outcome.emptiedGroups, in: reactor)
    case .start(let effect, let id?, _) where group == nil && plan.fault != .registeredAfterStart:
      _ = effect
      var group: SlotKey?
      if let known = reactors[reactor].ids[id] {
        if machine.keep(group: known) { group = known } else { reactors[reactor].ids[id] = nil }
      } else {
        group = machine.makeGroup(for: reactors[reactor].key)
        reactors[reactor].ids[id] = group
      }
      push(.request(step, next: next, group: group, started: started), thread)
    case .start(let effect, _, let rule):
      if plan.fault == .registeredAfterStart, !effects[effect].isStarted {
        push(.request(step, next: next, group: group, started: started), thread)
        return push(.run(effect), thread)
      }
      let outcome = machine.register(
        for: reactors[reactor].key, under: group ?? .none, rule: rule,
        call: step.call.flatMap { calls[$0].key } ?? .none)
      carryOut(outcome, thread)
      forget(outcome.emptiedGroups, in: reactor)
      var list = started
      if !outcome.registered.isNone {
        try checkMayRegister(step)
        effects[effect].key = outcome.registered
        effects[effect].isHeld = true
        effects[effect].origin = step.item
        effects[effect].call = step.call
        note(outcome.openedWindows, of: effect, plan)
        if outcome.started == [outcome.registered] { list.append(effect) }
      }
      push(.request(step, next: next + 1, group: nil, started: list), thread)
    }
  }

  /// Is the step that of an action that came in the short way?
  private func isHeld(_ thread: Int) -> Bool {
    if case .leave? = stacks[thread].dropLast().last { true } else { false }
  }

  /// The step is over, and the next one handles a value that did not have to wait.
  private mutating func pass(_ item: Item, in reactor: Int, _ thread: Int) throws(Violation) {
    ledger.didDeliver(reactor)
    ledger.endStep()
    ledger.accept(reactor: reactor, stage: .mutation, item: item, by: thread, onQueue: true)
    try ledger.take(reactor: reactor, stage: .mutation, item: item, isInjected: false, by: thread)
    try ledger.beginStep(by: thread)
    try ledger.handle(item, mayHaveGaps: true)
    push(.commit(Step(reactor: reactor, item: item)), thread)
  }

  private func checkMayRegister(_ step: Step) throws(Violation) {
    guard let call = step.call, calls[call].isCancelled else { return }
    throw Violation(guarantee: .nothingAfterCancelOfEffect, text: "an effect of the cancelled call \(call) is taken in")
  }

  func instant(_ effect: Int, _ item: Item, _ plan: Plan) -> Message {
    Message(
      reactor: plan.effects[effect].reactor, stage: .mutation, item: item, about: effects[effect].key!, isLast: true)
  }

  private func windows(of effect: Int, _ plan: Plan) -> [Int] {
    effects.indices.filter { plan.effects[$0].windowOf == effect && effects[$0].key != nil && !effects[$0].isStarted }
  }

  private mutating func note(_ windows: [SlotKey], of effect: Int, _ plan: Plan) {
    for key in windows {
      let window = effects.indices.first { plan.effects[$0].windowOf == effect && effects[$0].key == nil }!
      effects[window].key = key
      effects[window].isHeld = true
    }
  }

  private mutating func forget(_ groups: [SlotKey], in reactor: Int) {
    for id in reactors[reactor].ids.indices {
      if let group = reactors[reactor].ids[id], groups.contains(group) { reactors[reactor].ids[id] = nil }
    }
  }

  // MARK: Start and end

  /// Its task comes into being.
  private mutating func run(_ effect: Int) throws(Violation) {
    guard let key = effects[effect].key else {
      throw Violation(guarantee: .registeredBeforeStart, text: "effect \(effect) starts before anybody knows it")
    }
    guard effects[effect].cancel != .onQueue else {
      throw Violation(guarantee: .registeredBeforeStart, text: "effect \(effect) starts after its cancel")
    }
    let earlier = effects.indices.first { other in
      other < effect && effects[other].origin == effects[effect].origin && !effects[other].isStarted
        && effects[other].key.flatMap { machine.effects[$0]?.phase } == .running
    }
    if let earlier {
      throw Violation(guarantee: .registeredBeforeStart, text: "effect \(effect) starts before effect \(earlier)")
    }
    guard machine.effects[key]?.phase != .waiting else {
      throw Violation(guarantee: .registeredBeforeStart, text: "effect \(effect) starts while it has to wait")
    }
    effects[effect].isStarted = true
  }

  /// The end that was taken last, if nothing follows from it but that the effect is gone.
  mutating func endPlainly() {
    guard let effect = ending, let key = effects[effect].key else { return }
    if machine.effects.contains(key) { effects[effect].hasEnded = true }
    effects[effect].isHeld = false
    machine.endPlainly(key)
    ending = nil
  }

  private mutating func end(_ effect: Int, _ thread: Int, _ plan: Plan) {
    let reactor = plan.effects[effect].reactor
    let outcome = machine.effectEnded(effects[effect].key!)
    effects[effect].hasEnded = true
    effects[effect].isHeld = false
    carryOut(outcome, thread)
    forget(outcome.emptiedGroups, in: reactor)
    let started = outcome.started.compactMap { self.effect($0) }
    for effect in started { note(outcome.openedWindows, of: effect, plan) }
    push(.launch(started, nil), thread)
  }

  /// What a decision says is over. What is to be started is the caller's business.
  mutating func carryOut(_ outcome: ReactorMachine.Consequences, _ thread: Int) {
    for effect in outcome.cancelled.compactMap({ self.effect($0) }) where !effects[effect].hasEnded {
      effects[effect].cancel = onQueue == thread ? .onQueue : .elsewhere
      effects[effect].isHeld = false
    }
    for call in outcome.finishedCalls.compactMap({ self.call($0) }) { calls[call].isOver = true }
  }

  // MARK: Calls

  mutating func cancel(call: Int, _ thread: Int, _ plan: Plan) {
    let reactor = machine.calls[calls[call].key!].map { self.reactor($0.reactor) }
    var outcome = machine.cancel(call: calls[call].key!)
    if plan.fault == .callIsForgotten { outcome.finishedCalls = [] }
    calls[call].isCancelled = true
    carryOut(outcome, thread)
    guard let reactor else { return }
    if !outcome.emptiedGroups.isEmpty { push(.arrive(Message(reactor: reactor, stage: .tidying)), thread) }
    for key in outcome.started.reversed() where effects[self.effect(key)!].isHeld {
      push(.arrive(Message(reactor: reactor, stage: .effectStart, about: key)), thread)
    }
  }

  private func checkReturn(of call: Int, _ item: Item) throws(Violation) {
    guard ledger.isHandled(item) else {
      throw Violation(guarantee: .performReturns, text: "it returns before \(item) is committed")
    }
    for effect in effects.indices where effects[effect].call == call && effects[effect].cancel == .no {
      guard effects[effect].hasEnded else {
        throw Violation(guarantee: .performReturns, text: "it returns before effect \(effect) has ended")
      }
    }
  }
}
