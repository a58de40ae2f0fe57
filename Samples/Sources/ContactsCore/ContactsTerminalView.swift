// The screen as a frame of a terminal. Pure.

package import SampleProgram
package import TerminalScreen

package enum ContactsTerminalView {
  /// The picture of the contacts and of the desk in front of them.
  package static func frame(
    of state: ContactsReactor.State, desk: ListDeskReactor.State, size: TerminalSize, step: Int
  ) -> Frame {
    var frame = Frame(size: size)
    let view = ContactsViewState(state, finding: desk.draft)
    let area = size.listBelowField
    if size.rows > 3 {
      let count = view.count.isEmpty ? "" : view.count + "  "
      frame.head(view.title, "\(count)User: \(view.account)")
    }
    if size.rows > 1 {
      frame.field("Find:", TextWidth.printable(desk.draft), row: area.lowerBound - 1, note: view.streams)
    }
    let visible = desk.cursor.visible(count: view.rows.count, page: area.count)
    for (offset, row) in visible.enumerated() {
      let contact = view.rows[row]
      frame.listRow(
        contact.title, note: contact.note, isChosen: row == desk.cursor.selected, row: area.lowerBound + offset)
    }
    if let message = view.message, view.rows.isEmpty || state.failure != nil {
      frame.write((view.isLoading ? Frame.spinner(step) + " " : "") + message, row: area.lowerBound, column: 2)
    }
    frame.footer([
      "Type to find  Enter signs in  ^R contacts  ^S a stream of both  ^F forgets  ^Q quits",
      "Enter signs in  ^R contacts  ^S stream  ^Q quits", "^R contacts  ^Q quits", "^Q quits",
    ])
    return frame
  }
}
