// The reactor of the terminal mode: the board, and what a window adds to it.

package import SwiftReactor
package import TerminalScreen

/// What a terminal shows: the board, nested at a stored property, the cursor on it, and the window.
///
/// One state for one picture. The board has its own reactor, which knows nothing of windows; its commits are commits of
/// the desk, so who draws listens in one place.
package final class DeskReactor: BaseReactor<DeskReactor.Action, DeskReactor.Mutation, DeskReactor.State>,
  @unchecked Sendable  // Safe to share: a constant, and a subscription that is set once, in `init`.
{
  package enum Action: Sendable, Hashable {
    case step(BoardCursor.Step)
    case resize(TerminalSize)
    /// Somebody else has written to the terminal.
    case repaint(TerminalSize)
    /// A card has come, gone or moved. Sent by the reactor itself.
    case follow
  }

  package enum Mutation: Sendable, Hashable {
    case step(BoardCursor.Step)
    case setSize(TerminalSize)
    case paintingIsOld
    case fit
  }

  package struct State: Sendable, Hashable {
    package internal(set) var board: BoardReactor.State
    package fileprivate(set) var cursor = BoardCursor()
    package fileprivate(set) var size: TerminalSize
    /// Counts how often everything had to be painted anew.
    package fileprivate(set) var paintings = 0

    package init(board: BoardReactor.State, size: TerminalSize) {
      self.board = board
      self.size = size
      cursor.fit(to: board, page: page)
    }

    fileprivate var page: Int { BoardLayout(size).cards.count }
  }

  package let board: BoardReactor
  private var following: EventSubscription?

  package init(board: BoardReactor, size: TerminalSize) {
    self.board = board
    super.init(initialState: State(board: board.state, size: size), queue: board.queue)
    nest(board, at: \.board)
    following = observe(\.board.places) { [weak self] _ in self?.action(.follow) }
  }

  /// The reactor of the chosen card. On the queue.
  package var chosenCard: CardReactor? { state.cursor.card.flatMap(board.card) }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .step(let step): [.step(step)]
    case .resize(let size): [.setSize(size), .fit]
    case .repaint(let size): [.setSize(size), .fit, .paintingIsOld]
    case .follow: [.fit]
    }
  }

  package override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .step(let step): state.cursor.move(step, on: state.board, page: state.page)
    case .setSize(let size): state.size = size
    case .paintingIsOld: state.paintings += 1
    case .fit: state.cursor.fit(to: state.board, page: state.page)
    }
  }
}
