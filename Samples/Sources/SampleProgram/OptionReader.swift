// The options of a command line, taken one after the other. Pure.

internal import TerminalScreen

/// An option that does not exist, or has a value that it cannot have: one line.
package struct OptionMistake: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// Goes through the arguments of a program: `--name`, `--name VALUE` or `--name=VALUE`.
///
/// ```swift
/// var reader = OptionReader(program: "dogs", arguments)
/// while let name = reader.next() {
///   switch name {
///   case "--file": file = try reader.value()
///   case "--lines" where reader.standsAlone: usesLines = true
///   default: throw reader.unknown
///   }
/// }
/// ```
package struct OptionReader {
  private let program: String
  private var rest: ArraySlice<String>
  private var argument = ""
  private var name = ""
  private var attached: String?

  package init(program: String, _ arguments: some Sequence<String>) {
    self.program = program
    rest = Array(arguments)[...]
  }

  /// The name of the next option; nil when there is none.
  package mutating func next() -> String? {
    guard let argument = rest.popFirst() else { return nil }
    self.argument = argument
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    name = parts.first ?? ""
    attached = parts.count == 2 ? parts[1] : nil
    return name
  }

  /// Whether nothing is attached to the option: what is only a switch takes no value.
  package var standsAlone: Bool { attached == nil }

  /// The value of the option.
  package mutating func value() throws(OptionMistake) -> String {
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else { throw mistake("\(name) needs a value") }
    return value
  }

  /// The value of the option as a time of up to an hour.
  package mutating func seconds() throws(OptionMistake) -> Duration {
    let text = try value()
    guard let seconds = Double(text), seconds >= 0, seconds <= 3600 else {
      throw mistake("\(name) needs seconds from 0 to 3600, not \"\(shown(text, 40))\"")
    }
    return .seconds(seconds)
  }

  /// The value of the option as one of a few words.
  package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>() throws(OptionMistake) -> Choice {
    let text = try value()
    guard let choice = Choice(rawValue: text) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw mistake("\(name) knows only \(choices)")
    }
    return choice
  }

  /// What to throw for an option that the program does not know.
  package var unknown: OptionMistake { mistake("unknown option \"\(shown(argument, 60))\"") }

  package func mistake(_ text: String) -> OptionMistake {
    OptionMistake(description: "\(text); see \(program) --help")
  }

  private func shown(_ text: String, _ limit: Int) -> String {
    TextWidth.printable(TextWidth.cut(text, to: limit))
  }
}

/// The options that every program has.
package struct ProgramOptions: Sendable, Hashable {
  package var file: String?
  package var usesLines = false
  package var showsHelp = false

  package init() {}

  /// Takes the option that the reader stands on, if it is one of these.
  package mutating func take(_ name: String, _ reader: inout OptionReader) throws(OptionMistake) -> Bool {
    switch name {
    case "--file": file = try reader.value()
    case "--lines" where reader.standsAlone: usesLines = true
    case "--help" where reader.standsAlone, "-h" where reader.standsAlone: showsHelp = true
    default: return false
    }
    return true
  }
}
