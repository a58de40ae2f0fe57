// The search in every order: pieces of the index come while one types, answers come late, and the index is read anew.

import SampleProgram
import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import SearchCore
@testable import TerminalScreen

private let pieces: [IndexPiece] = [
  .opened(name: "index", size: 100),
  .packages(segment([("apt", "manager"), ("bash", "shell")]), broken: 1, bytes: 60),
  .packages(segment([("aptitude", "for apt"), ("zsh", "another shell")]), broken: 0, bytes: 40),
]

@Suite("The search in every order", .serialized)
struct SearchExploredTests {
  private static func reactor() -> SearchReactor {
    let piece = Gate("piece")
    let found = Gate("found")
    var environment = SearchEnvironment.fake(
      pieces, clock: ManualClock(), next: { number in if number > 0 { try await piece.wait() } })
    environment.search = { index, query in
      let results = SearchResults(query, in: index)
      // As late as it likes, and cancelled or not.
      await found.waitStubbornly()
      return results
    }
    return SearchReactor(environment: environment)
  }

  /// What is true of everything that is ever shown: the results are those of their query in all that was read, and the
  /// cursor is on one of them.
  private func isRight(_ state: SearchReactor.State) -> Bool {
    state.results == SearchResults(state.results.query, in: state.index)
      && state.cursor.selected < max(1, state.results.count) && state.index.broken <= 1
  }

  @Test(
    "Whenever the pieces and the answers come, what is shown fits together, and in the end it is what was typed last")
  func typing() async {
    let exploration = await explore(
      reactor: Self.reactor,
      scenario: Scenario(
        after: [.send(.load)], .sender("user", .send(.search("ap")), .send(.search("sh"))),
        .sender("time", .advance(by: .milliseconds(60)))),
      limits: ExplorationLimits(runs: 500, randomOrders: 300), invariant: { isRight($0) },
      atEnd: { state in
        state.reading == .done && state.query.text == "sh"
          && (state.isSearching || state.results == SearchResults(SearchQuery("sh"), in: state.index))
      })
    #expect(exploration.failure == nil)
    #expect(exploration.orders > 10)
  }

  @Test("Narrowing, choosing, opening and going back between two pieces")
  func choosing() async {
    let exploration = await explore(
      reactor: Self.reactor,
      scenario: Scenario(
        after: [.send(.load), .send(.search("a")), .advance(by: .milliseconds(25))],
        .sender("user", .send(.search("ap")), .send(.move(.last)), .send(.open), .send(.back)),
        .sender("window", .send(.laidOut(rows: 1)).elsewhere),
        .sender("time", .advance(by: .milliseconds(25)))),
      limits: ExplorationLimits(runs: 500, randomOrders: 300),
      invariant: { state in
        // What is open was found.
        isRight(state) && state.details.map { $0.name.contains("ap") } != false
      },
      atEnd: { state in
        state.reading == .done && (state.isSearching || state.results == SearchResults(state.query, in: state.index))
      })
    #expect(exploration.failure == nil)
  }

  @Test("The index is read anew, and reading is stopped, while a search is on its way")
  func readingAnew() async {
    let exploration = await explore(
      reactor: Self.reactor,
      scenario: Scenario(
        after: [.send(.load)],
        .sender("user", .send(.search("sh")), .send(.load), .send(.stop)),
        .sender("time", .advance(by: .milliseconds(25)))),
      limits: ExplorationLimits(runs: 500, randomOrders: 300), invariant: { isRight($0) },
      atEnd: { $0.reading == .stopped || $0.reading == .done })
    #expect(exploration.failure == nil)
  }
}
