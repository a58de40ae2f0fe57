// The machine's rules for effects under one id: side by side, so many at a time, the newest, the first, one per window.

import Testing

@testable import SwiftReactor

@Suite("Machine: rules for effects")
struct EffectRuleTests {
  private let machine = MachineBench()
  private let reactor: SlotKey
  private let group: SlotKey

  init() {
    reactor = machine.admitStarted()
    group = machine.makeGroup(for: reactor)
  }

  // MARK: Without an id, and concurrent

  @Test("Effects without an id run side by side and know nothing of each other")
  func withoutID() {
    let first = machine.register(for: reactor)
    let second = machine.register(for: reactor)
    #expect(first.started == [first.registered] && second.started == [second.registered])
    #expect(machine.machine.effects(of: reactor) == [first.registered, second.registered])
    let end = machine.effectEnded(first.registered)
    #expect(end == ReactorMachine.Consequences(cancelled: [first.registered]), "nothing follows but that it is gone")
    #expect(machine.machine.effects(of: reactor) == [second.registered])
  }

  @Test("An effect is known from the moment it is registered, before it is started")
  func knownAtOnce() {
    let outcome = machine.register(for: reactor, under: group, .latest)
    #expect(machine.machine.effects.contains(outcome.registered))
    #expect(machine.cancel(group: group).cancelled == [outcome.registered])
    #expect(!machine.machine.effects.contains(outcome.registered))
  }

  @Test("Concurrent effects share the id and run side by side")
  func concurrent() {
    let effects = (0..<4).map { _ in machine.register(for: reactor, under: group) }
    #expect(effects.allSatisfy { $0.started == [$0.registered] && $0.cancelled.isEmpty })
    #expect(machine.cancel(group: group).cancelled == effects.map(\.registered))
  }

  @Test("Beyond max effects wait, first in, first out")
  func concurrentMax() {
    let effects = (0..<5).map { _ in machine.register(for: reactor, under: group, .concurrent(max: 2)) }
    #expect(effects.map(\.started.count) == [1, 1, 0, 0, 0])
    let keys = effects.map(\.registered)
    #expect(keys.map(machine.phase) == [.running, .running, .waiting, .waiting, .waiting])
    #expect(machine.effectEnded(keys[1]).started == [keys[2]])
    #expect(machine.effectEnded(keys[0]).started == [keys[3]])
    #expect(machine.effectEnded(keys[2]).started == [keys[4]])
    #expect(machine.effectEnded(keys[3]).started.isEmpty)
    #expect(machine.effectEnded(keys[4]).emptiedGroups == [group])
  }

  @Test("Queued effects run one after the other in order of registration")
  func queued() {
    let keys = (0..<3).map { _ in machine.start(for: reactor, under: group, .concurrent(max: 1)) }
    #expect(keys.map(machine.phase) == [.running, .waiting, .waiting])
    #expect(machine.effectEnded(keys[0]).started == [keys[1]])
    #expect(machine.effectEnded(keys[1]).started == [keys[2]])
    #expect(machine.effectEnded(keys[2]).emptiedGroups == [group])
  }

  @Test("A cancel takes those that wait with it, and none of them starts")
  func cancelQueued() {
    let keys = (0..<3).map { _ in machine.start(for: reactor, under: group, .concurrent(max: 1)) }
    let outcome = machine.cancel(group: group)
    #expect(outcome.cancelled == keys && outcome.started.isEmpty && outcome.emptiedGroups == [group])
  }

  // MARK: Latest and first

  @Test("A newer effect under latest replaces the older one, which is gone before the newer one is known")
  func latest() {
    let old = machine.start(for: reactor, under: group, .latest)
    let outcome = machine.register(for: reactor, under: group, .latest)
    #expect(outcome.cancelled == [old] && outcome.started == [outcome.registered])
    #expect(outcome.emptiedGroups.isEmpty, "the id is in use")
    #expect(machine.machine.members(of: group) == [outcome.registered])
    #expect(outcome.registered != old, "also where it took the old one's place in the table")
  }

  @Test("Latest replaces whatever is under the id: what runs, what waits, and a window")
  func latestReplacesAll() {
    let running = machine.start(for: reactor, under: group, .throttled(holdsLatest: true))
    let window = machine.machine.members(of: group)[1]
    let held = machine.start(for: reactor, under: group, .throttled(holdsLatest: true))
    let outcome = machine.register(for: reactor, under: group, .latest)
    #expect(outcome.cancelled == [running, window, held])
    #expect(outcome.started == [outcome.registered])
  }

