// The same seed gives the same run, whatever else the machine does.

import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Explore · The same every time", .serialized)
struct ExploreSameTests {
  /// Every state of every order, and what came out.
  private func run(seed: UInt64, limits: ExplorationLimits) async -> (states: [[String]], exploration: Exploration) {
    let states = Collected<[String]>()
    let exploration = await explore(
      reactor: { OrderReactor(gates: ["1", "2", "ask"]) },
      scenario: Scenario(
        after: [.send(.ask(["1", "2"]))],
        .sender("user", .send(.askLatest("a")), .send(.say("x")), .send(.askLatest("b"))),
        .sender("time", .advance(by: .seconds(3))),
        .sender("far", .send(.later("late", 1)), .send(.later("later", 2)), .cancelEffects).elsewhere),
      limits: limits, seed: seed,
      invariant: { state in
        states.insert(state.names)
        return true
      })
    return (states.list, exploration)
  }

  @Test("The same seed gives the same orders and the same states, 100 times")
  func same() async {
    let limits = ExplorationLimits(runs: 3, randomOrders: 5)
    let (states, exploration) = await run(seed: 7, limits: limits)
    #expect(exploration.failure == nil && !exploration.isComplete)
    #expect(Set(states).count > 5)
    for _ in 1..<100 {
      let (again, sameExploration) = await run(seed: 7, limits: limits)
      #expect(again == states)
      #expect(sameExploration.runs == exploration.runs)
    }
    let (others, _) = await run(seed: 8, limits: limits)
    #expect(others != states)
  }

  @Test("The same failure is found with the same script, 100 times, beside each other")
  func sameFailure() async {
    let texts = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<100 {
        group.addTask {
          await TestFailures.withHandler({ _ in }) {
            await explore(
              reactor: { OrderReactor(gates: ["1", "2", "3"]) },
              scenario: Scenario(
                after: [.send(.ask(["1", "2", "3"]))], .sender("user", .send(.say("x")), .send(.later("late", 1))),
                .sender("time", .advance(by: .seconds(1)))),
              limits: ExplorationLimits(runs: 2, randomOrders: 30), seed: 3,
              invariant: { $0.names.firstIndex(of: "x") ?? 0 <= $0.names.firstIndex(of: "2") ?? 9 }
            ).failure
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(texts).count == 1)
    #expect(texts.first??.contains(".goOn(\".say(\\\"x\\\")\")") == true)
  }

  @Test("Nothing stays behind: neither reactors nor tasks")
  func nothingStays() async {
    let living = Living()
    let endless = OrderReactor.Action.run("endless") { _, _ in try await Gate("never").wait() }
    await explore(
      reactor: {
        let reactor = OrderReactor(gates: ["1", "2", "ask"])
        living.add(reactor)
        return reactor
      },
      scenario: Scenario(
        .sender("user", .send(.ask(["1", "2"])), .send(.askLatest("x")), .send(.later("late", 10)), .cancelEffects),
        .sender("far", .send(endless)).elsewhere),
      limits: ExplorationLimits(runs: 50, randomOrders: 50), invariant: { _ in true })
    #expect(living.made > 50)
    #expect(living.count == 0)
  }

  @Test("Nothing stays behind of an order that ends while something waits")
  func nothingWaits() async {
    let living = Living()
    for script in [true, false] {
      _ = await TestFailures.withHandler({ _ in }) {
        await explore(
          reactor: {
            let reactor = OrderReactor(gates: ["1"])
            living.add(reactor)
            return reactor
          },
          scenario: script
            ? .script(.send(.add("a")), .send(.ask(["1"])).elsewhere, .send(.add("b")).elsewhere)
            : Scenario(.sender("near", .send(.add("a"))), .sender("far", .send(.add("b")), .send(.add("c"))).elsewhere),
          invariant: { !$0.names.contains("c") })
      }
    }
    #expect(living.made > 3)
    #expect(living.count == 0)
  }

  @Test("A reactor that somebody keeps takes nothing in any more when its exploration is over")
  func keptAfterwards() async {
    let living = Living()
    do {
      var kept: [OrderReactor] = []
      await explore(
        reactor: {
          let reactor = OrderReactor()
          living.add(reactor)
          kept.append(reactor)
          return reactor
        }, scenario: Scenario(.sender("a", .send(.add("a")))), invariant: { _ in true })
      #expect(living.count == 1)
      for reactor in kept {
        reactor.action(.add("late"))
        reactor.mutation.send(.add("late"))
        await reactor.perform(.say("late"))
        #expect(reactor.state.names == ["a"] && reactor.effects.isEmpty)
      }
    }
    #expect(living.count == 0)
  }
}

/// Reactors that were made, held weakly.
private final class Living: @unchecked Sendable {
  // Safe to share: only the thread of the test touches it.
  private struct Weak {
    weak var reactor: OrderReactor?
  }

  private var reactors: [Weak] = []
  var made: Int { reactors.count }
  var count: Int { reactors.count { $0.reactor != nil } }

  func add(_ reactor: OrderReactor) { reactors.append(Weak(reactor: reactor)) }
}
