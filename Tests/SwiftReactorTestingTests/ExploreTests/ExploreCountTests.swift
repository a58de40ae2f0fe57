// How many orders there are, computed by hand.

import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Explore · The number of orders", .serialized)
struct ExploreCountTests {
  private func explored(
    gates: [String] = [], _ scenario: Scenario<OrderReactor>, mergingEqualStates: Bool = false
  ) async -> (exploration: Exploration, ends: Set<[String]>) {
    let ends = Collected<[String]>()
    let exploration = await explore(
      reactor: { OrderReactor(gates: gates) }, scenario: scenario, mergingEqualStates: mergingEqualStates,
      invariant: { _ in true },
      atEnd: { state in
        ends.insert(state.names)
        return true
      })
    return (exploration, ends.set)
  }

  /// Two senders with one action each, on the queue, and three effects that wait at gates. An answer arrives; a turn, or
  /// the next step on the queue, handles what has arrived.
  ///
  /// Let n(a, e) be the number of orders when a actions and e answers are to come and nothing waits, and w(a, e) the number
  /// when something waits.
  /// - n(0, 0) = 1
  /// - n(a, e) = a · n(a-1, e) + e · w(a, e-1), since an action on the queue leaves nothing waiting and an answer does
  /// - w(a, e) = the same + n(a, e), for the turn = 2 · n(a, e), but w(0, 0) = n(0, 0) = 1: only the turn is left
  ///
  /// So n(0, 1) = w(0, 0) = 1, n(0, 2) = 2 · 2 · 1 = 4, n(0, 3) = 3 · 2 · 4 = 24, n(1, 0) = 1, n(2, 0) = 2,
  /// n(1, 1) = 1 + 2 · 1 = 3, n(1, 2) = 4 + 2 · 2 · 3 = 16, n(1, 3) = 24 + 3 · 2 · 16 = 120,
  /// n(2, 1) = 2 · 3 + 2 · 2 = 10, n(2, 2) = 2 · 16 + 2 · 2 · 10 = 72, n(2, 3) = 2 · 120 + 3 · 2 · 72 = 672.
  ///
  /// What is committed is one of the 5! = 120 orders of five names.
  @Test("Three effects and two actions: 672 orders, with every order of the five commits", .timeLimit(.minutes(1)))
  func threeAndTwo() async {
    let scenario = Scenario<OrderReactor>(
      after: [.send(.ask(["1", "2", "3"]))], .sender("a", .send(.add("a"))), .sender("b", .send(.add("b"))))
    let (exploration, ends) = await explored(gates: ["1", "2", "3"], scenario)
    #expect(exploration.isComplete && exploration.failure == nil)
    #expect(exploration.orders == 672)
    #expect(exploration.runs == 672)
    #expect(ends.count == 120)
    // The same number where orders that meet are not walked again: sums instead of walks.
    let (merged, sameEnds) = await explored(gates: ["1", "2", "3"], scenario, mergingEqualStates: true)
    #expect(merged.orders == 672 && merged.isComplete)
    #expect(merged.runs < 672 && sameEnds == ends)
  }

  @Test("Equal states are not merged if an effect knows more than the state shows", arguments: [false, true])
  func pasts(mergingEqualStates: Bool) async {
    let ends = Collected<[String]>()
    let exploration = await explore(
      reactor: {
        let (one, two, end) = (Gate("one"), Gate("two"), Gate("end"))
        let reactor = OrderReactor()
        reactor.action(
          .run("both") { _, emit in
            let order = try await withThrowingTaskGroup(of: String.self) { group in
              group.addTask {
                try await one.wait()
                return "1"
              }
              group.addTask {
                try await two.wait()
                return "2"
              }
              return try await group.reduce("") { $0 + $1 }
            }
            try await end.wait()
            emit(.add(order))
          })
        return reactor
      }, scenario: Scenario(), mergingEqualStates: mergingEqualStates, invariant: { _ in true },
      atEnd: { state in
        ends.insert(state.names)
        return true
      })
    #expect(exploration.orders == 2 && exploration.isComplete)
    #expect(ends.set == [["12"], ["21"]])
  }

  @Test("Steps of one sender keep their order: 3 of 6 for two and one")
  func oneSender() async {
    let (exploration, ends) = await explored(
      Scenario(.sender("a", .send(.add("1")), .send(.add("2"))), .sender("b", .send(.add("b")))))
    #expect(exploration.orders == 3)
    #expect(ends == [["1", "2", "b"], ["1", "b", "2"], ["b", "1", "2"]])
  }

  /// From elsewhere an action only arrives: it is an answer of the calculation above, and n(0, 2) = 4.
  @Test("Steps from elsewhere arrive, and are handled in a turn: 4 orders for two senders")
  func elsewhere() async {
    let (exploration, ends) = await explored(
      Scenario(.sender("a", .send(.add("a")).elsewhere), .sender("b", .send(.add("b"))).elsewhere))
    #expect(exploration.orders == 4)
    #expect(ends == [["a", "b"], ["b", "a"]])
  }

