// The options of the program. Pure.

internal import TerminalScreen

/// What the user asked for on the command line.
package struct DogsOptions: Sendable, Hashable {
  package var file: String?
  package var delay = Duration.zero
  package var usesLines = false
  package var plantsCrash = false
  package var showsHelp = false

  /// An option that does not exist or has a value it cannot have: one line.
  package struct Mistake: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  package static let usage = """
    usage: dogs [--file PATH] [--delay SECONDS] [--lines] [--plant crash] [--help]

    Shows the breeds of dogs: a list with a filter, and the sub-breeds of each.
    On a terminal it draws the screen; otherwise it reads commands, one a line.

      --file PATH      reads the breeds from PATH instead of the built-in list
      --delay SECONDS  waits before it loads, to see that it is loading
      --lines          reads commands on a terminal, too
      --plant crash    ends with a trap at Ctrl-X, to see that the terminal survives
      --help           shows these lines

    Commands:

    """ + LineCommand.helpText.split(separator: "\n").map { "  \($0)\n" }.joined()

  package init(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts.first ?? ""
      func value() throws(Mistake) -> String {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw Mistake(description: "\(name) needs a value; see dogs --help")
        }
        return value
      }
      switch name {
      case "--file": file = try value()
      case "--delay": delay = try Self.seconds(value())
      case "--plant":
        guard try value() == "crash" else { throw Mistake(description: "--plant knows only crash; see dogs --help") }
        plantsCrash = true
      case "--lines" where parts.count == 1: usesLines = true
      case "--help" where parts.count == 1, "-h" where parts.count == 1: showsHelp = true
      default:
        let shown = TextWidth.printable(TextWidth.cut(argument, to: 60))
        throw Mistake(description: "unknown option \"\(shown)\"; see dogs --help")
      }
    }
  }

  private static func seconds(_ text: String) throws(Mistake) -> Duration {
    guard let seconds = Double(text), seconds >= 0, seconds <= 3600 else {
      let shown = TextWidth.printable(TextWidth.cut(text, to: 40))
      throw Mistake(description: "--delay needs seconds from 0 to 3600, not \"\(shown)\"; see dogs --help")
    }
    return .seconds(seconds)
  }
}
