// The machine's calls: when a `perform` has seen everything, and what its cancellation takes with it.

import Testing

@testable import SwiftReactor

@Suite("Machine: calls")
struct CallTests {
  private let machine = MachineBench()
  private let reactor: SlotKey
  private let group: SlotKey

  init() {
    reactor = machine.admitStarted()
    group = machine.makeGroup(for: reactor)
  }

  @Test("A call without effects ends with the step of its action")
  func withoutEffects() {
    let call = machine.openCall(of: reactor)
    #expect(machine.machine.calls.contains(call))
    #expect(machine.didHandleAction(of: call).finishedCalls == [call])
    #expect(machine.didHandleAction(of: call) == .init(), "once")
  }

  @Test("A call ends with the last of its effects, and not before its step")
  func withEffects() {
    let call = machine.openCall(of: reactor)
    let first = machine.start(for: reactor, call: call)
    let second = machine.start(for: reactor, call: call)
    #expect(machine.effectEnded(first).finishedCalls.isEmpty)
    #expect(machine.didHandleAction(of: call).finishedCalls.isEmpty)
    #expect(machine.effectEnded(second).finishedCalls == [call])
  }

  @Test("An effect that ends within the step does not end the call")
  func endsWithinTheStep() {
    let call = machine.openCall(of: reactor)
    let effect = machine.start(for: reactor, call: call)
    #expect(machine.effectEnded(effect).finishedCalls.isEmpty)
    #expect(machine.didHandleAction(of: call).finishedCalls == [call])
  }

  @Test("Dropped, replaced and cancelled effects count as ended at once")
  func endedAtOnce() {
    let dropped = machine.openCall(of: reactor)
    _ = machine.start(for: reactor, under: group, .first)
    #expect(machine.register(for: reactor, under: group, .first, call: dropped).registered.isNone)
    #expect(machine.didHandleAction(of: dropped).finishedCalls == [dropped])

    let replaced = machine.openCall(of: reactor)
    _ = machine.start(for: reactor, under: group, .latest, call: replaced)
    _ = machine.didHandleAction(of: replaced)
    #expect(machine.register(for: reactor, under: group, .latest).finishedCalls == [replaced])

    let cancelled = machine.openCall(of: reactor)
    _ = machine.start(for: reactor, under: group, .concurrent(max: 1), call: cancelled)
    _ = machine.didHandleAction(of: cancelled)
    #expect(machine.cancel(group: group).finishedCalls == [cancelled])
  }

  @Test("A held effect that a newer one replaces ends its call")
  func heldIsReplaced() {
    _ = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    let call = machine.openCall(of: reactor)
    _ = machine.start(for: reactor, under: group, .throttled(holdsLatest: true), call: call)
    #expect(machine.didHandleAction(of: call).finishedCalls.isEmpty)
    #expect(machine.register(for: reactor, under: group, .throttled(holdsLatest: true)).finishedCalls == [call])
  }

  @Test("A throttle's window belongs to no call")
  func windowIsNobodys() {
    let call = machine.openCall(of: reactor)
    let outcome = machine.register(for: reactor, under: group, .throttled(holdsLatest: true), call: call)
    _ = machine.didHandleAction(of: call)
    #expect(machine.effectEnded(outcome.registered).finishedCalls == [call])
    #expect(machine.phase(of: outcome.openedWindows[0]) == .window)
  }

  @Test("Cancelling a call cancels its effects and nobody else's, and ends it if its step is over")
  func cancel() {
    let call = machine.openCall(of: reactor)
    let other = machine.start(for: reactor)
    let mine = machine.start(for: reactor, call: call)
    _ = machine.didHandleAction(of: call)
    let outcome = machine.cancel(call: call)
    #expect(outcome.cancelled == [mine] && outcome.finishedCalls == [call])
    #expect(machine.phase(of: other) == .running)
    #expect(machine.cancel(call: call) == .init(), "it is over")
  }

  @Test("A call that is cancelled before its step gets no effects, and still ends with its step")
  func cancelBeforeTheStep() {
    let call = machine.openCall(of: reactor)
    #expect(machine.cancel(call: call) == .init())
    #expect(machine.register(for: reactor, call: call) == .init())
    #expect(machine.register(for: reactor, under: group, .latest, call: call).registered.isNone)
    #expect(machine.didHandleAction(of: call).finishedCalls == [call])
    #expect(machine.machine.effects.isEmpty)
  }

