import SampleProgram
import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import SearchCore
@testable import TerminalScreen

private let first = segment([("apt", "manager"), ("aptitude", "text interface")])
private let second = segment([("bash", "shell"), ("libapt", "for apt")])
private let pieces: [IndexPiece] = [
  .opened(name: "index", size: 100), .packages(first, broken: 1, bytes: 60), .packages(second, broken: 0, bytes: 40),
]

@MainActor
@Suite("The reactor of the search", .timeLimit(.minutes(1)))
struct SearchReactorTests {
  private func loaded(_ environment: SearchEnvironment? = nil) async -> SearchReactor {
    let search = SearchReactor(environment: environment ?? .fake(pieces, clock: ImmediateClock()))
    await search.perform(.load)
    return search
  }

  private func names(_ search: SearchReactor) -> [String] {
    let state = search.state
    return (0..<state.results.count).compactMap { state.results[$0] }.map { state.index.details($0).name }
  }

  // MARK: Reading

  @Test("There are results before the index is read, and the progress tells how far it is")
  func streaming() async {
    let asked = Gate("next piece")
    let test = TestReactor(SearchReactor(environment: .fake(pieces, next: { _ in try await asked.wait() })))
    test.exhaustivity = .off
    await test.send(.load)
    #expect(test.state.reading == .running(bytes: 0, size: nil))
    asked.letThrough()
    await test.receive(.read(pieces[0]))
    #expect(test.state.reading == .running(bytes: 0, size: 100))
    asked.letThrough()
    await test.receive(.read(pieces[1]))
    #expect(test.state.reading == .running(bytes: 60, size: 100))
    #expect(test.state.results.count == 2)
    #expect(test.state.index.broken == 1)
    #expect(SearchViewState(test.state).status == "60 %")
    asked.open()
    await test.receive(.readingEnded(.done))
    #expect(test.state.results.count == 4)
    #expect(SearchViewState(test.state).status == "1 broken entry")
    await test.finish()
  }

  @Test("What is typed while the index is read is all there, and the rest of the index is searched for it")
  func typingMeanwhile() async {
    let asked = Gate("next piece")
    let clock = ManualClock()
    let test = TestReactor(
      SearchReactor(environment: .fake(pieces, clock: clock, next: { _ in try await asked.wait() })))
    test.exhaustivity = .off
    await test.send(.load)
    asked.letThrough(2)
    await test.settle()
    for character in "apt" { _ = test.reactor.press(.character(character)) }
    #expect(test.state.query.text == "apt")
    #expect(test.state.isSearching)
    await clock.advance(by: .milliseconds(25))
    #expect(names(test.reactor) == ["apt", "aptitude"])
    asked.open()
    await test.settle()
    #expect(names(test.reactor) == ["apt", "aptitude", "libapt"])
    #expect(test.state.reading == .done)
    await test.finish()
  }

  @Test("Better results come in front of the cursor, and it stays on its package")
  func choice() async {
    let asked = Gate("next piece")
    let later = segment([("apt", "another"), ("apt-x", "")])
    let all = pieces + [.packages(later, broken: 0, bytes: 0)]
    let clock = ManualClock()
    let test = TestReactor(SearchReactor(environment: .fake(all, clock: clock, next: { _ in try await asked.wait() })))
    test.exhaustivity = .off
    await test.send(.load)
    asked.letThrough(3)
    await test.send(.search("apt"))
    await clock.advance(by: .milliseconds(25))
    await test.send(.move(.last))
    #expect(test.state.chosen?.name == "libapt")
    asked.open()
    await test.settle()
    #expect(names(test.reactor) == ["apt", "apt", "aptitude", "apt-x", "libapt"])
    #expect(test.state.chosen?.name == "libapt")
    #expect(test.state.cursor.selected == 4)
    await test.finish()
  }

  @Test("Stopping keeps what was read, and nothing comes after it")
  func stopping() async {
    let asked = Gate("next piece")
    let test = TestReactor(
      SearchReactor(environment: .fake(pieces, next: { number in if number == 2 { await asked.waitStubbornly() } })))
    test.exhaustivity = .off
    await test.send(.load)
    await test.settle()
    #expect(test.state.index.count == 2)
    await test.send(.stop)
    #expect(test.state.reading == .stopped)
    asked.open()
    await test.settle()
    #expect(test.state.index.count == 2)
    #expect(test.reactor.effects.isEmpty)
    await test.send(.stop)
    await test.finish()
  }

