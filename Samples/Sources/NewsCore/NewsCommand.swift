// The commands of the line mode.

internal import SampleProgram

/// A line that the user has typed.
package enum NewsCommand: Sendable, Hashable {
  case signIn(NewsUser)
  case open, reload, close, show, help, quit
  /// A blank line, which does nothing.
  case nothing
  /// What is wrong with the line, as one line.
  case mistake(String)

  package static let helpText = """
    user NAME [WORD]  is another user, who follows what WORD is in, or all news
    open              opens the news and loads them
    reload            loads them again
    close             closes them
    show              shows where one is
    help              shows these lines
    quit              ends the program, as the end of the input does

    """

  package init(_ line: String) {
    let words = CommandLineWords(line)
    func alone(_ command: NewsCommand) -> NewsCommand { words.surplus.map(Self.mistake) ?? command }
    switch words.command {
    case nil: self = .nothing
    case "user":
      self = NewsUser(typed: words.argument).map(Self.signIn) ?? .mistake("user needs a name: user NAME")
    case "open": self = alone(.open)
    case "reload": self = alone(.reload)
    case "close": self = alone(.close)
    case "show": self = alone(.show)
    case "help": self = alone(.help)
    case "quit": self = alone(.quit)
    case .some: self = .mistake(words.unknown(["user", "open", "reload", "close", "show", "help", "quit"]))
    }
  }
}
