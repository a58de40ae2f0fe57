// The options of the program. Pure.

package import SampleProgram

/// What the user asked for on the command line.
package struct NewsOptions: Sendable, Hashable {
  package var common = ProgramOptions()
  package var form = NewsForm.combined
  package var delay = Duration.zero

  package static let usage = """
    usage: news [--form FORM] [--file PATH] [--delay SECONDS] [--lines] [--help]

    Shows uploads of Debian packages to a user, in an app with a news module.
    On a terminal it draws the screen; otherwise it reads commands, one a line.

      --form FORM      how app and module live together, which nobody can see from outside: combined (one reactor),
                       separate (two that do not know each other), nested (one is a window on the other's state)
      --file PATH      reads the uploads from PATH instead of the built-in ones: lines of date, package, version, suite
                       and urgency, with tabs between them
      --delay SECONDS  waits before it loads, to see that it is loading
      --lines          reads commands on a terminal, too
      --help           shows these lines

    Commands:

    """ + NewsCommand.helpText.split(separator: "\n").map { "  \($0)\n" }.joined()

  package init(_ arguments: some Sequence<String>) throws(OptionMistake) {
    var reader = OptionReader(program: "news", arguments)
    while let name = reader.next() {
      if try common.take(name, &reader) { continue }
      switch name {
      case "--form": form = try reader.choice()
      case "--delay": delay = try reader.seconds()
      default: throw reader.unknown
      }
    }
  }
}