  @Test("A failure before the first package is one of the program, a later one a notice; reading again mends it")
  func failing() async {
    let failure = FileFailure("index", "there is no such file")
    let none = await loaded(.fake([], next: { _ in throw failure }))
    #expect(none.state.failure == failure)
    let attempts = Attempts()
    let search = await loaded(
      .fake(
        pieces,
        next: { number in
          if number == 0 { attempts.begin() }
          if attempts.count == 1, number == 2 { throw failure }
        }))
    #expect(search.state.reading == .failed(failure))
    #expect(search.state.failure == nil)
    #expect(search.state.index.count == 2)
    #expect(SearchViewState(search.state).status == "index: there is no such file")
    await search.perform(.load)
    #expect(search.state.reading == .done)
    #expect(search.state.index.count == 4)
  }

  @Test("A file that disappeared leaves what was read before")
  func disappeared() async {
    let attempts = Attempts()
    let search = await loaded(
      .fake(
        pieces,
        next: { number in
          if number == 0 { attempts.begin() }
          if attempts.count == 2 { throw FileFailure("index", "there is no such file") }
        }))
    await search.perform(.search("bash"))
    await search.perform(.load)
    #expect(names(search) == ["bash"])
    #expect(search.state.failure == nil)
  }

  // MARK: Searching

  @Test("A search begins when nothing was typed for a moment, and a newer one takes its place")
  func debounced() async {
    let clock = ManualClock()
    let (asked, ask) = AsyncStream.makeStream(of: String.self)
    var environment = SearchEnvironment.fake(pieces, clock: clock)
    environment.search = { index, query in
      ask.yield(query.text)
      return SearchResults(query, in: index)
    }
    let test = TestReactor(SearchReactor(environment: environment))
    test.exhaustivity = .off
    await test.send(.load)
    await test.settle()
    await test.send(.search("b"))
    await clock.advance(by: .milliseconds(24))
    await test.send(.search("z"))
    await clock.advance(by: .milliseconds(24))
    #expect(test.state.isSearching)
    #expect(test.state.results.count == 4)
    await clock.advance(by: .milliseconds(1))
    #expect(!test.state.isSearching)
    #expect(test.state.results.count == 0)
    ask.finish()
    var texts: [String] = []
    for await text in asked { texts.append(text) }
    #expect(texts == ["z"])
    await test.finish()
  }

  @Test("A late answer to an older search is never shown")
  func latestWins() async {
    let clock = ImmediateClock()
    let answered = Gate("answer to a")
    var environment = SearchEnvironment.fake(pieces, clock: clock)
    environment.search = { index, query in
      if query.text == "a" { await answered.waitStubbornly() }
      return SearchResults(query, in: index)
    }
    let test = TestReactor(SearchReactor(environment: environment))
    test.exhaustivity = .off
    await test.send(.load)
    await test.settle()
    await test.send(.search("a"))
    await test.settle()
    await test.send(.search("shell"))
    await test.settle()
    #expect(names(test.reactor) == ["bash"])
    answered.open()
    await test.settle()
    #expect(names(test.reactor) == ["bash"])
    await test.finish()
  }

  @Test("A query that narrows what was found is answered at once, and asks nobody")
  func narrowing() async {
    let search = await loaded()
    await search.perform(.search("a"))
    #expect(names(search) == ["apt", "aptitude", "bash", "libapt"])
    search.action(.search("apt"))
    #expect(!search.state.isSearching)
    #expect(search.effects.isEmpty)
    #expect(names(search) == ["apt", "aptitude", "libapt"])
    search.action(.search("apt  "))
    #expect(names(search) == ["apt", "aptitude", "libapt"])
    search.action(.search(""))
    #expect(search.state.results.count == 4)
  }

  @Test("An answer for an index that is being read anew is not taken for this one's")
  func otherIndex() async {
    let answered = Gate("answer")
    var environment = SearchEnvironment.fake(pieces, clock: ImmediateClock())
    environment.search = { index, query in
      await answered.waitStubbornly()
      return SearchResults(query, in: index)
    }
    let test = TestReactor(SearchReactor(environment: environment))
    test.exhaustivity = .off
    await test.send(.load)
    await test.settle()
    await test.send(.search("apt"))
    await test.send(.load)
    await test.settle()
    #expect(names(test.reactor) == ["apt", "aptitude", "libapt"])
    answered.open()
    await test.settle()
    #expect(names(test.reactor) == ["apt", "aptitude", "libapt"])
    #expect(test.state.index.count == 4)
    await test.finish()
  }

