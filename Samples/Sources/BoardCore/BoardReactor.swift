// The reactor of the board: all columns, the archive, and what goes from one to the other.

package import Dispatch
package import SwiftReactor

/// The board. Its state holds those of its columns and their cards, so whatever moves is one commit: nobody ever sees a
/// card twice, or not at all.
///
/// **What moves and what ends.** What is nested at a keyed path belongs to what it is nested in. Moving a card takes its
/// state out of one column and puts it into another: the issue, whether it is worked on and the time that was worked all
/// move. The reactor that the card had ends, and with it its ticking. The column that receives a card that is worked on
/// makes a reactor for it, and that one ticks on (``ColumnReactor``, ``CardReactor``). Archiving ends the work as well: a
/// card in the archive has no reactor, and one that is restored comes back paused.
///
/// ```swift
/// let board = BoardReactor(issues: try IssueFile.issues(inFile: nil).issues)
/// board.card(12)?.action(.work)
/// board.card(12)?.action(.ask(.move(to: .review)))
/// board.state.column(of: 12)   // .review
/// ```
package final class BoardReactor: BaseReactor<BoardReactor.Action, BoardReactor.Mutation, BoardReactor.State>,
  @unchecked Sendable  // Safe to share: what is no constant is set once, in `init`.
{
  package enum Action: Sendable, Hashable {
    case move(Int, to: ColumnID)
    case archive(Int)
    case restore(Int)
    /// Changes nothing. To wait for it with `perform` is to wait for all that was sent before.
    case nothing
  }

  package enum Mutation: Sendable, Hashable {
    case moved(Int, from: ColumnID, to: ColumnID)
    case archived(Int, from: ColumnID)
    case restored(Int)
  }

  package struct State: Sendable, Hashable {
    package internal(set) var columns = Keyed<ColumnID, ColumnReactor.State>()
    /// Nil while nothing is in it.
    package internal(set) var archive: ArchiveReactor.State?

    /// Puts issues into the columns they begin in, the oldest first.
    package init(_ issues: [BoardIssue]) {
      for id in ColumnID.allCases { columns.append(ColumnReactor.State(id), id: id) }
      for issue in issues.sorted(by: { ($0.created, $0.number) < ($1.created, $1.number) }) {
        columns[id: issue.column]?.cards.append(CardReactor.State(issue), id: issue.number)
      }
    }
  }

  /// The reactors of the columns.
  package private(set) var columns: KeyedChildren<ColumnID, ColumnReactor>!
  /// The reactor of the archive, while there is one.
  package private(set) var archive: OptionalChild<ArchiveReactor>!
  private var following: EventSubscription?

  /// Made on its queue, it has the reactors of its columns at once.
  package init(issues: [BoardIssue], clock: any Clock<Duration> = ContinuousClock(), queue: DispatchQueue = .main) {
    super.init(initialState: State(issues), queue: queue)
    columns = children(at: \.columns) { id in ColumnReactor(id: id, clock: clock, queue: queue) }
    archive = nest(at: \.archive) { ArchiveReactor(queue: queue) }
    following = observe(\.columns.ids) { [weak self] ids in
      for id in ids { _ = self?.columns.reactor(for: id) }
    }
  }

  /// The reactor of a card, wherever it is on the board. On the queue. Ask each time: it is another one after a move.
  package func card(_ number: Int) -> CardReactor? {
    guard let column = state.column(of: number) else { return nil }
    return columns.reactor(for: column)?.cards.reactor(for: number)
  }

  package override func received(output: any Sendable, from child: AnyObject) -> Action? {
    switch output {
    case let wish as ColumnRequest:
      switch wish.request {
      case .archive: return .archive(wish.card)
      case .move(let column): return .move(wish.card, to: column)
      case .shift(let steps): return wish.column.shifted(by: steps).map { .move(wish.card, to: $0) }
      }
    case ArchiveRequest.restore(let number):
      return .restore(number)
    default:
      return nil
    }
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .move(let number, let target):
      // Within its column it would be the same element, and nothing to tell.
      guard let source = state.column(of: number), source != target else { return .none }
      return [.moved(number, from: source, to: target)]
    case .archive(let number):
      return state.column(of: number).map { [.archived(number, from: $0)] } ?? .none
    case .restore(let number):
      return state.archive?.cards.contains(number) == true ? [.restored(number)] : .none
    case .nothing:
      return .none
    }
  }

  package override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .moved(let number, let source, let target):
      guard let card = state.columns[id: source]?.cards.remove(number) else { return }
      state.columns[id: target]?.cards.append(card, id: number)
    case .archived(let number, let source):
      state.putAway(number, from: source)
    case .restored(let number):
      state.bringBack(number)
    }
  }
}

extension BoardReactor.State {
  /// The column that a card is in; nil for one in the archive, and for one that does not exist.
  package func column(of number: Int) -> ColumnID? {
    ColumnID.allCases.first { columns[id: $0]?.cards.contains(number) == true }
  }

  /// A card on the board.
  package func card(_ number: Int) -> CardReactor.State? {
    column(of: number).flatMap { columns[id: $0]?.cards[id: number] }
  }

  /// The numbers of the cards, column by column.
  package var places: [[Int]] { columns.map(\.cards.ids) }

  fileprivate mutating func putAway(_ number: Int, from column: ColumnID) {
    guard let index = columns[id: column]?.cards.index(of: number),
      var card = columns[id: column]?.cards.remove(number)
    else { return }
    card.isWorking = false
    if archive == nil { archive = ArchiveReactor.State() }
    archive?.cards.append(ArchivedCard(card: card, column: column, index: index), id: number)
  }

  fileprivate mutating func bringBack(_ number: Int) {
    guard let archived = archive?.cards.remove(number) else { return }
    if archive?.cards.isEmpty == true { archive = nil }
    // The column may have become shorter.
    let index = min(archived.index, columns[id: archived.column]?.cards.count ?? 0)
    columns[id: archived.column]?.cards.insert(archived.card, id: number, at: index)
  }
}

/// The sums over all cards, for headers. Made from the board's state, which holds all of them; nothing is added up twice.
package struct BoardTotals: Sendable, Hashable {
  package struct Column: Sendable, Hashable {
    package let id: ColumnID
    package let count: Int
    package let worked: Int
  }

  package let columns: [Column]
  /// The cards on the board.
  package let count: Int
  package let working: Int
  package let archived: Int
  /// All seconds that were worked, also on cards that were archived since: work that was done is done.
  package let worked: Int

  package init(_ state: BoardReactor.State) {
    columns = state.columns.map { Column(id: $0.id, count: $0.cards.count, worked: $0.worked) }
    count = columns.reduce(0) { $0 + $1.count }
    working = state.columns.reduce(0) { $0 + $1.working.count }
    archived = state.archive?.cards.count ?? 0
    worked = columns.reduce(state.archive?.worked ?? 0) { $0 + $1.worked }
  }
}
