// A list of lines for states that are read from several threads at once.

/// Lines in the order in which they were appended.
///
/// Unlike an array it is never changed in place: appending makes a new last entry that knows the one before it. An array
/// of which a reader has let go is changed in place by the next mutation, and ThreadSanitizer, which does not see reference
/// counts, takes that for a race.
struct StoryLog: Sequence, Equatable, Sendable, ExpressibleByArrayLiteral, CustomStringConvertible {
  private final class Entry: Sendable {
    let line: String
    let before: Entry?
    let number: Int

    init(_ line: String, after before: Entry?) {
      self.line = line
      self.before = before
      number = (before?.number ?? 0) + 1
    }
  }

  private var lastEntry: Entry?

  init() {}

  init(arrayLiteral lines: String...) {
    for line in lines { append(line) }
  }

  var count: Int { lastEntry?.number ?? 0 }
  var isEmpty: Bool { lastEntry == nil }
  var last: String? { lastEntry?.line }

  /// All lines. O(n).
  var lines: [String] {
    var reversed: [String] = []
    var entry = lastEntry
    while let current = entry {
      reversed.append(current.line)
      entry = current.before
    }
    return reversed.reversed()
  }

  var description: String { lines.description }

  mutating func append(_ line: String) {
    lastEntry = Entry(line, after: lastEntry)
  }

  func makeIterator() -> IndexingIterator<[String]> { lines.makeIterator() }

  static func == (left: StoryLog, right: StoryLog) -> Bool { left.lines == right.lines }
  static func == (left: StoryLog, right: [String]) -> Bool { left.lines == right }
}
