import SwiftReactor
import Testing

@testable import BoardCore
@testable import TerminalScreen

@MainActor
@Suite("The board on a terminal", .timeLimit(.minutes(1)))
struct DeskTests {
  private let clock = ManualClock()

  private func desk(_ columns: Int = 80, _ rows: Int = 12, issues: [BoardIssue] = TestIssues.five) -> DeskReactor {
    DeskReactor(board: BoardReactor(issues: issues, clock: clock), size: TerminalSize(columns: columns, rows: rows))
  }

  private func press(_ desk: DeskReactor, _ keys: Key...) {
    for key in keys { #expect(desk.press(key)) }
  }

  private func pass(_ seconds: Int, _ desk: DeskReactor) async {
    await clock.advance(by: .seconds(seconds), sleepers: BoardTotals(desk.state.board).working)
    await desk.board.perform(.nothing)
  }

  private func picture(_ desk: DeskReactor) -> [String] { BoardTerminalView.frame(of: desk.state).text }

  // MARK: Keys

  @Test("Arrows choose columns and cards, and stay at the ends")
  func arrows() {
    let desk = desk()
    #expect(desk.state.cursor.card == 1)
    press(desk, .down, .down, .down, .down)
    #expect(desk.state.cursor.card == 3)
    press(desk, .right)
    #expect(desk.state.cursor.card == 4)
    press(desk, .right)
    #expect(desk.state.cursor.card == nil)
    press(desk, .right, .right, .right)
    #expect(desk.state.cursor.card == 5)
    press(desk, .left, .left, .left, .left)
    #expect(desk.state.cursor.card == 3)
    press(desk, .home)
    #expect(desk.state.cursor.card == 1)
    press(desk, .end, .up)
    #expect(desk.state.cursor.card == 2)
  }

  @Test("Space works and pauses, and in a column without cards it does nothing")
  func space() async {
    let desk = desk()
    press(desk, .character(" "))
    await pass(3, desk)
    #expect(desk.state.board.card(1)?.worked == 3)
    press(desk, .character(" "))
    await pass(3, desk)
    #expect(desk.state.board.card(1)?.worked == 3)
    press(desk, .right, .right, .character(" "), .character("a"), .character(">"))
    #expect(BoardTotals(desk.state.board).working == 0)
    #expect(desk.state.board.archive == nil)
  }

  @Test("A card that is moved stays chosen, and ticks on")
  func moving() async {
    let desk = desk()
    press(desk, .down, .character(" "))
    await pass(2, desk)
    press(desk, .character(">"), .character(">"))
    #expect(desk.state.cursor.column == .review)
    #expect(desk.state.cursor.card == 2)
    await pass(2, desk)
    #expect(desk.state.board.card(2)?.worked == 4)
    press(desk, .character("<"), .character("<"), .character("<"))
    #expect(desk.state.board.places[0] == [1, 3, 2])
    #expect(desk.state.cursor.card == 2)
  }

  @Test("Keys that come together are as good as one after the other")
  func pasted() async {
    let desk = desk()
    // Works, moves, pauses, works, moves, archives, restores: each meets the card where the one before has put it.
    for key in " > " + " >" { press(desk, .character(key)) }
    #expect(desk.state.board.column(of: 1) == .review)
    #expect(desk.state.board.card(1)?.isWorking == true)
    await pass(1, desk)
    press(desk, .character("a"), .character("u"), .character("u"))
    #expect(desk.state.board.column(of: 1) == .review)
    #expect(desk.state.board.card(1)?.worked == 1)
  }

  @Test("When a card is archived the next one is chosen, and u brings the last one back")
  func archiving() {
    let desk = desk()
    press(desk, .down, .character("a"))
    #expect(desk.state.cursor.card == 3)
    press(desk, .character("a"))
    #expect(desk.state.cursor.card == 1)
    press(desk, .character("a"))
    #expect(desk.state.cursor.card == nil)
    press(desk, .character("u"))
    #expect(desk.state.board.places[0] == [1])
    press(desk, .character("u"), .character("u"), .character("u"))
    #expect(desk.state.board.places[0] == [1, 2, 3])
  }

  @Test("q ends, and keys without a meaning do nothing")
  func quitting() {
    let desk = desk()
    #expect(!desk.press(.character("q")))
    #expect(!desk.press(.control("q")))
    let before = desk.state
    press(desk, .character("x"), .enter, .escape, .tab, .delete)
    #expect(desk.state == before)
  }

  @Test("The board is a part of the desk: its commits are commits of the desk")
  func nested() async {
    let desk = desk()
    var seen: [Int] = []
    let subscription = desk.observe(\.board.columns) { seen.append($0.reduce(0) { $0 + $1.worked }) }
    desk.board.card(4)?.action(.work)
    await pass(2, desk)
    subscription.cancel()
    #expect(seen == [0, 0, 1, 2])
    #expect(desk.board.state == desk.state.board)
    desk.board.card(4)?.action(.ask(.archive))
    #expect(desk.board.archive.reactor?.state == desk.state.board.archive)
  }

  // MARK: Pictures

  @Test("The board in an ordinary window")
  func ordinary() async {
    let desk = desk()
    press(desk, .down, .character(" "))
    await pass(65, desk)
    #expect(
      picture(desk) == [
        "Board  5 cards, worked 1:05, 1 working",
        "Todo 3, 1:05        Doing 1, 0:00       Review 0, 0:00      Done 1, 0:00",
        "  #1 One              #4 四                                   #5 Five",
        ">*#2 Two       1:05", "  #3 Drei, ein lan…", "", "", "", "", "", "#2 Two [bug] @mona 1970-01-01",
        "Space works  < > move  a archives  u restores  q quits",
      ])
  }