  // MARK: Pages, details, history

  @Test("Pages turn, and stay at the ends")
  func pages() async {
    let search = await loaded()
    search.action(.laidOut(rows: 3))
    search.action(.turn(1))
    #expect(search.state.cursor.visible(count: 4, page: 3) == 3..<4)
    search.action(.turn(1))
    #expect(search.state.cursor.selected == 3)
    search.action(.turn(-1))
    search.action(.turn(-1))
    #expect(search.state.cursor == ListCursor())
  }

  @Test("Opening shows the details and remembers the search; leaving goes back to the same place")
  func details() async {
    let search = await loaded()
    await search.perform(.search("apt"))
    #expect(search.press(.down))
    #expect(search.press(.enter))
    #expect(search.state.details?.name == "aptitude")
    #expect(search.state.history.entries == ["apt"])
    // Letters mean nothing here.
    #expect(search.press(.character("x")))
    #expect(search.press(.escape))
    #expect(search.state.details == nil)
    #expect(search.state.cursor.selected == 1)
    search.action(.openNamed("BASH"))
    #expect(search.state.details?.name == "bash")
    search.action(.openNamed("nothing"))
    #expect(search.state.details?.name == "bash")
  }

  @Test("Enter while a search runs opens the first that it finds, unless something else is typed")
  func openWhenFound() async {
    let clock = ManualClock()
    let test = TestReactor(SearchReactor(environment: .fake(pieces, clock: clock)))
    test.exhaustivity = .off
    await test.send(.load)
    await test.settle()
    for key in [Key.character("b"), .character("a"), .enter] { _ = test.reactor.press(key) }
    #expect(test.state.details == nil)
    await clock.advance(by: .milliseconds(25))
    #expect(test.state.details?.name == "bash")
    #expect(test.state.history.entries == ["ba"])
    for key in [Key.escape, .escape, .character("l"), .enter, .backspace, .character("i")] {
      _ = test.reactor.press(key)
    }
    await clock.advance(by: .milliseconds(25))
    #expect(test.state.details == nil)
    #expect(names(test.reactor) == ["aptitude", "libapt"])
    await test.finish()
  }

  @Test("The history is gone through, to what was being typed and back")
  func history() async {
    let search = await loaded()
    for text in ["apt", "bash"] {
      await search.perform(.search(text))
      search.action(.remember)
    }
    await search.perform(.search("li"))
    await search.perform(.older)
    #expect(names(search) == ["bash"])
    await search.perform(.older)
    #expect(names(search) == ["apt", "aptitude", "libapt"])
    await search.perform(.older)
    #expect(search.state.query.text == "apt")
    await search.perform(.newer)
    await search.perform(.newer)
    #expect(search.state.query.text == "li")
    #expect(names(search) == ["libapt"])
  }

  @Test("Escape clears the query, then stops the reading; Control-Q is the end")
  func keys() async {
    let asked = Gate("next piece")
    let test = TestReactor(SearchReactor(environment: .fake(pieces, next: { _ in try await asked.wait() })))
    test.exhaustivity = .off
    await test.send(.load)
    for key in [Key.character("a"), .escape] { #expect(test.reactor.press(key)) }
    #expect(test.state.query.text == "")
    #expect(test.state.isReading)
    #expect(test.reactor.press(.escape))
    #expect(test.state.reading == .stopped)
    #expect(!test.reactor.press(.control("q")))
    await test.finish()
  }

  @Test("Nothing but reading and searching calls the environment")
  func noOtherCalls() {
    let search = SearchReactor(environment: .failing { Issue.record("unexpected call of \($0)") })
    for action in [SearchReactor.Action.move(.down), .turn(1), .open, .openNamed("apt"), .back, .older, .newer, .stop] {
      search.action(action)
    }
    #expect(search.state == SearchReactor.State())
  }
}

/// Counts how often a reading began. Readings come one after the other, each asked for on the task of its effect.
private final class Attempts: @unchecked Sendable {
  private(set) var count = 0

  func begin() { count += 1 }
}
