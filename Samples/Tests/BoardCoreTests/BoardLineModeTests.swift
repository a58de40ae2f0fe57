import SampleProgram
import Testing

@testable import BoardCore

@MainActor
@Suite("The line mode of the board", .timeLimit(.minutes(1)))
struct BoardLineModeTests {
  /// Runs a session and answers with all that it showed.
  private func run(_ lines: [String]) async throws -> String {
    var shown = ""
    var rest = lines[...]
    let session = BoardLineSession(issues: TestIssues.five, nextLine: { rest.popFirst() }, show: { shown += $0 })
    try await session.run()
    return shown
  }

  private let start = "Board: 5 cards, worked 0:00 | Todo 3, 0:00 | Doing 1, 0:00 | Review 0, 0:00 | Done 1, 0:00\n"

  @Test("A session of work: the output is the same each time")
  func session() async throws {
    let lines = [
      "work 1", "tick 5", "move 1 DOING", "tick 60", "archive #1", "restore 1", "work 1", "tick 3600", "pause 1",
      "show",
      "quit", "show",
    ]
    let shown = try await run(lines)
    #expect(
      shown == start + """
        #1 is in Todo, working, worked 0:00
        Board: 5 cards, worked 0:05, 1 working | Todo 3, 0:05 | Doing 1, 0:00 | Review 0, 0:00 | Done 1, 0:00
        #1 is in Doing, working, worked 0:05
        Board: 5 cards, worked 1:05, 1 working | Todo 2, 0:00 | Doing 2, 1:05 | Review 0, 0:00 | Done 1, 0:00
        #1 is in the archive, worked 1:05
        #1 is in Doing, paused, worked 1:05
        #1 is in Doing, working, worked 1:05
        Board: 5 cards, worked 1:01:05, 1 working | Todo 2, 0:00 | Doing 2, 1:01:05 | Review 0, 0:00 | Done 1, 0:00
        #1 is in Doing, paused, worked 1:01:05
        Board: 5 cards, worked 1:01:05 | Todo 2, 0:00 | Doing 2, 1:01:05 | Review 0, 0:00 | Done 1, 0:00
        Todo 2, 0:00
          #2 Two [bug] @mona 1970-01-01
          #3 Drei, ein langer Titel 1970-01-01
        Doing 2, 1:01:05
          #4 四 [doing] 1970-01-01
          #1 One 1970-01-01 1:01:05
        Review 0, 0:00
        Done 1, 0:00
          #5 Five 1970-01-01

        """)
    #expect(try await run(lines) == shown)
  }

  @Test("What is in the archive is shown, counted, and left alone")
  func archive() async throws {
    let lines = ["work 2", "tick 7", "archive 2", "tick 3", "work 2", "move 2 done", "archive 2", "show"]
    #expect(
      try await run(lines) == start + """
        #2 is in Todo, working, worked 0:00
        Board: 5 cards, worked 0:07, 1 working | Todo 3, 0:07 | Doing 1, 0:00 | Review 0, 0:00 | Done 1, 0:00
        #2 is in the archive, worked 0:07
        Board: 4 cards, worked 0:07, 1 archived | Todo 2, 0:00 | Doing 1, 0:00 | Review 0, 0:00 | Done 1, 0:00
        #2 is in the archive; restore it first
        #2 is in the archive; restore it first
        #2 is in the archive; restore it first
        Board: 4 cards, worked 0:07, 1 archived | Todo 2, 0:00 | Doing 1, 0:00 | Review 0, 0:00 | Done 1, 0:00
        Todo 2, 0:00
          #1 One 1970-01-01
          #3 Drei, ein langer Titel 1970-01-01
        Doing 1, 0:00
          #4 四 [doing] 1970-01-01
        Review 0, 0:00
        Done 1, 0:00
          #5 Five 1970-01-01
        Archive 1, 0:07
          #2 Two [bug] @mona 1970-01-01 0:07

        """)
  }

  @Test("Mistakes get one line each, and nothing ends")
  func mistakes() async throws {
    #expect(
      try await run(["jump", "", "work", "work x", "work 9", "restore 9", "restore 1", "move 1", "move 1 up", "tick 0"])
        == start + """
          unknown command "jump"; there are: show, work, pause, move, archive, restore, tick, help, quit
          work needs the number of a card: work 12
          work needs the number of a card: work 12
          there is no card #9
          there is no card #9
          #1 is not in the archive
          move needs the number of a card and a column: move 12 doing
          there is no column "up"; there are: todo, doing, review, done
          tick needs seconds from 1 to 36000: tick 5

          """)
  }

  @Test(
    "A line is understood whatever its blanks and letters",
    arguments: [
      ("  MOVE  12   Done ", BoardCommand.move(12, .done)), ("work #3", .work(3)), ("pause 3\r", .pause(3)),
      ("archive 3", .archive(3)), ("restore 3", .restore(3)), ("tick 36000", .tick(36_000)), ("show", .show),
      ("\t", .nothing), ("Help", .help), ("quit ", .quit),
      ("quit now", .mistake("quit stands alone: leave out \"now\"")),
      ("tick 36001", .mistake("tick needs seconds from 1 to 36000: tick 5")),
      (
        "\u{1B}[2J\u{7}",
        .mistake("unknown command \"?[2J?\"; there are: show, work, pause, move, archive, restore, tick, help, quit")
      ),
    ])
  func commands(line: String, expected: BoardCommand) {
    #expect(BoardCommand(line) == expected)
  }

  @Test("Options are read, and each mistake is one line")
  func options() throws {
    let options = try BoardOptions(["--file", "x", "--lines"])
    #expect(options.file == "x" && options.usesLines && !options.showsHelp)
    #expect(try BoardOptions(["--file=-"]).file == "-")
    #expect(try BoardOptions(["-h"]).showsHelp)
    for (arguments, told) in [
      (["--what"], "unknown option \"--what\"; see board --help"), (["x"], "unknown option \"x\"; see board --help"),
      (["--lines=1"], "unknown option \"--lines=1\"; see board --help"),
      (["--file"], "--file needs a value; see board --help"), (["--file="], "--file needs a value; see board --help"),
      (["a\nb"], "unknown option \"a?b\"; see board --help"),
    ] {
      #expect(throws: OptionMistake(description: told)) { try BoardOptions(arguments) }
    }
  }

  @Test(
    "Times are read like a clock",
    arguments: [
      (0, "0:00"), (5, "0:05"), (754, "12:34"), (3_600, "1:00:00"), (3_723, "1:02:03"), (360_000, "100:00:00"),
    ])
  func times(seconds: Int, text: String) {
    #expect(WorkTime.text(seconds) == text)
  }
}
