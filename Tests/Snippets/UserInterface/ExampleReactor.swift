// The reactor of the articles "SwiftUI" and "UIKit".

import SwiftReactor

// snippet.reactor
final class ExampleReactor: BaseReactor<ExampleReactor.Action, ExampleReactor.Mutation, ExampleReactor.State>,
  @unchecked Sendable  // safe: its properties are constants
{
  enum Action: Equatable { case setText(String), setSwitch(Bool), setLaterSwitch(Bool), paint(Tint), count, refresh }
  enum Mutation { case setText(String), setSwitch(Bool), setLaterSwitch(Bool), setTint(Tint), add(Int) }
  enum Tint { case clear, red, green, blue }
  struct State {
    var text = ""
    var isOn = false
    var isLaterOn = false
    var tint = Tint.clear
    var count = 0
  }

  let detail = DetailReactor()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .setText(let text): [.setText(text)]
    case .setSwitch(let isOn): [.setSwitch(isOn)]
    case .setLaterSwitch(let isOn):
      // At once, and back after two seconds.
      Mutations(sync: .setLaterSwitch(isOn))
        + .run { [clock] emit in
          try await clock.sleep(for: .seconds(2))
          emit(.setLaterSwitch(!isOn))
        }.effect(id: "later")
    case .paint(let tint): [.setTint(tint)]
    case .count: [.add(1)]
    case .refresh: .run { emit in emit(.add(10)) }
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setText(let text): state.text = String(text.prefix(20))
    case .setSwitch(let isOn): state.isOn = isOn
    case .setLaterSwitch(let isOn): state.isLaterOn = isOn
    case .setTint(let tint): state.tint = tint
    case .add(let number): state.count += number
    }
  }

  override func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> {
    mutation.prepend(.setText("hello"))
  }

  override func transform(action: EventStream<Action>) -> EventStream<Action> {
    action.prepend(.setLaterSwitch(true))
  }
}
// snippet.end

// snippet.detail
final class DetailReactor: BaseReactor<DetailReactor.Action, DetailReactor.Action, DetailReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case setNote(String) }
  struct State { var note = "" }

  init() { super.init(initialState: State()) }

  override func mutate(action: Action) -> Mutations<Action> { [action] }

  override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .setNote(let note): state.note = note
    }
  }
}
// snippet.end