  @Test("An effect of a cancelled call replaces nobody")
  func cancelledCallReplacesNobody() {
    let running = machine.start(for: reactor, under: group, .latest)
    let call = machine.openCall(of: reactor)
    _ = machine.cancel(call: call)
    #expect(machine.register(for: reactor, under: group, .latest, call: call) == .init())
    #expect(machine.phase(of: running) == .running)
  }

  @Test("Whoever waits behind a cancelled call's effect has its turn")
  func cancelStartsTheNext() {
    let call = machine.openCall(of: reactor)
    let mine = machine.start(for: reactor, under: group, .concurrent(max: 1), call: call)
    let next = machine.start(for: reactor, under: group, .concurrent(max: 1))
    let outcome = machine.cancel(call: call)
    #expect(outcome.cancelled == [mine] && outcome.started == [next] && outcome.emptiedGroups.isEmpty)
    #expect(machine.phase(of: next) == .running)
  }

  @Test("Effects of one call that wait for each other go together, and nobody who lives is left waiting")
  func cancelSeveralQueued() {
    let call = machine.openCall(of: reactor)
    let mine = (0..<3).map { _ in machine.start(for: reactor, under: group, .concurrent(max: 1), call: call) }
    let other = machine.start(for: reactor, under: group, .concurrent(max: 1))
    let outcome = machine.cancel(call: call)
    #expect(outcome.cancelled == mine)
    #expect(outcome.started.filter { machine.machine.effects.contains($0) } == [other])
    #expect(machine.phase(of: other) == .running)
  }

  @Test("A cancelled call leaves a throttle's window open: its held effect goes, the next one is held")
  func cancelHeld() {
    let first = machine.register(for: reactor, under: group, .throttled(holdsLatest: true))
    let call = machine.openCall(of: reactor)
    let held = machine.start(for: reactor, under: group, .throttled(holdsLatest: true), call: call)
    #expect(machine.cancel(call: call).cancelled == [held])
    let next = machine.start(for: reactor, under: group, .throttled(holdsLatest: true))
    #expect(machine.phase(of: next) == .waiting)
    #expect(machine.effectEnded(first.openedWindows[0]).started == [next])
  }

  @Test("Cancelling the last effect of an id forgets the id")
  func cancelForgets() {
    let call = machine.openCall(of: reactor)
    _ = machine.start(for: reactor, under: group, .latest, call: call)
    #expect(machine.cancel(call: call).emptiedGroups == [group])
    #expect(machine.machine.groups.isEmpty)
  }

  @Test("An effect that waits, through perform, for its own id is noticed")
  func selfWait() {
    let origin = machine.start(for: reactor, under: group, .concurrent(max: 1))
    let call = machine.openCall(of: reactor, origin: origin)
    let outcome = machine.register(for: reactor, under: group, .concurrent(max: 1), call: call)
    #expect(outcome.isSelfWait && machine.phase(of: outcome.registered) == .waiting)
  }

  @Test("It is noticed through other calls too, and not where nothing waits for itself")
  func selfWaitThroughCalls() {
    let otherGroup = machine.makeGroup(for: reactor)
    let origin = machine.start(for: reactor, under: group, .concurrent(max: 1))
    let outer = machine.openCall(of: reactor, origin: origin)
    let middle = machine.register(for: reactor, under: otherGroup, .concurrent(max: 1), call: outer)
    #expect(!middle.isSelfWait)
    let inner = machine.openCall(of: reactor, origin: middle.registered)
    #expect(machine.register(for: reactor, under: group, .concurrent(max: 1), call: inner).isSelfWait)
    let stranger = machine.openCall(of: reactor)
    #expect(!machine.register(for: reactor, under: group, .concurrent(max: 1), call: stranger).isSelfWait)
    #expect(!machine.register(for: reactor, under: group, .concurrent(max: 9), call: inner).isSelfWait, "it runs")
  }

  @Test("Releasing the reactor ends the calls whose effects it takes along")
  func release() {
    let call = machine.openCall(of: reactor)
    let effect = machine.start(for: reactor, under: group, .latest, call: call)
    _ = machine.didHandleAction(of: call)
    let remains = machine.release(reactor)
    #expect(remains.consequences.cancelled == [effect])
    #expect(remains.consequences.finishedCalls == [call] && remains.consequences.emptiedGroups == [group])
    let tables = machine.machine
    #expect(tables.reactors.isEmpty && tables.effects.isEmpty && tables.groups.isEmpty && tables.calls.isEmpty)
  }
}
