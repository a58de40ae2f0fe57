// The reactor of one column: its cards, and what they want of the board.

package import Dispatch
package import SwiftReactor

/// What a card of a column wants of the board.
package struct ColumnRequest: Sendable, Hashable {
  package let card: Int
  package let column: ColumnID
  package let request: CardRequest
}

/// A column, nested in the board: its state is an element of the board's, and holds those of its cards.
///
/// What lies in a column is the column's. When the board moves a card's state from one column to another, the card's
/// reactor in the first ends with that commit, and its effects with it; not even a tick that waits is counted any more.
/// The second column sees a card that is worked on and makes a reactor for it. It is another reactor, on the same state.
///
/// Cards that nobody works on have nothing to do, so their reactors are made when somebody asks for them.
package final class ColumnReactor: BaseReactor<ColumnReactor.Action, Never, ColumnReactor.State>,
  @unchecked Sendable  // Safe to share: what is no constant is set once, in `init`.
{
  package enum Action: Sendable, Hashable {
    /// Hands on what a card wants.
    case pass(CardRequest, card: Int)
  }

  package struct State: Sendable, Hashable {
    package let id: ColumnID
    package internal(set) var cards = Keyed<Int, CardReactor.State>()

    package init(_ id: ColumnID) {
      self.id = id
    }

    /// The numbers of the cards that are worked on.
    package var working: [Int] { cards.filter(\.isWorking).map(\.issue.number) }
    /// The seconds that were worked on its cards.
    package var worked: Int { cards.reduce(0) { $0 + $1.worked } }
  }

  /// The reactors of the cards.
  package private(set) var cards: KeyedChildren<Int, CardReactor>!
  private var following: EventSubscription?

  package init(id: ColumnID, clock: any Clock<Duration>, queue: DispatchQueue = .main) {
    super.init(initialState: State(id), queue: queue)
    cards = children(at: \.cards) { number in CardReactor(number: number, clock: clock, queue: queue) }
    following = observe(\.working) { [weak self] numbers in
      for number in numbers { _ = self?.cards.reactor(for: number) }
    }
  }

  package override func received(output: any Sendable, from child: AnyObject) -> Action? {
    guard let request = output as? CardRequest, let card = child as? CardReactor else { return nil }
    return .pass(request, card: card.state.issue.number)
  }

  package override func mutate(action: Action) -> Mutations<Never> {
    switch action {
    case .pass(let request, let card):
      output(ColumnRequest(card: card, column: state.id, request: request))
      return .none
    }
  }
}
