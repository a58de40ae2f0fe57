// The program: chooses a face.

internal import SampleProgram
internal import TerminalScreen

@MainActor
package enum DogsProgram {
  /// Runs with these options and answers with the exit code.
  package static func run(_ arguments: [String]) async -> Int32 {
    await SampleProgram.run("dogs") {
      let options = try DogsOptions(arguments)
      if options.showsHelp { return try StandardStreams.show(DogsOptions.usage) }
      let dogs = DogsReactor(environment: .live(file: options.file, delay: options.delay))
      if !options.usesLines, let terminal = Terminal() {
        try await TerminalSession(dogs: dogs, terminal: terminal).run(plantsCrash: options.plantsCrash)
      } else {
        try await LineSession(dogs: dogs, nextLine: SampleProgram.lines(), show: { try StandardStreams.show($0) }).run()
      }
    }
  }
}
