// The bytes that turn what a terminal shows into a new frame. Pure: it writes nothing itself.

/// Knows what a terminal shows, and answers with the bytes that change only what differs.
///
/// ```swift
/// var screen = Screen()
/// terminal.write(screen.update(to: frame))
/// ```
package struct Screen: Sendable {
  private var shown: Frame?

  package init() {}

  /// Forgets what is shown: the next frame is drawn from scratch. For a terminal that somebody else has written to.
  package mutating func invalidate() {
    shown = nil
  }

  /// The bytes for `frame`: nothing if it is what the terminal shows already.
  package mutating func update(to frame: Frame) -> [UInt8] {
    var output = Output()
    var before = shown
    if before?.size != frame.size {
      output.clear()
      before = Frame(size: frame.size)
    }
    if let before {
      for row in frame.rows.indices where before.rows[row] != frame.rows[row] {
        output.change(row: row, from: before.rows[row], to: frame.rows[row])
      }
    }
    output.finish()
    shown = frame
    return output.bytes
  }
}

/// Control sequences and texts, in as few bytes as is simple.
private struct Output {
  /// Unchanged cells between two changed ones that are cheaper written again than jumped over.
  private static let shortGap = 6

  var bytes: [UInt8] = []
  private var style = TextStyle.plain

  mutating func clear() {
    append("\u{1B}[0m\u{1B}[H\u{1B}[2J")
  }

  mutating func finish() {
    use(.plain)
  }

  mutating func change(row: Int, from old: [Frame.Cell], to new: [Frame.Cell]) {
    func differs(_ column: Int) -> Bool {
      (column < old.count ? old[column] : .blank) != new[column]
    }
    var column = 0
    if isDelicate(old) || isDelicate(new) {
      // Terminals disagree about the width of such characters. Everything behind the first difference is drawn again,
      // so that a disagreement spoils one row at most, and not for long.
      while column < new.count, !differs(column) { column += 1 }
      // Never begin within a wide character.
      if column < new.count, new[column].width == 0, column > 0 { column -= 1 }
      move(row: row, column: column)
      // Erased first: behind a character in the last column the cursor still stands on it.
      eraseToEnd()
      write(new[column...])
      return
    }
    while column < new.count {
      guard differs(column) else {
        column += 1
        continue
      }
      var end = column + 1
      var next = end
      while next < new.count, next - end <= Self.shortGap {
        if differs(next) { end = next + 1 }
        next += 1
      }
      move(row: row, column: column)
      write(new[column..<end])
      column = end
    }
    if old.count > new.count {
      move(row: row, column: new.count)
      eraseToEnd()
    }
  }

  private func isDelicate(_ cells: [Frame.Cell]) -> Bool {
    cells.contains { $0.width != 1 || $0.text.unicodeScalars.count > 1 }
  }

  private mutating func write(_ cells: ArraySlice<Frame.Cell>) {
    for cell in cells where cell.width > 0 {
      use(cell.style)
      append(cell.text)
    }
  }

  private mutating func move(row: Int, column: Int) {
    append("\u{1B}[\(row + 1);\(column + 1)H")
  }

  private mutating func eraseToEnd() {
    use(.plain)
    append("\u{1B}[K")
  }

  private mutating func use(_ new: TextStyle) {
    guard new != style else { return }
    style = new
    var sequence = "\u{1B}[0"
    if new.contains(.bold) { sequence += ";1" }
    if new.contains(.dim) { sequence += ";2" }
    if new.contains(.inverse) { sequence += ";7" }
    append(sequence + "m")
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
