// A large state that is changed in one place, as a reactor and by hand.

package import BenchmarkBaselines
package import SwiftReactor

package enum ListAction: Sendable {
  case set(Int, at: Int)
}

package struct ListState: Sendable {
  package var numbers: [Int]
  /// Nobody changes it.
  package var name = 0

  package init(size: Int) {
    numbers = Array(repeating: 0, count: size)
  }
}

package final class ListReactor: BaseReactor<ListAction, ListAction, ListState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  package init(size: Int) {
    super.init(initialState: ListState(size: size))
  }

  package override func mutate(action: ListAction) -> Mutations<ListAction> { [action] }

  package override func reduce(into state: inout ListState, mutation: ListAction) {
    switch mutation {
    case .set(let number, let index): state.numbers[index] = number
    }
  }
}

package final class HandWrittenList: HandWritten<ListAction, ListAction, ListState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  package init(size: Int) {
    super.init(initialState: ListState(size: size))
  }

  package override func mutate(action: ListAction) -> ListAction? { action }

  package override func reduce(into state: inout ListState, mutation: ListAction) {
    switch mutation {
    case .set(let number, let index): state.numbers[index] = number
    }
  }
}
