// Carries the machine's decisions out in a world of virtual threads, as `Lane` and `ReactorCore` do in the real one: one
// atomic step at a time, so that other threads come in between every two.

@testable import SwiftReactor

extension ScheduleWorld {
  /// One atomic step of a thread.
  mutating func step(_ thread: Int, _ plan: Plan) throws(Violation) {
    if let frame = stacks[thread].popLast() {
      if onQueue == nil {
        switch (plan.threads[thread].place, frame) {
        case (.queue, .parked): break
        case (.queue, _): onQueue = thread
        case (.block, _):
          onQueue = thread
          blocks.removeFirst()
        default: break
        }
      }
      try step(frame, thread, plan)
    } else {
      blocks.removeFirst()
      onQueue = thread
      if machine.openTurn(thread: UInt(thread + 1)) {
        try ledger.openTurn(by: thread)
        try drain(thread, plan)
      }
    }
    repeat { try passOn(thread, plan) } while closeTheDead(thread)
    let isParked = if case .parked = stacks[thread].last { true } else { false }
    if stacks[thread].isEmpty || isParked, onQueue == thread { onQueue = nil }
  }

  mutating func push(_ frame: Frame, _ thread: Int) { stacks[thread].append(frame) }

  private mutating func step(_ frame: Frame, _ thread: Int, _ plan: Plan) throws(Violation) {
    switch frame {
    case .ops(let script, let next):
      push(.ops(script, next: next + 1), thread)
      try call(ops(of: script, plan)[next], thread, plan)
    case .arrive(let message): try arrive(message, thread, plan)
    case .schedule(let ticket):
      blocks.append(nil)
      if plan.scheduling == .inThreeSteps { push(.didSchedule(ticket), thread) } else { machine.didSchedule(ticket) }
    case .didSchedule(let ticket): machine.didSchedule(ticket)
    case .leave, .drain, .work, .start: try stepOfTurn(frame, thread, plan)
    case .mutate, .commit: try stepOfState(frame, thread, plan)
    case .request, .launch, .run, .attach, .settle, .effectEnded, .lastEnded, .startOne, .wait, .parked:
      try stepOfEffect(frame, thread, plan)
    case .beginDelivery, .nextObserver, .call, .enroll, .join, .register, .startIfNeeded, .tidy, .callAgain:
      try stepOfObserver(frame, thread, plan)
    case .close(let reactor): close(reactor, thread, plan)
    case .scope, .sent, .observed: break
    }
  }

  // MARK: What is no step of its own

  /// Goes on to the next frame that is a call under the lock or user code.
  private mutating func passOn(_ thread: Int, _ plan: Plan) throws(Violation) {
    while let top = stacks[thread].last {
      switch top {
      case .ops(let script, let next) where next == ops(of: script, plan).count:
        stacks[thread].removeLast()
      case .scope:
        stacks[thread].removeLast()
        ledger.endStep()
      case .start(let reactor, let next) where next == plan.reactors[reactor].injections.count:
        stacks[thread].removeLast()
      case .request(let step, let next, _, let started):
        let requests = plan.reactions[step.item]?.requests ?? []
        if next == requests.count {
          stacks[thread].removeLast()
          if case .instant(let effect, let item) = requests.first, effects[effect].key != nil {
            push(.arrive(instant(effect, item, plan)), thread)
          }
          push(.launch(started, step), thread)
          if reactors[step.reactor].isObserved, plan.fault != .deliveryBeforeCommit {
            push(.beginDelivery(step.reactor), thread)
          } else {
            ledger.didDeliver(step.reactor)
          }
        } else if case .cancel(let id) = requests[next], reactors[step.reactor].ids[id] == nil {
          stacks[thread].removeLast()
          push(.request(step, next: next + 1, group: nil, started: started), thread)
        } else {
          return
        }
      case .launch(let list, let step) where list.isEmpty:
        stacks[thread].removeLast()
        if let call = step?.call { push(.settle(call), thread) }
      case .sent(let item, let reactor):
        stacks[thread].removeLast()
        guard ledger.isHandled(item), ledger.delivered[reactor] == ledger.commits[reactor] else {
          throw Violation(
            guarantee: .onTheQueueNow, text: "\(item) is not committed and delivered when its call returns")
        }
      case .observed(let observer):
        stacks[thread].removeLast()
        observers[observer].isReturned = true
      default: return
      }
    }
  }

