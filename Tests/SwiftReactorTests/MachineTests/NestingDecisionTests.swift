// The machine's nested reactors: ancestors start first, and what belongs to a state that is gone comes to nothing.

import Testing

@testable import SwiftReactor

@Suite("Machine: nesting")
struct NestingDecisionTests {
  private let bench = MachineBench()
  private let parent: SlotKey
  private let child: SlotKey

  init() {
    parent = bench.admit()
    child = bench.admit()
    bench.machine.setParent(of: child, to: parent)
  }

  private func dismiss(_ reactor: SlotKey) -> ReactorMachine.Consequences { bench.machine.dismiss(reactor) }

  @Test("Ancestors are started from above before the first step of a child")
  func ancestorsFirst() {
    let grandchild = bench.admit()
    bench.machine.setParent(of: grandchild, to: child)
    bench.arrive(1, for: grandchild, from: .elsewhere)
    bench.arrive(2, for: parent, from: .elsewhere)
    #expect(
      bench.runScheduledDrain()
        == [.started(parent), .started(child), .started(grandchild), .handled(1), .handled(2)])
  }

  @Test("A child that was used already waits for a parent that was not")
  func startedChild() {
    bench.machine.reactors[known: child].isStarted = true
    bench.arrive(1, for: child, from: .elsewhere)
    #expect(bench.openTurn())
    #expect(bench.take(for: child) == nil)
    #expect(bench.next() == .start(parent))
    #expect(bench.runTurn().events == [.handled(1)])
  }

  @Test("A parent that is gone starts no more; its child goes on alone")
  func parentIsGone() {
    bench.release(parent)
    bench.arrive(1, for: child, from: .elsewhere)
    #expect(bench.runScheduledDrain() == [.started(child), .handled(1)])
  }

  @Test("The effects of a child whose state goes are cancelled, and nobody else's")
  func effectsGo() {
    let mine = bench.start(for: child)
    let other = bench.start(for: parent)
    #expect(dismiss(child).cancelled == [mine])
    #expect(bench.phase(of: other) == .running)
    #expect(dismiss(child) == .init(), "once")
  }

  @Test("A child whose state goes in its own step starts no effects, and who performs its action returns")
  func goneInItsOwnStep() {
    let call = bench.openCall(of: child)
    let group = bench.makeGroup(for: child)
    _ = dismiss(child)
    #expect(bench.register(for: child, under: group, .latest, call: call) == .init(emptiedGroups: [group]))
    #expect(bench.registerUnnamed(for: child, call: call).isNone)
    #expect(bench.didHandleAction(of: call).finishedCalls == [call])
    #expect(bench.machine.effects.isEmpty && bench.machine.groups.isEmpty)
  }

  @Test("What waits for a child whose state goes is dropped and said to be late; values of its effects just go")
  func waitingIsLate() {
    bench.machine.reactors[known: parent].isStarted = true
    bench.machine.reactors[known: child].isStarted = true
    let effect = bench.start(for: child)
    bench.arrive(1, for: child, from: .elsewhere)
    bench.arrive(2, of: effect, for: child)
    _ = dismiss(child)
    #expect(bench.openTurn() && bench.next() == .work(child))
    let late = bench.take(for: child)
    #expect(late?.isDropped == true && late?.isLate == true)
    let value = bench.take(for: child)
    #expect(value?.isDropped == true && value?.isLate == false)
    #expect(bench.next() == .endOfTurn(schedule: nil))
  }

  @Test("What comes for a child whose state is gone is late; it never enters")
  func lateArrivals() {
    bench.machine.reactors[known: child].isStarted = true
    let effect = bench.start(for: child)
    _ = dismiss(child)
    #expect(bench.arrive(1, for: child, from: .elsewhere) == .late)
    #expect(bench.arrive(1, for: child, from: .queue(thread: TestThread.first)) == .late)
    #expect(bench.arrive(2, of: effect, for: child) == .dropped)
    #expect(!bench.enter(child))
    #expect(bench.waitingCount == 0 && !bench.isTurnOpen)
  }

  @Test("Observers of a child whose state is gone may still come and go")
  func observersStay() {
    bench.machine.reactors[known: child].isStarted = true
    _ = dismiss(child)
    let observer = bench.announceObserver(of: child)!
    bench.arrive(.init(reactor: child, stage: .observation, about: observer, call: MachineBench.tag(1)))
    bench.arrive(.init(reactor: child, stage: .tidying, call: MachineBench.tag(2)))
    #expect(bench.runScheduledDrain() == [.handled(1), .handled(2)])
  }

  @Test("A child that is nested anew is there again")
  func nestedAnew() {
    _ = dismiss(child)
    bench.machine.setParent(of: child, to: parent)
    bench.arrive(1, for: child, from: .elsewhere)
    #expect(bench.runScheduledDrain() == [.started(parent), .started(child), .handled(1)])
  }
}
