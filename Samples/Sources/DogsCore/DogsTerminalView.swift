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
    listRows = size.listBelowField.count
    breedRows = DogsTerminalView.breedArea(size).count
  }
}

package enum DogsTerminalView {
  /// The picture of a state. `step` turns the spinner that is shown while something is loading.
  package static func frame(of state: DogsReactor.State, size: TerminalSize, step: Int) -> Frame {
    var frame = Frame(size: size)
    if let detail = state.detail {
      draw(BreedViewState(detail), cursor: detail.cursor, step: step, into: &frame)
    } else {
      draw(ListViewState(state), state, step: step, into: &frame)
    }
    return frame
  }

  /// The rows of a breed's sub-breeds. Where there is room, the one above them is for the picture.
  static func breedArea(_ size: TerminalSize) -> Range<Int> {
    size.rows > 5 ? 2..<(size.rows - 1) : size.listBelowHead
  }

  private static func draw(
    _ view: ListViewState, _ state: DogsReactor.State, step: Int, into frame: inout Frame
  ) {
    let size = frame.size
    let area = size.listBelowField
    if size.rows > 3 { frame.head(view.title, view.count) }
    if size.rows > 1 { frame.field("Filter:", view.query, row: area.lowerBound - 1) }
    let visible = state.cursor.visible(count: view.rowCount, page: area.count)
    for (offset, row) in view.rows(visible).enumerated() {
      let isChosen = visible.lowerBound + offset == state.cursor.selected
      frame.listRow(row.title, note: row.note, isChosen: isChosen, row: area.lowerBound + offset)
    }
    if let message = view.message {
      let turning = state.isLoading ? Frame.spinner(step) + " " : ""
      frame.write(turning + message, row: area.lowerBound, column: 2)
    }
    frame.footer(["Type to filter  Enter opens  Esc clears  Ctrl-Q quits", "Enter opens  ^Q quits", "^Q quits"])
  }

  private static func draw(_ view: BreedViewState, cursor: ListCursor, step: Int, into frame: inout Frame) {
    frame.head(view.title, view.count)
    if frame.size.rows == 1 { return }
    let area = breedArea(frame.size)
    if area.lowerBound == 2 {
      frame.write((view.isWaiting ? Frame.spinner(step) + " " : "") + view.picture, row: 1, style: .dim)
    }
    let visible = cursor.visible(count: view.rows.count, page: area.count)
    for (offset, index) in visible.enumerated() {
      frame.listRow(view.rows[index], isChosen: index == cursor.selected, row: area.lowerBound + offset)
    }
    if let message = view.message { frame.write(message, row: area.lowerBound, column: 2, style: .dim) }
    frame.footer(["Esc goes back  Ctrl-Q quits", "Esc back  ^Q quits", "^Q quits"])
  }
}
