// The searches that led somewhere. Pure.

/// The last searches, the newest first, and a way through them as in a shell: older, newer, and back to what was being
/// typed.
package struct SearchHistory: Sendable, Hashable {
  package static let longest = 20

  package private(set) var entries: [String] = []
  /// Where one is on the way; nil at what is being typed.
  private var position: Int?
  private var draft = ""

  package init() {}

  /// Puts a search in front. One that was there already moves there.
  package mutating func remember(_ text: String) {
    leave()
    let text = SearchQuery(text).words.isEmpty ? "" : text
    guard !text.isEmpty else { return }
    entries.removeAll { $0 == text }
    entries.insert(text, at: 0)
    entries.removeLast(max(0, entries.count - Self.longest))
  }

  /// Something else is being typed: the next step begins there.
  package mutating func leave() {
    position = nil
    draft = ""
  }

  /// A step back in time, from what is being typed. Nil at the oldest.
  package mutating func older(than typed: String) -> String? {
    if position == nil { draft = typed }
    // What is there already is no step.
    var next = (position ?? -1) + 1
    while next < entries.count, entries[next] == typed { next += 1 }
    guard next < entries.count else { return nil }
    position = next
    return entries[next]
  }

  /// A step forward in time, at last to what was being typed. Nil there.
  package mutating func newer() -> String? {
    guard let position else { return nil }
    guard position > 0 else {
      let text = draft
      leave()
      return text
    }
    self.position = position - 1
    return entries[position - 1]
  }
}
