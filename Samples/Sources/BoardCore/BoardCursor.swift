// Which card of the board is chosen, and what of each column is in sight. Pure.

internal import SwiftReactor
package import TerminalScreen

/// The chosen column, and a cursor for each. It holds on to a card, not to a place: a card that moves stays chosen.
package struct BoardCursor: Sendable, Hashable {
  /// A way to move.
  package enum Step: Sendable, Hashable {
    case left, right
    case within(ListCursor.Move)
  }

  package private(set) var column = ColumnID.todo
  /// The chosen card; nil in a column without cards.
  package private(set) var card: Int?
  private var rows: [ColumnID: ListCursor] = [:]

  package init() {}

  /// Where the cursor of a column stands.
  package subscript(_ id: ColumnID) -> ListCursor { rows[id] ?? ListCursor() }

  /// Moves on a board of which `page` rows are in sight.
  package mutating func move(_ step: Step, on board: BoardReactor.State, page: Int) {
    switch step {
    case .left: column = column.shifted(by: -1) ?? column
    case .right: column = column.shifted(by: 1) ?? column
    case .within(let move):
      rows[column, default: ListCursor()].move(move, count: board.count(column), page: page)
    }
    choose(on: board)
  }

  /// Follows the chosen card on a board that has changed, or in a window that has. If it is gone, the one that came into
  /// its place is chosen.
  package mutating func fit(to board: BoardReactor.State, page: Int) {
    for id in ColumnID.allCases {
      rows[id, default: ListCursor()].fit(count: board.count(id), page: page)
    }
    if let card, let place = board.column(of: card), let row = board.columns[id: place]?.cards.index(of: card) {
      column = place
      rows[place]?.select(row, count: board.count(place), page: page)
    }
    choose(on: board)
  }

  private mutating func choose(on board: BoardReactor.State) {
    let cards = board.columns[id: column]?.cards.ids ?? []
    let row = self[column].selected
    card = cards.indices.contains(row) ? cards[row] : nil
  }
}

extension BoardReactor.State {
  fileprivate func count(_ id: ColumnID) -> Int { columns[id: id]?.cards.count ?? 0 }
}
