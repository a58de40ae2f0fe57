// What the stress test looks for by force, looked for in every order of a few actions.

import Dispatch
import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import StressCore

@Suite("The reactor under stress in every order", .serialized)
struct StressExploredTests {
  @Test(
    "No action is lost, comes twice or out of order",
    arguments: [StressKind.sync, .async, .mixed, .reentrant])
  func counting(kind: StressKind) async {
    // Two numbers for each of the two senders.
    let map = LaneMap(kind: kind, plan: StressPlan(actions: 4, threads: 1, seed: 1))
    func send(_ sender: Int, _ number: Int) -> Scenario<CountingReactor>.Step {
      .call("number \(number) of sender \(sender)") { $0.send(Token(sender: sender, number: number), stage: 0) }
    }
    let exploration = await explore(
      reactor: { CountingReactor(map, queue: DispatchQueue(label: "explored")) },
      scenario: Scenario(
        .sender("thread", send(0, 0), send(0, 1)).elsewhere, .sender("queue", send(1, 0), send(1, 1))),
      limits: ExplorationLimits(runs: 2_000, randomOrders: 300),
      invariant: { state in
        let faults = state.ledger.faults
        return faults.duplicated == 0 && faults.reordered == 0 && faults.unknown == 0
      },
      atEnd: { state in
        // The fourth of the actions that one causes is an observer's, and there is none here.
        kind == .reentrant ? (state.last?.serial ?? 0) == 12 : state.ledger.faults.isClean
      })
    #expect(exploration.failure == nil)
  }
}
