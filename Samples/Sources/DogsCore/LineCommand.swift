// The commands of the line mode.

internal import TerminalScreen

/// A line that the user has typed.
package enum LineCommand: Sendable, Hashable {
  case filter(String)
  case open(String)
  case back
  case help
  case quit
  /// A blank line, which does nothing.
  case nothing
  /// What is wrong with the line, as one line.
  case mistake(String)

  package static let helpText = """
    filter TEXT   shows the breeds whose name contains TEXT; without TEXT all of them
    open BREED    shows the sub-breeds of a breed
    back          goes back to the list
    help          shows these lines
    quit          ends the program, as the end of the input does

    """

  package init(_ line: String) {
    let words = line.split(maxSplits: 1) { $0.isWhitespace }
    let argument = words.count > 1 ? Self.trimmed(words[1]) : ""
    switch words.first?.lowercased() {
    case nil: self = .nothing
    case "filter": self = .filter(argument)
    case "open": self = argument.isEmpty ? .mistake("open needs the name of a breed: open BREED") : .open(argument)
    case "back": self = Self.alone(.back, "back", argument)
    case "help": self = Self.alone(.help, "help", argument)
    case "quit": self = Self.alone(.quit, "quit", argument)
    case .some:
      let word = Self.printable(String(words[0]))
      self = .mistake("unknown command \"\(word)\"; there are: filter, open, back, help, quit")
    }
  }

  /// The answer to the name of a breed that does not exist.
  package static func noBreed(_ name: String) -> String {
    "there is no breed \"\(printable(name))\"\n"
  }

  private static func alone(_ command: LineCommand, _ name: String, _ argument: String) -> LineCommand {
    argument.isEmpty ? command : .mistake("\(name) stands alone: leave out \"\(printable(argument))\"")
  }

  private static func printable(_ text: String) -> String {
    TextWidth.printable(TextWidth.cut(text, to: 40))
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0.isWhitespace }
    let length = start.reversed().drop { $0.isWhitespace }.count
    return String(start.prefix(length))
  }
}
