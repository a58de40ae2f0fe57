// The smallest state there is, as a reactor and by hand.

public import BenchmarkBaselines
public import Dispatch
public import SwiftReactor

/// What can happen to a counter.
public enum CounterAction: Sendable {
  case add(Int)
  /// The same as an effect that has its value at once.
  case addLater(Int)
  /// The same in a task of its own.
  case addInTask(Int)
}

public struct CounterState: Sendable {
  public var count = 0
  /// Nobody changes it.
  public var name = 0

  public init() {}
}

public final class CounterReactor: BaseReactor<CounterAction, Int, CounterState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  public init(queue: DispatchQueue = .main) {
    super.init(initialState: CounterState(), queue: queue)
  }

  public override func mutate(action: CounterAction) -> Mutations<Int> {
    switch action {
    case .add(let number): [number]
    case .addLater(let number): Mutations(async: .just(number))
    case .addInTask(let number): .run { emit in emit(number) }
    }
  }

  public override func reduce(into state: inout CounterState, mutation: Int) {
    state.count += mutation
  }
}

/// The same by hand. It knows no effects.
public final class HandWrittenCounter: HandWritten<CounterAction, Int, CounterState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  public init() {
    super.init(initialState: CounterState())
  }

  public override func mutate(action: CounterAction) -> Int? {
    switch action {
    case .add(let number), .addLater(let number), .addInTask(let number): number
    }
  }

  public override func reduce(into state: inout CounterState, mutation: Int) {
    state.count += mutation
  }
}

/// A counter of what a source brings in, whenever and from wherever it wants.
public final class FollowingReactor: BaseReactor<EventStream<Int>, Int, CounterState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  public init(queue: DispatchQueue) {
    super.init(initialState: CounterState(), queue: queue)
  }

  public override func mutate(action: EventStream<Int>) -> Mutations<Int> { Mutations(async: action) }

  public override func reduce(into state: inout CounterState, mutation: Int) {
    state.count += mutation
  }
}
