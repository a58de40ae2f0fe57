import SampleProgram
import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import SearchCore
@testable import TerminalScreen

private let packages: [(name: String, summary: String)] =
  [("apt", "package manager"), ("bash", "shell"), ("柴犬", "wide"), ("bad", "a\u{1B}[2Jb")]
  + (1...30).map { ("lib\($0)", "library \($0)") }

private func pieces(broken: Int = 0) -> [IndexPiece] {
  [.opened(name: "index", size: 1000), .packages(segment(packages), broken: broken, bytes: 1000)]
}

@MainActor
private func state(_ actions: SearchReactor.Action..., broken: Int = 0) async -> SearchReactor.State {
  let search = SearchReactor(environment: .fake(pieces(broken: broken), clock: ImmediateClock()))
  await search.perform(.load)
  for action in actions { await search.perform(action) }
  return search.state
}

@Suite("The search on a terminal")
struct SearchTerminalViewTests {
  private func picture(_ state: SearchReactor.State, _ columns: Int, _ rows: Int, step: Int = 0) -> [String] {
    SearchTerminalView.frame(of: state, size: TerminalSize(columns: columns, rows: rows), step: step).text
  }

  @Test("The list has the found packages with version and description, and nothing a terminal would obey")
  func list() async {
    let shown = picture(await state(.laidOut(rows: 4), .search("ba"), .move(.down)), 80, 8)
    #expect(
      shown == [
        "Packages  2 of 34", "Search: ba ", "  bash  shell", "> bad  a?[2Jb", "", "", "",
        "Enter opens  ^P ^N history  ^R again  ^Q quits",
      ])
  }

  @Test("A bar shows how far the reading is, in a window that has room for it")
  func progress() async {
    var half = await state()
    half.reading = .running(bytes: 456, size: 1000)
    let bar = "[=========           ] 45 %"
    #expect(picture(half, 80, 8)[0] == "Packages  34" + String(repeating: " ", count: 80 - 12 - bar.count) + bar)
    #expect(picture(half, 30, 8)[0] == "Packages  34" + String(repeating: " ", count: 14) + "45 %")
    half.reading = .running(bytes: 456, size: nil)
    #expect(picture(half, 30, 8)[0].hasSuffix("reading"))
    half.reading = .stopped
    #expect(picture(half, 30, 8)[0].hasSuffix("stopped"))
  }

  @Test("Broken entries are told when the reading is over")
  func broken() async {
    #expect(picture(await state(broken: 2), 40, 8)[0].hasSuffix("2 broken entries"))
    #expect(picture(await state(), 40, 8)[0] == "Packages  34")
  }

  @Test("It says that it reads, that there is nothing yet, and that nothing matches")
  func messages() async {
    #expect(picture(SearchReactor.State(), 40, 8, step: 1)[2] == "  / Reading...")
    var reading = await state(.search("zzz"))
    #expect(picture(reading, 40, 8)[2] == "  No package matches.")
    reading.reading = .running(bytes: 1, size: nil)
    #expect(picture(reading, 40, 8)[2] == "  | Nothing yet.")
  }

  @Test("What is found for the query before is told while the new one is searched for")
  func searching() async {
    var old = await state(.search("ba"))
    old.query = SearchQuery("b")
    #expect(picture(old, 40, 8)[1] == "Search: b  searching")
  }

  @Test("The details of a package, in a large window and in one of twenty columns and five rows")
  func details() async {
    var open = await state()
    var details = PackageDetails(name: "apt")
    details.version = "2.6.2"
    details.size = "4232"
    details.homepage = "https://example.org"
    details.summary = "package manager"
    open.details = details
    #expect(
      picture(open, 60, 7) == [
        "apt", "Version   2.6.2", "Size      4232 kB", "Homepage  https://example.org", "About     package manager", "",
        "Esc goes back  Ctrl-Q quits",
      ])
    #expect(
      picture(open, 20, 5)
        == ["apt", "Version 2.6.2", "Size  4232 kB", "Homepage https://ex…", "Esc back  ^Q quits"])
  }

  @Test("The list in a window of twenty columns and five rows")
  func small() async {
    #expect(
      picture(await state(.laidOut(rows: 2)), 20, 5)
        == ["Packages  34", "Search:  ", "> apt  package mana…", "  bash  shell", "Enter opens  ^Q quit…"].dropLast()
        + ["^Q quits"])
  }

  @Test("There is a picture for every size, and the chosen row is in it")
  func everySize() async {
    for columns in [1, 2, 3, 5, 8, 20, 79, 300] {
      for rows in [1, 2, 3, 4, 5, 6, 24, 100] {
        let size = TerminalSize(columns: columns, rows: rows)
        let shown = picture(await state(.laidOut(rows: size.listBelowField.count), .move(.last)), columns, rows)
        #expect(shown.count == rows)
        #expect(shown.contains { $0.hasPrefix(">") }, "\(columns)x\(rows)")
        #expect(shown.allSatisfy { TextWidth.columns(of: $0) <= columns })
      }
    }
  }
}

