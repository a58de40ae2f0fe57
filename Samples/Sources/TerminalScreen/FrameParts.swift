// The parts that screens have in common: a head, a field that is typed into, rows of a list, a footer. Pure.

extension Frame {
  /// The first row: what this is, and a note behind it.
  package mutating func head(_ title: String, _ note: String = "") {
    let end = write(title, row: 0, style: .bold)
    write(note, row: 0, column: end + 2)
  }

  /// A text that is being typed: its end is in sight, and a cursor behind it.
  package mutating func field(_ label: String, _ text: String, row: Int, note: String = "") {
    let start = write(label + " ", row: row, style: .dim)
    let end = write(TextWidth.tail(of: text, in: size.columns - start - 1), row: row, column: start)
    write(" ", row: row, column: end, style: .inverse)
    write(note, row: row, column: end + 2, style: .dim)
  }

  /// A row of a list. Only the mark in front tells which one is chosen, so that moving it changes two characters.
  package mutating func listRow(_ title: String, note: String = "", isChosen: Bool, row: Int) {
    if isChosen { write(">", row: row, style: [.bold, .inverse]) }
    let end = write(title, row: row, column: 2)
    write(note, row: row, column: end + 2, style: .dim)
  }

  /// The longest of the texts that fits, on the last row of a window that has room for it.
  package mutating func footer(_ texts: [String]) {
    guard size.rows > 4 || (size.rows == 4 && text[3].isEmpty) else { return }
    guard let text = texts.first(where: { TextWidth.columns(of: $0) <= size.columns }) else { return }
    write(text, row: size.rows - 1, style: .dim)
  }

  /// A wheel that turns with each step, in front of what one waits for.
  package static func spinner(_ step: Int) -> String {
    ["|", "/", "-", "\\"][step % 4]
  }
}

extension TerminalSize {
  /// The rows of a list below a head and a field, the list being the last to go.
  package var listBelowField: Range<Int> {
    switch rows {
    case 1: 0..<1
    case 2, 3: 1..<rows
    case 4: 2..<4
    default: 2..<(rows - 1)
    }
  }

  /// The rows of a list below a head.
  package var listBelowHead: Range<Int> {
    switch rows {
    case 1: 0..<1
    case 2, 3: 1..<rows
    default: 1..<(rows - 1)
    }
  }
}

extension ListCursor.Move {
  /// The way that a key moves a cursor.
  package init?(_ key: Key) {
    switch key {
    case .up: self = .up
    case .down: self = .down
    case .pageUp: self = .pageUp
    case .pageDown: self = .pageDown
    case .home: self = .first
    case .end: self = .last
    default: return nil
    }
  }
}
