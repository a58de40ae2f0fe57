// Every schedule of small worlds.

import Testing

@testable import SwiftReactor

@Suite("Schedules: senders")
struct SenderScheduleTests {
  @Test("two senders elsewhere")
  func two() {
    var plan = Plan()
    plan.sender("a", .elsewhere, count: 1)
    plan.sender("b", .elsewhere, count: 1)
    let result = ScheduleExplorer.explore(plan)
    print(result)
    #expect(result.schedules == 18)
  }
  @Test("two by two")
  func twoByTwo() {
    var plan = Plan()
    plan.sender("a", .elsewhere, count: 2)
    plan.sender("b", .elsewhere, count: 2)
    let result = ScheduleExplorer.explore(plan)
    print(result)
  }
}
