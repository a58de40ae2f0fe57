// Which row of a list is chosen and which rows are in sight. Pure.

/// The chosen row of a list that may be longer than the screen, and the first row in sight.
package struct ListCursor: Sendable, Hashable {
  /// A way to move.
  package enum Move: Sendable, Hashable {
    case up, down, pageUp, pageDown, first, last
  }

  package private(set) var selected = 0
  package private(set) var top = 0

  package init() {}

  /// Moves within a list of `count` rows of which `page` are in sight. At an end it stays.
  package mutating func move(_ move: Move, count: Int, page: Int) {
    switch move {
    case .up: selected -= 1
    case .down: selected += 1
    case .pageUp: selected -= max(1, page)
    case .pageDown: selected += max(1, page)
    case .first: selected = 0
    case .last: selected = count - 1
    }
    fit(count: count, page: page)
  }

  /// Chooses a row of a list of `count` rows of which `page` are in sight.
  package mutating func select(_ row: Int, count: Int, page: Int) {
    selected = row
    fit(count: count, page: page)
  }

  /// Turns so many pages on or back: the first row in sight begins a page, and is chosen. Behind the last page it stays.
  package mutating func turn(_ pages: Int, count: Int, page: Int) {
    let page = max(1, page)
    let last = max(count - 1, 0) / page
    selected = min(max(selected / page + pages, 0), last) * page
    top = selected
  }

  /// Brings the cursor back into a list, or a page, that has become shorter.
  package mutating func fit(count: Int, page: Int) {
    let page = max(1, page)
    selected = min(max(selected, 0), max(count - 1, 0))
    if selected < top { top = selected }
    if selected >= top + page { top = selected - page + 1 }
    // No empty rows at the end while there are rows above.
    top = min(max(top, 0), max(count - page, 0))
  }

  /// The rows in sight.
  package func visible(count: Int, page: Int) -> Range<Int> {
    let start = min(top, count)
    return start..<min(count, start + max(1, page))
  }
}
