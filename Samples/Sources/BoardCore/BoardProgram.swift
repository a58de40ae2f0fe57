// The program: reads the issues and chooses a face.

internal import SampleProgram
internal import TerminalScreen

@MainActor
package enum BoardProgram {
  /// Runs with these options and answers with the exit code.
  package static func run(_ arguments: [String]) async -> Int32 {
    await SampleProgram.run("board") {
      let options = try BoardOptions(arguments)
      if options.showsHelp { return try StandardStreams.show(BoardOptions.usage) }
      let issues = try await BlockingWork.run("reading of issues") { try IssueFile.issues(inFile: options.file) }
      // Before a terminal begins to draw, so that they are still there when it ends.
      for complaint in issues.complaints { StandardStreams.complain("board: \(complaint)") }
      if !options.usesLines, let terminal = Terminal() {
        try await BoardTerminalSession(issues: issues.issues, terminal: terminal).run()
      } else {
        try await BoardLineSession(
          issues: issues.issues, nextLine: SampleProgram.lines(), show: { try StandardStreams.show($0) }
        ).run()
      }
    }
  }
}
