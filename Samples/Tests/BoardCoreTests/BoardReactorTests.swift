import Foundation
import SwiftReactor
import Testing

@testable import BoardCore

/// On the main actor, which is the reactors' queue: what an action sets off is in the state when its call returns.
@MainActor
@Suite("The reactors of the board", .timeLimit(.minutes(1)))
struct BoardReactorTests {
  private let clock = ManualClock()

  /// Cards 1, 2 and 3 in the first column, 4 in the second, none in the third, 5 in the last.
  private func board() -> BoardReactor {
    BoardReactor(issues: TestIssues.five, clock: clock)
  }

  private func pass(_ seconds: Int, _ board: BoardReactor) async {
    await clock.advance(by: .seconds(seconds), sleepers: BoardTotals(board.state).working)
    await board.perform(.nothing)
  }

  // MARK: Ticking

  @Test("A card counts the seconds while it is worked on, and no others")
  func ticking() async {
    let board = board()
    await pass(5, board)
    board.card(1)?.action(.work)
    await pass(3, board)
    #expect(board.state.card(1)?.worked == 3)
    board.card(1)?.action(.pause)
    #expect(board.card(1)?.effects.isEmpty == true)
    await pass(100, board)
    #expect(board.state.card(1)?.worked == 3)
    board.card(1)?.action(.toggle)
    await pass(2, board)
    #expect(board.state.card(1)?.worked == 5)
    #expect([2, 3, 4, 5].allSatisfy { board.state.card($0)?.worked == 0 })
  }

  @Test("Working twice is one ticking, and pausing twice is none")
  func twice() async {
    let board = board()
    board.card(1)?.action(.work)
    board.card(1)?.action(.work)
    board.card(1)?.action(.follow(true))
    #expect(board.card(1)?.effects.count == 1)
    await pass(2, board)
    #expect(board.state.card(1)?.worked == 2)
    board.card(1)?.action(.pause)
    board.card(1)?.action(.pause)
    await pass(2, board)
    #expect(board.state.card(1)?.worked == 2)
    #expect(clock.sleeperCount == 0)
  }

  @Test("Cards tick on their own, each from its own beginning")
  func several() async {
    let board = board()
    board.card(1)?.action(.work)
    await clock.advance(by: .milliseconds(500), sleepers: 1)
    board.card(4)?.action(.work)
    await clock.advance(by: .milliseconds(600), sleepers: 2)
    await board.perform(.nothing)
    #expect(board.state.card(1)?.worked == 1)
    #expect(board.state.card(4)?.worked == 0)
    await clock.advance(by: .milliseconds(400), sleepers: 2)
    await board.perform(.nothing)
    #expect(board.state.card(4)?.worked == 1)
  }

  @Test("The ticks of a card are commits of its column and its board, and parent and child agree in each")
  func agreement() async {
    let board = board()
    var seen: [Int] = []
    var disagreements = 0
    let subscription = board.$state.sink { state in
      seen.append(BoardTotals(state).worked)
      if board.card(2)?.state != state.card(2) { disagreements += 1 }
      if board.columns.reactor(for: .todo)?.state != state.columns[id: .todo] { disagreements += 1 }
    }
    board.card(2)?.action(.work)
    await pass(3, board)
    subscription.cancel()
    #expect(seen == [0, 0, 1, 2, 3])
    #expect(disagreements == 0)
  }

  // MARK: Moving

  @Test("A card that moves while it ticks keeps its time and ticks on in the other column")
  func movingWhileTicking() async {
    let board = board()
    board.card(1)?.action(.work)
    await pass(3, board)
    board.card(1)?.action(.ask(.move(to: .review)))
    #expect(board.state.column(of: 1) == .review)
    #expect(board.state.card(1)?.isWorking == true)
    await pass(4, board)
    #expect(board.state.card(1)?.worked == 7)
    board.card(1)?.action(.ask(.move(to: .done)))
    await pass(1, board)
    #expect(board.state.card(1)?.worked == 8)
    #expect(board.state.places == [[2, 3], [4], [], [5, 1]])
    board.card(1)?.action(.pause)
    await pass(5, board)
    #expect(board.state.card(1)?.worked == 8)
  }

  @Test("The state moves, the reactor ends: its effects are cancelled and it is freed")
  func reactorEnds() async {
    let board = board()
    board.card(1)?.action(.work)
    weak var old: CardReactor?
    old = board.card(1)
    #expect(old?.effects.count == 1)
    board.card(1)?.action(.ask(.move(to: .doing)))
    #expect(old == nil)
    #expect(board.card(1)?.effects.count == 1)
    // One that somebody holds is let go all the same.
    let held = board.card(1)
    board.card(1)?.action(.ask(.move(to: .todo)))
    #expect(held?.isAttached == false)
    #expect(held?.effects.isEmpty == true)
    #expect(held !== board.card(1))
    await pass(2, board)
    #expect(clock.sleeperCount == 1)
    #expect(board.state.card(1)?.worked == 2)
  }

