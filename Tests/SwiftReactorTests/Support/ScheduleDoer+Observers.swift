// The doer's half that is about observers, and what must hold at the end of every schedule.

@testable import SwiftReactor

extension ScheduleWorld {
  // MARK: Observing

  mutating func observe(_ number: Int, _ thread: Int, _ plan: Plan) {
    let reactor = plan.observers[number].reactor
    push(.observed(number), thread)
    guard let key = machine.announceObserver(of: reactors[reactor].key) else { return }
    observers[number].key = key
    if plan.fault == .announcedLate, onQueue != thread { observers[number].last = reactors[reactor].state }
    if onQueue == thread, isInsideTurn(thread), !isReducing(thread) {
      push(.startIfNeeded(reactor), thread)
      push(.enroll(number), thread)
    } else {
      push(.arrive(Message(reactor: reactor, stage: .observation, about: key)), thread)
    }
  }

  mutating func cancel(observer number: Int, _ thread: Int, _ plan: Plan) {
    guard let key = observers[number].key, machine.observers.contains(key) else { return }
    let isDue = stacks.contains { $0.contains { if case .call(number, _) = $0 { true } else { false } } }
    observers[number].cancel = onQueue == thread ? .onQueue : .elsewhere(isDue: isDue)
    if machine.cancelObserver(key) != nil {
      push(.arrive(Message(reactor: plan.observers[number].reactor, stage: .tidying)), thread)
    }
  }

  mutating func stepOfObserver(_ frame: Frame, _ thread: Int, _ plan: Plan) throws(Violation) {
    switch frame {
    case .enroll(let number):
      guard machine.observers.contains(observers[number].key!) else { return }
      let watches = reactors[plan.observers[number].reactor].watches
      if let path = plan.observers[number].path {
        let known = watches.first { $0.path == path }
        push(known.map { .register(number, audience: $0.audience) } ?? .join(number), thread)
      } else {
        push(.register(number, audience: 0), thread)
      }
    case .join(let number):
      let reactor = plan.observers[number].reactor
      let path = plan.observers[number].path!
      let audience = machine.addAudience(to: reactors[reactor].key)
      reactors[reactor].watches.append(.init(path: path, audience: audience, value: reactors[reactor].state / path))
      push(.register(number, audience: audience), thread)
    case .register(let number, let audience): register(number, audience, thread, plan)
    case .startIfNeeded(let reactor):
      if machine.reactors[reactors[reactor].key]?.isStarted == false {
        push(.arrive(Message(reactor: reactor, stage: .start)), thread)
      }
    case .tidy(let reactor): tidy(reactor)
    case .beginDelivery(let reactor): beginDelivery(reactor, thread, plan)
    case .nextObserver(let reactor):
      guard let key = machine.nextObserver() else { return endDelivery(reactor, thread) }
      push(.nextObserver(reactor), thread)
      push(.call(observer(key), isInitial: false), thread)
    case .call(let number, let isInitial):
      try call(number, isInitial: isInitial, thread, plan)
      if plan.fault == .toldTwice, !isInitial { push(.callAgain([number]), thread) }
    case .callAgain(let list):
      if list.count > 1 { push(.callAgain(Array(list.dropFirst())), thread) }
      try call(list[0], isInitial: false, thread, plan)
    default: break
    }
  }

  private mutating func register(_ number: Int, _ audience: Int, _ thread: Int, _ plan: Plan) {
    let reactor = plan.observers[number].reactor
    guard machine.register(observers[number].key!, in: audience) else { return push(.tidy(reactor), thread) }
    observers[number].rank = ledger.nextRank()
    noteObservers(reactor)
    if observers[number].last == nil { push(.call(number, isInitial: true), thread) }
  }

  private mutating func tidy(_ reactor: Int) {
    let key = reactors[reactor].key
    for id in reactors[reactor].ids.indices {
      if let group = reactors[reactor].ids[id], !machine.groups.contains(group) { reactors[reactor].ids[id] = nil }
    }
    var watches: [Reactor.Watch] = []
    for watch in reactors[reactor].watches where !machine.vacate(watch.audience, of: key) { watches.append(watch) }
    reactors[reactor].watches = watches
    noteObservers(reactor)
  }

  private mutating func noteObservers(_ reactor: Int) {
    reactors[reactor].isObserved = machine.hasObservers(reactors[reactor].key)
    reactors[reactor].hearsEveryCommit = machine.hasObservers(reactors[reactor].key, audience: 0)
  }

  // MARK: Delivering

