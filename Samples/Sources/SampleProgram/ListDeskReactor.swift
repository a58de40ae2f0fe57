// The reactor of a list on a terminal: what is being typed, and the cursor.

package import Dispatch
package import SwiftReactor
package import TerminalScreen

/// What a terminal adds to an app that shows a list.
package final class ListDeskReactor: BaseReactor<
  ListDeskReactor.Action, ListDeskReactor.Action, ListDeskReactor.State
>,
@unchecked Sendable  // Safe to share: adds no stored property.
{
  package enum Action: Sendable, Hashable {
    case type(String)
    case move(ListCursor.Move)
    /// There are so many elements, and so many rows for them.
    case fit(count: Int, rows: Int)
  }

  package struct State: Sendable, Hashable {
    package fileprivate(set) var draft = ""
    package fileprivate(set) var cursor = ListCursor()
    package fileprivate(set) var count = 0
    package fileprivate(set) var rows = 20

    package init() {}
  }

  package init(queue: DispatchQueue = .main) {
    super.init(initialState: State(), queue: queue)
  }

  package override func mutate(action: Action) -> Mutations<Action> { [action] }

  package override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .type(let text): state.draft = text
    case .move(let move): state.cursor.move(move, count: state.count, page: state.rows)
    case .fit(let count, let rows):
      state.count = count
      state.rows = rows
      state.cursor.fit(count: count, page: rows)
    }
  }
}