  /// A reactor dies with its last reference, on the thread that has let go of it.
  private mutating func closeTheDead(_ thread: Int) -> Bool {
    for number in reactors.indices where reactors[number].references == 0 && reactors[number].isAlive {
      let isKept =
        reactors[number].inbox.contains(where: \.keeps)
        || stacks.contains { $0.contains { if case .scope(number) = $0 { true } else { false } } }
      guard !isKept else { continue }
      reactors[number].isAlive = false
      push(.close(number), thread)
      return true
    }
    return false
  }

  private mutating func close(_ reactor: Int, _ thread: Int, _ plan: Plan) {
    reactors[reactor].isClosed = true
    reactors[reactor].inbox = []
    reactors[reactor].injected = []
    ledger.forget(reactor)
    guard plan.fault != .staysAfterRelease else { return }
    let remains = machine.release(reactors[reactor].key)
    carryOut(remains.consequences, thread)
    for key in remains.observers { observers[observer(key)].cancel = .onQueue }
  }

  // MARK: What user code calls

  private mutating func call(_ op: Op, _ thread: Int, _ plan: Plan) throws(Violation) {
    switch op {
    case .send(let item, let reactor): try send(item, to: reactor, thread, plan)
    case .observe(let observer): observe(observer, thread, plan)
    case .cancelObserver(let observer): cancel(observer: observer, thread, plan)
    case .cancelEffects(let reactor):
      let outcome = machine.cancelEffects(of: reactors[reactor].key)
      carryOut(outcome, thread)
      if !outcome.emptiedGroups.isEmpty { push(.arrive(Message(reactor: reactor, stage: .tidying)), thread) }
    case .perform(let item, let reactor, let call):
      calls[call].key = machine.openCall(of: reactors[reactor].key, origin: .none)
      push(.wait(call, item), thread)
      push(.arrive(Message(reactor: reactor, stage: .action, item: item, call: call)), thread)
    case .cancelCall(let call): cancel(call: call, thread, plan)
    case .letGo(let reactor): reactors[reactor].references! -= 1
    case .emit(let effect, let item):
      let message = Message(
        reactor: plan.effects[effect].reactor, stage: .mutation, item: item, about: effects[effect].key!)
      try arrive(message, thread, plan)
    case .end(let effect):
      let message = Message(reactor: plan.effects[effect].reactor, stage: .effectEnd, about: effects[effect].key!)
      try arrive(message, thread, plan)
    case .async(let other): blocks.append(other)
    case .spin:
      guard blocks.first == .some(nil) else { return }
      blocks.removeFirst()
      if machine.openTurn(thread: UInt(thread + 1)) {
        try ledger.openTurn(by: thread)
        push(.drain, thread)
      }
    case .expect(let item):
      guard ledger.isHandled(item) else {
        throw Violation(guarantee: .beforeLaterBlocks, text: "\(item) is not handled yet")
      }
    }
  }

  private mutating func send(_ item: Item, to reactor: Int, _ thread: Int, _ plan: Plan) throws(Violation) {
    var message = Message(reactor: reactor, stage: .action, item: item)
    guard onQueue == thread, !isReducing(thread) else {
      if plan.fault == .mutateOnTheSendersThread, onQueue != thread {
        message.read = reactors[reactor].state
        return push(.arrive(message), thread)
      }
      return try arrive(message, thread, plan)
    }
    if !isInsideTurn(thread) { push(.sent(item, to: reactor), thread) }
    if plan.fault == .nestedStep, isInsideTurn(thread) {
      push(.scope(reactor), thread)
      push(.mutate(Step(reactor: reactor, item: item)), thread)
      return try ledger.beginStep(by: thread)
    }
    guard plan.fault != .notNow, machine.enter(reactors[reactor].key, thread: UInt(thread + 1)) else {
      return push(.arrive(message), thread)
    }
    try ledger.openTurn(by: thread)
    push(.leave, thread)
    push(.scope(reactor), thread)
    push(.mutate(Step(reactor: reactor, item: item)), thread)
    try ledger.beginStep(by: thread)
    try ledger.handleDirectly(item)
  }

