// The commands of the line mode.

internal import SampleProgram

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
    let words = CommandLineWords(line)
    switch words.command {
    case nil: self = .nothing
    case "filter": self = .filter(words.argument)
    case "open" where words.argument.isEmpty: self = .mistake("open needs the name of a breed: open BREED")
    case "open": self = .open(words.argument)
    case "back": self = words.surplus.map(Self.mistake) ?? .back
    case "help": self = words.surplus.map(Self.mistake) ?? .help
    case "quit": self = words.surplus.map(Self.mistake) ?? .quit
    case .some: self = .mistake(words.unknown(["filter", "open", "back", "help", "quit"]))
    }
  }

  /// The answer to the name of a breed that does not exist.
  package static func noBreed(_ name: String) -> String {
    "there is no breed \"\(CommandLineWords.shown(name))\"\n"
  }
}
