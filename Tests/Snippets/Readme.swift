// The code of README.md. A test compares the two, and the gate builds the package that the README describes.

import SwiftReactor
import Testing

// snippet.reactor
final class CounterReactor: BaseReactor<CounterReactor.Action, CounterReactor.Mutation, CounterReactor.State>,
  @unchecked Sendable  // safe: its only property is a constant
{
  enum Action { case increment, fetch }  // what can happen
  enum Mutation { case add(Int), setFetching(Bool) }  // how the state can change
  struct State {  // what is known
    var count = 0
    var isFetching = false
  }

  private let fetch: @Sendable () async -> Int

  init(fetch: @escaping @Sendable () async -> Int) {
    self.fetch = fetch
    super.init(initialState: State())
  }

  // What does an action do? Some now, some later.
  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .increment:
      [.add(1)]
    case .fetch:
      [.setFetching(true)]
        + .run { [fetch] emit in
          emit(.add(await fetch()))
          emit(.setFetching(false))
        }
    }
  }

  // What does a mutation change?
  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let number): state.count += number
    case .setFetching(let isFetching): state.isFetching = isFetching
    }
  }
}
// snippet.end

// snippet.test
@MainActor  // the main actor runs on the main queue, and so does the reactor
@Suite struct CounterReactorTests {
  @Test("An action is done when the call returns")
  func increment() {
    let reactor = CounterReactor(fetch: { 0 })
    reactor.action(.increment)
    #expect(reactor.count == 1)
  }

  @Test("perform waits for what comes later, too")
  func fetch() async {
    let reactor = CounterReactor(fetch: { 41 })
    reactor.action(.increment)
    await reactor.perform(.fetch)
    #expect(reactor.count == 42)
    #expect(!reactor.isFetching)
  }

  @Test("An observer hears the current value once, then the changes")
  func observe() {
    let reactor = CounterReactor(fetch: { 0 })
    var heard: [Int] = []
    let subscription = reactor.observe(\.count) { heard.append($0) }
    reactor.action(.increment)
    #expect(heard == [0, 1])
    subscription.cancel()
  }
}
// snippet.end