@MainActor
@Suite("The search in lines", .timeLimit(.minutes(1)))
struct SearchLineModeTests {
  /// Runs a session and answers with all that it showed.
  private func run(_ lines: [String], _ environment: SearchEnvironment? = nil) async throws -> String {
    let search = SearchReactor(environment: environment ?? .fake(pieces(broken: 1), clock: ImmediateClock()))
    var shown = ""
    var rest = lines[...]
    let session = SearchLineSession(search: search, nextLine: { rest.popFirst() }, show: { shown += $0 })
    do {
      try await session.run()
    } catch let failure as FileFailure {
      return shown + "failed: \(failure.reason)"
    }
    return shown
  }

  private let start = "index: 34 packages, 1 broken entry left out\n"

  @Test("Searches, pages, details and the history")
  func session() async throws {
    let shown = try await run([
      "search BA", "open apt", "search lib 2", "next", "next", "previous", "history", "again 2", "history", "quit",
      "next",
    ])
    #expect(
      shown == start + """
        "BA": 2 packages
          bash: shell
          bad: a?[2Jb
        apt
          About: package manager
        "lib 2": 12 packages, 1 to 10
          lib2: library 2
          lib12: library 12
          lib20: library 20
          lib21: library 21
          lib22: library 22
          lib23: library 23
          lib24: library 24
          lib25: library 25
          lib26: library 26
          lib27: library 27
        "lib 2": 12 packages, 11 to 12
          lib28: library 28
          lib29: library 29
        there is no next page
        "lib 2": 12 packages, 1 to 10
          lib2: library 2
          lib12: library 12
          lib20: library 20
          lib21: library 21
          lib22: library 22
          lib23: library 23
          lib24: library 24
          lib25: library 25
          lib26: library 26
          lib27: library 27
          1 lib 2
          2 BA
        "BA": 2 packages
          bash: shell
          bad: a?[2Jb
          1 BA
          2 lib 2

        """)
  }

  @Test("Mistakes get one line each, and nothing ends")
  func mistakes() async throws {
    let shown = try await run([
      "jump", "", "open", "open cat", "again", "again 0", "again 1", "previous", "history", "next x", "search zzz",
      "help",
    ])
    #expect(
      shown == start + """
        unknown command "jump"; there are: search, next, previous, open, history, again, reload, help, quit
        open needs the name of a package: open NAME
        there is no package "cat"
        again needs the number of a search in the history: again 1
        again needs the number of a search in the history: again 1
        there is no search with the number 1
        there is no previous page
        nothing was searched for yet
        next stands alone: leave out "x"
        "zzz": 0 packages
        \(SearchCommand.helpText)
        """)
  }

  @Test("A failure ends the session, one of a reload is told")
  func failure() async throws {
    #expect(try await run(["help"], .failing { _ in }) == "failed: there is no such file")
    let readings = Readings()
    let gone = SearchEnvironment.fake(
      pieces(), clock: ImmediateClock(),
      next: { number in
        if number == 0 { readings.begin() }
        if readings.count == 2 { throw FileFailure("index", "there is no such file") }
      })
    #expect(
      try await run(["reload", "search bash"], gone)
        == "index: 34 packages\nindex: there is no such file; \(FileFailure.anotherFile)\n\"bash\": 1 package\n  bash: shell\n"
    )
  }

  @Test("Options are read, and each mistake is one line")
  func options() throws {
    #expect(try SearchOptions([]).source == .machine)
    #expect(try SearchOptions(["--built-in"]).source == .builtIn)
    let options = try SearchOptions(["--file=x", "--delay", "2", "--lines", "--benchmark"])
    #expect(options.source == .file("x"))
    #expect(options.delay == .seconds(2))
    #expect(options.common.usesLines && options.measures)
    for (arguments, told) in [
      (["--what"], "unknown option \"--what\"; see search --help"),
      (["apt"], "unknown option \"apt\"; see search --help"),
      (["--built-in=1"], "unknown option \"--built-in=1\"; see search --help"),
      (["--file"], "--file needs a value; see search --help"),
      (["--delay", "x"], "--delay needs seconds from 0 to 3600, not \"x\"; see search --help"),
      (["--built-in", "--file", "x"], "--file and --built-in exclude each other; see search --help"),
    ] {
      #expect(throws: OptionMistake(description: told)) { try SearchOptions(arguments) }
    }
  }

  @Test("The built-in list has more than two thousand packages, none of them broken")
  func builtIn() async throws {
    let search = SearchReactor(environment: .live(.builtIn))
    await search.perform(.load)
    #expect(search.state.reading == .done)
    #expect(search.state.index.count > 2000)
    #expect(search.state.index.broken == 0)
    #expect(search.state.index.package(named: "zsh")?.section == "shells")
    await search.perform(.search("text editor"))
    #expect(search.state.results.count > 0)
  }
}

/// Counts how often a reading began. Readings come one after the other, each asked for on the task of its effect.
private final class Readings: @unchecked Sendable {
  private(set) var count = 0

  func begin() { count += 1 }
}
