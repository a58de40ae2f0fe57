// The options of the program. Pure.

package import SampleProgram

/// What the user asked for on the command line.
package struct DogsOptions: Sendable, Hashable {
  package var common = ProgramOptions()
  package var delay = Duration.zero
  package var plantsCrash = false

  package var file: String? { common.file }
  package var usesLines: Bool { common.usesLines }
  package var showsHelp: Bool { common.showsHelp }

  package static let usage = """
    usage: dogs [--file PATH] [--delay SECONDS] [--lines] [--plant crash] [--help]

    Shows the breeds of dogs: a list with a filter, and the sub-breeds and a picture's address of each.
    On a terminal it draws the screen; otherwise it reads commands, one a line.

      --file PATH      reads the breeds from PATH instead of the built-in list
      --delay SECONDS  waits before it loads anything, to see that it is loading
      --lines          reads commands on a terminal, too
      --plant crash    ends with a trap at Ctrl-X, to see that the terminal survives
      --help           shows these lines

    Commands:

    """ + LineCommand.helpText.split(separator: "\n").map { "  \($0)\n" }.joined()

  package init(_ arguments: some Sequence<String>) throws(OptionMistake) {
    var reader = OptionReader(program: "dogs", arguments)
    while let name = reader.next() {
      if try common.take(name, &reader) { continue }
      switch name {
      case "--delay": delay = try reader.seconds()
      case "--plant":
        guard try reader.value() == "crash" else { throw reader.mistake("--plant knows only crash") }
        plantsCrash = true
      default: throw reader.unknown
      }
    }
  }
}
