// The options of the program. Pure.

internal import TerminalScreen

/// What the user asked for on the command line.
package struct BoardOptions: Sendable, Hashable {
  package var file: String?
  package var usesLines = false
  package var showsHelp = false

  /// An option that does not exist or has no value: one line.
  package struct Mistake: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  package static let usage = """
    usage: board [--file PATH] [--lines] [--help]

    Shows issues as cards on a board, and counts the time that is worked on each.
    On a terminal it draws the board; otherwise it reads commands, one a line.

      --file PATH  reads the issues from PATH instead of the built-in ones: a JSON object a line with
                   number, title, state (open or closed), labels, assignee and created_at
      --lines      reads commands on a terminal, too
      --help       shows these lines

    Keys: arrows, Page Up and Down, Home and End choose a card; Space works on it or pauses; < and > move it; a archives
    it; u restores the one that was archived last; q quits.

    Commands:

    """ + BoardCommand.helpText.split(separator: "\n").map { "  \($0)\n" }.joined()

  package init(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch parts.first ?? "" {
      case "--file":
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw Mistake(description: "--file needs a value; see board --help")
        }
        file = value
      case "--lines" where parts.count == 1: usesLines = true
      case "--help" where parts.count == 1, "-h" where parts.count == 1: showsHelp = true
      default:
        let shown = TextWidth.printable(TextWidth.cut(argument, to: 60))
        throw Mistake(description: "unknown option \"\(shown)\"; see board --help")
      }
    }
  }
}
