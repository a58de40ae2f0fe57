// The desk in every order: the cursor follows a card that somebody else moves, archives and restores.

import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import BoardCore
@testable import TerminalScreen

@Suite("The desk in every order", .serialized)
struct DeskExploredTests {
  private func desk() -> DeskReactor {
    let board = BoardReactor(issues: TestIssues.five, clock: SwiftReactorTesting.ManualClock())
    return DeskReactor(board: board, size: TerminalSize(columns: 80, rows: 12))
  }

  @Test("The chosen card is always on the board, in the chosen column, whatever moves while one chooses")
  func following() async {
    let exploration = await explore(
      reactor: desk,
      scenario: Scenario(
        .sender("user", .send(.step(.right)), .send(.step(.left)), .send(.step(.within(.down)))),
        .sender("window", .send(.resize(TerminalSize(columns: 20, rows: 5)))).elsewhere,
        .sender(
          "board", .call("move 2") { $0.board.action(.move(2, to: .done)) },
          .call("archive 1") { $0.board.action(.archive(1)) },
          .call("restore 1") { $0.board.action(.restore(1)) })),
      invariant: { state in
        // While a card moves away the desk has not heard of it yet: then it is somewhere else.
        guard let card = state.cursor.card else { return true }
        let archived = state.board.archive?.cards.contains(card) == true
        return archived || state.board.column(of: card) != nil
      },
      atEnd: { state in
        let chosen = state.cursor.card.flatMap { state.board.column(of: $0) }
        return chosen == nil
          ? state.board.columns[id: state.cursor.column]?.cards.isEmpty == true
          : chosen == state.cursor.column
      })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("A chosen card that somebody moves stays chosen, whatever happens to the others and to the window")
  func staying() async {
    let scenario = Scenario<DeskReactor>(
      after: [.send(.step(.within(.down)))],
      .sender("window", .send(.resize(TerminalSize(columns: 20, rows: 5)))).elsewhere,
      .sender("board", .call("move 2") { $0.board.action(.move(2, to: .done)) }),
      .sender(
        "others", .call("archive 1") { $0.board.action(.archive(1)) },
        .call("move 5") { $0.board.action(.move(5, to: .todo)) },
        .call("restore 1") { $0.board.action(.restore(1)) }))
    let exploration = await explore(
      reactor: desk, scenario: scenario, invariant: { _ in true },
      atEnd: { state in
        state.cursor.card == 2 && state.cursor.column == .done && state.cursor[.done].selected == 0
      })
    #expect(exploration.failure == nil && exploration.isComplete)
  }
}
