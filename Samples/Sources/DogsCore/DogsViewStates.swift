// What the screens show, made from the state by pure functions: the same texts for the terminal and, at the end, as lines.

internal import TerminalScreen

/// The texts of the list screen.
package struct ListViewState: Sendable, Hashable {
  package let title: String
  /// How many breeds there are, and how many of them are shown; empty while nothing is known.
  package let count: String
  package let query: String
  /// In place of rows: that the breeds are loading, or that none is left.
  package let message: String?
  private let visible: [Breed]

  package init(_ state: DogsReactor.State) {
    title = "Dogs"
    query = TextWidth.printable(state.query)
    visible = state.visible
    if state.isLoading {
      count = ""
      message = "Loading..."
    } else {
      let all = state.breeds.count
      count = state.query.isEmpty ? "\(all)" : "\(state.visible.count) of \(all)"
      message = state.visible.isEmpty ? "No breed matches." : nil
    }
  }

  package var rowCount: Int { visible.count }

  /// The rows in a range, so that a long list costs no more than what is in sight.
  package func rows(_ range: Range<Int>) -> [BreedRow] {
    visible[range.clamped(to: visible.indices)].map(BreedRow.init)
  }

  package var rows: [BreedRow] { rows(visible.indices) }
}

/// A breed as a row of the list.
package struct BreedRow: Sendable, Hashable {
  package let title: String
  /// How many sub-breeds it has, if it has any.
  package let note: String

  package init(_ breed: Breed) {
    title = breed.title
    note = breed.subBreeds.isEmpty ? "" : breed.subBreedCount
  }
}

/// The texts of the screen of one breed.
package struct BreedViewState: Sendable, Hashable {
  package let title: String
  package let count: String
  package let message: String?
  package let rows: [String]
  /// Where there is a picture of it, that it is being looked for, or why there is none.
  package let picture: String
  package let isWaiting: Bool

  package init(_ state: BreedReactor.State) {
    let breed = state.breed
    title = breed.title
    count = breed.subBreedCount
    isWaiting = state.picture == .loading
    picture =
      switch state.picture {
      case .loading: "Looking for a picture..."
      case .at(let address): "Picture: \(TextWidth.printable(address))"
      case .missing(let error): "No picture: \(TextWidth.printable(error.description))"
      }
    message = breed.subBreeds.isEmpty ? "This breed has no sub-breeds." : nil
    rows = breed.subBreeds.map(\.capitalisedLine)
  }
}

/// Pictures of the screens as text.
package enum DogsLines {
  /// The screen that a state shows, each line with its end.
  package static func text(of state: DogsReactor.State) -> String {
    let lines = state.detail.map { breed(BreedViewState($0)) } ?? list(ListViewState(state))
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
    ["\(view.title) (\(view.count))"] + view.rows.map { "  \($0)" } + [view.picture]
  }
}

extension Breed {
  package var title: String { name.capitalisedLine }

  package var subBreedCount: String {
    switch subBreeds.count {
    case 0: "no sub-breeds"
    case 1: "1 sub-breed"
    case let count: "\(count) sub-breeds"
    }
  }
}

extension String {
  /// The first letter in upper case, and nothing in it that a terminal would obey.
  fileprivate var capitalisedLine: String {
    TextWidth.printable(prefix(1).uppercased() + dropFirst())
  }
}
