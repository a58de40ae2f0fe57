// The reactors that the programs share, in every order.

import SwiftReactor
import SwiftReactorTesting
import TerminalScreen
import Testing

@testable import SampleProgram

@Suite("Window and desk in every order", .serialized)
struct SharedExploredTests {
  @Test("The spinner turns while it is to turn, at most once in a tenth of a second, and is one")
  func window() async {
    let size = TerminalSize(columns: 80, rows: 24)
    let exploration = await explore(
      reactor: { WindowReactor(size: size, clock: ManualClock()) },
      scenario: Scenario(
        .sender("user", .send(.spin(true)), .send(.spin(true)), .send(.spin(false))),
        .sender("terminal", .send(.repaint(size))).elsewhere, .sender("time", .advance(by: .milliseconds(200)))),
      invariant: { state in state.step <= 2 && state.paintings <= 1 && state.size == size },
      atEnd: { $0.paintings == 1 })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("The cursor is always in the list, however it becomes shorter while one moves")
  func desk() async {
    let exploration = await explore(
      reactor: { ListDeskReactor() },
      scenario: Scenario(
        after: [.send(.fit(count: 9, rows: 3))],
        .sender("user", .send(.move(.last)), .send(.type("a")), .send(.move(.pageUp)), .send(.type("ab"))),
        .sender("app", .send(.fit(count: 2, rows: 3)), .send(.fit(count: 0, rows: 1))).elsewhere),
      invariant: { state in
        state.cursor.selected < max(1, state.count)
          && state.cursor.visible(count: state.count, page: state.rows).contains(state.cursor.selected)
            == (state.count > 0)
      },
      atEnd: { state in state.draft == "ab" && state.count == 0 })
    #expect(exploration.failure == nil && exploration.isComplete)
  }
}
