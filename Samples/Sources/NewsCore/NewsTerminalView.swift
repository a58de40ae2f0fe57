// The screens as frames of a terminal. Pure.

package import SampleProgram
package import TerminalScreen

package enum NewsTerminalView {
  /// The picture of the app and of the desk in front of it.
  package static func frame(
    of picture: NewsPicture, desk: ListDeskReactor.State, size: TerminalSize, step: Int
  ) -> Frame {
    var frame = Frame(size: size)
    if let news = picture.news {
      draw(NewsViewState(news), desk.cursor, step: step, into: &frame)
    } else {
      draw(picture, desk.draft, into: &frame)
    }
    return frame
  }

  private static func draw(_ picture: NewsPicture, _ draft: String, into frame: inout Frame) {
    let size = frame.size
    let area = size.listBelowField
    if size.rows > 3 { frame.head("News", "User: \(picture.user.title)") }
    frame.field("User:", TextWidth.printable(draft), row: max(0, area.lowerBound - 1))
    if size.rows > 4 {
      frame.write("A name, and perhaps a word to follow: ada security", row: area.lowerBound, column: 2, style: .dim)
    }
    frame.footer(["Type a name  Enter opens the news  Esc clears  Ctrl-Q quits", "Enter opens  ^Q quits", "^Q quits"])
  }

  private static func draw(_ view: NewsViewState, _ cursor: ListCursor, step: Int, into frame: inout Frame) {
    let area = frame.size.listBelowHead
    if frame.size.rows > 1 { frame.head(view.title, view.count) }
    let visible = cursor.visible(count: view.rows.count, page: area.count)
    for (offset, row) in visible.enumerated() {
      frame.listRow(view.rows[row], isChosen: row == cursor.selected, row: area.lowerBound + offset)
    }
    if let message = view.message {
      frame.write((view.isLoading ? Frame.spinner(step) + " " : "") + message, row: area.lowerBound, column: 2)
    }
    frame.footer(["Esc closes  Ctrl-R reloads  Ctrl-Q quits", "Esc back  ^Q quits", "^Q quits"])
  }
}