  @Test("A newer effect under first is dropped while one runs, and runs once that has ended")
  func first() {
    let running = machine.start(for: reactor, under: group, .first)
    let dropped = machine.register(for: reactor, under: group, .first)
    #expect(dropped == ReactorMachine.Consequences())
    #expect(machine.effectEnded(running).emptiedGroups == [group])
    let next = machine.makeGroup(for: reactor)
    #expect(machine.register(for: reactor, under: next, .first).started.count == 1)
  }

  @Test("First also gives way to an effect that waits")
  func firstBehindQueued() {
    _ = machine.start(for: reactor, under: group, .concurrent(max: 1))
    _ = machine.start(for: reactor, under: group, .concurrent(max: 1))
    #expect(machine.register(for: reactor, under: group, .first).registered.isNone)
  }

  @Test("Left to right: start and cancel is nothing, cancel and start runs")
  func leftToRight() {
    let started = machine.start(for: reactor, under: group, .latest)
    #expect(machine.cancel(group: group).cancelled == [started])
    #expect(machine.cancel(group: group) == ReactorMachine.Consequences(), "the number is forgotten")
    let fresh = machine.makeGroup(for: reactor)
    #expect(machine.cancel(group: fresh).cancelled.isEmpty)
  }

  // MARK: Throttled

  @Test("A throttled effect starts at once and opens a window")
  func throttleOpens() {
    let outcome = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    #expect(outcome.started == [outcome.registered] && outcome.openedWindows.count == 1)
    #expect(machine.phase(of: outcome.openedWindows[0]) == .window)
  }

  @Test("During the window the newest is held, and started at its end with a window of its own")
  func throttleHolds() {
    let first = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    let second = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    #expect(second.started.isEmpty && second.cancelled.isEmpty && !second.registered.isNone)
    let third = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    #expect(third.cancelled == [second.registered] && third.started.isEmpty)
    let end = machine.effectEnded(first.openedWindows[0])
    #expect(end.started == [third.registered] && end.cancelled == [first.openedWindows[0]])
    #expect(end.openedWindows.count == 1)
    #expect(machine.phase(of: first.registered) == .running, "a newer one does not cancel one that runs")
  }

  @Test("During the window all are dropped if the latest is not wanted")
  func throttleDrops() {
    let first = machine.register(for: reactor, under: group, .throttled(holdsLatest: false))
    #expect(machine.register(for: reactor, under: group, .throttled(holdsLatest: false)) == .init())
    let end = machine.effectEnded(first.openedWindows[0])
    #expect(end.started.isEmpty && end.openedWindows.isEmpty && end.emptiedGroups.isEmpty)
    #expect(machine.register(for: reactor, under: group, .throttled(holdsLatest: false)).started.count == 1)
  }

  @Test("The end of a throttled effect starts nobody before its window has ended")
  func throttledEffectEnds() {
    let first = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    let held = machine.start(for: reactor, under: group, .throttled(holdsLatest: true))
    #expect(machine.effectEnded(first.registered) == .init(cancelled: [first.registered]))
    #expect(machine.phase(of: held) == .waiting)
    #expect(machine.effectEnded(first.openedWindows[0]).started == [held])
  }

  @Test("A window that ends with nobody held and nothing running forgets the id")
  func windowForgets() {
    let first = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    #expect(machine.effectEnded(first.registered).emptiedGroups.isEmpty)
    #expect(machine.effectEnded(first.openedWindows[0]).emptiedGroups == [group])
  }

  @Test("A cancel closes the window too, so the next one starts at once")
  func cancelClosesWindow() {
    let first = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    #expect(machine.cancel(group: group).cancelled == [first.registered, first.openedWindows[0]])
    let fresh = machine.makeGroup(for: reactor)
    #expect(machine.register(for: reactor, under: fresh, .throttled(holdsLatest: true)).started.count == 1)
    #expect(machine.effectEnded(first.openedWindows[0]) == .init(), "the old window's end is nobody's any more")
  }

  // MARK: Ids

