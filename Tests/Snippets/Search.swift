// A search that several articles show: its surroundings as a struct, a rule for what is typed fast, and its errors.

import SwiftReactor
import Testing

// snippet.environment
struct Library: Sendable {
  var titles: @Sendable (_ query: String) async throws -> [String]
}
// snippet.end

struct LibraryIsClosed: Error {}

// snippet.reactor
final class SearchReactor: BaseReactor<SearchReactor.Action, SearchReactor.Mutation, SearchReactor.State>,
  @unchecked Sendable  // safe: its properties are constants
{
  enum Action { case type(String), clear }
  enum Mutation { case setQuery(String), setTitles([String]), setMessage(String?) }
  struct State {
    var query = ""
    var titles: [String] = []
    var message: String?
  }

  private let library: Library
  private let pause: Duration

  init(library: Library, pause: Duration = .milliseconds(300)) {
    self.library = library
    self.pause = pause
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .type(let query):
      [.setQuery(query), .setMessage(nil)] + search(query)
    case .clear:
      [.setQuery(""), .setTitles([])] + .cancel(id: "search")
    }
  }

  private func search(_ query: String) -> Mutations<Mutation> {
    .run { [library] emit in
      emit(.setTitles(try await library.titles(query)))
    }.debounced(id: "search", for: pause)
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setQuery(let query): state.query = query
    case .setTitles(let titles): state.titles = titles
    case .setMessage(let message): state.message = message
    }
  }

  // snippet.failure
  override func effectFailed(_ error: any Error, action: Action?) {
    mutation.send(.setMessage("The search failed: \(error)"))
  }
  // snippet.end
}
// snippet.end

// snippet.tests
@MainActor @Suite("Searching")
struct SearchTests {
  @Test("What is typed is there at once, the titles come later")
  func type() async {
    let reactor = SearchReactor(library: Library { query in ["\(query) and other stories"] }, pause: .zero)
    reactor.action(.type("Dune"))
    #expect(reactor.query == "Dune")
    #expect(reactor.titles == [])
    await reactor.perform(.type("Emma"))
    #expect(reactor.titles == ["Emma and other stories"])
  }

  @Test("A failed search says so, and the next one works")
  func fail() async {
    let reactor = SearchReactor(
      library: Library { query in
        if query == "" { throw LibraryIsClosed() }
        return [query]
      }, pause: .zero)
    await reactor.perform(.type(""))
    #expect(reactor.message == "The search failed: LibraryIsClosed()")
    await reactor.perform(.type("Emma"))
    #expect(reactor.message == nil)
    #expect(reactor.titles == ["Emma"])
  }
}
// snippet.end
