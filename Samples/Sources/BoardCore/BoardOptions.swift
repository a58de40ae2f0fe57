// The options of the program. Pure.

package import SampleProgram

/// What the user asked for on the command line.
package struct BoardOptions: Sendable, Hashable {
  package var common = ProgramOptions()

  package var file: String? { common.file }
  package var usesLines: Bool { common.usesLines }
  package var showsHelp: Bool { common.showsHelp }

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

  package init(_ arguments: some Sequence<String>) throws(OptionMistake) {
    var reader = OptionReader(program: "board", arguments)
    while let name = reader.next() {
      guard try common.take(name, &reader) else { throw reader.unknown }
    }
  }
}