  @Test("A number is forgotten when nothing is under it any more, and only then")
  func forgotten() {
    let first = machine.start(for: reactor, under: group)
    let second = machine.start(for: reactor, under: group)
    #expect(machine.effectEnded(first).emptiedGroups.isEmpty)
    #expect(machine.effectEnded(second).emptiedGroups == [group])
    #expect(!machine.machine.groups.contains(group))
  }

  @Test("A group that is kept for a registration is not forgotten before it")
  func kept() {
    let call = machine.openCall(of: reactor)
    _ = machine.start(for: reactor, under: group, .latest, call: call)
    #expect(machine.keep(group: group))
    // The task that waits for the call is cancelled between the two questions of the step.
    #expect(machine.cancel(call: call).emptiedGroups.isEmpty)
    let next = machine.start(for: reactor, under: group, .latest)
    #expect(machine.effectEnded(next).emptiedGroups == [group])
    #expect(!machine.keep(group: group), "forgotten")
  }

  @Test("A group that was kept for a registration that came to nothing is forgotten with it")
  func keptForNothing() {
    let call = machine.openCall(of: reactor)
    _ = machine.cancel(call: call)
    let outcome = machine.register(for: reactor, under: group, .latest, call: call)
    #expect(outcome.emptiedGroups == [group] && outcome.registered.isNone)
    #expect(machine.machine.groups.isEmpty)
  }

  @Test("Ids belong to one reactor: what happens under one group does not touch another")
  func ownIDs() {
    let other = machine.admitStarted()
    let otherGroup = machine.makeGroup(for: other)
    let mine = machine.start(for: reactor, under: group, .latest)
    let theirs = machine.start(for: other, under: otherGroup, .latest)
    #expect(machine.cancelEffects(of: reactor).cancelled == [mine])
    #expect(machine.phase(of: theirs) == .running)
  }

  // MARK: Effects that are there at once

  @Test("An effect whose value is there at once is known like any other, until that value is handled")
  func instant() {
    let effect = machine.registerUnnamed(for: reactor)
    #expect(machine.phase(of: effect) == .running)
    var arrival = ReactorMachine.Arrival(reactor: reactor, stage: .mutation, about: effect, call: MachineBench.tag(1))
    arrival.isLast = true
    machine.arrive(arrival)
    #expect(machine.openTurn() && machine.next() == .work(reactor))
    #expect(machine.take(for: reactor)?.isLast == true)
    #expect(machine.effectEnded(effect).cancelled == [effect])
    #expect(machine.machine.effects.isEmpty)
  }

  @Test("It is cancelled with the others, and its value with it")
  func instantIsCancelled() {
    let effect = machine.registerUnnamed(for: reactor)
    machine.arrive(1, of: effect, for: reactor)
    #expect(machine.cancelEffects(of: reactor).cancelled == [effect])
    #expect(machine.runScheduledDrain() == [.dropped(1)])
  }

  @Test("Its call waits for it, and a cancelled call has none")
  func instantOfACall() {
    let call = machine.openCall(of: reactor)
    let effect = machine.registerUnnamed(for: reactor, call: call)
    #expect(machine.didHandleAction(of: call).finishedCalls.isEmpty)
    #expect(machine.effectEnded(effect).finishedCalls == [call])
    let cancelled = machine.openCall(of: reactor)
    _ = machine.cancel(call: cancelled)
    #expect(machine.registerUnnamed(for: reactor, call: cancelled).isNone)
  }

  // MARK: Ends and values

  @Test("The end of an effect that is not known any more has no consequences")
  func endsTwice() {
    let first = machine.start(for: reactor, under: group, .concurrent(max: 1))
    let second = machine.start(for: reactor, under: group, .concurrent(max: 1))
    #expect(machine.effectEnded(first).started == [second])
    #expect(machine.effectEnded(first) == .init())
    #expect(machine.cancel(group: group).cancelled == [second])
    #expect(machine.effectEnded(second) == .init())
  }

