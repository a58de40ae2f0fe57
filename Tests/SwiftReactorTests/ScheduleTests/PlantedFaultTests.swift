// Mistakes that are planted into what carries the machine's decisions out. Each must be found, and by the invariant that
// is named for it: an explorer that finds nothing proves nothing.

import Testing

@testable import SwiftReactor

@Suite("Schedules: planted faults")
struct PlantedFaultTests {
  /// Explores a world with a mistake and expects that it breaks this guarantee.
  private func expect(
    _ fault: Fault, toBreak guarantee: Guarantee, _ plan: Plan, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var plan = plan
    #expect(
      ScheduleExplorer.explore(plan).violation == nil, "the world is sound without the mistake",
      sourceLocation: sourceLocation)
    plan.fault = fault
    let result = ScheduleExplorer.explore(plan)
    #expect(result.violation?.guarantee == guarantee, "\(result)", sourceLocation: sourceLocation)
    #expect(!result.schedule.isEmpty, "a schedule shows it", sourceLocation: sourceLocation)
  }

  private var twoSenders: Plan {
    var plan = Plan(scheduling: .inTwoSteps)
    plan.sender("a", .elsewhere, count: 2)
    plan.sender("b", .elsewhere, count: 1)
    return plan
  }

  private var queueAndElsewhere: Plan {
    var plan = Plan(scheduling: .inTwoSteps)
    plan.sender("q", .queue, count: 1)
    plan.sender("a", .elsewhere, count: 2)
    return plan
  }

  private var observed: Plan {
    var plan = Plan(scheduling: .inTwoSteps)
    let observer = plan.observer()
    plan.sender("a", .elsewhere, count: 2)
    plan.thread("o", .elsewhere, [.observe(observer)])
    return plan
  }

  private var effect: Plan {
    var plan = Plan(scheduling: .inOneStep)
    let source = plan.sender("q", .queue, count: 1)
    let effect = plan.effect(values: 1)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.start(effect, id: 0, .latest)])
    let other = plan.sender("c", .queue, count: 1)
    plan.reactions[Item(source: other, number: 1)] = Reaction(requests: [.cancel(id: 0)])
    return plan
  }

  @Test("Two drainers: a sender elsewhere drains by itself")
  func twoDrainers() { expect(.drainsElsewhere, toBreak: .singleDrainer, twoSenders) }

  @Test("A lost wake-up: the schedule at the end of a turn is forgotten")
  func lostWakeUp() {
    // The drain of what comes meanwhile may be used up by an observer that spins a run loop.
    var plan = Plan()
    let observer = plan.observer([1: [.spin]])
    plan.thread("o", .queue, [.observe(observer)])
    plan.sender("a", .elsewhere, count: 2)
    expect(.lostWakeUp, toBreak: .noLostWakeUp, plan)
  }

  @Test("A lost wake-up: a sender elsewhere puts no drain into the queue")
  func neverScheduled() { expect(.neverScheduled, toBreak: .noLostWakeUp, queueAndElsewhere) }

  @Test("A sender goes on before the drain that it relies on is in the queue")
  func scheduledBySomebodyElse() {
    var plan = Plan()
    plan.sender("a", .elsewhere, count: 1)
    let b = plan.addSource(1)
    plan.thread("b", .elsewhere, [.send(Item(source: b, number: 1), to: 0), .async(2)])
    plan.thread("block of b", .block, [.expect(Item(source: b, number: 1))])
    expect(.scheduledBySomebodyElse, toBreak: .beforeLaterBlocks, plan)
  }

  @Test("Last in, first out")
  func lastInFirstOut() { expect(.lastInFirstOut, toBreak: .inOrder, twoSenders) }

  @Test("A dropped arrival: what comes while a turn runs is not kept")
  func droppedArrival() { expect(.droppedArrival, toBreak: .inOrder, queueAndElsewhere) }

  @Test("A sender on the queue leaves its action to a later drain")
  func notNow() { expect(.notNow, toBreak: .onTheQueueNow, queueAndElsewhere) }

  @Test("A nested step: what is sent in a step is handled inside it")
  func nested() {
    var plan = queueAndElsewhere
    let nested = plan.addSource(1)
    plan.reactions[Item(source: 0, number: 1)] = Reaction(inMutate: [.send(Item(source: nested, number: 1), to: 0)])
    expect(.nestedStep, toBreak: .insideATurnNext, plan)
  }

  @Test("A turn that never yields: every arrival moves its end")
  func endlessTurn() { expect(.endlessTurn, toBreak: .turnEnd, queueAndElsewhere) }

  @Test("mutate and commit are not one: mutate runs where the action was sent")
  func notAtomic() { expect(.mutateOnTheSendersThread, toBreak: .atomicStep, twoSenders) }

  @Test("Delivery before commit")
  func deliveryBeforeCommit() { expect(.deliveryBeforeCommit, toBreak: .commitFirst, observed) }

  @Test("Announced late: an observer reads its initial value, and is registered in another step")
  func announcedLate() { expect(.announcedLate, toBreak: .oneInitialValue, observed) }

  @Test("An observer is told twice")
  func toldTwice() { expect(.toldTwice, toBreak: .oneInitialValue, observed) }

  @Test("A delivery from a copy of the list: somebody is called after the cancel in a callback before it")
  func deliveryFromACopy() {
    var plan = Plan()
    let canceller = plan.observer([1: [.cancelObserver(1)]])
    let victim = plan.observer()
    plan.thread("q", .queue, [.observe(canceller), .observe(victim)])
    plan.sender("a", .elsewhere, count: 1)
    expect(.deliversFromACopy, toBreak: .nothingAfterCancelOfObserver, plan)
  }

  @Test("Registered after start")
  func registeredAfterStart() { expect(.registeredAfterStart, toBreak: .registeredBeforeStart, effect) }

  @Test("A value after the cancel: what the machine says is dropped is handled")
  func valueAfterCancel() { expect(.valueAfterCancel, toBreak: .nothingAfterCancelOfEffect, effect) }

  @Test("A released reactor does not say goodbye")
  func staysAfterRelease() {
    var plan = Plan()
    plan.reactors[0].references = 1
    let observer = plan.observer()
    plan.thread("q", .queue, [.observe(observer), .letGo(of: 0)])
    expect(.staysAfterRelease, toBreak: .nothingAfterRelease, plan)
  }

  @Test("A window that nobody times, because its effect's call was cancelled before the start, stays for ever")
  func windowIsNotTimed() {
    var plan = Plan(scheduling: .inOneStep)
    let call = plan.addCall()
    let item = Item(source: plan.addSource(1), number: 1)
    plan.thread("p", .elsewhere, [.perform(item, to: 0, call: call)])
    let effect = plan.effect(values: 0)
    plan.window(of: effect)
    plan.reactions[item] = Reaction(requests: [.start(effect, id: 0, .throttled(holdsLatest: true))])
    plan.thread("c", .elsewhere, [.cancelCall(call)])
    expect(.windowIsNotTimed, toBreak: .nothingAfterRelease, plan)
  }

  @Test("Whoever waits for a cancelled call is not woken")
  func forgottenCall() {
    var plan = Plan(scheduling: .inOneStep)
    let call = plan.addCall()
    let item = Item(source: plan.addSource(1), number: 1)
    plan.thread("p", .elsewhere, [.perform(item, to: 0, call: call)])
    let effect = plan.effect(values: 1)
    plan.reactions[item] = Reaction(requests: [.start(effect, id: nil, .concurrent(max: .max))])
    plan.thread("c", .elsewhere, [.cancelCall(call)])
    expect(.callIsForgotten, toBreak: .performReturns, plan)
  }
}
