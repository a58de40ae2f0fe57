// Reads an export of issues: one JSON object a line. A bad line costs that line, a bad file the program.

internal import Foundation
internal import SampleProgram
internal import TerminalScreen

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// What came out of a file: the issues in its order, and one line of text for each line that had to be left out.
package struct IssueImport: Sendable, Hashable {
  package var issues: [BoardIssue] = []
  package var complaints: [String] = []
}

/// Why a file could not be read at all: one line, with the file, what is wrong and what to do.
package struct IssueFileError: Error, Hashable, CustomStringConvertible {
  package let description: String

  fileprivate init(_ file: String, _ what: String) {
    description = TextWidth.printable(
      "\(file): \(what); give another file with --file PATH, or leave the option out for the built-in one")
  }
}

package enum IssueFile {
  /// No export is longer.
  package static let largestFile = 64 * 1_048_576

  /// The file that comes with the program, or nil when the program was moved away from it.
  package static var builtIn: String? {
    BuiltInFiles.areThere(for: "BoardCore")
      ? Bundle.module.url(forResource: "issues", withExtension: "jsonl")?.path : nil
  }

  /// Reads a file, or the built-in one for nil. Blocks while it reads.
  package static func issues(inFile path: String?) throws(IssueFileError) -> IssueImport {
    guard let path = path ?? builtIn else {
      throw IssueFileError("the built-in issues", "the folder they come in is not beside the program")
    }
    return issues(in: try contents(of: path), file: path)
  }

  /// Takes the contents of a file apart. Blank lines say nothing.
  package static func issues(in contents: [UInt8], file: String) -> IssueImport {
    var result = IssueImport()
    var lineOfNumber: [Int: Int] = [:]
    // Some editors put a mark in front of UTF-8, which JSON does not know.
    let bytes = contents.starts(with: [0xEF, 0xBB, 0xBF]) ? contents.dropFirst(3) : contents[...]
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      do {
        let issue = try self.issue(in: Data(line))
        if let first = lineOfNumber[issue.number] {
          throw IssueRecord.Refusal(reason: "number \(issue.number) is on line \(first) already")
        }
        lineOfNumber[issue.number] = index + 1
        result.issues.append(issue)
      } catch {
        let text = "\(file): line \(index + 1): \(reason(for: error)); the line is left out"
        result.complaints.append(TextWidth.printable(text))
      }
    }
    return result
  }

  private static func issue(in line: Data) throws -> BoardIssue {
    guard String(data: line, encoding: .utf8) != nil else {
      throw IssueRecord.Refusal(reason: "it is not UTF-8 text")
    }
    return try JSONDecoder().decode(IssueRecord.self, from: line).issue
  }

  private static func reason(for error: any Error) -> String {
    switch error {
    case let refusal as IssueRecord.Refusal: return refusal.reason
    case DecodingError.keyNotFound(let key, _): return "\(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let path = context.codingPath
      return path.isEmpty ? "it is not a JSON object" : "\(path[0].stringValue) is of another kind"
    default: return "it is not JSON"
    }
  }

  private static func contents(of path: String) throws(IssueFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw IssueFileError(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return contents }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw IssueFileError(path, String(cString: strerror(errno))) }
      contents += buffer[..<count]
      // Also a file without an end comes to one.
      if contents.count > largestFile { throw IssueFileError(path, "more than \(largestFile / 1_048_576) MB") }
    }
  }
}

/// A line as the tracker writes it. What is not named here is not looked at.
private struct IssueRecord: Decodable {
  let issue: BoardIssue

  /// JSON that is right as such and wrong as an issue.
  struct Refusal: Error {
    let reason: String
  }

  private enum Key: String, CodingKey {
    case number, title, state, labels, assignee
    case created = "created_at"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    // As a fraction, because a decoder for whole numbers takes one for broken JSON.
    let value = try values.decode(Double.self, forKey: .number)
    guard let number = Int(exactly: value), (1...999_999_999).contains(number) else {
      throw Refusal(reason: "number is none from 1 to 999999999")
    }
    let title = try values.decode(String.self, forKey: .title)
    guard title.contains(where: { !$0.isWhitespace }) else { throw Refusal(reason: "title is blank") }
    let state = try values.decode(String.self, forKey: .state).lowercased()
    guard ["open", "closed"].contains(state) else {
      throw Refusal(reason: "state is \"\(TextWidth.cut(state, to: 20))\", neither \"open\" nor \"closed\"")
    }
    let created = try values.decode(String.self, forKey: .created)
    guard let date = Self.date(created) else {
      throw Refusal(reason: "created_at is \"\(TextWidth.cut(created, to: 30))\", not a time like 2026-01-31T12:00:00Z")
    }
    issue = BoardIssue(
      number: number, title: title, isClosed: state == "closed",
      labels: try values.decodeIfPresent([NameRecord].self, forKey: .labels)?.map(\.name) ?? [],
      assignee: try values.decodeIfPresent(NameRecord.self, forKey: .assignee)?.name, created: date)
  }

  private static func date(_ text: String) -> Date? {
    let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
    return styles.lazy.compactMap { try? Date(text, strategy: $0) }.first
  }
}

/// A label or a person: a text, or an object with more about it.
private struct NameRecord: Decodable {
  let name: String

  private enum Key: String, CodingKey { case name, login }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      name = text
      return
    }
    let values = try decoder.container(keyedBy: Key.self)
    name = try values.decodeIfPresent(String.self, forKey: .login) ?? values.decode(String.self, forKey: .name)
  }
}
