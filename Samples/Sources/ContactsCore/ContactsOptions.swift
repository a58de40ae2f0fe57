// The options of the program. Pure.

package import SampleProgram

/// What the user asked for on the command line.
package struct ContactsOptions: Sendable, Hashable {
  package var common = ProgramOptions()
  package var account = "guest"
  package var delay = Duration.zero

  package static let usage = """
    usage: contacts [--account NAME] [--file PATH] [--delay SECONDS] [--lines] [--help]

    Shows an account and contacts: the teams that look after Debian's packages.
    On a terminal it draws the screen; otherwise it reads commands, one a line.

      --account NAME   the account that is loaded (guest)
      --file PATH      reads the contacts from PATH instead of the built-in ones: lines of name, address and number of
                       packages, with tabs between them
      --delay SECONDS  waits before it loads, to see that it is loading
      --lines          reads commands on a terminal, too
      --help           shows these lines

    Keys: letters find; Enter loads the account; Ctrl-R loads the contacts; Ctrl-S sends a stream, which loads the one in a
    second, or in the time of --delay, and the others in another; Ctrl-F forgets both; Ctrl-Q quits.

    Commands:

    """ + ContactsCommand.helpText.split(separator: "\n").map { "  \($0)\n" }.joined()

  package init(_ arguments: some Sequence<String>) throws(OptionMistake) {
    var reader = OptionReader(program: "contacts", arguments)
    while let name = reader.next() {
      if try common.take(name, &reader) { continue }
      switch name {
      case "--account": account = try reader.value()
      case "--delay": delay = try reader.seconds()
      default: throw reader.unknown
      }
    }
  }
}
