// Explorations that could say nothing, because something was made in the wrong place or said twice: each is a failure.

import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Explore · Mistakes of a test", .serialized)
struct ExploreMistakeTests {
  private func explored(
    _ scenario: Scenario<OrderReactor>, limits: ExplorationLimits = ExplorationLimits(),
    _ make: @escaping @Sendable () -> OrderReactor
  ) async -> Exploration {
    await TestFailures.withHandler({ _ in }) {
      await explore(reactor: make, scenario: scenario, limits: limits, invariant: { _ in true })
    }
  }

  @Test("A clock that was made elsewhere is reported with the effect that sleeps on it, also in a script")
  func strayClock() async {
    let clock = ManualClock()
    let scenarios: [Scenario<OrderReactor>] = [
      Scenario(.sender("user", .send(.later("a", 1))), .sender("time", .advance(by: .seconds(2)))),
      .script(.send(.later("a", 1)), .advance(by: .seconds(2))),
    ]
    for scenario in scenarios {
      let exploration = await explored(scenario) { OrderReactor(clock: clock) }
      #expect(
        exploration.failure?.hasPrefix("explore: the effect of .later(\"a\", 1) sleeps on a ManualClock") == true,
        "\(exploration.failure ?? "nothing")")
      #expect(exploration.failure?.contains("make the clock inside `reactor:`") == true)
      #expect(!exploration.isComplete)
    }
  }

  @Test("A reactor that was made elsewhere, or comes twice, is reported")
  func strayReactor() async {
    let one = OrderReactor()
    let kept = Kept()
    let makers: [@Sendable () -> OrderReactor] = [
      { one },
      { kept.reactor },
    ]
    for make in makers {
      let exploration = await explored(
        Scenario(.sender("a", .send(.add("a"))), .sender("b", .send(.add("b")))), make)
      #expect(
        exploration.failure?.hasPrefix("explore: `reactor:` returns a reactor that was not made in it.") == true,
        "\(exploration.failure ?? "nothing")")
      #expect(exploration.failure?.contains("Make the reactor inside `reactor:`") == true)
      #expect(!exploration.isComplete)
    }
    let script = await explored(.script(.send(.add("a")))) { one }
    #expect(script.failure?.contains("Make the reactor inside `reactor:`") == true)
    #expect(one.state.names == [])
  }

  @Test("Two senders with one name are reported: a script could not tell them apart")
  func sameNames() async {
    let exploration = await explored(
      Scenario(.sender("user", .send(.add("a"))), .sender("user", .send(.add("b"))))
    ) { OrderReactor() }
    #expect(exploration.failure?.hasPrefix("explore: two senders are named \"user\".") == true)
    #expect(exploration.runs == 0)
  }

  @Test("Limits that allow no run stop the test", .timeLimit(.minutes(2)))
  func noRuns() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(
        reactor: { OrderReactor() }, scenario: Scenario(.sender("a", .send(.add("a")))),
        limits: ExplorationLimits(runs: 0, randomOrders: 0), invariant: { _ in true })
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("explore of OrderReactor needs at least one run"))
  }
}

/// Makes a reactor when it is asked for one, and then has it.
private final class Kept: @unchecked Sendable {
  // Safe to share: only the exploration uses it.
  lazy var reactor = OrderReactor()
}
