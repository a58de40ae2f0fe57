// A large state that is changed in one place, as a reactor and by hand.

public import BenchmarkBaselines
public import SwiftReactor

public enum ListAction: Sendable {
  case set(Int, at: Int)
}

public struct ListState: Sendable {
  public var numbers: [Int]
  /// Nobody changes it.
  public var name = 0

  public init(size: Int) {
    numbers = Array(repeating: 0, count: size)
  }
}

public final class ListReactor: BaseReactor<ListAction, ListAction, ListState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  public init(size: Int) {
    super.init(initialState: ListState(size: size))
  }

  public override func mutate(action: ListAction) -> Mutations<ListAction> { [action] }

  public override func reduce(into state: inout ListState, mutation: ListAction) {
    switch mutation {
    case .set(let number, let index): state.numbers[index] = number
    }
  }
}

public final class HandWrittenList: HandWritten<ListAction, ListAction, ListState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  public init(size: Int) {
    super.init(initialState: ListState(size: size))
  }

  public override func mutate(action: ListAction) -> ListAction? { action }

  public override func reduce(into state: inout ListState, mutation: ListAction) {
    switch mutation {
    case .set(let number, let index): state.numbers[index] = number
    }
  }
}
