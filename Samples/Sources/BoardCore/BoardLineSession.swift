// The line mode: reads commands, tells the reactors, prints what came of it.

internal import SwiftReactor

/// A conversation in lines. Time passes only when a command says so, and each command is done before the next is read, so
/// the same input always gives the same output.
@MainActor
package struct BoardLineSession {
  private let board: BoardReactor
  private let clock: ManualClock
  private let nextLine: () async throws -> String?
  private let show: (String) throws -> Void

  /// `nextLine` answers nil at the end of the input, `show` writes text as it is. What they throw ends the session.
  package init(
    issues: [BoardIssue], nextLine: @escaping () async throws -> String?, show: @escaping (String) throws -> Void
  ) {
    clock = ManualClock()
    board = BoardReactor(issues: issues, clock: clock)
    self.nextLine = nextLine
    self.show = show
  }

  /// Runs until the user quits or the input ends.
  package func run() async throws {
    try show(BoardLines.totals(of: board.state))
    while let line = try await nextLine() {
      let command = BoardCommand(line)
      if command == .quit { return }
      if case .tick(let seconds) = command { await pass(seconds) }
      try show(answer(to: command))
    }
  }

  /// Each card that is worked on sleeps on the clock between its ticks, and no other.
  private func pass(_ seconds: Int) async {
    await clock.advance(by: .seconds(seconds), sleepers: BoardTotals(board.state).working)
    // The last ticks were handed over to the queue before this action, so they are handled first.
    await board.perform(.nothing)
  }

  /// On the queue of the reactors everything that an action sets off, however many reactors it passes, is in the state
  /// when the call returns: no waiting.
  private func answer(to command: BoardCommand) -> String {
    switch command {
    case .show:
      return BoardLines.text(of: board.state)
    case .tick:
      return BoardLines.totals(of: board.state)
    case .help:
      return BoardCommand.helpText
    case .mistake(let text):
      return text + "\n"
    case .nothing, .quit:
      return ""
    case .restore(let number):
      guard board.state.archive?.cards.contains(number) == true else {
        return board.state.card(number) == nil
          ? BoardLines.unknown(number) : "#\(number) is not in the archive\n"
      }
      board.archive.reactor?.action(.restore(number))
      return BoardLines.answer(about: number, in: board.state)
    case .work(let number): return tell(number, .work)
    case .pause(let number): return tell(number, .pause)
    case .move(let number, let column): return tell(number, .ask(.move(to: column)))
    case .archive(let number): return tell(number, .ask(.archive))
    }
  }

  private func tell(_ number: Int, _ action: CardReactor.Action) -> String {
    if let card = board.card(number) {
      card.action(action)
    } else if board.state.archive?.cards.contains(number) == true {
      return "#\(number) is in the archive; restore it first\n"
    }
    return BoardLines.answer(about: number, in: board.state)
  }
}
