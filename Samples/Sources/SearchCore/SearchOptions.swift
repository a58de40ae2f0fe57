// The options of the program. Pure.

package import SampleProgram

/// What the user asked for on the command line.
package struct SearchOptions: Sendable, Hashable {
  package var common = ProgramOptions()
  package var usesBuiltIn = false
  package var delay = Duration.zero
  package var measures = false

  package var source: IndexSource {
    if let file = common.file { return .file(file) }
    return usesBuiltIn ? .builtIn : .machine
  }

  package static let usage = """
    usage: search [--file PATH | --built-in] [--delay SECONDS] [--lines] [--benchmark] [--help]

    Searches a list of Debian packages while it is being read and while one types.
    On a terminal it draws the screen; otherwise it reads commands, one a line.

      --file PATH      reads the packages from PATH: a copy of /var/lib/dpkg/status, or what `apt-cache dumpavail`
                       prints; without it, /var/lib/dpkg/status, or the built-in list where there is none
      --built-in       reads the built-in list
      --delay SECONDS  waits before each piece that it reads, to see the progress
      --lines          reads commands on a terminal, too
      --benchmark      types by itself, and prints how long each key took and how much memory it needed
      --help           shows these lines

    Keys: letters search; arrows, Page Up and Down, Home and End choose; Enter opens; Escape clears the search, or stops
    the reading; Ctrl-P and Ctrl-N go through the history; Ctrl-R reads the index again; Ctrl-Q quits.

    Commands:

    """ + SearchCommand.helpText.split(separator: "\n").map { "  \($0)\n" }.joined()

  package init(_ arguments: some Sequence<String>) throws(OptionMistake) {
    var reader = OptionReader(program: "search", arguments)
    while let name = reader.next() {
      if try common.take(name, &reader) { continue }
      switch name {
      case "--built-in" where reader.standsAlone: usesBuiltIn = true
      case "--delay": delay = try reader.seconds()
      case "--benchmark" where reader.standsAlone: measures = true
      default: throw reader.unknown
      }
    }
    if usesBuiltIn, common.file != nil { throw reader.mistake("--file and --built-in exclude each other") }
  }
}
