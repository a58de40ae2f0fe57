// Every schedule of `perform`: its effects, the cancellation of its task, and others under the same id.

import Testing

@testable import SwiftReactor

@Suite("Schedules: calls")
struct CallScheduleTests {
  private static let queued = ReactorMachine.Rule.concurrent(max: 1)

  /// A thread that performs one action, which starts effects.
  private func perform(
    _ plan: inout Plan, place: ThreadPlan.Place = .elsewhere, values: [Int], id: Int? = 0,
    rule: ReactorMachine.Rule = .latest
  ) -> (call: Int, effects: [Int]) {
    let call = plan.addCall()
    let item = Item(source: plan.addSource(1), number: 1)
    plan.thread("performs \(call)", place, [.perform(item, to: 0, call: call)])
    let effects = values.map { plan.effect(values: $0) }
    plan.reactions[item] = Reaction(requests: effects.map { .start($0, id: id, rule) })
    return (call, effects)
  }

  @Test("perform without effects, from elsewhere and on the queue")
  func withoutEffects() {
    var plan = Plan(scheduling: .inOneStep)
    _ = perform(&plan, values: [])
    _ = perform(&plan, place: .queue, values: [])
    expectSchedules(1146, plan)
  }

  @Test("perform returns when everything its effects emitted is committed")
  func withEffects() {
    var plan = Plan(scheduling: .inOneStep)
    _ = perform(&plan, values: [1, 1], id: nil, rule: .concurrent(max: .max))
    expectSchedules(435_734, plan)
  }

  @Test("perform of an action with a value that is there at once, and the cancel of the call")
  func instant() {
    var plan = Plan(scheduling: .inOneStep)
    let call = plan.addCall()
    let item = Item(source: plan.addSource(1), number: 1)
    plan.thread("performs", .elsewhere, [.perform(item, to: 0, call: call)])
    let instant = plan.addInstantEffect()
    plan.reactions[item] = Reaction(requests: [.instant(instant.effect, instant.item)])
    plan.thread("c", .elsewhere, [.cancelCall(call)])
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(25_212, plan)
  }

  @Test("perform on the queue commits before it suspends")
  func onQueue() {
    var plan = Plan(scheduling: .inOneStep)
    _ = perform(&plan, place: .queue, values: [1])
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(3600, plan)
  }

  @Test("perform, an effect with two values, and the cancel of the call")
  func cancel() {
    var plan = Plan(scheduling: .inOneStep)
    let call = perform(&plan, values: [2]).call
    plan.thread("c", .elsewhere, [.cancelCall(call)])
    expectSchedules(1_403_906, plan)
  }

  @Test("A call is cancelled whose effect another one waits behind: that one has its turn")
  func cancelBeforeQueued() {
    var plan = Plan(scheduling: .inOneStep)
    let call = perform(&plan, values: [0], rule: Self.queued).call
    let source = plan.sender("q", .queue, count: 1)
    let behind = plan.effect(values: 0)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.start(behind, id: 0, Self.queued)])
    plan.thread("c", .elsewhere, [.cancelCall(call)])
    expectSchedules(13_594_225, plan)
  }

  @Test("A call that queues two effects behind each other is cancelled")
  func cancelTwoQueued() {
    var plan = Plan(scheduling: .inOneStep)
    let call = perform(&plan, values: [1, 0], rule: Self.queued).call
    plan.thread("c", .elsewhere, [.cancelCall(call)])
    expectSchedules(425_102, plan)
  }

  @Test("A call is cancelled elsewhere while another action registers under the same id")
  func cancelWhileOtherRegisters() {
    var plan = Plan(scheduling: .inOneStep)
    let call = perform(&plan, values: [0]).call
    let source = plan.sender("q", .queue, count: 1)
    let effect = plan.effect(values: 0)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.start(effect, id: 0, .latest)])
    plan.thread("c", .elsewhere, [.cancelCall(call)])
    expectSchedules(32_651_236, plan)
  }

  @Test("A call with a throttled effect is cancelled: the window it opened is still timed, and closes")
  func cancelThrottled() {
    var plan = Plan(scheduling: .inOneStep)
    let performed = perform(&plan, values: [1], rule: .throttled(holdsLatest: true))
    plan.window(of: performed.effects[0])
    plan.thread("c", .elsewhere, [.cancelCall(performed.call)])
    expectSchedules(1_795_833, plan)
  }

  @Test("A newer effect replaces that of a call, which returns")
  func replaced() {
    var plan = Plan(scheduling: .inOneStep)
    _ = perform(&plan, values: [1])
    let source = plan.sender("q", .queue, count: 1)
    let effect = plan.effect(values: 0)
    plan.reactions[Item(source: source, number: 1)] = Reaction(requests: [.start(effect, id: 0, .latest)])
    expectSchedules(1_505_789, plan)
  }

  @Test("All effects are cancelled from elsewhere while a call waits for one of them")
  func cancelAll() {
    var plan = Plan(scheduling: .inOneStep)
    _ = perform(&plan, values: [1, 1], rule: Self.queued)
    plan.thread("c", .elsewhere, [.cancelEffects(of: 0)])
    expectSchedules(3_015_255, plan)
  }
}
