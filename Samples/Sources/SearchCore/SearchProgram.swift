// The program: chooses a face.

internal import SampleProgram
internal import TerminalScreen

@MainActor
package enum SearchProgram {
  /// Runs with these options and answers with the exit code.
  package static func run(_ arguments: [String]) async -> Int32 {
    await SampleProgram.run("search") {
      let options = try SearchOptions(arguments)
      if options.common.showsHelp { return try StandardStreams.show(SearchOptions.usage) }
      if options.measures { return try await SearchBenchmark(options.source).run() }
      let search = SearchReactor(environment: .live(options.source, delay: options.delay))
      if !options.common.usesLines, let terminal = Terminal() {
        try await SearchTerminalSession(search: search, terminal: terminal).run()
      } else {
        try await SearchLineSession(
          search: search, nextLine: SampleProgram.lines(), show: { try StandardStreams.show($0) }
        ).run()
      }
    }
  }
}
