import SampleProgram
import Testing

@testable import DogsCore

@MainActor
@Suite("The line mode")
struct LineModeTests {
  /// Runs a session and answers with all that it showed.
  private func run(_ lines: [String], _ environment: DogsEnvironment? = nil) async throws -> String {
    let fake = DogsEnvironment.fake([Breed(name: "boxer"), Breed(name: "hound", subBreeds: ["afghan"])])
    let dogs = DogsReactor(environment: environment ?? fake)
    var shown = ""
    var rest = lines[...]
    let session = LineSession(dogs: dogs, nextLine: { rest.popFirst() }, show: { shown += $0 })
    do {
      try await session.run()
    } catch is CatalogueError {
      return shown + "failed"
    }
    return shown
  }

  private let start = "Dogs\n  Loading...\nDogs (2)\n  Boxer\n  Hound (1 sub-breed)\n"

  @Test("Commands are answered in their order, each with the screen it leads to")
  func session() async throws {
    let shown = try await run(["filter hou", "open hound", "back", "filter", "quit", "open boxer"])
    #expect(
      shown == start + """
        Dogs (1 of 2), filter: hou
          Hound (1 sub-breed)
        Hound (1 sub-breed)
          Afghan
        Picture: picture of hound
        Dogs (1 of 2), filter: hou
          Hound (1 sub-breed)
        Dogs (2)
          Boxer
          Hound (1 sub-breed)

        """)
  }

  @Test("Mistakes get one line each, and nothing ends")
  func mistakes() async throws {
    let shown = try await run(["jump", "", "open", "open cat", "back", "back now", "help"])
    #expect(
      shown == start + """
        unknown command "jump"; there are: filter, open, back, help, quit
        open needs the name of a breed: open BREED
        there is no breed "cat"
        this is the list already
        back stands alone: leave out "now"
        \(LineCommand.helpText)
        """)
  }

  @Test("The first command waits for the list, and a failure ends the session")
  func failure() async throws {
    let shown = try await run(["help"], .failing { _ in })
    #expect(shown == "Dogs\n  Loading...\nfailed")
  }

  @Test(
    "A line is understood whatever its blanks and letters",
    arguments: [
      ("  FILTER   ho u  ", LineCommand.filter("ho u")), ("filter", .filter("")), ("Open Hound", .open("Hound")),
      ("back\r", .back), ("quit ", .quit), ("\t", .nothing), ("help", .help),
    ])
  func commands(line: String, expected: LineCommand) {
    #expect(LineCommand(line) == expected)
  }

  @Test("What a user typed is shown, not obeyed")
  func unprintable() {
    guard case .mistake(let text) = LineCommand("\u{1B}[2J\u{7}") else {
      Issue.record("not a mistake")
      return
    }
    #expect(text == "unknown command \"?[2J?\"; there are: filter, open, back, help, quit")
  }

  @Test("Options are read, and each mistake is one line")
  func options() throws {
    var expected = DogsOptions.empty
    expected.common.file = "x.json"
    expected.delay = .milliseconds(500)
    expected.common.usesLines = true
    #expect(try DogsOptions(["--file", "x.json", "--delay=0.5", "--lines"]) == expected)
    #expect(try DogsOptions(["--file=-"]).file == "-")
    #expect(try DogsOptions(["-h"]).showsHelp)
    for (arguments, told) in [
      (["--what"], "unknown option \"--what\"; see dogs --help"),
      (["hound"], "unknown option \"hound\"; see dogs --help"),
      (["--lines=1"], "unknown option \"--lines=1\"; see dogs --help"),
      (["--file"], "--file needs a value; see dogs --help"),
      (["--file="], "--file needs a value; see dogs --help"),
      (["--delay", "-1"], "--delay needs seconds from 0 to 3600, not \"-1\"; see dogs --help"),
      (["--delay", "nan"], "--delay needs seconds from 0 to 3600, not \"nan\"; see dogs --help"),
      (["--plant", "x"], "--plant knows only crash; see dogs --help"),
      (["a\nb"], "unknown option \"a?b\"; see dogs --help"),
    ] {
      #expect(throws: OptionMistake(description: told)) { try DogsOptions(arguments) }
    }
  }
}

extension DogsOptions {
  fileprivate static var empty: DogsOptions {
    // Without arguments nothing can be wrong.
    do { return try DogsOptions([]) } catch { fatalError("\(error)") }
  }
}
