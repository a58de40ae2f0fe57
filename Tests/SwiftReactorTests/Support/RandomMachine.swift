// A machine that random events happen to, and what must hold of its tables whatever they are.

@testable import SwiftReactor

struct RandomMachine {
  var machine = ReactorMachine()
  private let generator: () -> UInt64
  /// The events so far, if somebody wants to read them: a failure is repeated with them.
  private(set) var trail: [String] = []
  private let isTelling: Bool

  // What the outside knows: every key that was ever handed out.
  private var reactors: [SlotKey] = []
  private var effects: [SlotKey] = []
  private var groups: [SlotKey] = []
  private var calls: [SlotKey] = []
  private var observers: [SlotKey] = []
  /// Calls whose action's step is over.
  var handledCalls: Set<SlotKey> = []
  /// How many arrivals wait, and how many of them are of each effect.
  var waiting = 0
  private var waitingOf: [SlotKey: Int] = [:]
  private var isDrainDue = false
  private var thread: UInt?

  init(isTelling: Bool = false, generator: @escaping () -> UInt64) {
    self.isTelling = isTelling
    self.generator = generator
  }

  private mutating func tell(_ event: @autoclosure () -> String) {
    if isTelling { trail.append(event()) }
  }

  private func choice(_ count: Int) -> Int { Int(generator() % UInt64(count)) }
  private func any(_ keys: [SlotKey]) -> SlotKey { keys.isEmpty ? .none : keys[choice(keys.count)] }

  /// Lets random events happen; what went wrong, or nil.
  mutating func run(events: Int, phase: Int = 0) -> String? {
    for _ in 0..<(2 + choice(2)) { reactors.append(machine.admit()) }
    for event in 0..<events {
      if let failure = happen() { return failure }
      // Every event is followed by a check in one of three sequences.
      if isTelling || (event + phase) % 3 == 0, let failure = inconsistency() { return failure }
    }
    return windUp() ?? inconsistency()
  }

  // MARK: Events

  private mutating func happen() -> String? {
    let reactor = any(reactors)
    switch choice(16) {
    case 0...3: return arrive(for: reactor)
    case 4: return openTurn()
    case 5...7: return workOn()
    case 8, 9: return register(for: reactor)
    case 10:
      tell("effectEnded")
      return note(machine.effectEnded(any(effects)))
    case 11: return cancel(reactor)
    case 12: return observe(reactor)
    case 13:
      tell("cancelObserver")
      _ = machine.cancelObserver(any(observers))
      return nil
    case 14: return deliver(reactor)
    default: return callsAndReleases(reactor)
    }
  }

  private mutating func arrive(for reactor: SlotKey) -> String? {
    var arrival = ReactorMachine.Arrival(reactor: reactor, stage: .action)
    let effect = any(effects)
    if choice(2) == 0, let record = machine.effects[effect] {
      arrival = ReactorMachine.Arrival(
        reactor: record.reactor, stage: choice(4) == 0 ? .effectEnd : .mutation, about: effect)
    }
    let sender: ReactorMachine.Sender =
      switch choice(3) {
      case 0: .elsewhere
      case 1: .queue(thread: thread ?? 1)
      default: .reduce(thread: thread ?? 1)
      }
    tell("arrive \(arrival.stage) from \(sender)")
    let isKnown = machine.reactors.contains(arrival.reactor)
    let isGone = machine.reactors[arrival.reactor]?.isGone == true
    let count = machine.waitingCount
    let welcome = machine.arrive(arrival, from: sender)
    guard (welcome == .dropped) != isKnown else { return "\(welcome), reactor known: \(isKnown)" }
    guard (welcome == .late) == isGone else { return "\(welcome), state gone: \(isGone)" }
    guard isKnown, !isGone else { return nil }
    // An end may join the last value of its effect.
    if machine.waitingCount > count || arrival.stage != .effectEnd {
      waiting += 1
      if arrival.isOfEffect { waitingOf[effect, default: 0] += 1 }
    }
    switch welcome {
    case .drainNow:
      guard thread == nil else { return "a second drain" }
      thread = 1
    case .schedule(let ticket):
      guard !isDrainDue else { return "a drain is scheduled that nobody needs" }
      isDrainDue = true
      machine.didSchedule(ticket)
    case .waits:
      guard thread != nil || isDrainDue else { return "a lost wake-up" }
    case .dropped, .late: break
    }
    return nil
  }

