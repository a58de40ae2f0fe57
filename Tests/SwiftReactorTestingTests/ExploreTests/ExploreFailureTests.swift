// What explorations report: the shortest script, what happened in it, and what the explorer has no hold of.

import Dispatch
import SwiftReactor
import SwiftReactorTesting
import Testing
import XCTest

@Suite("Explore · What is reported", .serialized)
struct ExploreFailureTests {
  /// Explores and takes the failures.
  private func explored(
    gates: [String] = ["1", "2", "3", "ask"], _ scenario: Scenario<OrderReactor>,
    limits: ExplorationLimits = ExplorationLimits(), line: UInt = #line,
    invariant: @escaping @Sendable (OrderReactor.State) throws -> Bool = { _ in true },
    atEnd: @escaping @Sendable (OrderReactor.State) throws -> Bool = { _ in true }
  ) async -> (exploration: Exploration, failures: [TestFailure]) {
    let list = FailureList()
    let exploration = await TestFailures.withHandler({ list.append($0) }) {
      await explore(
        reactor: { OrderReactor(gates: gates) }, scenario: scenario, limits: limits, line: line, invariant: invariant,
        atEnd: atEnd)
    }
    return (exploration, list.failures)
  }

  @Test("The failure shows the state, the shortest script, what happened in it, and the place, at the line of the call")
  func message() async {
    let (exploration, failures) = await explored(
      Scenario(
        .sender("user", .send(.add("a")), .send(.ask(["1", "2"])), .send(.add("b"))),
        .sender("other", .send(.add("c")).elsewhere)),
      line: 77, invariant: { $0.names.firstIndex(of: "2") ?? 9 > $0.names.firstIndex(of: "1") ?? -1 })
    #expect(failures.map(\.line) == [77])
    #expect(failures.first?.fileID == #fileID)
    #expect(
      exploration.failure == """
        explore: the invariant does not hold.

          State(names: ["2", "1"])

        The shortest script found (4 steps, after \(exploration.runs) runs, seed 0):

          let script = Scenario<OrderReactor>.script(
            .send(.ask(["1", "2"])),
            .answer("2"),
            .answer("1"),
            .turn
          )

        What happens in it:

          .send(.ask(["1", "2"]))
            action .ask(["1", "2"])
            the effect of .ask(["1", "2"]) starts
            the effect of .ask(["1", "2"]) starts
          .answer("2")
          .answer("1")
          .turn
            mutation .add("2"), of .ask(["1", "2"])
              State(names: ["2"])
            mutation .add("1"), of .ask(["1", "2"])
              State(names: ["2", "1"])

        The invariant: \(#fileID):77
        Hint: Give the script to the same call, in place of the scenario, until the reactor is mended.
        """)
    #expect(failures.map(\.message) == [exploration.failure])
    // As it was printed.
    let script = Scenario<OrderReactor>.script(
      .send(.ask(["1", "2"])),
      .answer("2"),
      .answer("1"),
      .turn
    )
    let (again, _) = await explored(
      script, invariant: { $0.names.firstIndex(of: "2") ?? 9 > $0.names.firstIndex(of: "1") ?? -1 })
    #expect(again.script == exploration.script)
    #expect(again.runs == 1)
    let (mended, none) = await explored(script)
    #expect(mended.failure == nil && none.isEmpty)
  }

  @Test("Whatever happens in it, the printed script leads there again")
  func everyKindOfStep() async {
    // Only one order in which everything plays a part.
    let wanted = ["x", "late", "1", "far"]
    let scenario = Scenario<OrderReactor>(
      after: [.send(.later("late", 1)), .send(.ask(["1"]))], .sender("user", .send(.say("x"))),
      .sender("time", .advance(by: .milliseconds(1_500))), .sender("far", .send(.add("far")).elsewhere))
    let (exploration, _) = await explored(scenario, invariant: { $0.names != wanted })
    #expect(
      exploration.script == """
        let script = Scenario<OrderReactor>.script(
          .send(.later("late", 1)),
          .send(.ask(["1"])),
          .send(.say("x")),
          .goOn(".say(\\"x\\")"),
          .advance(by: .seconds(1)),
          .answer("1"),
          .send(.add("far")).elsewhere,
          .turn
        )
        """)
    let script = Scenario<OrderReactor>.script(
      .send(.later("late", 1)),
      .send(.ask(["1"])),
      .send(.say("x")),
      .goOn(".say(\"x\")"),
      .advance(by: .seconds(1)),
      .answer("1"),
      .send(.add("far")).elsewhere,
      .turn
    )
    let (again, _) = await explored(script, invariant: { $0.names != wanted })
    #expect(again.script == exploration.script)
  }

  @Test("The state that is shown is the one that is wrong, whatever else its turn commits")
  func violatingCommit() async {
    let scenario = Scenario<OrderReactor>(
      .sender("far", .call("two") { for name in ["a", "b"] { $0.action(.add(name)) } }.elsewhere))
    let (exploration, _) = await explored(scenario, invariant: { $0.names != ["a"] })
    #expect(
      exploration.failure?.hasPrefix("explore: the invariant does not hold.\n\n  State(names: [\"a\"])\n") == true,
      "\(exploration.failure ?? "nothing")")
    // What happens ends with it.
    #expect(exploration.failure?.contains("\n      State(names: [\"a\"])\n\nThe invariant: ") == true)
  }

  @Test("A step that cannot be printed is named by its number")
  func references() async {
    let scenario = Scenario<OrderReactor>(
      after: [.call("begin") { $0.action(.add("0")) }],
      .sender("user", .send(.add("a")), .send(.run("work") { _, emit in emit(.add("w")) })),
      .sender("other", .call("look around") { $0.action(.add("c")) }))
    let invariant: @Sendable (OrderReactor.State) -> Bool = { $0.names != ["0", "c", "a", "w"] }
    let (exploration, _) = await explored(scenario, invariant: invariant)
    #expect(
      exploration.script == """
        let script = scenario.script(
          .step(1, of: nil),  // begin
          .step(1, of: "other"),  // look around
          .send(.add("a")),
          .step(2, of: "user"),  // .send(.run(Work(name: "work", body: (Function))))
          .goOn(".run(Work(name: \\"work\\", body: (Function)))"),
          .turn
        )
        """)
    let script = scenario.script(
      .step(1, of: nil),  // begin
      .step(1, of: "other"),  // look around
      .send(.add("a")),
      .step(2, of: "user"),
      .goOn(".run(Work(name: \"work\", body: (Function)))"),
      .turn
    )
    let (again, _) = await explored(script, invariant: invariant)
    #expect(again.script == exploration.script)
    let (unknown, _) = await explored(scenario.script(.step(9, of: "user")))
    #expect(
      unknown.failure?.hasPrefix("explore: line 1 of the script is not possible: .step(9, of: \"user\").") == true)
  }

  @Test("A state that is wrong from the beginning needs no step")
  func beginning() async {
    let (exploration, _) = await explored(
      Scenario(.sender("a", .send(.add("a")))), invariant: { !$0.names.isEmpty })
    #expect(exploration.script == "let script = Scenario<OrderReactor>.script()")
    #expect(exploration.failure?.contains("0 steps, after 1 run,") == true)
    // Nothing happens in it.
    #expect(exploration.failure?.contains("What happens in it") == false)
  }

  @Test("What is only true at the end is looked at when everything has happened")
  func atEnd() async {
    let scenario = Scenario<OrderReactor>(
      .sender("a", .send(.askLatest("1")), .send(.askLatest("2"))), .sender("b", .send(.add("b"))))
    let (exploration, _) = await explored(scenario, atEnd: { $0.names.contains("1") || $0.names.isEmpty })
    #expect(
      exploration.failure?.hasPrefix("explore: `atEnd` does not hold when everything is over.") == true)
    #expect(exploration.failure?.contains("\nAt the end: \(#fileID):") == true)
    #expect(exploration.failure?.contains("The invariant") == false)
    // All of the scenario has to happen, and the fewest turns.
    #expect(
      exploration.script == """
        let script = Scenario<OrderReactor>.script(
          .send(.askLatest("1")),
          .send(.askLatest("2")),
          .send(.add("b")),
          .answer("ask"),
          .turn
        )
        """)
  }

  @Test("An invariant may throw what is wrong")
  func thrown() async {
    struct Wrong: Error, CustomStringConvertible { let description = "one is missing" }
    let (exploration, _) = await explored(
      Scenario(.sender("a", .send(.add("a")))), invariant: { if $0.names.isEmpty { true } else { throw Wrong() } })
    #expect(exploration.failure?.hasPrefix("explore: the invariant does not hold: one is missing.") == true)
  }

  @Test("How long a step takes by the clock on the wall is no part of what happens")
  func slowStep() async {
    let (exploration, _) = await explored(
      .script(
        .send(.add("a")).elsewhere, .send(.add("b")).elsewhere, .send(.add("c")).elsewhere, .turn),
      invariant: {
        // As a busy machine would do.
        if $0.names == ["a"] { DispatchSemaphore(value: 0).waitInVain(seconds: 1.2) }
        return $0.names.count < 3
      })
    #expect(
      exploration.failure?.contains(
        """
          .turn
            action .add("a"), mutation .add("a")
              State(names: ["a"])
            action .add("b"), mutation .add("b")
              State(names: ["a", "b"])
            action .add("c"), mutation .add("c")
              State(names: ["a", "b", "c"])
        """) == true, "\(exploration.failure ?? "nothing")")
  }

  @Test("A failure that only random orders find is made as short as any other")
  func random() async {
    let scenario = Scenario<OrderReactor>(
      .sender("a", .send(.add("a")), .send(.add("b")), .send(.add("c"))),
      .sender("z", .send(.add("x")), .send(.add("y")), .send(.add("z"))))
    let (exploration, _) = await explored(
      scenario, limits: ExplorationLimits(runs: 1), invariant: { $0.names.first != "x" })
    #expect(
      exploration.script == """
        let script = Scenario<OrderReactor>.script(
          .send(.add("x"))
        )
        """)
  }

  // MARK: Out of hold

  /// A reactor of no exploration. Its queue does not serve it in time.
  private static let elsewhere = {
    let queue = DispatchQueue(label: "elsewhere")
    let reactor = OrderReactor(queue: queue)
    queue.suspend()
    return reactor
  }()

  /// Another one, which has answered before anybody waits.
  private static let atOnce = OrderReactor(queue: DispatchQueue(label: "at once"))

  @Test("An effect that waits for something else is reported by name")
  func uncontrolled() async {
    // The answer must not come before the effect waits for it: nobody could tell then.
    let isOver = DispatchSemaphore(value: 0)
    defer { isOver.signal() }
    let works: [OrderReactor.Action] = [
      .run("sleeping") { _, _ in try await Task.sleep(for: .seconds(600)) },
      .run("main actor") { _, emit in await MainActor.run { emit(.add("m")) } },
      .run("queue") { _, _ in
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            isOver.wait()
            isOver.signal()
            continuation.resume()
          }
        }
      },
      .run("another reactor") { _, emit in
        await Self.elsewhere.perform(.add("other"))
        emit(.add("o"))
      },
      .run("another reactor, at once") { _, emit in
        await Self.atOnce.perform(.add("other"))
        emit(.add("o"))
      },
      .run("states of another reactor") { _, emit in
        for await state in Self.elsewhere.states where state.names.isEmpty { emit(.add("s")) }
      },
      .run("own task") { _, _ in await Task { try? await Task.sleep(for: .seconds(600)) }.value },
    ]
    for work in works {
      guard case .run(let named) = work else { continue }
      let (exploration, _) = await explored(Scenario(.sender("a", .send(.add("a")), .send(work))))
      #expect(
        exploration.failure?.hasPrefix("explore: the effect of .run(Work(name: \"\(named.name)\"") == true,
        "\(named.name): \(exploration.failure ?? "nothing")")
      #expect(exploration.failure?.contains("waits for something that the explorer does not control") == true)
    }
  }

  /// What another thread may do in the world of an explored reactor.
  enum Intrusion: CaseIterable {
    case makeReactor, makeClock, openGate, closeGate, letThrough, advance, runClock

    func happen(to gate: Gate, _ clock: ManualClock) async {
      switch self {
      case .makeReactor: _ = OrderReactor()
      case .makeClock: _ = ManualClock()
      case .openGate: gate.open()
      case .closeGate: gate.close()
      case .letThrough: gate.letThrough()
      case .advance: await clock.advance(by: .seconds(1))
      case .runClock: await clock.run()
      }
    }
  }

  @Test("What another thread makes for an explored reactor, or moves, is reported", arguments: Intrusion.allCases)
  func intrusion(_ intrusion: Intrusion) async {
    let exploration = await TestFailures.withHandler({ _ in }) {
      await explore(
        reactor: {
          let (gate, clock) = (Gate("outside"), ManualClock())
          let isDone = DispatchSemaphore(value: 0)
          // Inherits what is bound here, but not the thread.
          Task {
            await intrusion.happen(to: gate, clock)
            isDone.signal()
          }
          isDone.waitHere()
          return OrderReactor()
        }, scenario: Scenario(.sender("a", .send(.add("a")))), invariant: { _ in true })
    }
    #expect(
      exploration.failure?.hasPrefix("explore: something came from another thread than the one that explores") == true,
      "\(exploration.failure ?? "nothing")")
  }

  @Test("What another thread emits at any time tears nothing, and is reported")
  func emittedOutside() async {
    let work = OrderReactor.Action.run("emitting") { _, emit in
      let hasBegun = DispatchSemaphore(value: 0)
      Task {
        for number in 0..<200 {
          emit(.add("\(number)"))
          if number == 0 { hasBegun.signal() }
        }
      }
      hasBegun.waitHere()
    }
    let (exploration, _) = await explored(
      Scenario(after: [.send(work)] + (0..<100).map { .send(.add("own \($0)")) }),
      limits: ExplorationLimits(runs: 5, randomOrders: 0))
    // Before its end, which it may not come to, or as its end.
    #expect(
      ["explore: the effect of .run(Work(name: \"emitting\"", "explore: something came from another thread"]
        .contains { exploration.failure?.hasPrefix($0) == true }, "\(exploration.failure ?? "nothing")")
  }

  @Test("A reactor that goes another way with the same choices is reported")
  func differs() async {
    let count = Collected<Int>()
    let list = FailureList()
    let exploration = await TestFailures.withHandler({ list.append($0) }) {
      await explore(
        reactor: {
          count.insert(count.list.count)
          return OrderReactor(gates: count.list.count % 2 == 0 ? ["1"] : [])
        }, scenario: Scenario(.sender("a", .send(.ask(["1"]))), .sender("b", .send(.add("b")))),
        invariant: { _ in true })
    }
    #expect(exploration.failure?.hasPrefix("explore: the same order went another way when it was run again.") == true)
  }

  @Test("What has no end is reported")
  func endless() async {
    let again = OrderReactor.Action.run("again") { reactor, _ in reactor.action(.say("x")) }
    let (exploration, _) = await explored(
      Scenario(.sender("a", .send(again))), limits: ExplorationLimits(steps: 3))
    #expect(exploration.failure?.hasPrefix("explore: there is no end after 3 steps.") == true)
    let spin = OrderReactor.Action.run("spin") { _, _ in while !Task.isCancelled { await Task.yield() } }
    let (spinning, _) = await explored(Scenario(.sender("a", .send(spin))))
    #expect(spinning.failure?.hasPrefix("explore: there is no end after 1 step.") == true)
  }

  @Test("A line of a script that is not possible is reported with those that are")
  func impossible() async {
    let (exploration, _) = await explored(.script(.send(.ask(["1", "2"])), .answer("3"), .turn))
    #expect(
      exploration.failure == """
        explore: line 2 of the script is not possible: .answer("3").

        Possible are:

          .answer("1")
          .answer("2")

        Hint: If the reactor has changed, the script may have lost its meaning: explore again.
        """)
  }

  @Test("Turns and answers are no steps of a sender")
  func misplaced() async {
    let (exploration, _) = await explored(Scenario(.sender("a", .send(.add("a")), .turn)))
    #expect(exploration.failure?.hasPrefix("explore: .turn is a step of scripts") == true)
  }

  @Test("Without a handler a failure becomes an issue of the test that runs, at the call")
  func issue() async {
    await withKnownIssue {
      await explore(
        reactor: { OrderReactor() }, scenario: Scenario(.sender("a", .send(.add("a")))), invariant: { $0.names.isEmpty }
      )
    } matching: { issue in
      issue.sourceLocation?.line == #line - 4
        && issue.comments.contains { $0.rawValue.hasPrefix("explore: the invariant does not hold.") }
    }
  }
}

final class ExploringTestCase: XCTestCase {
  func testExploring() async {
    let exploration = await explore(
      reactor: { OrderReactor(gates: ["1"]) }, scenario: Scenario(.sender("a", .send(.ask(["1"])))),
      invariant: { $0.names.count < 2 })
    XCTAssertEqual(exploration.orders, 1)
    XCTAssertNil(exploration.failure)
  }
}

extension DispatchSemaphore {
  /// Blocks the thread that explores, as an effect that takes its time would.
  fileprivate func waitHere() { _ = wait(timeout: .now() + 60) }

  /// Nobody signals it.
  fileprivate func waitInVain(seconds: Double) { _ = wait(timeout: .now() + seconds) }
}
