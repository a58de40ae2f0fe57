// What every program does around its own work: the exit code, the last words, lines from the input.

internal import TerminalScreen

@MainActor
package enum SampleProgram {
  /// Runs a program and answers with its exit code: 1 and one line on standard error for whatever was thrown, 0 when
  /// nobody reads what it writes.
  package static func run(_ name: String, _ body: () async throws -> Void) async -> Int32 {
    StandardStreams.prepare()
    do {
      try await body()
      return 0
    } catch let failure as StreamFailure where failure.isClosedPipe {
      return 0
    } catch {
      StandardStreams.complain("\(name): \(error)")
      return 1
    }
  }

  /// Where a conversation in lines takes its next line from: standard input, with a prompt if somebody types there.
  package static func lines() -> () async throws -> String? {
    let input = LineReader()
    return {
      guard StandardStreams.areTerminals else { return try await input.next() }
      try StandardStreams.show("> ")
      let line = try await input.next()
      // What comes next begins on a line of its own.
      if line == nil { try StandardStreams.show("\n") }
      return line
    }
  }
}

/// A line that a user has typed, as a command and what it is given.
package struct CommandLineWords: Sendable, Hashable {
  /// The first word in lower case; nil for a blank line.
  package let command: String?
  /// The rest, without blanks around it.
  package let argument: String
  private let first: String

  package init(_ line: String) {
    let words = line.split(maxSplits: 1) { $0.isWhitespace }
    first = words.first.map(String.init) ?? ""
    command = words.first?.lowercased()
    argument = words.count > 1 ? Self.trimmed(words[1]) : ""
  }

  /// The answer to a command that does not exist.
  package func unknown(_ commands: [String]) -> String {
    "unknown command \"\(Self.shown(first))\"; there are: \(commands.joined(separator: ", "))"
  }

  /// What is wrong with something behind a command that has no use for it; nil if nothing is there.
  package var surplus: String? {
    argument.isEmpty ? nil : "\(command ?? "") stands alone: leave out \"\(Self.shown(argument))\""
  }

  /// What was typed, to be shown and not to be obeyed.
  package static func shown(_ text: String) -> String {
    TextWidth.printable(TextWidth.cut(text, to: 40))
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0.isWhitespace }
    let length = start.reversed().drop { $0.isWhitespace }.count
    return String(start.prefix(length))
  }
}
