import Foundation
import Testing

@testable import BoardCore

@Suite("Reading an export of issues")
struct IssueFileTests {
  private let good = #"{"number": 1, "title": "A", "state": "open", "created_at": "2026-01-02T03:04:05Z"}"#

  private func read(_ text: String) -> IssueImport {
    IssueFile.issues(in: Array(text.utf8), file: "x.jsonl")
  }

  @Test("Everything that a card shows is read, as objects or as plain names")
  func whole() {
    let result = read(
      #"""
      {"number": 12, "title": "Mend it", "state": "closed", "labels": [{"id": 5, "name": "bug"}, "ui"], "locked": false,
      """#.replacingOccurrences(of: "\n", with: " ")
        + #" "assignee": {"login": "mona", "name": "Mona"}, "created_at": "2026-01-02T03:04:05Z"}"# + "\n"
        + #"{"number": 7, "title": "B", "state": "OPEN", "assignee": "ada", "created_at": "2026-01-02T03:04:05.5Z"}"#)
    let created = Date(timeIntervalSince1970: 1_767_323_045)
    #expect(result.complaints.isEmpty)
    #expect(
      result.issues == [
        BoardIssue(
          number: 12, title: "Mend it", isClosed: true, labels: ["bug", "ui"], assignee: "mona", created: created),
        BoardIssue(number: 7, title: "B", assignee: "ada", created: created.addingTimeInterval(0.5)),
      ])
  }

  @Test("No labels and no assignee are none, whether they are null, empty or missing")
  func nothing() {
    let line = good.dropLast()
    let result = read("\(good)\n\(line), \"labels\": null, \"assignee\": null}\n\(line), \"labels\": []}")
    #expect(result.issues == [BoardIssue(number: 1, title: "A", created: Date(timeIntervalSince1970: 1_767_323_045))])
    // The second and the third were taken for what they are.
    #expect(result.complaints.allSatisfy { $0.contains("number 1 is on line 1 already") })
    #expect(result.complaints.count == 2)
  }

  @Test(
    "A bad line is named with its number and what is wrong, and the lines around it are kept",
    arguments: [
      ("<html>", "it is not JSON"), (#"{"number": 2, "title"#, "it is not JSON"), ("[1]", "it is not a JSON object"),
      ("7", "it is not a JSON object"), ("{}", "number is missing"), (#"{"number": "2"}"#, "number is of another kind"),
      (#"{"number": 0}"#, "number is none from 1 to 999999999"),
      (#"{"number": 1.5}"#, "number is none from 1 to 999999999"),
      (#"{"number": 1e300}"#, "number is none from 1 to 999999999"), (#"{"number": 2}"#, "title is missing"),
      (#"{"number": 2, "title": null}"#, "title is of another kind"),
      (#"{"number": 2, "title": " "}"#, "title is blank"), (#"{"number": 2, "title": "B"}"#, "state is missing"),
      (#"{"number": 2, "title": "B", "state": "merged"}"#, #"state is "merged", neither "open" nor "closed""#),
      (#"{"number": 2, "title": "B", "state": "open"}"#, "created_at is missing"),
      (
        #"{"number": 2, "title": "B", "state": "open", "created_at": "yesterday"}"#,
        #"created_at is "yesterday", not a time like 2026-01-31T12:00:00Z"#
      ),
      (
        #"{"number": 2, "title": "B", "state": "open", "created_at": "2026-01-02T03:04:05Z", "labels": [3]}"#,
        "labels is of another kind"
      ),
      (
        #"{"number": 2, "title": "B", "state": "open", "created_at": "2026-01-02T03:04:05Z", "assignee": {}}"#,
        "name is missing"
      ),
      (
        #"{"number": 1, "title": "C", "state": "open", "created_at": "2026-01-02T03:04:05Z"}"#,
        "number 1 is on line 1 already"
      ),
    ])
  func badLine(line: String, reason: String) {
    let result = read("\(good)\n\n\(line)\n" + good.replacingOccurrences(of: "1,", with: "3,"))
    #expect(result.issues.map(\.number) == [1, 3])
    #expect(result.complaints == ["x.jsonl: line 3: \(reason); the line is left out"])
  }

  @Test("A line that is no text costs only itself, and shows nothing a terminal would obey")
  func notText() {
    let bytes = [0xFF, 0x0A] + Array(good.utf8)
    let result = IssueFile.issues(in: bytes, file: "a\nb")
    #expect(result.issues.map(\.number) == [1])
    #expect(result.complaints == ["a?b: line 1: it is not UTF-8 text; the line is left out"])
  }

  @Test("The mark of an editor, ends of lines of other systems, blank lines and a missing last end do no harm")
  func ends() {
    let result = read("\u{FEFF}\(good)\r\n \t\r\n\r\n" + good.replacingOccurrences(of: "1,", with: "3,"))
    #expect(result.issues.map(\.number) == [1, 3])
    #expect(result.complaints.isEmpty)
    #expect(read("") == IssueImport())
  }

  @Test("The built-in issues are all good, and begin in every column")
  func builtIn() throws {
    let result = try IssueFile.issues(inFile: nil)
    #expect(result.complaints.isEmpty)
    #expect(result.issues.count == 40)
    #expect(Set(result.issues.map(\.column)) == Set(ColumnID.allCases))
  }

  @Test(
    "A file that cannot be read is told in one line",
    arguments: [("/does/not/exist", "No such file or directory"), (NSTemporaryDirectory(), "Is a directory")])
  func badFile(path: String, reason: String) {
    let error = #expect(throws: IssueFileError.self) { try IssueFile.issues(inFile: path) }
    #expect(
      error?.description
        == "\(path): \(reason); give another file with --file PATH, or leave the option out for the built-in one")
  }

  @Test(
    "State and labels say where a card begins",
    arguments: [
      (true, ["doing"], ColumnID.done), (false, [], .todo), (false, ["bug", "In Progress"], .doing),
      (false, ["WIP"], .doing), (false, ["needs review", "doing"], .review), (false, ["not doing"], .todo),
    ])
  func columns(isClosed: Bool, labels: [String], column: ColumnID) {
    #expect(BoardIssue(number: 1, isClosed: isClosed, labels: labels).column == column)
  }
}