  @Test("The board in a window of twenty columns and five rows")
  func small() async {
    let desk = desk(20, 5)
    press(desk, .end, .character(" "))
    await pass(10, desk)
    #expect(
      picture(desk)
        == ["Board  5 cards, 0:10", "Todo 3, 0:10  1/4", "  #2 Two", ">*#3 Drei, ei… 0:10", "Space < > a u q"])
    press(desk, .character(">"))
    #expect(
      picture(desk)
        == ["Board  5 cards, 0:10", "Doing 2, 0:10  2/4", "  #4 四", ">*#3 Drei, ei… 0:10", "Space < > a u q"])
  }

  @Test("The columns around the chosen one are in sight")
  func columnsInSight() {
    let desk = desk(45, 6)
    #expect(picture(desk)[1] == "Todo 3, 0:00  1/4     Doing 1, 0:00  2/4")
    press(desk, .right)
    #expect(picture(desk)[1] == "Todo 3, 0:00  1/4     Doing 1, 0:00  2/4")
    press(desk, .right, .right)
    #expect(picture(desk)[1] == "Review 0, 0:00  3/4   Done 1, 0:00  4/4")
    press(desk, .left, .left)
    #expect(picture(desk)[1] == "Todo 3, 0:00  1/4     Doing 1, 0:00  2/4")
  }

  @Test("An empty board says so")
  func empty() {
    #expect(
      picture(desk(60, 5, issues: [])).prefix(3).map { $0 } == [
        "Board  0 cards, worked 0:00", "Todo 0, 0:00  1/4   Doing 0, 0:00  2/4  Review 0, 0:00  3/4", "  No cards.",
      ])
  }

  @Test("There is a picture for every size, and the chosen card is in it")
  func everySize() async {
    let issues = (1...200).map { BoardIssue(number: $0, title: "柴犬 title \($0)", labels: $0 % 2 == 0 ? ["doing"] : []) }
    let desk = desk(80, 24, issues: issues)
    press(desk, .right, .end, .character(" "))
    await pass(1, desk)
    for columns in [1, 2, 3, 5, 8, 20, 21, 39, 40, 79, 120, 300] {
      for rows in [1, 2, 3, 4, 5, 7, 8, 24, 100] {
        desk.action(.resize(TerminalSize(columns: columns, rows: rows)))
        let text = picture(desk)
        #expect(text.count == rows)
        #expect(text.allSatisfy { TextWidth.columns(of: $0) <= columns })
        let isMarked = text.contains { $0.hasPrefix(">") || $0.contains(" >*#200") }
        #expect(isMarked, "\(columns)x\(rows)")
      }
    }
  }

  @Test("A key or a tick costs at most two hundred bytes, in any window")
  func bytes() async {
    // Titles without wide characters: a row that has some is drawn again from its first difference on.
    let issues = (1...50).map { BoardIssue(number: $0, title: "Title \($0)", labels: $0 % 2 == 0 ? ["doing"] : []) }
    for (columns, rows) in [(20, 5), (80, 24), (300, 100)] {
      let desk = desk(columns, rows, issues: issues)
      var screen = Screen()
      func cost() -> Int { screen.update(to: BoardTerminalView.frame(of: desk.state)).count }
      _ = cost()
      press(desk, .character(" "))
      #expect((1...200).contains(cost()), "work at \(columns)x\(rows)")
      await pass(1, desk)
      #expect((1...200).contains(cost()), "a tick at \(columns)x\(rows)")
      press(desk, .down)
      #expect((1...200).contains(cost()), "a step at \(columns)x\(rows)")
      press(desk, .character("x"))
      #expect(cost() == 0)
      press(desk, .character(" "), .character(" "))
      #expect(cost() == 0)
      await clock.advance(by: .milliseconds(1), sleepers: 1)
      desk.board.card(1)?.action(.pause)
    }
  }

  @Test("A window that grows or shrinks is drawn anew, and so is one that somebody wrote to")
  func windows() {
    let desk = desk()
    desk.action(.repaint(TerminalSize(columns: 30, rows: 7)))
    #expect(desk.state.size == TerminalSize(columns: 30, rows: 7))
    #expect(desk.state.paintings == 1)
  }
}
