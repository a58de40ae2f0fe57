// The program: reads the issues, chooses a face, and turns whatever happens into an exit code.

internal import Dispatch
internal import TerminalScreen

@MainActor
package enum BoardProgram {
  /// Runs with these options and answers with the exit code.
  package static func run(_ arguments: [String]) async -> Int32 {
    StandardStreams.prepare()
    do {
      let options = try BoardOptions(arguments)
      if options.showsHelp {
        try StandardStreams.show(BoardOptions.usage)
      } else {
        try await run(options)
      }
      return 0
    } catch let failure as StreamFailure where failure.isClosedPipe {
      return 0
    } catch {
      StandardStreams.complain("board: \(error)")
      return 1
    }
  }

  private static func run(_ options: BoardOptions) async throws {
    let issues = try await issues(inFile: options.file)
    // Before a terminal begins to draw, so that they are still there when it ends.
    for complaint in issues.complaints { StandardStreams.complain("board: \(complaint)") }
    if !options.usesLines, let terminal = Terminal() {
      try await BoardTerminalSession(issues: issues.issues, terminal: terminal).run()
      return
    }
    let input = LineReader()
    let session = BoardLineSession(
      issues: issues.issues,
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

  /// Reading blocks, for ever if the file is a pipe that nobody writes to: on a queue of its own, not on the main one.
  private static func issues(inFile path: String?) async throws -> IssueImport {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue(label: "reading of issues").async {
        continuation.resume(returning: Result { try IssueFile.issues(inFile: path) })
      }
    }
    return try result.get()
  }
}
