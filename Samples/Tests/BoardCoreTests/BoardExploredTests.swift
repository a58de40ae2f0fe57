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
    var before: BoardTotals?
    var clock = SwiftReactorTesting.ManualClock()
    return await explore(
      reactor: {
        before = nil
        clock = SwiftReactorTesting.ManualClock()
        let board = BoardReactor(issues: TestIssues.five, clock: clock)
        // Its reactor is made here, on the queue: then it may be asked for from elsewhere.
        _ = board.card(1)
        return board
      },
      scenario: scenario,
      invariant: { state in
        let totals = BoardTotals(state)
        defer { before = totals }
        // Every card is in one place; what was worked stays worked, and only where somebody works there is more of it.
        let everywhere = state.places.joined() + (state.archive?.cards.ids ?? [])
        return everywhere.sorted() == [1, 2, 3, 4, 5] && totals.count + totals.archived == 5
          && state.archive?.cards.isEmpty != true
          && before.map { $0.worked...$0.worked + $0.working ~= totals.worked } ?? true
      },
      // In the end the ticking is what the state says: one for each card that is worked on.
      atEnd: { clock.sleeps.count == BoardTotals($0).working && atEnd($0) })
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

  @Test("A card that is worked on ticks on in the column it comes into")
  func tickingOn() async {
    let exploration = await explored(
      Scenario(
        after: [.call("work on 1") { $0.card(1)?.action(.work) }],
        .sender("user", .send(.move(1, to: .review)), .send(.move(1, to: .done))),
        .sender("time", .advance(by: .seconds(1)), .advance(by: .seconds(1)))),
      atEnd: { state in
        state.column(of: 1) == .done && state.card(1)?.isWorking == true && BoardTotals(state).worked <= 2
      })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("A pause from elsewhere: no second counts that comes behind it, not even one that waited")
  func pausing() async {
    let exploration = await explored(
      Scenario(
        after: [.call("work on 1") { $0.card(1)?.action(.work) }],
        .sender("other", .call("pause 1") { $0.card(1)?.action(.pause) }).elsewhere,
        .sender("time", .advance(by: .seconds(1)), .advance(by: .seconds(1)))),
      atEnd: { state in state.card(1)?.isWorking == false && BoardTotals(state).worked <= 2 })
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