  @Test("A tick that waits when its card moves is not counted, nor is the second that has begun")
  func tickOnTheWay() async {
    let board = board()
    board.card(1)?.action(.work)
    await clock.advance(by: .milliseconds(900), sleepers: 1)
    board.card(1)?.action(.ask(.move(to: .doing)))
    await clock.advance(by: .milliseconds(900), sleepers: 1)
    await board.perform(.nothing)
    #expect(board.state.card(1)?.worked == 0)
    await clock.advance(by: .milliseconds(100), sleepers: 1)
    await board.perform(.nothing)
    #expect(board.state.card(1)?.worked == 1)
  }

  @Test("Moving is one commit: nobody sees a card twice or not at all")
  func oneCommit() {
    let board = board()
    var seen: [[[Int]]] = []
    let subscription = board.observe(\.places) { seen.append($0) }
    board.card(2)?.action(.ask(.move(to: .done)))
    board.action(.move(4, to: .todo))
    subscription.cancel()
    #expect(seen == [[[1, 2, 3], [4], [], [5]], [[1, 3], [4], [], [5, 2]], [[1, 3, 4], [], [], [5, 2]]])
  }

  @Test("Moves that lead nowhere change nothing and keep the reactor")
  func noMove() async {
    let board = board()
    board.card(1)?.action(.work)
    let card = board.card(1)
    let before = board.state
    board.card(1)?.action(.ask(.move(to: .todo)))
    board.card(1)?.action(.ask(.shift(by: -1)))
    board.card(5)?.action(.ask(.shift(by: 1)))
    board.action(.move(99, to: .done))
    board.action(.archive(99))
    board.action(.restore(1))
    #expect(board.state == before)
    #expect(board.card(1) === card)
    #expect(card?.isAttached == true)
    await pass(1, board)
    #expect(board.state.card(1)?.worked == 1)
  }

  @Test("Shifting goes one column to the side")
  func shifting() {
    let board = board()
    board.card(4)?.action(.ask(.shift(by: 1)))
    #expect(board.state.places == [[1, 2, 3], [], [4], [5]])
    board.card(4)?.action(.ask(.shift(by: -1)))
    board.card(4)?.action(.ask(.shift(by: -1)))
    #expect(board.state.places == [[1, 2, 3, 4], [], [], [5]])
  }

  @Test("A board that is put back as it was ticks as it says, whoever was worked on before")
  func restoring() async {
    let board = board()
    board.card(1)?.action(.work)
    await pass(2, board)
    let saved = board.state
    board.card(1)?.action(.pause)
    board.card(4)?.action(.work)
    await pass(3, board)
    board.restore(saved)
    await pass(4, board)
    #expect(board.state.card(1)?.worked == 6)
    #expect(board.state.card(4)?.worked == 0)
    #expect(board.card(4)?.effects.isEmpty == true)
  }

  // MARK: The archive

  @Test("Archiving pauses a card and ends its reactor; restoring puts it back where it was")
  func archiving() async {
    let board = board()
    board.card(2)?.action(.work)
    await pass(3, board)
    weak var card: CardReactor?
    card = board.card(2)
    board.card(2)?.action(.ask(.archive))
    #expect(card == nil)
    #expect(board.card(2) == nil)
    #expect(board.state.places == [[1, 3], [4], [], [5]])
    #expect(board.state.archive?.cards.ids == [2])
    await pass(5, board)
    board.archive.reactor?.action(.restore(2))
    #expect(board.state.places == [[1, 2, 3], [4], [], [5]])
    #expect(board.state.card(2)?.worked == 3)
    #expect(board.state.card(2)?.isWorking == false)
    board.card(2)?.action(.work)
    await pass(1, board)
    #expect(board.state.card(2)?.worked == 4)
  }

  @Test("There is an archive while something is in it")
  func archiveComesAndGoes() {
    let board = board()
    #expect(board.archive.reactor == nil)
    board.card(1)?.action(.ask(.archive))
    weak var archive: ArchiveReactor?
    archive = board.archive.reactor
    #expect(archive?.isAttached == true)
    #expect(archive?.state == board.state.archive)
    board.card(5)?.action(.ask(.archive))
    #expect(board.archive.reactor === archive)
    archive?.action(.restore(3))
    #expect(board.state.archive?.cards.ids == [1, 5])
    archive?.action(.restoreLast)
    #expect(board.state.archive?.cards.ids == [1])
    archive?.action(.restoreLast)
    #expect(board.state.archive == nil)
    #expect(board.archive.reactor == nil)
    #expect(archive == nil)
    #expect(board.state.places == [[1, 2, 3], [4], [], [5]])
  }