  /// Something comes in: one call under the lock.
  mutating func arrive(_ message: Message, _ thread: Int, _ plan: Plan) throws(Violation) {
    let number = message.reactor
    var sender = sender(thread)
    if plan.fault == .droppedArrival, sender == .elsewhere, machine.isTurnOpen { return }
    if plan.fault == .endlessTurn, let turn = ledger.turn { sender = .queue(thread: UInt(turn.thread + 1)) }
    if plan.fault == .notNow, message.stage == .action { sender = .elsewhere }
    let count = machine.waitingCount
    let welcome = machine.arrive(
      .init(
        reactor: reactors[number].key, stage: message.stage, about: message.about,
        call: message.call.flatMap { calls[$0].key } ?? .none, isLast: message.isLast,
        isKeeping: message.stage == .action),
      from: sender)
    guard welcome != .dropped else { return }
    if message.stage == .effectEnd, machine.waitingCount == count {
      ledger.join(by: thread, onQueue: onQueue == thread)
    } else {
      if message.stage != .effectEnd {
        reactors[number].inbox.append(
          .init(payload: message.item, keeps: message.stage == .action, read: message.read))
      }
      ledger.accept(
        reactor: number, stage: message.stage, item: message.item, by: thread, onQueue: onQueue == thread)
    }
    if plan.fault == .neverScheduled, sender == .elsewhere { return }
    if plan.fault == .drainsElsewhere, sender == .elsewhere { return push(.drain, thread) }
    switch welcome {
    case .waits, .dropped, .late: break
    case .drainNow:
      try ledger.openTurn(by: thread)
      push(.drain, thread)
    case .schedule(let ticket):
      if plan.scheduling == .inOneStep {
        blocks.append(nil)
        machine.didSchedule(ticket)
        return
      }
      push(.schedule(ticket), thread)
      if plan.fault == .scheduledBySomebodyElse { machine.didSchedule(ticket) }
    }
  }

  // MARK: Turns

  private mutating func stepOfTurn(_ frame: Frame, _ thread: Int, _ plan: Plan) throws(Violation) {
    switch frame {
    case .leave:
      if machine.leave() { try ledger.endTurn(by: thread) } else { try drain(thread, plan) }
    case .drain:
      try drain(thread, plan)
    case .work(let reactor): try work(reactor, thread, plan)
    case .start(let reactor, let next):
      let item = plan.reactors[reactor].injections[next]
      push(.start(reactor, next: next + 1), thread)
      let welcome = machine.arrive(
        .init(reactor: reactors[reactor].key, stage: .mutationBehindHook), from: .startingHook)
      guard welcome != .dropped else { return }
      reactors[reactor].injected.append(.init(payload: item))
      ledger.inject(reactor: reactor, stage: .mutationBehindHook, item: item)
    default: break
    }
  }

  /// Who works next. Asked under the lock in which it turned out that the one before has nothing more to do.
  private mutating func drain(_ thread: Int, _ plan: Plan) throws(Violation) {
    try ledger.checkTurn(of: thread)
    switch machine.next() {
    case .work(let key):
      push(.drain, thread)
      let reactor = reactor(key)
      push(reactors[reactor].isAlive ? .work(reactor) : .close(reactor), thread)
    case .start(let key):
      push(.drain, thread)
      let reactor = reactor(key)
      guard reactors[reactor].isAlive else { return push(.close(reactor), thread) }
      push(.scope(reactor), thread)
      push(.start(reactor, next: 0), thread)
      try ledger.beginStep(by: thread)
    case .endOfTurn(let schedule):
      try ledger.endTurn(by: thread)
      if let schedule, plan.fault != .lostWakeUp { push(.schedule(schedule), thread) }
    }
  }

