// The screens as frames of a terminal. Pure: a state and a size give a picture.

package import TerminalScreen

package enum SearchTerminalView {
  private static let barWidth = 20

  /// The picture of a state. `step` turns the spinner that is shown while one waits.
  package static func frame(of state: SearchReactor.State, size: TerminalSize, step: Int) -> Frame {
    var frame = Frame(size: size)
    if let details = state.details { draw(details, into: &frame) } else { draw(state, step: step, into: &frame) }
    return frame
  }

  private static func draw(_ state: SearchReactor.State, step: Int, into frame: inout Frame) {
    let view = SearchViewState(state)
    let size = frame.size
    let area = size.listBelowField
    if size.rows > 3 {
      frame.head(view.title, view.count)
      let status = [bar(view, size), view.status].filter { !$0.isEmpty }.joined(separator: " ")
      // On the right; what is on the left goes on changing, and is not to move it.
      let start = max(
        TextWidth.columns(of: "\(view.title)  \(view.count)  "), size.columns - TextWidth.columns(of: status))
      if size.columns - start >= 4 { frame.write(status, row: 0, column: start, style: .dim) }
    }
    if size.rows > 1 { frame.field("Search:", view.query, row: area.lowerBound - 1, note: view.note) }
    let visible = state.cursor.visible(count: state.results.count, page: area.count)
    for (offset, row) in visible.enumerated() {
      guard let number = state.results[row] else { continue }
      let package = PackageRow(state.index.details(number))
      let note = package.version.isEmpty ? package.summary : "\(package.version)  \(package.summary)"
      frame.listRow(package.name, note: note, isChosen: row == state.cursor.selected, row: area.lowerBound + offset)
    }
    if let message = view.message {
      frame.write((view.isReading ? Frame.spinner(step) + " " : "") + message, row: area.lowerBound, column: 2)
    }
    frame.footer([
      "Type to search  Enter opens  Esc clears or stops  ^P ^N history  ^R reads again  ^Q quits",
      "Enter opens  ^P ^N history  ^R again  ^Q quits", "Enter opens  ^Q quits", "^Q quits",
    ])
  }

  /// How far the reading is, where there is room for a bar.
  private static func bar(_ view: SearchViewState, _ size: TerminalSize) -> String {
    guard let progress = view.progress, size.columns >= 60 else { return "" }
    let done = Int(progress * Double(barWidth))
    return "[" + String(repeating: "=", count: done) + String(repeating: " ", count: barWidth - done) + "]"
  }

  private static func draw(_ details: PackageDetails, into frame: inout Frame) {
    let area = frame.size.listBelowHead
    frame.head(TextWidth.printable(details.name))
    if frame.size.rows == 1 { return }
    for (fact, row) in zip(details.facts, area) {
      let end = frame.write(fact.label, row: row, style: .dim)
      frame.write(fact.value, row: row, column: max(end + 1, min(10, frame.size.columns / 3)))
    }
    frame.footer(["Esc goes back  Ctrl-Q quits", "Esc back  ^Q quits", "^Q quits"])
  }
}