  @Test("A card comes back to the end of a column that has become shorter")
  func shorterColumn() {
    let board = board()
    board.card(3)?.action(.ask(.archive))
    board.card(1)?.action(.ask(.move(to: .done)))
    board.card(2)?.action(.ask(.archive))
    board.action(.restore(3))
    #expect(board.state.places == [[3], [4], [], [5, 1]])
  }

  // MARK: Sums and lifetimes

  @Test("The sums are those of all cards, wherever they are")
  func totals() async {
    let board = board()
    let none = BoardTotals(board.state)
    #expect(none.columns.map(\.count) == [3, 1, 0, 1])
    #expect((none.count, none.working, none.archived, none.worked) == (5, 0, 0, 0))
    for number in [1, 2, 4] { board.card(number)?.action(.work) }
    await pass(10, board)
    board.card(2)?.action(.ask(.archive))
    board.card(1)?.action(.ask(.move(to: .review)))
    await pass(5, board)
    let sums = BoardTotals(board.state)
    #expect(sums.columns.map(\.count) == [1, 1, 1, 1])
    #expect(sums.columns.map(\.worked) == [0, 15, 15, 0])
    #expect((sums.count, sums.working, sums.archived, sums.worked) == (4, 2, 1, 40))
  }

  @Test("A column has reactors for its own cards only")
  func ownCards() {
    let board = board()
    let (todo, doing) = (board.columns.reactor(for: .todo), board.columns.reactor(for: .doing))
    #expect(doing?.cards.reactor(for: 1) == nil)
    #expect(todo?.cards.reactor(for: 1)?.state == board.state.card(1))
    board.action(.move(1, to: .doing))
    #expect(todo?.cards.reactor(for: 1) == nil)
    #expect(doing?.cards.reactor(for: 1)?.state == board.state.card(1))
    #expect(board.card(99) == nil)
  }

  @Test("A board that nobody holds is freed with everything that is nested in it, and nothing ticks on")
  func lifetimes() async {
    weak var board: BoardReactor?
    weak var column: ColumnReactor?
    weak var card: CardReactor?
    weak var archive: ArchiveReactor?
    do {
      let made = self.board()
      made.card(1)?.action(.work)
      made.card(2)?.action(.ask(.archive))
      await pass(1, made)
      (board, column, card, archive) = (made, made.columns.reactor(for: .todo), made.card(1), made.archive.reactor)
      #expect(card != nil && column != nil && archive != nil)
    }
    #expect(board == nil)
    #expect(column == nil)
    #expect(card == nil)
    #expect(archive == nil)
    #expect(clock.sleeperCount == 0)
  }

  @Test("Nothing of all this is reported as a mistake")
  func noReports() async {
    let reports = ReportCounter()
    await ReactorReports.withTestHandler({ reports.add($0) }) {
      let board = self.board()
      for number in 1...5 { board.card(number)?.action(.work) }
      for round in 1...20 {
        await pass(1, board)
        for number in 1...5 { board.card(number)?.action(.ask(.move(to: ColumnID.allCases[(round + number) % 4]))) }
        board.card(round % 5 + 1)?.action(.ask(.archive))
        await pass(1, board)
        board.archive.reactor?.action(.restoreLast)
        board.card(round % 5 + 1)?.action(.work)
      }
      // One second of every forty is spent in the archive, by one card after the other.
      #expect(BoardTotals(board.state).worked == 20 * 5 + 20 * 4)
    }
    #expect(reports.texts.isEmpty)
  }
}

/// Five small issues.
enum TestIssues {
  static let five = [
    BoardIssue(number: 1, title: "One"), BoardIssue(number: 2, title: "Two", labels: ["bug"], assignee: "mona"),
    BoardIssue(number: 3, title: "Drei, ein langer Titel"), BoardIssue(number: 4, title: "四", labels: ["doing"]),
    BoardIssue(number: 5, title: "Five", isClosed: true),
  ]
}

/// Keeps the reports of a test.
private final class ReportCounter: @unchecked Sendable {
  // Safe to share: only touched under `lock`.
  private let lock = NSLock()
  private var reports: [String] = []

  var texts: [String] { lock.withLock { reports } }

  func add(_ report: ReactorReport) { lock.withLock { reports.append("\(report)") } }
}