  private mutating func work(_ number: Int, _ thread: Int, _ plan: Plan) throws(Violation) {
    endPlainly()
    guard let taken = machine.take(for: reactors[number].key) else {
      stacks[thread].removeLast()
      return try drain(thread, plan)
    }
    push(.work(number), thread)
    guard !reactors[number].isClosed else {
      throw Violation(guarantee: .nothingAfterRelease, text: "\(taken.arrival.stage) of a released reactor is handled")
    }
    let waiting: Reactor.Waiting
    if taken.arrival.stage == .effectEnd {
      waiting = .init()
    } else if taken.isInjected {
      waiting = reactors[number].injected.removeFirst()
    } else if plan.fault == .lastInFirstOut {
      waiting = reactors[number].inbox.removeLast()
    } else {
      waiting = reactors[number].inbox.removeFirst()
    }
    let stage = taken.arrival.stage
    try ledger.take(reactor: number, stage: stage, item: waiting.payload, isInjected: taken.isInjected, by: thread)
    if taken.isDropped, plan.fault != .valueAfterCancel || stage == .observation { return }
    if !taken.isDropped, taken.isLast || stage == .effectEnd, let effect = effect(taken.arrival.about) {
      if machine.endsPlainly(taken.arrival.about) {
        ending = effect
        if stage == .effectEnd { return }
      } else if taken.isLast {
        push(.lastEnded(effect, of: number), thread)
      }
    }
    // Its owner is gone, and what is taken does not hold it.
    guard waiting.keeps || reactors[number].isAlive else { return }
    push(.scope(number), thread)
    try ledger.beginStep(by: thread)
    let effect = taken.arrival.isOfEffect ? effect(taken.arrival.about) : nil
    if let effect, effects[effect].cancel != .no {
      throw Violation(
        guarantee: .nothingAfterCancelOfEffect, text: "\(stage) of the cancelled effect \(effect) is handled")
    }
    if let item = waiting.payload { try ledger.handle(item, mayHaveGaps: plan.sources[item.source] == nil) }
    handle(taken, waiting, effect, in: number, thread)
  }

  private mutating func handle(
    _ taken: ReactorMachine.Taken, _ waiting: Reactor.Waiting, _ effect: Int?, in number: Int, _ thread: Int
  ) {
    switch taken.arrival.stage {
    case .action:
      let step = Step(reactor: number, item: waiting.payload!, read: waiting.read, call: call(taken.call))
      push(waiting.read == nil ? .mutate(step) : .commit(step), thread)
    case .mutation, .mutationBehindHook:
      push(
        .commit(Step(reactor: number, item: waiting.payload!, effect: effect, isLast: taken.isLast)), thread)
    case .effectEnd: push(.effectEnded(effect!), thread)
    case .effectStart: push(.startOne(effect!), thread)
    case .observation: push(.enroll(observer(taken.arrival.about)), thread)
    case .tidying: push(.tidy(number), thread)
    default: break
    }
  }

  // MARK: The state

  private mutating func stepOfState(_ frame: Frame, _ thread: Int, _ plan: Plan) throws(Violation) {
    switch frame {
    case .mutate(var step):
      try ledger.checkTurn(of: thread)
      step.read = reactors[step.reactor].state
      push(.commit(step), thread)
      if plan.fault == .deliveryBeforeCommit, reactors[step.reactor].isObserved {
        push(.beginDelivery(step.reactor), thread)
      }
      push(.ops(.mutate(step.item), next: 0), thread)
    case .commit(let step):
      let state = reactors[step.reactor].state
      guard step.read == nil || step.read == state else {
        throw Violation(
          guarantee: .atomicStep, text: "mutate of \(step.item) read \(step.read!), the commit finds \(state)")
      }
      if let effect = step.effect, effects[effect].cancel == .onQueue {
        throw Violation(guarantee: .nothingAfterCancelOfEffect, text: "\(step.item) is committed")
      }
      guard !reactors[step.reactor].isClosed else {
        throw Violation(guarantee: .nothingAfterRelease, text: "\(step.item) is committed")
      }
      reactors[step.reactor].state = (step.read ?? state) + 1
      ledger.didCommit(step.reactor)
      push(.request(step, next: 0, group: nil, started: []), thread)
      push(.ops(.reduce(step.item), next: 0), thread)
    default: break
    }
  }
}
