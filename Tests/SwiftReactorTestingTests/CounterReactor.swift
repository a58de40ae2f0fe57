// The reactors of these tests: a counter that does what a test likes, and small ones for the scenarios.

import Dispatch
import SwiftReactor
import SwiftReactorTesting

final class CounterReactor: BaseReactor<CounterReactor.Action, CounterReactor.Mutation, CounterReactor.State>,
  @unchecked Sendable
{
  // Safe to share: what this class adds are constants of Sendable types.
  struct State: Equatable, Sendable {
    var count = 0
    var text = ""
    var items: [Int] = []
  }

  enum Action: Equatable, Sendable {
    case nop, increment, twice, text(String), items([Int])
    /// A mutation that is there at once, but asynchronous.
    case just(Int)
    /// Waits on the clock for so many seconds, then adds one.
    case later(Int)
    /// Waits at the gate, then adds one.
    case gated
    case many([Int])
    case cancel, fail, next, never, actor, real, endless
  }

  enum Mutation: Equatable, Sendable {
    case add(Int), text(String), items([Int])
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String { "no connection" }
  }

  let clock: any Clock<Duration>
  let gate: Gate
  let drops: @Sendable (Action) -> Bool

  init(
    clock: any Clock<Duration> = ImmediateClock(), gate: Gate = Gate("door"), queue: DispatchQueue? = nil,
    drops: @escaping @Sendable (Action) -> Bool = { _ in false }
  ) {
    self.clock = clock
    self.gate = gate
    self.drops = drops
    super.init(initialState: State(), queue: queue ?? DispatchQueue(label: "counter"))
  }

  override func transform(action: EventStream<Action>) -> EventStream<Action> {
    let drops = drops
    return action.filter { !drops($0) }
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .nop: return .none
    case .increment: return [.add(1)]
    case .twice: return [.add(1), .add(1)]
    case .text(let text): return [.text(text)]
    case .items(let items): return [.items(items)]
    case .just(let number): return Mutations(async: .just(.add(number)))
    case .later(let seconds):
      return .run { [clock] emit in
        try await clock.sleep(for: .seconds(seconds))
        emit(.add(1))
      }.effect(id: "later", .concurrent)
    case .gated:
      return .run { [gate] emit in
        try await gate.wait()
        emit(.add(1))
      }.effect(id: "gated", .queued)
    case .many(let numbers): return .run { emit in for number in numbers { emit(.add(number)) } }
    case .cancel: return .cancel(id: "later")
    case .fail: return .run { _ in throw Failure() }
    case .next: return .run { [action = self.action] _ in action.send(.increment) }
    case .never: return Mutations(async: .never)
    case .actor:
      return .run { emit in
        let number = await Worker.shared.work()
        await Task.yield()
        let more = await MainActor.run { number + 1 }
        emit(.add(more))
      }
    case .endless:
      return .run { emit in
        while !Task.isCancelled {
          await emit.whenDrained(.add(0))
          await Task.yield()
        }
      }
    case .real:
      return .run { emit in
        try await ContinuousClock().sleep(for: .milliseconds(20))
        emit(.add(1))
      }
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let number): state.count += number
    case .text(let text): state.text = text
    case .items(let items): state.items = items
    }
  }

  override func effectFailed(_ error: any Error, action: Action?) {}
}

actor Worker {
  static let shared = Worker()

  func work() async -> Int {
    await Task.yield()
    return 1
  }
}