  /// With s: `say` starts an effect, g: it goes on and its value arrives, t: the turn, b: the other sender's step, which also
  /// handles what waits: s g t b, s g b, s b g t, b s g t.
  @Test("An effect that has something to say at once says it at any time: 4 orders")
  func atOnce() async {
    let (exploration, ends) = await explored(
      Scenario(.sender("a", .send(.say("x"))), .sender("b", .send(.add("b")))))
    #expect(exploration.orders == 4)
    #expect(ends == [["x", "b"], ["b", "x"]])
  }

  /// An effect that has nothing to say before its gate waits there at once: its start is no step of its own.
  @Test("What nobody can tell from another order is not counted: 1 order for one effect")
  func notTold() async {
    let (exploration, _) = await explored(gates: ["x"], Scenario(.sender("a", .send(.ask(["x"])))))
    #expect(exploration.orders == 1)
  }

  /// Two answers that wait at one gate: n(0, 2) = 4 again.
  @Test("Of those who wait at one gate anyone may go first")
  func oneGate() async {
    let (exploration, ends) = await explored(
      gates: ["ask"],
      Scenario(
        after: [
          .send(.run("a") { _, emit in await Self.ask("a", emit) }),
          .send(.run("b") { _, emit in await Self.ask("b", emit) }),
        ]))
    #expect(exploration.orders == 4)
    #expect(ends == [["a", "b"], ["b", "a"]])
  }

  /// A gate for all runs: nobody is left at it at the end of one.
  private static let gate = Gate("shared")
  private static func ask(_ name: String, _ emit: Emitter<OrderReactor.Mutation>) async {
    guard (try? await gate.wait()) != nil else { return }
    emit(.add(name))
  }

  /// The time moves to 1 s (the first wakes), to 2 s (the second wakes; that was all). With 1 and 2 for these, t for turns
  /// and b: 1 t 2 t b, 1 t 2 b, 1 t b 2 t, 1 2 t b, 1 2 b, 1 b 2 t, b 1 t 2 t, b 1 2 t.
  @Test("While time passes everything else may happen between two wakings")
  func time() async {
    let (exploration, ends) = await explored(
      Scenario(
        after: [.send(.later("1", 1)), .send(.later("2", 2))], .sender("time", .advance(by: .seconds(2))),
        .sender("b", .send(.add("b")))))
    #expect(exploration.orders == 8)
    #expect(ends == [["1", "2", "b"], ["1", "b", "2"], ["b", "1", "2"]])
  }

  @Test("A beginning leaves no choice, and ends when everything in it is handled")
  func beginning() async {
    let (exploration, ends) = await explored(
      Scenario(after: [.send(.add("a")).elsewhere, .send(.say("b")), .send(.add("c"))], .sender("d", .send(.add("d")))))
    #expect(exploration.orders == 1)
    #expect(ends == [["a", "b", "c", "d"]])
  }

  /// With A, B for the questions, 1, 2 for their answers and t for turns: A B 2 t, A 1 t B 2 t, A 1 B 2 t.
  @Test("A replaced or cancelled effect has no answer: 3 orders for a question that is asked twice")
  func replaced() async {
    let (exploration, ends) = await explored(
      gates: ["ask"], Scenario(.sender("a", .send(.askLatest("a")), .send(.askLatest("b")))))
    #expect(exploration.orders == 3)
    #expect(ends == [["b"], ["a", "b"]])
    let (cancelled, names) = await explored(
      gates: ["ask"], Scenario(.sender("a", .send(.askLatest("a")), .send(.cancel))))
    #expect(cancelled.orders == 3)
    #expect(names == [[], ["a"]])
  }

  @Test("A cancellation from elsewhere finds a value that waits")
  func cancelElsewhere() async {
    let (_, ends) = await explored(
      gates: ["ask"], Scenario(after: [.send(.askLatest("a"))], .sender("b", .cancelEffects).elsewhere))
    #expect(ends == [[], ["a"]])
  }

  @Test("Beyond the limit random orders are run")
  func limit() async {
    let exploration = await explore(
      reactor: { OrderReactor() },
      scenario: Scenario(
        .sender("a", .send(.add("a"))), .sender("b", .send(.add("b"))), .sender("c", .send(.add("c")))),
      limits: ExplorationLimits(runs: 2, randomOrders: 5), invariant: { _ in true })
    #expect(!exploration.isComplete)
    #expect(exploration.orders == 7 && exploration.runs == 7)
  }
}

/// What the runs of one exploration have shown, all on one thread.
final class Collected<Element: Hashable & Sendable>: @unchecked Sendable {
  // Safe to share: explorations run on the thread of the test, and the test reads it afterwards.
  private(set) var list: [Element] = []
  var set: Set<Element> { Set(list) }

  func insert(_ element: Element) { list.append(element) }
}