  private mutating func openTurn() -> String? {
    guard isDrainDue, thread == nil else { return nil }
    tell("openTurn")
    isDrainDue = false
    let opened = machine.openTurn(thread: 1)
    guard opened == (waiting > 0) else { return "opened: \(opened), \(waiting) wait" }
    if opened { thread = 1 }
    return nil
  }

  /// Some of the drain's work.
  private mutating func workOn() -> String? {
    guard thread != nil else { return nil }
    tell("next")
    switch machine.next() {
    case .endOfTurn(let ticket):
      let schedules = ticket != nil
      thread = nil
      countSkipped()
      guard schedules == (waiting > 0 && !isDrainDue) else { return "\(waiting) wait, schedules: \(schedules)" }
      if let ticket {
        isDrainDue = true
        machine.didSchedule(ticket)
      }
    case .start(let reactor):
      countSkipped()
      if choice(2) == 0 {
        let welcome = machine.arrive(.init(reactor: reactor, stage: .mutationBehindHook), from: .startingHook)
        if welcome == .waits { waiting += 1 }
      }
    case .work(let reactor):
      countSkipped()
      guard machine.reactors.contains(reactor) else { return "a released reactor is to work" }
      guard let taken = machine.take(for: reactor) else { return "there was nothing to take" }
      waiting -= 1
      let effect = taken.arrival.about
      let isGone = machine.reactors[known: reactor].isGone
      guard taken.isLate == (isGone && !taken.arrival.isOfEffect) else { return "late: \(taken.isLate)" }
      guard taken.arrival.isOfEffect else { return nil }
      waitingOf[effect]! -= 1
      guard taken.isDropped == !machine.effects.contains(effect) else { return "dropped: \(taken.isDropped)" }
      if taken.isDropped { return nil }
      if taken.isLast || taken.arrival.stage == .effectEnd { return note(machine.effectEnded(effect)) }
    }
    return nil
  }

  /// Arrivals of released reactors leave when the machine comes across them.
  private mutating func countSkipped() { waiting = machine.waitingCount }

  private mutating func register(for reactor: SlotKey) -> String? {
    guard machine.reactors.contains(reactor) else { return nil }
    let known = groups.filter { machine.groups[$0]?.reactor == reactor }
    var group = SlotKey.none
    switch choice(3) {
    case 0: break
    case 1 where !known.isEmpty:
      group = any(known)
      guard machine.keep(group: group) else { return "a known group is not kept" }
    default:
      group = machine.makeGroup(for: reactor)
      groups.append(group)
    }
    let rule: ReactorMachine.Rule =
      switch choice(5) {
      case 0: .concurrent(max: 1 + choice(2))
      case 1: .latest
      case 2: .first
      case 3: .throttled(holdsLatest: true)
      default: .throttled(holdsLatest: false)
      }
    let open = calls.filter { machine.calls[$0]?.reactor == reactor && !handledCalls.contains($0) }
    let call = choice(2) == 0 ? any(open) : .none
    tell("register under \(group.index), \(rule), call \(call.index)")
    let outcome = machine.register(for: reactor, under: group, rule: rule, call: call)
    if !outcome.registered.isNone {
      guard machine.effects.contains(outcome.registered) else { return "registered, and unknown" }
      effects.append(outcome.registered)
    }
    return note(outcome)
  }

  private mutating func cancel(_ reactor: SlotKey) -> String? {
    switch choice(3) {
    case 0:
      tell("cancel group")
      return note(machine.cancel(group: any(groups)))
    case 1:
      tell("cancel call")
      return note(machine.cancel(call: any(calls)))
    default:
      tell("cancel all")
      let outcome = machine.cancelEffects(of: reactor)
      guard machine.reactors[reactor]?.effects.isEmpty ?? true else { return "some are left" }
      return note(outcome)
    }
  }

  private mutating func callsAndReleases(_ reactor: SlotKey) -> String? {
    switch choice(6) {
    case 0:
      guard machine.reactors.contains(reactor) else { return nil }
      tell("open call")
      calls.append(machine.openCall(of: reactor, origin: any(effects)))
    case 1, 2:
      let call = any(calls.filter { machine.calls.contains($0) && !handledCalls.contains($0) })
      guard !call.isNone else { return nil }
      tell("didHandleAction")
      handledCalls.insert(call)
      return note(machine.didHandleAction(of: call))
    case 3:
      // The first one is nobody's child.
      guard reactor != reactors[0], machine.reactors.contains(reactor) else { return nil }
      tell("nest \(reactor.index)")
      machine.setParent(of: reactor, to: reactors[0])
    case 4:
      tell("dismiss \(reactor.index)")
      let outcome = machine.dismiss(reactor)
      guard machine.reactors[reactor]?.effects.isEmpty ?? true else { return "some are left" }
      return note(outcome)
    default: return release(reactor)
    }
    return nil
  }

