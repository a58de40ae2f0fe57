// The program: chooses a face.

internal import SampleProgram
internal import TerminalScreen

@MainActor
package enum ContactsProgram {
  /// Runs with these options and answers with the exit code.
  package static func run(_ arguments: [String]) async -> Int32 {
    await SampleProgram.run("contacts") {
      let options = try ContactsOptions(arguments)
      if options.common.showsHelp { return try StandardStreams.show(ContactsOptions.usage) }
      let file = options.common.file
      // Whether there are contacts at all is known before anybody asks for them. A pipe can be read only once.
      if file.map(FileReader.isPipe) != true {
        _ = try await BlockingWork.run("first reading of contacts") { try ContactFile.read(file) }
      }
      let reactor = ContactsReactor(
        environment: .live(account: options.account, file: file, delay: options.delay))
      if !options.common.usesLines, let terminal = Terminal() {
        let interval = max(options.delay, .seconds(1))
        try await ContactsTerminalSession(reactor: reactor, terminal: terminal, interval: interval).run()
      } else {
        try await ContactsLineSession(
          reactor: reactor, nextLine: SampleProgram.lines(), show: { try StandardStreams.show($0) }
        ).run()
      }
    }
  }
}