  private mutating func beginDelivery(_ reactor: Int, _ thread: Int, _ plan: Plan) {
    var changed: [Int] = []
    for index in reactors[reactor].watches.indices {
      let value = reactors[reactor].state / reactors[reactor].watches[index].path
      guard value != reactors[reactor].watches[index].value else { continue }
      reactors[reactor].watches[index].value = value
      changed.append(reactors[reactor].watches[index].audience)
    }
    if !reactors[reactor].watches.isEmpty, changed.isEmpty, !reactors[reactor].hearsEveryCommit {
      return ledger.didDeliver(reactor)
    }
    machine.beginDelivery(of: reactors[reactor].key)
    for audience in changed { machine.includeAudience(audience) }
    if plan.fault == .deliversFromACopy {
      var list: [Int] = []
      while let key = machine.nextObserver() { list.append(observer(key)) }
      if !list.isEmpty { push(.callAgain(list), thread) }
      return
    }
    guard let key = machine.nextObserver() else { return ledger.didDeliver(reactor) }
    push(.nextObserver(reactor), thread)
    push(.call(observer(key), isInitial: false), thread)
  }

  private mutating func endDelivery(_ reactor: Int, _ thread: Int) {
    ledger.didDeliver(reactor)
    if machine.delivery.hasGone { push(.tidy(reactor), thread) }
  }

  /// User code: the observer's callback.
  private mutating func call(_ number: Int, isInitial: Bool, _ thread: Int, _ plan: Plan) throws(Violation) {
    let observer = observers[number]
    let reactor = plan.observers[number].reactor
    let value = value(of: number, plan)
    switch observer.cancel {
    // It was decided before the cancel came: the call had begun.
    case .no, .elsewhere(isDue: true): break
    case .elsewhere(isDue: false), .onQueue:
      throw Violation(guarantee: .nothingAfterCancelOfObserver, text: "observer \(number) is called")
    }
    if !isInitial { try ledger.tell(rank: observer.rank, of: reactor) }
    guard value == reactors[reactor].state / (plan.observers[number].path ?? 1) else {
      throw Violation(guarantee: .commitFirst, text: "observer \(number) gets \(value), which is not the state's")
    }
    guard isInitial ? observer.last == nil : observer.last.map({ value == $0 + 1 }) ?? false else {
      throw Violation(
        guarantee: .oneInitialValue, text: "observer \(number) gets \(value) after \(observer.last as Any)")
    }
    observers[number].last = value
    push(.ops(.callback(number, value: value), next: 0), thread)
  }

  // MARK: The end

  /// What must hold when nobody can go on.
  func checkEnd(_ plan: Plan) throws(Violation) {
    for thread in plan.threads.indices {
      if case .parked = stacks[thread].last {
        throw Violation(guarantee: .performReturns, text: "\(plan.threads[thread].name) waits for ever")
      }
    }
    guard machine.waitingCount == 0 || ledger.line.isEmpty else {
      throw Violation(guarantee: .noLostWakeUp, text: "\(machine.waitingCount) arrivals wait without a drain")
    }
    try ledger.checkEnd(plan)
    for (number, reactor) in reactors.enumerated() where reactor.state != ledger.commits[number] {
      throw Violation(
        guarantee: .atomicStep, text: "\(ledger.commits[number]) commits, and the state is \(reactor.state)")
    }
    for (number, observer) in observers.enumerated() where observer.key != nil && observer.cancel == .no {
      let state = reactors[plan.observers[number].reactor].state / (plan.observers[number].path ?? 1)
      guard observer.last == state else {
        throw Violation(
          guarantee: .oneInitialValue, text: "observer \(number) last got \(observer.last as Any), not \(state)")
      }
    }
    try checkTables(plan)
  }

  private func checkTables(_ plan: Plan) throws(Violation) {
    func fail(_ text: String) -> Violation { Violation(guarantee: .nothingAfterRelease, text: text) }
    guard machine.waitingCount == 0 else { throw fail("something waits for a released reactor") }
    for (number, reactor) in reactors.enumerated() {
      guard machine.reactors.contains(reactor.key) == (plan.reactors[number].references == nil) else {
        throw fail("reactor \(number) should be gone")
      }
      guard reactor.isClosed || reactor.ids.allSatisfy({ $0 == nil }) else { throw fail("an id is remembered") }
      let paths = observers.indices.filter { observers[$0].cancel == .no && plan.observers[$0].reactor == number }
      guard
        reactor.isClosed
          || reactor.watches.allSatisfy({ watch in
            paths.contains { plan.observers[$0].path == watch.path }
          })
      else { throw fail("a path is watched that nobody observes") }
    }
    guard machine.effects.isEmpty else { throw fail("an effect, or a window, is left") }
    guard machine.groups.isEmpty else { throw fail("the number of an id is left") }
    guard machine.calls.isEmpty else { throw fail("a call is left") }
    guard effects.allSatisfy({ !$0.isHeld }) else { throw fail("an effect's handle is left") }
    let living = observers.count { $0.key != nil && $0.cancel == .no }
    guard machine.observers.count == living else { throw fail("an observer is left") }
  }
}