  /// Nobody lets go of a reactor whose step is not over: its calls are handled first.
  private mutating func release(_ reactor: SlotKey) -> String? {
    tell("release")
    for call in calls where machine.calls[call]?.reactor == reactor && !handledCalls.contains(call) {
      handledCalls.insert(call)
      if let failure = note(machine.didHandleAction(of: call)) { return failure }
    }
    let remains = machine.release(reactor)
    for key in remains.observers where machine.observers.contains(key) { return "an observer is left" }
    return note(remains.consequences)
  }

  private mutating func observe(_ reactor: SlotKey) -> String? {
    tell("observe")
    guard let observer = machine.announceObserver(of: reactor) else {
      return machine.reactors.contains(reactor) ? "not announced" : nil
    }
    observers.append(observer)
    if choice(3) > 0 {
      let audience = choice(2) == 0 ? 0 : machine.addAudience(to: reactor)
      guard machine.register(observer, in: audience) else { return "not registered" }
    }
    return nil
  }

  private mutating func deliver(_ reactor: SlotKey) -> String? {
    guard machine.reactors.contains(reactor) else { return nil }
    tell("deliver")
    let audiences = machine.audiences(of: reactor).lists.map { $0.map(\.observer) }
    let expected = Set(audiences.joined().filter { machine.observers.contains($0) })
    var told: [SlotKey] = []
    var gone: Set<SlotKey> = []
    machine.beginDelivery(of: reactor)
    for audience in audiences.indices.dropFirst() { machine.includeAudience(audience) }
    while let observer = machine.nextObserver() {
      guard !gone.contains(observer) else { return "told after its cancel" }
      told.append(observer)
      if choice(4) == 0 {
        let victim = any(Array(audiences.joined()))
        _ = machine.cancelObserver(victim)
        gone.insert(victim)
      }
    }
    guard Set(told).count == told.count, Set(told).union(gone) == expected.union(gone) else {
      return "told \(told.count) of \(expected.count)"
    }
    let orders = told.compactMap { machine.observers[$0]?.order }
    return orders == orders.sorted() ? nil : "not in order of registration"
  }

  /// Looks at what follows from a decision.
  private mutating func note(_ outcome: ReactorMachine.Consequences) -> String? {
    for key in outcome.cancelled where machine.effects.contains(key) { return "cancelled, and known" }
    for key in outcome.openedWindows where machine.effects[key]?.phase != .window { return "not a window" }
    effects += outcome.openedWindows
    for key in outcome.started where !outcome.cancelled.contains(key) {
      guard machine.effects[key]?.phase == .running else { return "started, and does not run" }
    }
    for key in outcome.emptiedGroups where machine.groups.contains(key) { return "forgotten, and known" }
    for key in outcome.finishedCalls where machine.calls.contains(key) { return "finished, and known" }
    return nil
  }

  /// Everything comes to its end, and then nothing may be left.
  private mutating func windUp() -> String? {
    tell("wind up")
    var steps = 0
    while thread != nil || isDrainDue {
      steps += 1
      guard steps < 10_000 else { return "a turn does not end" }
      if let failure = openTurn() ?? workOn() { return failure }
    }
    guard waiting == 0, !machine.isTurnOpen else { return "\(waiting) wait for ever" }
    for reactor in reactors {
      if let failure = release(reactor) { return failure }
    }
    guard machine.reactors.isEmpty, machine.effects.isEmpty, machine.groups.isEmpty, machine.observers.isEmpty,
      machine.audiences.isEmpty,
      machine.calls.isEmpty
    else { return "something is left after the release" }
    return nil
  }

  /// One of everything.
  mutating func prepare() {
    reactors = [machine.admit()]
    groups = [machine.makeGroup(for: reactors[0])]
    calls = [machine.openCall(of: reactors[0], origin: .none)]
    effects = [machine.register(for: reactors[0], under: groups[0], rule: .latest, call: calls[0]).registered]
    observers = [machine.announceObserver(of: reactors[0])!]
  }

  // MARK: What must hold

