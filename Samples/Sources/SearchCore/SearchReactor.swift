// The reactor behind both faces of the program.

package import Dispatch
package import SampleProgram
package import SwiftReactor
package import TerminalScreen

/// Search as one types, in an index that is being read.
///
/// **Reading** is one effect: an async stream of pieces, each a commit of its own, which also searches what it brings. So
/// there are results long before the end. What is typed meanwhile are actions between those commits; none waits for long,
/// and none is lost.
///
/// **Searching**: a query that narrows the one before keeps what it finds of it, at once. Any other one is searched for off
/// the queue when nothing was typed for a moment; a newer one takes its place, and its answer is never seen.
///
/// ```swift
/// let search = SearchReactor(environment: .live(.machine))
/// await search.perform(.load)
/// await search.perform(.search("apt"))
/// search.state.results.count
/// ```
package final class SearchReactor: BaseReactor<SearchReactor.Action, SearchReactor.Mutation, SearchReactor.State>,
  @unchecked Sendable  // Safe to share: its only property is constant; the state is the base class's.
{
  package enum Action: Sendable, Hashable {
    /// Reads the index, or reads it again.
    case load
    /// Stops reading. What was read stays.
    case stop
    case search(String)
    case move(ListCursor.Move)
    /// Turns so many pages of the results.
    case turn(Int)
    /// Opens the package that the cursor is on. While a search runs, the first that it finds.
    case open
    /// Opens a package by its name. An unknown name does nothing.
    case openNamed(String)
    case back
    /// Searches for what was searched for before, or after.
    case older, newer
    /// Puts the query into the history.
    case remember
    /// So many rows of the list are in sight now.
    case laidOut(rows: Int)
  }

  package enum Mutation: Sendable, Hashable {
    case readingBegan
    case read(IndexPiece)
    case readingEnded(Reading)
    case setQuery(SearchQuery)
    case setHistory(SearchHistory)
    case found(SearchResults)
    case move(ListCursor.Move)
    case turn(Int)
    case open(PackageDetails)
    case openWhenFound
    case leave
    case remember
    case setRows(Int)
  }

  package enum Reading: Sendable, Hashable {
    case notBegun
    /// So many bytes of so many, if that is known.
    case running(bytes: Int, size: Int?)
    case done
    case stopped
    case failed(FileFailure)
  }

  package struct State: Sendable, Hashable {
    package internal(set) var reading = Reading.notBegun
    /// The file that is read.
    package internal(set) var source = ""
    package internal(set) var index = PackageIndex()
    /// What is searched for.
    package internal(set) var query = SearchQuery("")
    /// What was found: of this query, or of the one before while this one is searched for.
    package internal(set) var results = SearchResults()
    package internal(set) var cursor = ListCursor()
    package internal(set) var rows = 20
    /// The package that is open: then its screen is shown, otherwise the list.
    package internal(set) var details: PackageDetails?
    package internal(set) var history = SearchHistory()
    /// The best result is to be opened as soon as it is there.
    package internal(set) var opensWhenFound = false

    package init() {}

    package var isReading: Bool { if case .running = reading { true } else { false } }
    package var isSearching: Bool { results.query.words != query.words }
    /// Why nothing could be read at all.
    package var failure: FileFailure? {
      if case .failed(let failure) = reading, index.isEmpty { failure } else { nil }
    }
    /// The package that the cursor is on.
    package var chosen: PackageDetails? { results[cursor.selected].map(index.details) }
  }

  private enum Effect { case reading, searching }

  private let environment: SearchEnvironment

  package init(environment: SearchEnvironment, queue: DispatchQueue = .main) {
    self.environment = environment
    super.init(initialState: State(), queue: queue)
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .load:
      return [.readingBegan] + reading().effect(id: Effect.reading)
    case .stop:
      return state.isReading ? [.readingEnded(.stopped)] + .cancel(id: Effect.reading) : .none
    case .search(let text):
      var history = state.history
      history.leave()
      return search(text, history)
    case .older:
      var history = state.history
      return history.older(than: state.query.text).map { search($0, history) } ?? .none
    case .newer:
      var history = state.history
      return history.newer().map { search($0, history) } ?? .none
    case .move(let move):
      return [.move(move)]
    case .turn(let pages):
      return [.turn(pages)]
    case .open:
      if state.isSearching { return [.openWhenFound] }
      return state.chosen.map { [.open($0), .remember] } ?? .none
    case .openNamed(let name):
      return state.index.package(named: name).map { [.open($0)] } ?? .none
    case .back:
      return state.details == nil ? .none : [.leave]
    case .remember:
      return [.remember]
    case .laidOut(let rows):
      return [.setRows(rows)]
    }
  }

  package override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .readingBegan: state.reading = .running(bytes: 0, size: nil)
    case .read(let piece): state.take(piece)
    case .readingEnded(let reading): state.reading = reading
    case .setQuery(let query): state.setQuery(query)
    case .setHistory(let history): state.history = history
    case .found(let results): state.show(results)
    case .move(let move): state.cursor.move(move, count: state.results.count, page: state.rows)
    case .turn(let pages): state.cursor.turn(pages, count: state.results.count, page: state.rows)
    case .open(let details): state.details = details
    case .openWhenFound: state.opensWhenFound = true
    case .leave: state.details = nil
    case .remember: state.history.remember(state.query.text)
    case .setRows(let rows):
      state.rows = rows
      state.cursor.fit(count: state.results.count, page: rows)
    }
  }

  private func reading() -> Mutations<Mutation> {
    .run { [environment] emit in
      do {
        // Waits while the queue has enough to do: an index is read no faster than it is shown.
        for try await piece in environment.read() { await emit.whenDrained(.read(piece)) }
        emit(.readingEnded(.done))
      } catch let failure as FileFailure {
        emit(.readingEnded(.failed(failure)))
      }
    }
  }

  private func search(_ text: String, _ history: SearchHistory) -> Mutations<Mutation> {
    let query = SearchQuery(text)
    let now = Mutations<Mutation>(sync: [.setHistory(history), .setQuery(query)])
    // What is searched for already is not searched for again; what `setQuery` answers by itself, neither.
    if query.words == state.query.words { return now }
    if state.answersAtOnce(query) { return now + .cancel(id: Effect.searching) }
    return now
      + .run { [environment, index = state.index] emit in
        emit(.found(await environment.search(index, query)))
      }.debounced(id: Effect.searching, for: environment.pause, clock: environment.clock)
  }
}

