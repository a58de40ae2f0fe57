// The screens as lines of text, for a script or a pipe.

/// Pictures of the screens as text.
package enum DogsLines {
  /// The screen that a state shows, each line with its end.
  package static func text(of state: DogsReactor.State) -> String {
    let lines = state.breed.map { breed(BreedViewState($0)) } ?? list(ListViewState(state))
    return lines.map { $0 + "\n" }.joined()
  }

  private static func list(_ view: ListViewState) -> [String] {
    var head = view.title
    if !view.count.isEmpty { head += " (\(view.count))" }
    if !view.query.isEmpty { head += ", filter: \(view.query)" }
    if let message = view.message { return [head, "  \(message)"] }
    return [head] + view.rows.map { "  \($0.title)" + ($0.note.isEmpty ? "" : " (\($0.note))") }
  }

  private static func breed(_ view: BreedViewState) -> [String] {
    ["\(view.title) (\(view.count))"] + view.rows.map { "  \($0)" }
  }
}