  @Test("The end of an effect joins its last value if that is the newest of all that waits; else it is an arrival")
  func endJoinsValue() {
    let effect = machine.start(for: reactor, under: group, .latest)
    let other = machine.start(for: reactor)
    machine.arrive(1, of: effect, for: reactor)
    machine.arrive(2, of: other, for: reactor)
    #expect(machine.arrive(3, of: effect, for: reactor, stage: .effectEnd) == .waits)
    #expect(machine.waitingCount == 3, "another effect's value is between")
    machine.arrive(4, of: other, for: reactor)
    #expect(machine.arrive(5, of: other, for: reactor, stage: .effectEnd) == .waits)
    #expect(machine.arrive(6, of: other, for: reactor, stage: .effectEnd) == .waits, "said twice")
    #expect(machine.waitingCount == 4)
    #expect(machine.machine.effects[other]?.waitingValues == 2)
    #expect(machine.openTurn() && machine.next() == .work(reactor))
    let taken = (0..<4).map { _ in machine.take(for: reactor)! }
    #expect(taken.map(\.isLast) == [false, false, false, true])
    #expect(taken[2].stage == .effectEnd && taken[2].about == effect)
  }

  @Test("An end that joins is as good a reason for a turn or a drain as one that arrives")
  func joinedEndIsDrained() {
    let effect = machine.start(for: reactor)
    #expect(machine.arrive(1, of: effect, for: reactor) == .schedule)
    let end = ReactorMachine.Arrival(reactor: reactor, stage: .effectEnd, about: effect)
    #expect(machine.arrive(end, from: .queue(thread: TestThread.first)) == .drainNow)
    #expect(machine.waitingCount == 1)
    #expect(machine.next() == .work(reactor) && machine.take(for: reactor)?.isLast == true)
    machine.endPlainly(effect)
    #expect(machine.next() == .endOfTurn(schedule: nil) && machine.machine.effects.isEmpty)
    // Whoever has only announced a drain does not free the sender of the end from seeing to one.
    let second = machine.start(for: reactor)
    #expect(!machine.openTurn())
    let value = ReactorMachine.Arrival(reactor: reactor, stage: .mutation, about: second)
    guard case .schedule(let first) = machine.machine.arrive(value, from: .elsewhere),
      case .schedule(let again) = machine.machine.arrive(
        .init(reactor: reactor, stage: .effectEnd, about: second), from: .elsewhere)
    else {
      Issue.record("no drain is asked for")
      return
    }
    #expect(first == again && machine.waitingCount == 1)
  }

  @Test("Values of a cancelled effect are dropped: those that wait when their turn comes, later ones on arrival")
  func valuesOfTheCancelled() {
    let effect = machine.start(for: reactor, under: group, .latest)
    let other = machine.start(for: reactor)
    machine.arrive(1, of: effect, for: reactor)
    machine.arrive(2, of: other, for: reactor)
    machine.arrive(3, of: effect, for: reactor, stage: .failure)
    _ = machine.cancel(group: group)
    #expect(machine.arrive(4, of: effect, for: reactor) == .dropped)
    #expect(machine.arrive(5, of: effect, for: reactor, stage: .effectEnd) == .dropped)
    #expect(machine.runScheduledDrain() == [.dropped(1), .handled(2), .dropped(3)])
  }

  @Test("A new effect in the table's old place does not inherit waiting values")
  func noInheritance() {
    let old = machine.start(for: reactor, under: group, .latest)
    machine.arrive(1, of: old, for: reactor)
    let new = machine.start(for: reactor, under: group, .latest)
    #expect(new.index == old.index, "the case that matters")
    machine.arrive(2, of: new, for: reactor)
    #expect(machine.runScheduledDrain() == [.dropped(1), .handled(2)])
    #expect(machine.machine.effects[new]?.waitingValues == 0)
  }

  @Test("Who waits for the backlog is told with the value that makes it small enough, once")
  func backlog() {
    let effect = machine.start(for: reactor)
    #expect(!machine.wantsBelow(1, of: effect), "it is so already")
    for number in 1...3 { machine.arrive(number, of: effect, for: reactor) }
    #expect(machine.machine.effects[effect]?.waitingValues == 3)
    #expect(!machine.wantsBelow(4, of: effect))
    #expect(machine.wantsBelow(2, of: effect) && machine.wantsBelow(1, of: effect))
    #expect(machine.openTurn() && machine.next() == .work(reactor))
    let drained = (0..<3).map { _ in machine.take(for: reactor)!.drained }
    #expect(drained == [.none, effect, .none], "the larger of two bounds counts")
    #expect(!machine.wantsBelow(1, of: effect))
    #expect(!machine.wantsBelow(1, of: .none))
  }
}
