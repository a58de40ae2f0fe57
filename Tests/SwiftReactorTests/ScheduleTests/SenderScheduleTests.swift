// Every schedule of senders: on the queue, elsewhere, inside turns, at the start. The numbers of schedules are exact;
// a change of the machine that makes a decision earlier, later or not at all changes one of them.

import Testing

@testable import SwiftReactor

/// Explores a world and expects that all its schedules keep all guarantees, and that there are so many.
func expectSchedules(
  _ count: Int, _ plan: Plan, sourceLocation: SourceLocation = #_sourceLocation
) {
  let result = ScheduleExplorer.explore(plan)
  #expect(result.violation == nil && result.schedules == count, "\(result)", sourceLocation: sourceLocation)
}

@Suite("Schedules: senders")
struct SenderScheduleTests {
  // By hand. Whoever arrives first, say `a`, has to schedule the drain; twice as many for both. Where can `b` arrive?
  // Before `a` schedules (1), between that and the drain (1): both are handled in one turn. In the turn, which has six
  // steps left (next, take, mutate, commit, take: none, end), before each of them: a second block (6). After the turn: `b`
  // schedules by itself (1). Together 2 · (1 + 1 + 6 + 1).
  @Test("Two senders elsewhere, one action each")
  func twoElsewhere() {
    var plan = Plan()
    plan.sender("a", .elsewhere, count: 1)
    plan.sender("b", .elsewhere, count: 1)
    expectSchedules(18, plan)
  }

  // By hand. `a` arrives before `q` enters: its drain runs first (1), or `q` handles both in eleven steps (enter: no,
  // arrive, next, take, mutate, commit, take, mutate, commit, take: none, end) and `a` calls `async` before any of them
  // or after the last (12). `q` enters first: `a` arrives before `mutate`, `commit` or `leave`, which hands over to a later
  // block (3), or after it (1).
  @Test("One sender on the queue, one elsewhere")
  func queueAndElsewhere() {
    var plan = Plan()
    plan.sender("q", .queue, count: 1)
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(17, plan)
  }

  @Test("Two senders elsewhere, two actions each")
  func twoByTwo() {
    var plan = Plan()
    plan.sender("a", .elsewhere, count: 2)
    plan.sender("b", .elsewhere, count: 2)
    expectSchedules(7818, plan)
  }

  @Test("Three senders elsewhere")
  func three() {
    var plan = Plan()
    for name in ["a", "b", "c"] { plan.sender(name, .elsewhere, count: 1) }
    expectSchedules(0, plan)
  }

  @Test("One sender on the queue, two elsewhere")
  func queueAndTwo() {
    var plan = Plan()
    plan.sender("q", .queue, count: 2)
    plan.sender("a", .elsewhere, count: 2)
    plan.sender("b", .elsewhere, count: 1)
    expectSchedules(0, plan)
  }

  @Test("Two blocks of the queue that send, and one sender elsewhere")
  func twoBlocks() {
    var plan = Plan()
    plan.sender("p", .queue, count: 1)
    plan.sender("q", .queue, count: 2)
    plan.sender("a", .elsewhere, count: 2)
    expectSchedules(0, plan)
  }

  @Test("Actions that send actions from mutate, on the queue and in a drain, beside a sender elsewhere")
  func reentrant() {
    var plan = Plan()
    let q = plan.sender("q", .queue, count: 1)
    let a = plan.sender("a", .elsewhere, count: 2)
    let nested = plan.addSource(2)
    let deeper = plan.addSource(1)
    plan.reactions[Item(source: q, number: 1)] = Reaction(inMutate: [.send(Item(source: nested, number: 1), to: 0)])
    plan.reactions[Item(source: nested, number: 1)] = Reaction(inMutate: [
      .send(Item(source: nested, number: 2), to: 0)
    ])
    plan.reactions[Item(source: a, number: 1)] = Reaction(inMutate: [.send(Item(source: deeper, number: 1), to: 0)])
    expectSchedules(0, plan)
  }

  @Test("Actions that send actions from reduce: carried out after the step, in the same turn")
  func fromReduce() {
    var plan = Plan()
    let q = plan.sender("q", .queue, count: 2)
    let a = plan.sender("a", .elsewhere, count: 1)
    let nested = plan.addSource(2)
    let deeper = plan.addSource(1)
    plan.reactions[Item(source: q, number: 1)] = Reaction(inReduce: [
      .send(Item(source: nested, number: 1), to: 0), .send(Item(source: nested, number: 2), to: 0),
    ])
    plan.reactions[Item(source: a, number: 1)] = Reaction(inReduce: [.send(Item(source: deeper, number: 1), to: 0)])
    expectSchedules(0, plan)
  }

  @Test("Two reactors of one queue that send each other actions")
  func twoReactors() {
    var plan = Plan()
    plan.reactors = [ReactorPlan(), ReactorPlan()]
    let q = plan.sender("q", .queue, count: 1, to: 0)
    let a = plan.sender("a", .elsewhere, count: 1, to: 1)
    plan.sender("b", .elsewhere, count: 1, to: 0)
    let there = plan.addSource(1)
    let back = plan.addSource(1)
    plan.reactions[Item(source: q, number: 1)] = Reaction(inMutate: [.send(Item(source: there, number: 1), to: 1)])
    plan.reactions[Item(source: a, number: 1)] = Reaction(inMutate: [.send(Item(source: back, number: 1), to: 0)])
    expectSchedules(0, plan)
  }

  // MARK: Starts

  @Test("A start whose hooks inject two mutations, and two senders")
  func start() {
    var plan = Plan()
    let injected = plan.addSource(2)
    plan.reactors[0].isStarted = false
    plan.reactors[0].injections = [Item(source: injected, number: 1), Item(source: injected, number: 2)]
    plan.sender("q", .queue, count: 1)
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(0, plan)
  }

  @Test("Two reactors that both start, with injections, on first use by each other")
  func twoStarts() {
    var plan = Plan()
    let injected = plan.addSource(1)
    let other = plan.addSource(1)
    plan.reactors = [
      ReactorPlan(isStarted: false, injections: [Item(source: injected, number: 1)]),
      ReactorPlan(isStarted: false, injections: [Item(source: other, number: 1)]),
    ]
    let nested = plan.addSource(1)
    plan.reactions[Item(source: injected, number: 1)] = Reaction(
      inReduce: [.send(Item(source: nested, number: 1), to: 1)])
    plan.sender("a", .elsewhere, count: 1, to: 0)
    plan.sender("b", .elsewhere, count: 1, to: 1)
    expectSchedules(0, plan)
  }

  @Test("A reactor that is let go of while its hooks inject: the turn ends, and the others have theirs")
  func releasedWhileStarting() {
    var plan = Plan()
    let injected = plan.addSource(nil)
    plan.reactors = [
      ReactorPlan(
        isStarted: false, injections: [Item(source: injected, number: 1), Item(source: injected, number: 2)],
        references: 1),
      ReactorPlan(),
    ]
    let observer = plan.observer(of: 0)
    plan.thread("owner", .elsewhere, [.observe(observer), .letGo(of: 0)])
    plan.sender("a", .elsewhere, count: 1, to: 1)
    expectSchedules(0, plan)
  }

  // MARK: Releases

  @Test("A sender that lets go of the reactor after its last action: all are handled, then nothing is left")
  func sendAndLetGo() {
    var plan = Plan()
    plan.reactors[0].references = 2
    plan.sender("a", .elsewhere, count: 2, then: [.letGo(of: 0)])
    plan.sender("q", .queue, count: 1, then: [.letGo(of: 0)])
    expectSchedules(0, plan)
  }
}