  /// The first thing that does not fit together, or nil.
  func inconsistency() -> String? {
    guard machine.waitingCount == waiting else { return "\(machine.waitingCount) wait, not \(waiting)" }
    guard machine.isTurnOpen == (thread != nil) else { return "turn open: \(machine.isTurnOpen)" }
    return inconsistentEffects() ?? inconsistentObservers()
  }

  private func inconsistentEffects() -> String? {
    var listed = 0
    var members = 0
    var groupCount = 0
    for reactor in reactors {
      let keys = machine.effects(of: reactor)
      listed += keys.count
      for (index, key) in keys.enumerated() {
        guard let effect = machine.effects[key], effect.reactor == reactor else { return "a listed effect is unknown" }
        guard !keys[..<index].contains(key) else { return "an effect is listed twice" }
        guard effect.waitingValues == waitingOf[key, default: 0] else {
          return "an effect has \(effect.waitingValues) waiting values, not \(waitingOf[key, default: 0])"
        }
        guard !effect.group.isNone else { continue }
        guard machine.members(of: effect.group).contains(key) else { return "no member of its group" }
        members += 1
      }
    }
    guard listed == machine.effects.count else { return "an effect is not listed by its reactor" }
    for group in groups {
      guard let record = machine.groups[group] else { continue }
      groupCount += 1
      members -= machine.members(of: group).count
      if let failure = inconsistency(of: record, group) { return failure }
    }
    guard groupCount == machine.groups.count, members == 0 else { return "a group is not what was made" }
    return inconsistentCalls()
  }

  private func inconsistency(of record: ReactorMachine.EffectGroup, _ group: SlotKey) -> String? {
    guard !record.members.isEmpty || record.isKept else { return "an empty group is kept" }
    var running = 0
    var windows = 0
    var waiting = 0
    let members = machine.members(of: group)
    for member in members {
      guard let effect = machine.effects[member] else { return "a member of a group is unknown" }
      guard effect.group == group, effect.reactor == record.reactor else { return "a member of another group" }
      if effect.phase == .running { running += 1 }
      if effect.phase == .window { windows += 1 }
      if effect.phase == .waiting { waiting += 1 }
    }
    guard [running, waiting, windows] == [record.running, record.waiting, record.windows] else {
      return "a group counts its members wrongly"
    }
    guard record.members.last == members.last else { return "a group ends elsewhere" }
    guard windows <= 1 else { return "two windows under one id" }
    return waiting > 0 && waiting == members.count ? "all of a group wait" : nil
  }

  private func inconsistentCalls() -> String? {
    var ofCalls = 0
    for reactor in reactors {
      for key in machine.effects(of: reactor) where !machine.effects[known: key].call.isNone {
        ofCalls += 1
      }
    }
    for call in calls {
      guard let record = machine.calls[call] else { continue }
      let all = machine.effects(of: record.reactor)
      let own = all.count { machine.effects[known: $0].call == call }
      ofCalls -= own
      let action = handledCalls.contains(call) ? 0 : 1
      guard record.pending == own + action else { return "a call waits for \(record.pending), not \(own + action)" }
      guard record.pending > 0 else { return "a call waits for nothing" }
    }
    return ofCalls == 0 ? nil : "an effect of a call that is over"
  }

  private func inconsistentObservers() -> String? {
    var listed = 0
    for reactor in reactors {
      guard machine.reactors.contains(reactor) else { continue }
      let record = machine.audiences(of: reactor)
      for (audience, members) in record.lists.enumerated() {
        listed += members.count
        let records = members.map { machine.observers[$0.observer] }
        guard records.allSatisfy({ $0?.audience == audience }) else { return "a foreign observer" }
        guard zip(members, records).allSatisfy({ $0.order == $1?.order && $0.order > 0 }) else {
          return "told, and not registered"
        }
      }
      listed += record.announced.count
      guard record.announced.allSatisfy({ machine.observers[$0]?.order == 0 }) else { return "announced for ever" }
      guard record.vacant.allSatisfy({ record.lists[$0].isEmpty }) else { return "a vacant audience has members" }
    }
    return listed == machine.observers.count ? nil : "an observer is not listed by its reactor"
  }
}

extension ReactorMachine {
  /// Who observes a reactor; empty as long as nobody has.
  func audiences(of reactor: SlotKey) -> Audiences {
    reactors[reactor].flatMap { audiences[$0.audiences] } ?? Audiences()
  }
}
