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
  // By hand. `a` arrives, puts the drain into the queue (A), and says that it is there (D). After A the drain's five steps
  // (open, take, mutate, commit, take: none) follow, and D comes before one of them or after the last.
  @Test("One sender elsewhere")
  func oneElsewhere() {
    var plan = Plan()
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(6, plan)
  }

  @Test("Two senders elsewhere, one action each")
  func twoElsewhere() {
    var plan = Plan()
    plan.sender("a", .elsewhere, count: 1)
    plan.sender("b", .elsewhere, count: 1)
    expectSchedules(13_662, plan)
  }

  // By hand; A and D as above.
  // `a` arrives before `q` enters:
  //   Its drain runs first: A, five steps of the drain, four of `q` (enter, mutate, commit, leave), D before one of these
  //   nine or after them: 10.
  //   `q` is first, and handles both in ten steps (enter: no, arrive, next, take, mutate, commit, take, mutate, commit,
  //   take: none); then the drain finds nothing (1). With i steps of `q` before A (0...10) the drain and the other 10 - i
  //   leave D 12 - i places: 12 + ... + 2 = 77.
  // `a` arrives before `mutate`, `commit` or `leave` of `q`, so that k = 3, 2 or 1 steps of `q` are left; with the last of
  // them, `leave`, the turn ends:
  //   A and D before the end, which then schedules nothing: k(k + 1)/2, together 6 + 3 + 1 = 10.
  //   A before the end (k places) and D behind it: `q` puts a drain into the queue too and says so (2), the first drain
  //   handles (5), the second finds nothing (1), D has 9 places: 9 * (3 + 2 + 1) = 54.
  //   A behind the end, with i of the seven steps (2 + 5) before it: the other 7 - i and the second drain leave D 9 - i
  //   places: 9 + ... + 2 = 44, for each of the three: 132.
  // `a` arrives after `leave`: 6, as alone.
  // Together 10 + 77 + 10 + 54 + 132 + 6.
  @Test("One sender on the queue, one elsewhere")
  func queueAndElsewhere() {
    var plan = Plan()
    plan.sender("q", .queue, count: 1)
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(289, plan)
  }

  @Test("Two senders elsewhere, two actions each")
  func twoByTwo() {
    var plan = Plan(scheduling: .inTwoSteps)
    plan.sender("a", .elsewhere, count: 2)
    plan.sender("b", .elsewhere, count: 2)
    expectSchedules(3_517_142, plan)
  }

  @Test("Three senders elsewhere")
  func three() {
    var plan = Plan(scheduling: .inTwoSteps)
    for name in ["a", "b", "c"] { plan.sender(name, .elsewhere, count: 1) }
    expectSchedules(55_650, plan)
  }

  @Test("One sender on the queue, two elsewhere")
  func queueAndTwo() {
    var plan = Plan(scheduling: .inTwoSteps)
    plan.sender("q", .queue, count: 2)
    plan.sender("a", .elsewhere, count: 2)
    plan.sender("b", .elsewhere, count: 1)
    expectSchedules(1_779_917, plan)
  }

  @Test("Two blocks of the queue that send, and one sender elsewhere")
  func twoBlocks() {
    var plan = Plan(scheduling: .inTwoSteps)
    plan.sender("p", .queue, count: 1)
    plan.sender("q", .queue, count: 2)
    plan.sender("a", .elsewhere, count: 2)
    expectSchedules(32_846, plan)
  }

  @Test("Actions that send actions from mutate, on the queue and in a drain, beside a sender elsewhere")
  func reentrant() {
    var plan = Plan(scheduling: .inTwoSteps)
    let q = plan.sender("q", .queue, count: 1)
    let a = plan.sender("a", .elsewhere, count: 2)
    let nested = plan.addSource(2)
    let deeper = plan.addSource(1)
    plan.reactions[Item(source: q, number: 1)] = Reaction(inMutate: [.send(Item(source: nested, number: 1), to: 0)])
    plan.reactions[Item(source: nested, number: 1)] = Reaction(inMutate: [
      .send(Item(source: nested, number: 2), to: 0)
    ])
    plan.reactions[Item(source: a, number: 1)] = Reaction(inMutate: [.send(Item(source: deeper, number: 1), to: 0)])
    expectSchedules(8493, plan)
  }

  @Test("Actions that send actions from reduce: carried out after the step, in the same turn")
  func fromReduce() {
    var plan = Plan(scheduling: .inTwoSteps)
    let q = plan.sender("q", .queue, count: 2)
    let a = plan.sender("a", .elsewhere, count: 1)
    let nested = plan.addSource(2)
    let deeper = plan.addSource(1)
    plan.reactions[Item(source: q, number: 1)] = Reaction(inReduce: [
      .send(Item(source: nested, number: 1), to: 0), .send(Item(source: nested, number: 2), to: 0),
    ])
    plan.reactions[Item(source: a, number: 1)] = Reaction(inReduce: [.send(Item(source: deeper, number: 1), to: 0)])
    expectSchedules(345, plan)
  }

  @Test("Two reactors of one queue that send each other actions")
  func twoReactors() {
    var plan = Plan(scheduling: .inTwoSteps)
    plan.reactors = [ReactorPlan(), ReactorPlan()]
    let q = plan.sender("q", .queue, count: 1, to: 0)
    let a = plan.sender("a", .elsewhere, count: 1, to: 1)
    plan.sender("b", .elsewhere, count: 1, to: 0)
    let there = plan.addSource(1)
    let back = plan.addSource(1)
    plan.reactions[Item(source: q, number: 1)] = Reaction(inMutate: [.send(Item(source: there, number: 1), to: 1)])
    plan.reactions[Item(source: a, number: 1)] = Reaction(inMutate: [.send(Item(source: back, number: 1), to: 0)])
    expectSchedules(96_659, plan)
  }

  // MARK: The queue's order

  @Test("What was sent is handled before a block that its sender puts into the queue afterwards")
  func beforeLaterBlocks() {
    var plan = Plan()
    plan.sender("a", .elsewhere, count: 1)
    let b = plan.addSource(1)
    plan.thread("b", .elsewhere, [.send(Item(source: b, number: 1), to: 0), .async(2)])
    plan.thread("block of b", .block, [.expect(Item(source: b, number: 1))])
    expectSchedules(98_100, plan)
  }

  @Test("Actions of one sender keep their order, also when it sends the next one from a block of the queue")
  func elsewhereThenOnQueue() {
    var plan = Plan(scheduling: .inTwoSteps)
    plan.sender("a", .elsewhere, count: 1)
    let b = plan.addSource(3)
    plan.thread("b", .elsewhere, [.send(Item(source: b, number: 1), to: 0), .async(2)])
    plan.thread(
      "block of b", .block,
      [
        .expect(Item(source: b, number: 1)), .send(Item(source: b, number: 2), to: 0),
        .expect(Item(source: b, number: 2)), .send(Item(source: b, number: 3), to: 0),
      ])
    expectSchedules(2672, plan)
  }

  @Test("An observer that spins a run loop keeps the turn open: what is sent meanwhile waits for a later drain")
  func spin() {
    var plan = Plan()
    let observer = plan.observer([1: [.spin]])
    plan.thread("o", .queue, [.observe(observer)])
    plan.sender("a", .elsewhere, count: 2)
    expectSchedules(489_652, plan)
  }

  // MARK: Starts

  @Test("A start whose hooks inject two mutations, and two senders")
  func start() {
    var plan = Plan(scheduling: .inTwoSteps)
    let injected = plan.addSource(2)
    plan.reactors[0].isStarted = false
    plan.reactors[0].injections = [Item(source: injected, number: 1), Item(source: injected, number: 2)]
    plan.sender("q", .queue, count: 1)
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(199, plan)
  }

  @Test("Two reactors that both start, with injections, on first use by each other")
  func twoStarts() {
    var plan = Plan(scheduling: .inTwoSteps)
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
    expectSchedules(515, plan)
  }

  @Test("A reactor that is let go of while its hooks inject: the turn ends, and the others have theirs")
  func releasedWhileStarting() {
    var plan = Plan(scheduling: .inTwoSteps)
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
    expectSchedules(26_172, plan)
  }

  // MARK: Releases

  @Test("A sender that lets go of the reactor after its last action: all are handled, then nothing is left")
  func sendAndLetGo() {
    var plan = Plan(scheduling: .inTwoSteps)
    plan.reactors[0].references = 2
    plan.sender("a", .elsewhere, count: 2, then: [.letGo(of: 0)])
    plan.sender("q", .queue, count: 1, then: [.letGo(of: 0)])
    expectSchedules(14_816, plan)
  }
}
