// Every schedule of effects: their values, ends and cancels, the rules for one id, and the release of their reactor.

import Testing

@testable import SwiftReactor

@Suite("Schedules: effects")
struct EffectScheduleTests {
  private static let concurrent = ReactorMachine.Rule.concurrent(max: .max)
  private static let queued = ReactorMachine.Rule.concurrent(max: 1)

  /// One action that starts an effect under an id.
  private func start(
    _ plan: inout Plan, values: Int, rule: ReactorMachine.Rule = .latest, id: Int? = 0, place: ThreadPlan.Place = .queue
  ) -> Int {
    let source = plan.sender("starts \(plan.effects.count)", place, count: 1)
    let effect = plan.effect(values: values)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.start(effect, id: id, rule)])
    return effect
  }

  private func cancel(_ plan: inout Plan, place: ThreadPlan.Place) {
    let source = plan.sender("cancels", place, count: 1)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.cancel(id: 0)])
  }

  @Test("An effect without an id, two values, and a sender elsewhere")
  func values() {
    var plan = Plan(scheduling: .inOneStep)
    _ = start(&plan, values: 2, rule: Self.concurrent, id: nil)
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(4581, plan)
  }

  @Test("A value that is there at once is handled in the turn, and ends its effect, unless all are cancelled before")
  func instant() {
    var plan = Plan(scheduling: .inOneStep)
    let source = plan.sender("q", .queue, count: 1)
    let instant = plan.addInstantEffect()
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.instant(instant.effect, instant.item)])
    let observer = plan.observer()
    plan.thread("o", .elsewhere, [.observe(observer)])
    plan.thread("c", .elsewhere, [.cancelEffects(of: 0)])
    expectSchedules(499, plan)
  }

  @Test("A value that is there at once, with nobody to be told: it passes if nothing has come from elsewhere meanwhile")
  func pass() {
    var plan = Plan(scheduling: .inOneStep)
    let source = plan.sender("q", .queue, count: 2)
    let instant = plan.addInstantEffect()
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.instant(instant.effect, instant.item)])
    plan.reactions[instant.item] = Reaction(inReduce: [.send(Item(source: plan.addSource(nil), number: 1), to: 0)])
    plan.sender("a", .elsewhere, count: 2)
    plan.thread("c", .elsewhere, [.cancelEffects(of: 0)])
    expectSchedules(7219, plan)
  }

  @Test("An effect with two values, its end, and a cancel on the queue")
  func cancelOnQueue() {
    var plan = Plan(scheduling: .inOneStep)
    _ = start(&plan, values: 2)
    cancel(&plan, place: .queue)
    expectSchedules(711, plan)
  }

  @Test("An effect with two values, its end, and a cancel by an action from elsewhere")
  func cancelByAction() {
    var plan = Plan(scheduling: .inOneStep)
    _ = start(&plan, values: 2)
    cancel(&plan, place: .elsewhere)
    expectSchedules(3955, plan)
  }

  @Test("An effect with two values, and all effects cancelled from elsewhere")
  func cancelAllElsewhere() {
    var plan = Plan(scheduling: .inOneStep)
    _ = start(&plan, values: 2)
    plan.thread("c", .elsewhere, [.cancelEffects(of: 0)])
    expectSchedules(5471, plan)
  }

  @Test("An effect, an observer that cancels all effects at its first value, and a sender")
  func cancelInCallback() {
    var plan = Plan(scheduling: .inOneStep)
    let observer = plan.observer([2: [.cancelEffects(of: 0)]])
    plan.thread("o", .queue, [.observe(observer)])
    _ = start(&plan, values: 2)
    expectSchedules(2063, plan)
  }

  @Test("Left to right in one answer: cancel and start runs, start and cancel is nothing")
  func leftToRight() {
    var plan = Plan(scheduling: .inOneStep)
    let source = plan.sender("q", .queue, count: 2)
    let runs = plan.effect(values: 1)
    let first = plan.effect(values: 1)
    let second = plan.effect(values: 1)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [
      .start(first, id: 0, .latest), .cancel(id: 0),
    ])
    plan.reactions[Item(source: source, number: 2)] = Reaction(requests: [
      .cancel(id: 0), .start(runs, id: 0, .latest), .start(second, id: 1, .latest),
    ])
    expectSchedules(4792, plan)
  }

  @Test(
    "Two effects under one id",
    arguments: [
      (ReactorMachine.Rule.latest, 49_603), (.first, 1918), (queued, 11_238), (concurrent, 125_044),
      (.concurrent(max: 2), 125_044),
    ])
  func two(_ rule: ReactorMachine.Rule, _ count: Int) {
    var plan = Plan(scheduling: .inOneStep)
    _ = start(&plan, values: 1, rule: rule)
    _ = start(&plan, values: 1, rule: rule, place: .elsewhere)
    expectSchedules(count, plan)
  }

  @Test("Two queued effects, and all effects cancelled from elsewhere")
  func queuedAndCancelled() {
    var plan = Plan(scheduling: .inOneStep)
    let source = plan.sender("q", .queue, count: 1)
    let effects = [plan.effect(values: 1), plan.effect(values: 1)]
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: effects.map { .start($0, id: 0, Self.queued) })
    plan.thread("c", .elsewhere, [.cancelEffects(of: 0)])
    expectSchedules(8871, plan)
  }

  @Test(
    "Throttled: the first starts, the second is held for the window's end",
    arguments: [(true, 179_554), (false, 30_768)])
  func throttled(_ holdsLatest: Bool, _ count: Int) {
    var plan = Plan(scheduling: .inOneStep)
    let rule = ReactorMachine.Rule.throttled(holdsLatest: holdsLatest)
    let first = start(&plan, values: 0, rule: rule)
    plan.window(of: first)
    let second = start(&plan, values: 0, rule: rule, place: .elsewhere)
    plan.window(of: second)
    expectSchedules(count, plan)
  }

  @Test("Throttled, and a cancel that closes the window")
  func throttledAndCancelled() {
    var plan = Plan(scheduling: .inOneStep)
    let first = start(&plan, values: 1, rule: .throttled(holdsLatest: true))
    plan.window(of: first)
    cancel(&plan, place: .elsewhere)
    expectSchedules(15_586, plan)
  }

  // MARK: Releases

  @Test("An effect, and the last reference to its reactor goes: nothing of it is handled any more")
  func release() {
    var plan = Plan(scheduling: .inOneStep)
    plan.reactors[0].references = 1
    let source = plan.sender("q", .queue, count: 1, then: [.letGo(of: 0)])
    let effect = plan.effect(values: 2)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.start(effect, id: 0, .latest)])
    expectSchedules(32, plan)
  }

  @Test("An effect, a cancel, and the release of the reactor from elsewhere")
  func cancelAndRelease() {
    var plan = Plan(scheduling: .inOneStep)
    plan.reactors[0].references = 2
    let source = plan.sender("q", .queue, count: 1, then: [.letGo(of: 0)])
    let effect = plan.effect(values: 1)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.start(effect, id: 0, .latest)])
    plan.thread("c", .elsewhere, [.cancelEffects(of: 0), .letGo(of: 0)])
    expectSchedules(20_136, plan)
  }

  @Test("A reactor goes while values of its effect wait, and another reactor's action behind them")
  func releaseWhileValuesWait() {
    var plan = Plan(scheduling: .inOneStep)
    plan.reactors = [ReactorPlan(references: 2), ReactorPlan()]
    let source = plan.sender("q", .queue, count: 1, then: [.letGo(of: 0)])
    let effect = plan.effect(values: 2)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.start(effect, id: nil, Self.concurrent)])
    plan.thread("r", .elsewhere, [.letGo(of: 0)])
    plan.sender("a", .elsewhere, count: 1, to: 1)
    expectSchedules(490_107, plan)
  }
}
