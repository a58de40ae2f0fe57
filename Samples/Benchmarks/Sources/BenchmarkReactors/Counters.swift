// The smallest state there is, as a reactor and by hand.

package import BenchmarkBaselines
package import Dispatch
package import SwiftReactor

/// What can happen to a counter.
package enum CounterAction: Sendable {
  case add(Int)
  /// The same as an effect that has its value at once.
  case addLater(Int)
  /// The same in a task of its own.
  case addInTask(Int)
}

package struct CounterState: Sendable {
  package var count = 0
  /// Nobody changes it.
  package var name = 0

  package init() {}
}

package final class CounterReactor: BaseReactor<CounterAction, Int, CounterState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  package init(queue: DispatchQueue = .main) {
    super.init(initialState: CounterState(), queue: queue)
  }

  package override func mutate(action: CounterAction) -> Mutations<Int> {
    switch action {
    case .add(let number): [number]
    case .addLater(let number): Mutations(async: .just(number))
    case .addInTask(let number): .run { emit in emit(number) }
    }
  }

  package override func reduce(into state: inout CounterState, mutation: Int) {
    state.count += mutation
  }
}

/// The same by hand. It knows no effects.
package final class HandWrittenCounter: HandWritten<CounterAction, Int, CounterState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  package init() {
    super.init(initialState: CounterState())
  }

  package override func mutate(action: CounterAction) -> Int? {
    switch action {
    case .add(let number), .addLater(let number), .addInTask(let number): number
    }
  }

  package override func reduce(into state: inout CounterState, mutation: Int) {
    state.count += mutation
  }
}

/// A counter of what a source brings in, whenever and from wherever it wants.
package final class FollowingReactor: BaseReactor<EventStream<Int>, Int, CounterState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  package init(queue: DispatchQueue) {
    super.init(initialState: CounterState(), queue: queue)
  }

  package override func mutate(action: EventStream<Int>) -> Mutations<Int> { Mutations(async: action) }

  package override func reduce(into state: inout CounterState, mutation: Int) {
    state.count += mutation
  }
}
