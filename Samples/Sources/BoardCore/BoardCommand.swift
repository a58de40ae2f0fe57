// The commands of the line mode. Pure.

internal import TerminalScreen

/// A line that the user has typed.
package enum BoardCommand: Sendable, Hashable {
  case show
  case work(Int)
  case pause(Int)
  case move(Int, ColumnID)
  case archive(Int)
  case restore(Int)
  case tick(Int)
  case help
  case quit
  /// A blank line, which does nothing.
  case nothing
  /// What is wrong with the line, as one line.
  case mistake(String)

  /// Ten hours. Every second of them is really gone through.
  package static let longestTick = 36_000

  package static let helpText = """
    show           shows the sums and every card
    work N         begins or goes on to work on card N
    pause N        pauses it
    move N COLUMN  moves it to todo, doing, review or done; who works on it goes on
    archive N      puts it away, paused
    restore N      puts it back where it was
    tick SECONDS   lets time pass
    help           shows these lines
    quit           ends the program, as the end of the input does

    """

  package init(_ line: String) {
    let words = line.split { $0.isWhitespace }.map(String.init)
    guard let name = words.first?.lowercased() else {
      self = .nothing
      return
    }
    let arguments = Array(words.dropFirst())
    switch name {
    case "show": self = Self.alone(.show, name, arguments)
    case "help": self = Self.alone(.help, name, arguments)
    case "quit": self = Self.alone(.quit, name, arguments)
    case "work": self = Self.card(name, arguments) { .work($0) }
    case "pause": self = Self.card(name, arguments) { .pause($0) }
    case "archive": self = Self.card(name, arguments) { .archive($0) }
    case "restore": self = Self.card(name, arguments) { .restore($0) }
    case "move": self = Self.move(arguments)
    case "tick": self = Self.tick(arguments)
    default:
      self = .mistake(
        "unknown command \"\(Self.shown(words[0]))\"; "
          + "there are: show, work, pause, move, archive, restore, tick, help, quit")
    }
  }

  private static func alone(_ command: BoardCommand, _ name: String, _ arguments: [String]) -> BoardCommand {
    arguments.isEmpty
      ? command : .mistake("\(name) stands alone: leave out \"\(shown(arguments.joined(separator: " ")))\"")
  }

  private static func card(
    _ name: String, _ arguments: [String], _ command: (Int) -> BoardCommand
  ) -> BoardCommand {
    guard arguments.count == 1, let number = number(arguments[0]) else {
      return .mistake("\(name) needs the number of a card: \(name) 12")
    }
    return command(number)
  }

  private static func move(_ arguments: [String]) -> BoardCommand {
    guard arguments.count == 2, let number = number(arguments[0]) else {
      return .mistake("move needs the number of a card and a column: move 12 doing")
    }
    guard let column = ColumnID(named: arguments[1]) else {
      let names = ColumnID.allCases.map(\.rawValue).joined(separator: ", ")
      return .mistake("there is no column \"\(shown(arguments[1]))\"; there are: \(names)")
    }
    return .move(number, column)
  }

  private static func tick(_ arguments: [String]) -> BoardCommand {
    guard arguments.count == 1, let seconds = Int(arguments[0]), (1...longestTick).contains(seconds) else {
      return .mistake("tick needs seconds from 1 to \(longestTick): tick 5")
    }
    return .tick(seconds)
  }

  /// With or without the mark that issues are written with.
  private static func number(_ text: String) -> Int? {
    Int(text.hasPrefix("#") ? String(text.dropFirst()) : text)
  }

  private static func shown(_ text: String) -> String {
    TextWidth.printable(TextWidth.cut(text, to: 40))
  }
}
