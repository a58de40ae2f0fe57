// The reactor of the archive: there is one while something is in it.

package import Dispatch
package import SwiftReactor

/// What the archive wants of the board.
package enum ArchiveRequest: Sendable, Hashable {
  case restore(Int)
}

/// The archive, nested at an optional of the board: it comes with the first card that is archived and goes with the last
/// one that is restored.
///
/// A card in it is a state without a reactor: nothing can happen to it. Restoring puts it back where it was, so it is the
/// board's business; the archive only asks for it.
package final class ArchiveReactor: BaseReactor<ArchiveReactor.Action, Never, ArchiveReactor.State>,
  @unchecked Sendable  // Safe to share: it has no properties of its own.
{
  package enum Action: Sendable, Hashable {
    case restore(Int)
    /// The one that was archived last.
    case restoreLast
  }

  package struct State: Sendable, Hashable {
    /// In the order in which they were archived.
    package internal(set) var cards = Keyed<Int, ArchivedCard>()

    package init() {}

    /// The seconds that were worked on its cards.
    package var worked: Int { cards.reduce(0) { $0 + $1.card.worked } }
  }

  package init(queue: DispatchQueue = .main) {
    super.init(initialState: State(), queue: queue)
  }

  package override func mutate(action: Action) -> Mutations<Never> {
    switch action {
    case .restore(let number):
      if state.cards.contains(number) { output(ArchiveRequest.restore(number)) }
    case .restoreLast:
      if let last = state.cards.ids.last { output(ArchiveRequest.restore(last)) }
    }
    return .none
  }
}

/// A card that was archived, and where it was.
package struct ArchivedCard: Sendable, Hashable {
  package let card: CardReactor.State
  package let column: ColumnID
  package let index: Int
}
