// What is searched for. Pure.

/// A text that was typed, as words that all have to be found, in upper or lower case.
package struct SearchQuery: Sendable, Hashable {
  /// As it was typed.
  package let text: String
  package let words: [String]

  /// A word as the C library wants it.
  struct Word {
    let text: UnsafePointer<CChar>
    let length: Int
  }

  package init(_ text: String) {
    self.text = text
    // A zero would end the word.
    words = text.lowercased().split { $0.isWhitespace || $0 == "\0" }.map(String.init)
  }

  /// Whether everything is found.
  package var isEmpty: Bool { words.isEmpty }

  /// Whether all that this finds, the other finds, too.
  package func narrows(_ other: SearchQuery) -> Bool {
    other.words.allSatisfy { old in words.contains { $0.contains(old) } }
  }

  func withWords(_ body: (UnsafeBufferPointer<Word>) -> Void) {
    let bytes = words.map { Array($0.utf8CString) }
    var pointers: [Word] = []
    func next(_ index: Int) {
      guard index < bytes.count else { return pointers.withUnsafeBufferPointer(body) }
      bytes[index].withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        pointers.append(Word(text: start, length: buffer.count - 1))
        next(index + 1)
      }
    }
    next(0)
  }
}

/// How well a package fits a query, the best first.
package enum SearchRank: Int, Sendable, CaseIterable {
  /// The name is the query.
  case name
  /// The name begins with its first word, and has all others.
  case beginning
  /// All words are in the name.
  case inName
  /// Some are only in the description.
  case inDescription
}
