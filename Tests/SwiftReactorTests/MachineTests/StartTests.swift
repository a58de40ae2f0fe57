// The machine's starts: once, on first use, and what hooks inject comes before what waits.

import Testing

@testable import SwiftReactor

@Suite("Machine: starts")
struct StartTests {
  private let machine = MachineBench()
  private let reactor: SlotKey

  init() { reactor = machine.admit() }

  @Test("A reactor starts once, before its first arrival is handled")
  func startsOnce() {
    machine.arrive(1, for: reactor, from: .elsewhere)
    machine.arrive(2, for: reactor, from: .elsewhere)
    #expect(machine.runScheduledDrain() == [.started(reactor), .handled(1), .handled(2)])
    machine.arrive(3, for: reactor, from: .elsewhere)
    #expect(machine.runScheduledDrain() == [.handled(3)])
  }

  @Test(
    "Every kind of arrival is a first use, except a restore and tidying up",
    arguments: [
      ReactorMachine.Stage.action, .actionBehindHook, .mutation, .mutationBehindHook, .shownState, .restore, .failure,
      .observation, .start, .tidying,
    ])
  func firstUse(_ stage: ReactorMachine.Stage) {
    let isFirstUse = stage != .restore && stage != .tidying
    #expect(stage.needsStart == isFirstUse)
    _ = machine.arrive(.init(reactor: reactor, stage: stage), from: .elsewhere)
    #expect(machine.openTurn())
    #expect(machine.next() == (isFirstUse ? .start(reactor) : .work(reactor)))
    #expect(machine.machine.reactors[reactor]?.isStarted == isFirstUse)
    #expect(machine.take(for: reactor) != nil)
  }

  @Test("An arrival that needs the start is not taken before it")
  func notTakenBeforeStart() {
    _ = machine.arrive(.init(reactor: reactor, stage: .restore), from: .elsewhere)
    machine.arrive(1, for: reactor, from: .elsewhere)
    #expect(machine.openTurn())
    #expect(machine.next() == .work(reactor))
    #expect(machine.take(for: reactor)?.arrival.stage == .restore)
    #expect(machine.take(for: reactor) == nil)
    #expect(machine.next() == .start(reactor))
    #expect(machine.take(for: reactor)?.arrival.stage == .action)
  }

  @Test("What hooks inject while they start is handled before the arrival that caused the start, in its own order")
  func injections() {
    machine.arrive(1, for: reactor, from: .queue(thread: TestThread.first))
    let turn = machine.runTurn(onStart: { reactor in
      for number in 2...4 {
        #expect(machine.arrive(number, for: reactor, from: .startingHook) == .waits)
      }
    })
    #expect(turn.events == [.started(reactor), .injected(2), .injected(3), .injected(4), .handled(1)])
  }

  @Test("Injected arrivals come before everything that waits, whoever it is for")
  func injectionsBeforeOthers() {
    let other = machine.admitStarted()
    machine.arrive(1, for: reactor, from: .elsewhere)
    machine.arrive(2, for: other, from: .elsewhere)
    #expect(machine.openTurn())
    #expect(machine.next() == .start(reactor))
    machine.arrive(3, for: reactor, from: .startingHook)
    #expect(machine.waitingCount == 3)
    #expect(machine.take(for: other) == nil)
    #expect(machine.runTurn().events == [.injected(3), .handled(1), .handled(2)])
  }

  @Test("What an injected step sends waits behind the arrival that caused the start")
  func injectionSends() {
    machine.arrive(1, for: reactor, from: .queue(thread: TestThread.first))
    let turn = machine.runTurn(
      onHandle: { number in
        if number == 2 { machine.arrive(3, for: reactor, from: .queue(thread: TestThread.first)) }
      },
      onStart: { reactor in machine.arrive(2, for: reactor, from: .startingHook) })
    #expect(turn.events == [.started(reactor), .injected(2), .handled(1), .handled(3)])
  }

  @Test("The turn cannot be left the short way while something injected waits")
  func leaveWithInjections() {
    machine.arrive(1, for: reactor, from: .queue(thread: TestThread.first))
    #expect(machine.next() == .start(reactor))
    machine.arrive(2, for: reactor, from: .startingHook)
    #expect(machine.take(for: reactor)?.isInjected == true)
    #expect(machine.take(for: reactor)?.isInjected == false)
    machine.arrive(3, for: reactor, from: .startingHook)
    #expect(!machine.leave())
    #expect(machine.runTurn().events == [.injected(3)])
  }

  @Test("What was injected for a reactor that was released meanwhile is skipped, and the turn ends")
  func releasedAfterInjecting() {
    let other = machine.admitStarted()
    _ = machine.arrive(.init(reactor: reactor, stage: .start), from: .elsewhere)
    machine.arrive(1, for: other, from: .elsewhere)
    #expect(machine.openTurn())
    #expect(machine.next() == .start(reactor))
    machine.arrive(2, for: reactor, from: .startingHook)
    machine.arrive(3, for: reactor, from: .startingHook)
    machine.release(reactor)
    #expect(machine.next() == .work(other), "not the released one, for ever")
    #expect(machine.runTurn().events == [.handled(1)])
    #expect(machine.waitingCount == 0)
  }

  @Test("Every reactor of a queue has its own start")
  func ownStarts() {
    let other = machine.admit()
    machine.arrive(1, for: reactor, from: .elsewhere)
    machine.arrive(2, for: other, from: .elsewhere)
    machine.arrive(3, for: reactor, from: .elsewhere)
    #expect(
      machine.runScheduledDrain() == [.started(reactor), .handled(1), .started(other), .handled(2), .handled(3)])
  }
}
