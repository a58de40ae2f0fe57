// The commands of the line mode.

internal import SampleProgram

/// A line that the user has typed.
package enum SearchCommand: Sendable, Hashable {
  case search(String)
  case next, previous
  case open(String)
  case history
  case again(Int)
  case reload
  case help
  case quit
  /// A blank line, which does nothing.
  case nothing
  /// What is wrong with the line, as one line.
  case mistake(String)

  package static let helpText = """
    search TEXT  shows the packages that have all words of TEXT in name or description; without TEXT all
    next         shows the next page of them
    previous     shows the page before
    open NAME    shows what is known of a package
    history      shows the last searches
    again N      searches for the one with number N once more
    reload       reads the index again
    help         shows these lines
    quit         ends the program, as the end of the input does

    """

  package init(_ line: String) {
    let words = CommandLineWords(line)
    func alone(_ command: SearchCommand) -> SearchCommand { words.surplus.map(Self.mistake) ?? command }
    switch words.command {
    case nil: self = .nothing
    case "search": self = .search(words.argument)
    case "open" where words.argument.isEmpty: self = .mistake("open needs the name of a package: open NAME")
    case "open": self = .open(words.argument)
    case "again":
      guard let number = Int(words.argument), number > 0 else {
        self = .mistake("again needs the number of a search in the history: again 1")
        return
      }
      self = .again(number)
    case "next": self = alone(.next)
    case "previous": self = alone(.previous)
    case "history": self = alone(.history)
    case "reload": self = alone(.reload)
    case "help": self = alone(.help)
    case "quit": self = alone(.quit)
    case .some:
      let all = ["search", "next", "previous", "open", "history", "again", "reload", "help", "quit"]
      self = .mistake(words.unknown(all))
    }
  }

  package static func noPackage(_ name: String) -> String {
    "there is no package \"\(CommandLineWords.shown(name))\"\n"
  }
}