extension SearchReactor.State {
  /// Whether a query needs no search: it finds all, what was found already, or a part of it.
  func answersAtOnce(_ query: SearchQuery) -> Bool {
    query.isEmpty || query.words == results.query.words || (!results.query.isEmpty && query.narrows(results.query))
  }

  fileprivate mutating func setQuery(_ query: SearchQuery) {
    let isOther = query.words != self.query.words
    self.query = query
    opensWhenFound = false
    guard isOther else { return }
    if answersAtOnce(query) {
      if query.isEmpty {
        results = SearchResults(query, in: index)
      } else if query.words != results.query.words {
        results.narrow(to: query, in: index)
      }
    }
    cursor = ListCursor()
  }

  fileprivate mutating func take(_ piece: IndexPiece) {
    switch piece {
    case .opened(let name, let size):
      source = name
      index = PackageIndex(generation: index.generation + 1)
      results = SearchResults(query, generation: index.generation)
      cursor = ListCursor()
      reading = .running(bytes: 0, size: size)
    case .packages(let segment, let broken, let bytes):
      index.append(segment)
      index.broken += broken
      if case .running(let read, let size) = reading { reading = .running(bytes: read + bytes, size: size) }
      keepingChoice { $0.results.extend(to: $0.index) }
    }
  }

  fileprivate mutating func show(_ found: SearchResults) {
    // Of an index that is read anew since, or of a query that something else has answered.
    guard found.generation == index.generation, found.query.words == query.words else { return }
    results = found
    results.extend(to: index)
    cursor = ListCursor()
    if opensWhenFound {
      opensWhenFound = false
      details = chosen
      if details != nil { history.remember(query.text) }
    }
  }

  /// Better results come in front of the cursor: it stays on its package. At the top it stays at the top.
  private mutating func keepingChoice(_ change: (inout Self) -> Void) {
    let chosen = cursor.selected == 0 ? nil : results[cursor.selected]
    change(&self)
    if let row = chosen.flatMap({ results.row(of: $0) }) {
      cursor.select(row, count: results.count, page: rows)
    } else {
      cursor.fit(count: results.count, page: rows)
    }
  }
}
