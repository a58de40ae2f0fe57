// The counter in every order: what is counted, taken back and kept while time passes.

import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import CounterCore

@Suite("The counter in every order", .serialized)
struct CounterExploredTests {
  @Test("The last change is taken back at most once, and not after it was to be kept")
  func undoing() async {
    let exploration = await explore(
      reactor: { CounterReactor(clock: ManualClock()) },
      scenario: Scenario(
        .sender("user", .send(.add), .send(.undoSoon), .send(.keep)),
        .sender("field", .send(.setStep("x5")), .send(.setLoud(true))).elsewhere,
        .sender("time", .advance(by: .seconds(2)))),
      invariant: { state in [0, 1, 5].contains(state.count) && ["1", "5"].contains(state.step) },
      atEnd: { state in !state.isUndoing && state.step == "5" && state.isLoud })
    #expect(exploration.failure == nil && exploration.isComplete)
  }
}
