// The board as a frame of a terminal. Pure: a state gives a picture.

internal import SwiftReactor
package import TerminalScreen

/// The rows of a window. The cards are the last to go.
package struct BoardLayout: Sendable, Hashable {
  /// The narrowest column that is shown beside another one.
  static let narrowestColumn = 20

  let size: TerminalSize
  let header: Int?
  let heads: Int?
  package let cards: Range<Int>
  let details: Int?
  let footer: Int?

  package init(_ size: TerminalSize) {
    self.size = size
    let rows = size.rows
    header = rows >= 4 ? 0 : nil
    heads = rows >= 2 ? (rows >= 4 ? 1 : 0) : nil
    footer = rows >= 5 ? rows - 1 : nil
    details = rows >= 8 ? rows - 2 : nil
    cards = (heads.map { $0 + 1 } ?? 0)..<(details ?? footer ?? rows)
  }

  /// The columns that are in sight, the chosen one among them, each with the columns of text that it takes.
  func columns(around chosen: ColumnID) -> [(id: ColumnID, text: Range<Int>)] {
    let all = ColumnID.allCases
    let count = max(1, min(all.count, size.columns / Self.narrowestColumn))
    let first = max(0, all.firstIndex(of: chosen)! - count + 1)
    let width = size.columns / count
    return (0..<count).map { (all[first + $0], $0 * width..<($0 + 1) * width) }
  }
}

package enum BoardTerminalView {
  package static func frame(of state: DeskReactor.State) -> Frame {
    var frame = Frame(size: state.size)
    let layout = BoardLayout(state.size)
    let totals = BoardTotals(state.board)
    if let row = layout.header {
      let end = frame.write("Board", row: row, style: .bold)
      write(totals.headers, row: row, column: end + 2, into: &frame)
    }
    let columns = layout.columns(around: state.cursor.column)
    for (id, text) in columns {
      if let row = layout.heads, let sums = totals.columns.first(where: { $0.id == id }) {
        // Where this one is, if not all are in sight.
        let place = ColumnID.allCases.firstIndex(of: id)! + 1
        let note = columns.count < totals.columns.count ? "  \(place)/\(totals.columns.count)" : ""
        let style: TextStyle = id == state.cursor.column ? [.bold, .inverse] : .bold
        frame.write(sums.text + note, row: row, column: text.lowerBound, limit: text.count - 1, style: style)
      }
      draw(id, state, rows: layout.cards, text: text, into: &frame)
    }
    if totals.count == 0 { frame.write("No cards.", row: layout.cards.lowerBound, column: 2, style: .dim) }
    if let row = layout.details, let number = state.cursor.card, let card = state.board.card(number) {
      frame.write("\(card.title) \(card.details)", row: row, style: .dim)
    }
    if let row = layout.footer {
      write(
        [
          "Arrows choose  Space works or pauses  < > move the card  a archives  u restores  q quits",
          "Space works  < > move  a archives  u restores  q quits", "Space < > a u  q quits", "Space < > a u q",
        ], row: row, column: 0, style: .dim, into: &frame)
    }
    return frame
  }

  private static func draw(
    _ id: ColumnID, _ state: DeskReactor.State, rows: Range<Int>, text: Range<Int>, into frame: inout Frame
  ) {
    guard let cards = state.board.columns[id: id]?.cards else { return }
    let cursor = state.cursor[id]
    let visible = cursor.visible(count: cards.count, page: rows.count)
    // One column stays free, so that two texts never touch.
    let right = text.upperBound - 1
    for (row, index) in zip(rows, visible) {
      guard let card = cards[id: cards.ids[index]] else { continue }
      let left = text.lowerBound
      if id == state.cursor.column, index == cursor.selected {
        frame.write(">", row: row, column: left, style: [.bold, .inverse])
      }
      if card.isWorking { frame.write("*", row: row, column: left + 1, limit: right - left - 1, style: .bold) }
      let width = TextWidth.columns(of: card.time)
      let room = right - left - 2 - (width == 0 ? 0 : width + 1)
      // Too narrow for both: the time is told by the sums as well.
      let showsTime = width > 0 && room >= 6
      frame.write(card.title, row: row, column: left + 2, limit: showsTime ? room : right - left - 2)
      if showsTime { frame.write(card.time, row: row, column: right - width, style: card.isWorking ? .bold : .dim) }
    }
  }

  /// The longest of the texts that fits, or as much of the last one as there is room for.
  private static func write(
    _ texts: [String], row: Int, column: Int, style: TextStyle = .plain, into frame: inout Frame
  ) {
    let room = frame.size.columns - column
    guard let text = texts.first(where: { TextWidth.columns(of: $0) <= room }) ?? texts.last else { return }
    frame.write(text, row: row, column: column, style: style)
  }
}
