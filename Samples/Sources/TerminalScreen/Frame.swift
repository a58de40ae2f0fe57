// What a screen shows: rows of styled characters. A view is a function from a state to a frame.

/// The size of a terminal, in characters.
package struct TerminalSize: Sendable, Hashable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}

/// How a text stands out. All terminals know these three.
package struct TextStyle: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let plain: TextStyle = []
  package static let bold = TextStyle(rawValue: 1)
  package static let dim = TextStyle(rawValue: 2)
  package static let inverse = TextStyle(rawValue: 4)
}

/// One picture of the screen. Writing outside its size is cut off, so that a view need not count.
///
/// ```swift
/// var frame = Frame(size: TerminalSize(columns: 20, rows: 2))
/// let end = frame.write("Dogs", row: 0, style: .bold)
/// frame.write("106", row: 0, column: end + 1)
/// ```
package struct Frame: Sendable, Equatable {
  /// One column. The second column of a wide character is an empty cell of width 0.
  struct Cell: Sendable, Equatable {
    var text: String
    var width: Int
    var style: TextStyle

    static let blank = Cell(text: " ", width: 1, style: .plain)
  }

  package let size: TerminalSize
  /// The cells of each row up to its last one that is not blank.
  private(set) var rows: [[Cell]]

  package init(size: TerminalSize) {
    self.size = size
    rows = Array(repeating: [], count: size.rows)
  }

  /// The rows as plain text, without blanks at their ends.
  package var text: [String] {
    rows.map { row in row.map(\.text).joined() }
  }

  /// Writes `text` at a place, cut off at the right edge or at `limit` columns, and returns the column behind it.
  /// Control characters are replaced: what is written never moves the cursor.
  @discardableResult
  package mutating func write(
    _ text: String, row: Int, column: Int = 0, limit: Int = .max, style: TextStyle = .plain
  ) -> Int {
    guard rows.indices.contains(row), column >= 0, column < size.columns else { return column }
    let room = min(limit, size.columns - column)
    let fitting = TextWidth.cut(TextWidth.printable(text), to: room)
    var cells = rows[row]
    while cells.count < column { cells.append(.blank) }
    var position = column
    for character in fitting {
      let width = TextWidth.columns(of: character)
      // A mark without a letter to stand on.
      if width == 0 { continue }
      Self.place(Cell(text: String(character), width: width, style: style), at: position, in: &cells)
      if width == 2 { Self.place(Cell(text: "", width: 0, style: style), at: position + 1, in: &cells) }
      position += width
    }
    while let last = cells.last, last == .blank { cells.removeLast() }
    rows[row] = cells
    return position
  }

  private static func place(_ cell: Cell, at position: Int, in cells: inout [Cell]) {
    guard position < cells.count else {
      cells.append(cell)
      return
    }
    // Half of a wide character that was there before must not stay behind.
    if cells[position].width == 0, cell.width != 0, position > 0 { cells[position - 1] = .blank }
    if cells[position].width == 2, cell.width < 2, position + 1 < cells.count { cells[position + 1] = .blank }
    cells[position] = cell
  }
}
