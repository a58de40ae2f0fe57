// The commands of the line mode.

internal import SampleProgram

/// A line that the user has typed.
package enum ContactsCommand: Sendable, Hashable {
  /// What can be loaded, forgotten, and put into a stream.
  package enum Step: Sendable, Hashable {
    case load(ContactsReactor.Part)
    case forget(ContactsReactor.Part)

    package var action: ContactsReactor.Action {
      switch self {
      case .load(.account): .account(.load)
      case .load(.contacts): .contacts(.load)
      case .forget(.account): .account(.forget)
      case .forget(.contacts): .contacts(.forget)
      }
    }
  }

  case step(Step)
  case rename(String)
  case find(String)
  case stream
  case emit(Step)
  case finish, show, help, quit
  /// A blank line, which does nothing.
  case nothing
  /// What is wrong with the line, as one line.
  case mistake(String)

  package static let helpText = """
    load PART         loads the account or the contacts
    forget PART       forgets them
    rename NAME       gives the account another name, if there is one
    find TEXT         shows the contacts with TEXT in name or address
    stream            sends an action that is a stream of actions; it brings none yet
    emit load PART    lets the stream bring an action, as does emit forget PART
    finish            ends the stream
    show              shows both parts, and how often their observers were told
    help              shows these lines
    quit              ends the program, as the end of the input does

    """

  package init(_ line: String) {
    let words = CommandLineWords(line)
    func alone(_ command: ContactsCommand) -> ContactsCommand { words.surplus.map(Self.mistake) ?? command }
    switch words.command {
    case nil: self = .nothing
    case "load", "forget":
      self = Self.step(line).map(Self.step) ?? .mistake("\(words.command ?? "") needs a part: account or contacts")
    case "emit":
      self = Self.step(words.argument).map(Self.emit) ?? .mistake("emit needs an action: emit load account")
    case "rename" where words.argument.isEmpty: self = .mistake("rename needs a name: rename NAME")
    case "rename": self = .rename(words.argument)
    case "find": self = .find(words.argument)
    case "stream": self = alone(.stream)
    case "finish": self = alone(.finish)
    case "show": self = alone(.show)
    case "help": self = alone(.help)
    case "quit": self = alone(.quit)
    case .some:
      let all = ["load", "forget", "rename", "find", "stream", "emit", "finish", "show", "help", "quit"]
      self = .mistake(words.unknown(all))
    }
  }

  private static func step(_ line: String) -> Step? {
    let words = CommandLineWords(line)
    guard let part = ContactsReactor.Part(rawValue: words.argument.lowercased()) else { return nil }
    switch words.command {
    case "load": return .load(part)
    case "forget": return .forget(part)
    default: return nil
    }
  }
}
