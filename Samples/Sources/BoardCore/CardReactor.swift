// The reactor of one card: is somebody at work on it, and for how long. It knows no column and no board.

package import Dispatch
package import SwiftReactor

/// What a card wants and cannot do itself, since it is about its place: it puts it out, and the board decides.
package enum CardRequest: Sendable, Hashable {
  case archive
  case move(to: ColumnID)
  /// So many columns to the right, or with a minus to the left.
  case shift(by: Int)
}

/// A card, nested in its column: its state is an element of the column's.
///
/// Whether it is worked on is part of the **state**, and moves with it. The ticking is an **effect** of this reactor, and
/// ends with it. What joins the two is one observation: the ticking follows the state, whoever changed it. So a reactor
/// that was just made for a card that is worked on, because the card has come from another column or out of a saved
/// board, begins to tick without being told.
///
/// A tick is a whole second. The one that has begun when a card moves is not counted: the new reactor begins a new one.
package final class CardReactor: BaseReactor<CardReactor.Action, CardReactor.Mutation, CardReactor.State>,
  @unchecked Sendable  // Safe to share: constants, and a subscription that is set once, in `init`.
{
  package enum Action: Sendable, Hashable {
    case work, pause
    /// Works if it is paused, pauses if it is worked on.
    case toggle
    case ask(CardRequest)
    /// The state says now that it is worked on, or that it is not. Sent by the reactor itself.
    case follow(Bool)
  }

  package enum Mutation: Sendable, Hashable {
    case setWorking(Bool)
    case tick
  }

  package struct State: Sendable, Hashable {
    package let issue: BoardIssue
    package internal(set) var isWorking = false
    /// The seconds that were worked on it, wherever it was.
    package internal(set) var worked = 0

    package init(_ issue: BoardIssue) {
      self.issue = issue
    }
  }

  private enum Effect { case ticking }

  private let clock: any Clock<Duration>
  private var following: EventSubscription?

  /// Its state is empty until it is nested; then it is that of the card with this number.
  package init(number: Int, clock: any Clock<Duration>, queue: DispatchQueue = .main) {
    self.clock = clock
    super.init(initialState: State(BoardIssue(number: number)), queue: queue)
    following = observe(\.isWorking) { [weak self] isWorking in self?.action(.follow(isWorking)) }
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .work:
      return state.isWorking ? .none : [.setWorking(true)]
    case .pause:
      return state.isWorking ? [.setWorking(false)] : .none
    case .toggle:
      return [.setWorking(!state.isWorking)]
    case .ask(let request):
      output(request)
      return .none
    case .follow(true):
      // `.first`: whoever says it twice does not begin the second anew.
      return Mutations(async: EventStream.interval(every: .seconds(1), clock: clock).map { _ in .tick })
        .effect(id: Effect.ticking, .first)
    case .follow(false):
      return .cancel(id: Effect.ticking)
    }
  }

  package override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setWorking(let isWorking):
      state.isWorking = isWorking
    case .tick:
      // The commit that ended the work may come before the step that ends the ticking.
      if state.isWorking { state.worked += 1 }
    }
  }
}
