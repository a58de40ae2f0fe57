// The line mode: reads commands, sends actions, prints what came of them.

internal import SampleProgram
internal import SwiftReactor

/// A conversation in lines. Each command is done before the next is read, the first of them when the index is there, so
/// that the same input always gives the same output.
@MainActor
package struct SearchLineSession {
  private let search: SearchReactor
  private let nextLine: () async throws -> String?
  private let show: (String) throws -> Void

  /// `nextLine` answers nil at the end of the input, `show` writes text as it is. What they throw ends the session.
  package init(
    search: SearchReactor, nextLine: @escaping () async throws -> String?, show: @escaping (String) throws -> Void
  ) {
    self.search = search
    self.nextLine = nextLine
    self.show = show
  }

  /// Runs until the user quits or the input ends. Throws the ``FileFailure`` if the index cannot be read.
  package func run() async throws {
    search.action(.laidOut(rows: SearchLines.page))
    await search.perform(.load)
    if case .failed(let failure) = search.state.reading { throw failure }
    try show(SearchLines.start(search.state))
    while let line = try await nextLine() {
      let command = SearchCommand(line)
      if command == .quit { return }
      try show(await answer(to: command))
    }
  }

  private func answer(to command: SearchCommand) async -> String {
    switch command {
    case .search(let text):
      return await find(text)
    case .next, .previous:
      let before = search.state.cursor
      search.action(.turn(command == .next ? 1 : -1))
      guard search.state.cursor != before else { return "there is no \(command == .next ? "next" : "previous") page\n" }
      return SearchLines.results(search.state)
    case .open(let name):
      search.action(.back)
      search.action(.openNamed(name))
      return search.state.details.map(SearchLines.details) ?? SearchCommand.noPackage(name)
    case .history:
      return SearchLines.history(search.state.history)
    case .again(let number):
      let entries = search.state.history.entries
      guard entries.indices.contains(number - 1) else { return "there is no search with the number \(number)\n" }
      return await find(entries[number - 1])
    case .reload:
      await search.perform(.load)
      if case .failed(let failure) = search.state.reading { return "\(failure)\n" }
      return SearchLines.start(search.state)
    case .help:
      return SearchCommand.helpText
    case .mistake(let text):
      return text + "\n"
    case .nothing, .quit:
      return ""
    }
  }

  /// Returns when what was found is in the state.
  private func find(_ text: String) async -> String {
    await search.perform(.search(text))
    search.action(.remember)
    return SearchLines.results(search.state)
  }
}
