// The code of the guide "The original example".

import SwiftReactor
import SwiftReactorTesting
import Testing

// snippet.reactor
final class ExampleReactor: BaseReactor<ExampleReactor.Action, ExampleReactor.Mutation, ExampleReactor.State>,
  @unchecked Sendable  // safe: its only property is a constant
{
  enum Action { case enter(String), setSwitch(Bool), setAsyncSwitch(Bool), setBackground(String) }
  enum Mutation: Equatable { case text(String), isOn(Bool), isOnForAWhile(Bool), background(String) }

  struct State: Equatable {
    var text = ""
    var isOn = false
    var isOnForAWhile = false
    var background = "white"
  }

  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .enter(let text): [.text(text)]
    case .setSwitch(let isOn): [.isOn(isOn)]
    case .setAsyncSwitch(let isOn):
      Mutations(
        sync: .isOnForAWhile(isOn),
        async: EventStream.just(.isOnForAWhile(!isOn)).delay(for: .seconds(2), clock: clock))
    case .setBackground(let color): [.background(color)]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .text(let text): state.text = text
    case .isOn(let isOn): state.isOn = isOn
    case .isOnForAWhile(let isOn): state.isOnForAWhile = isOn
    case .background(let color): state.background = color
    }
  }

  // The first text, and one asynchronous switch action at the start.
  override func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> {
    mutation.prepend(.text("hello"))
  }

  override func transform(action: EventStream<Action>) -> EventStream<Action> {
    action.prepend(.setAsyncSwitch(true))
  }
}
// snippet.end

@Suite("Snippets · The original example")
struct OriginalSnippetTests {
  // snippet.use
  @Test("S12 · Typing is there at once, the asynchronous switch is on at once and off two seconds later")
  func example() async {
    let clock = ManualClock()
    let test = TestReactor(ExampleReactor(clock: clock))
    await test.receive(.text("hello")) { $0.text = "hello" }
    await test.receive(action: .setAsyncSwitch(true)) { $0.isOnForAWhile = true }
    await test.send(.enter("hello you")) { $0.text = "hello you" }
    await test.send(.setSwitch(true)) { $0.isOn = true }
    await test.send(.setBackground("red")) { $0.background = "red" }
    await clock.advance(by: .seconds(2))
    await test.receive(.isOnForAWhile(false)) { $0.isOnForAWhile = false }
    await test.finish()
  }
  // snippet.end
}
