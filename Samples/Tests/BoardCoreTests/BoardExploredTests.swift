// The board in every order: a card that is worked on is moved, archived and restored while its seconds tick.

import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import BoardCore

@Suite("The board in every order", .serialized)
struct BoardExploredTests {
  private func explored(
    _ scenario: Scenario<BoardReactor>, atEnd: @escaping (BoardReactor.State) -> Bool = { _ in true }
  ) async -> Exploration {
    var workedBefore = 0
    return await explore(
      reactor: {
        workedBefore = 0
        return BoardReactor(issues: TestIssues.five, clock: SwiftReactorTesting.ManualClock())
      },
      scenario: scenario,
      invariant: { state in
        let totals = BoardTotals(state)
        defer { workedBefore = totals.worked }
        // Every card is in one place, and what was worked stays worked.
        let everywhere = state.places.joined() + (state.archive?.cards.ids ?? [])
        return everywhere.sorted() == [1, 2, 3, 4, 5] && totals.worked >= workedBefore
          && totals.count + totals.archived == 5 && state.archive?.cards.isEmpty != true
      }, atEnd: atEnd)
  }

  @Test("A card that moves while it ticks keeps its seconds and is in one column, whenever it moves")
  func moving() async {
    let exploration = await explored(
      Scenario(
        after: [.call("work on 1") { $0.card(1)?.action(.work) }],
        .sender("user", .send(.move(1, to: .review)), .call("pause 1") { $0.card(1)?.action(.pause) }),
        .sender("time", .advance(by: .seconds(2)))),
      atEnd: { state in
        state.column(of: 1) == .review && state.card(1)?.isWorking == false && BoardTotals(state).worked <= 2
      })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("A card that is archived and restored comes back paused, with the seconds that were counted")
  func archiving() async {
    let exploration = await explored(
      Scenario(
        after: [.call("work on 1") { $0.card(1)?.action(.work) }],
        .sender("user", .call("archive 1") { $0.card(1)?.action(.ask(.archive)) }, .send(.restore(1))),
        .sender("other", .call("work on 4") { $0.card(4)?.action(.work) }),
        .sender("time", .advance(by: .seconds(1)))),
      atEnd: { state in
        state.archive == nil && state.card(1)?.isWorking == false && BoardTotals(state).worked <= 2
          && state.places == [[1, 2, 3], [4], [], [5]]
      })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("Two who move the same card, one of them from elsewhere, leave it in one column")
  func together() async {
    let exploration = await explored(
      Scenario(
        after: [.call("work on 1") { $0.card(1)?.action(.work) }],
        .sender("user", .send(.move(1, to: .doing)), .send(.archive(1))),
        .sender("other", .send(.move(1, to: .done))).elsewhere, .sender("time", .advance(by: .seconds(1)))))
    #expect(exploration.failure == nil && exploration.isComplete)
  }
}
