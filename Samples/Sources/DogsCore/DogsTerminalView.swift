// The screens as frames of a terminal. Pure: a state and a size give a picture.

package import TerminalScreen

/// How many rows of its lists a window shows.
package struct DogsLayout: Sendable, Hashable {
  package let listRows: Int
  package let breedRows: Int

  /// A window of the usual 24 rows, until the real one is known.
  package init() {
    self.init(size: TerminalSize(columns: 80, rows: 24))
  }

  package init(size: TerminalSize) {
    listRows = DogsTerminalView.listArea(size).count
    breedRows = DogsTerminalView.breedArea(size).count
  }
}

package enum DogsTerminalView {
  private static let spinner = ["|", "/", "-", "\\"]

  /// The picture of a state. `step` turns the spinner that is shown while the breeds are loading.
  package static func frame(of state: DogsReactor.State, size: TerminalSize, step: Int) -> Frame {
    var frame = Frame(size: size)
    if let breed = state.breed {
      draw(BreedViewState(breed), cursor: state.breedCursor, into: &frame)
    } else {
      draw(ListViewState(state), state, step: step, into: &frame)
    }
    return frame
  }

  // MARK: The rows of a window, of which the list is the last to go

  static func listArea(_ size: TerminalSize) -> Range<Int> {
    switch size.rows {
    case 1: 0..<1
    case 2, 3: 1..<size.rows
    case 4: 2..<4
    default: 2..<(size.rows - 1)
    }
  }

  static func breedArea(_ size: TerminalSize) -> Range<Int> {
    switch size.rows {
    case 1: 0..<1
    case 2, 3: 1..<size.rows
    default: 1..<(size.rows - 1)
    }
  }

  // MARK: The screens

  private static func draw(
    _ view: ListViewState, _ state: DogsReactor.State, step: Int, into frame: inout Frame
  ) {
    let size = frame.size
    let area = listArea(size)
    if size.rows > 3 { head(view.title, view.count, into: &frame) }
    if size.rows > 1 { filter(view.query, row: area.lowerBound - 1, into: &frame) }
    let visible = state.listCursor.visible(count: view.rowCount, page: area.count)
    for (offset, row) in view.rows(visible).enumerated() {
      let isChosen = visible.lowerBound + offset == state.listCursor.selected
      let end = self.row(row.title, isChosen: isChosen, at: area.lowerBound + offset, into: &frame)
      frame.write(row.note, row: area.lowerBound + offset, column: end + 2, style: .dim)
    }
    if let message = view.message {
      let turning = state.isLoading ? spinner[step % spinner.count] + " " : ""
      frame.write(turning + message, row: area.lowerBound, column: 2)
    }
    footer(
      ["Type to filter  Enter opens  Esc clears  Ctrl-Q quits", "Enter opens  ^Q quits", "^Q quits"], into: &frame)
  }

  private static func draw(_ view: BreedViewState, cursor: ListCursor, into frame: inout Frame) {
    let area = breedArea(frame.size)
    if frame.size.rows == 1 {
      head(view.title, view.count, into: &frame)
      return
    }
    head(view.title, view.count, into: &frame)
    let visible = cursor.visible(count: view.rows.count, page: area.count)
    for (offset, index) in visible.enumerated() {
      row(view.rows[index], isChosen: index == cursor.selected, at: area.lowerBound + offset, into: &frame)
    }
    if let message = view.message { frame.write(message, row: area.lowerBound, column: 2, style: .dim) }
    footer(["Esc goes back  Ctrl-Q quits", "Esc back  ^Q quits", "^Q quits"], into: &frame)
  }

  // MARK: Their parts

  private static func head(_ title: String, _ count: String, into frame: inout Frame) {
    let end = frame.write(title, row: 0, style: .bold)
    frame.write(count, row: 0, column: end + 2)
  }

  private static func filter(_ query: String, row: Int, into frame: inout Frame) {
    let label = "Filter: "
    // The end of a long query is what the user is typing.
    let room = frame.size.columns - TextWidth.columns(of: label) - 1
    let start = frame.write(label, row: row, style: .dim)
    let end = frame.write(TextWidth.tail(of: query, in: room), row: row, column: start)
    frame.write(" ", row: row, column: end, style: .inverse)
  }

  /// Only the mark in front tells which row is chosen, so that moving it changes two characters.
  @discardableResult
  private static func row(_ title: String, isChosen: Bool, at row: Int, into frame: inout Frame) -> Int {
    if isChosen { frame.write(">", row: row, style: [.bold, .inverse]) }
    return frame.write(title, row: row, column: 2)
  }

  /// The longest of the texts that fits, on the last row of a window that has room for it.
  private static func footer(_ texts: [String], into frame: inout Frame) {
    guard frame.size.rows > 4 || (frame.size.rows == 4 && frame.text[3].isEmpty) else { return }
    guard let text = texts.first(where: { TextWidth.columns(of: $0) <= frame.size.columns }) else { return }
    frame.write(text, row: frame.size.rows - 1, style: .dim)
  }
}
