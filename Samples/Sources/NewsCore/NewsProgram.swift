// The program: chooses a form and a face.

internal import SampleProgram
internal import TerminalScreen

@MainActor
package enum NewsProgram {
  /// Runs with these options and answers with the exit code.
  package static func run(_ arguments: [String]) async -> Int32 {
    await SampleProgram.run("news") {
      let options = try NewsOptions(arguments)
      if options.common.showsHelp { return try StandardStreams.show(NewsOptions.usage) }
      let file = options.common.file
      // Whether there are news at all is known before anybody asks for them. A pipe can be read only once.
      if file.map(FileReader.isPipe) != true {
        _ = try await BlockingWork.run("first reading of news") { try UploadFile.read(file) }
      }
      let environment = NewsEnvironment.live(file: file, delay: options.delay)
      let app = options.form.app(environment)
      if !options.common.usesLines, let terminal = Terminal() {
        try await NewsTerminalSession(app: app, terminal: terminal).run()
      } else {
        try await NewsLineSession(
          app: app, nextLine: SampleProgram.lines(), show: { try StandardStreams.show($0) }
        ).run()
      }
    }
  }
}
