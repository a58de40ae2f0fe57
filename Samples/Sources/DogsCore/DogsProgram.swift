// The program: chooses a face, and turns whatever happens into an exit code.

internal import TerminalScreen

@MainActor
package enum DogsProgram {
  /// Runs with these options and answers with the exit code.
  package static func run(_ arguments: [String]) async -> Int32 {
    StandardStreams.prepare()
    do {
      let options = try DogsOptions(arguments)
      if options.showsHelp {
        try StandardStreams.show(DogsOptions.usage)
      } else {
        try await run(options)
      }
      return 0
    } catch let failure as StreamFailure where failure.isClosedPipe {
      return 0
    } catch {
      StandardStreams.complain("dogs: \(error)")
      return 1
    }
  }

  private static func run(_ options: DogsOptions) async throws {
    let dogs = DogsReactor(environment: .live(file: options.file, delay: options.delay))
    if !options.usesLines, let terminal = Terminal() {
      try await TerminalSession(dogs: dogs, terminal: terminal).run(plantsCrash: options.plantsCrash)
      return
    }
    let input = LineReader()
    let session = LineSession(
      dogs: dogs,
      nextLine: {
        guard StandardStreams.areTerminals else { return try await input.next() }
        try StandardStreams.show("> ")
        let line = try await input.next()
        // What comes next begins on a line of its own.
        if line == nil { try StandardStreams.show("\n") }
        return line
      },
      show: { text in try StandardStreams.show(text) })
    try await session.run()
  }
}
