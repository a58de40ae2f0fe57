// The same from main actor code: views observe with closures that touch what only the main actor may touch, keep key
// paths in properties, and subclass.

import SwiftReactor

/// A reactor that belongs to the main actor.
@MainActor
final class ScreenReactor: BaseReactor<ScreenReactor.Action, ScreenReactor.Mutation, ScreenReactor.State>,
  @unchecked Sendable
{
  // Safe to share: its own property is only touched by the main actor.
  enum Action: Sendable { case tap }
  enum Mutation: Sendable { case tapped }
  struct State: Sendable { var taps = 0 }

  var title = "main actor"

  nonisolated override func mutate(action: Action) -> Mutations<Mutation> { [.tapped] }
  nonisolated override func reduce(into state: inout State, mutation: Mutation) { state.taps += 1 }
}

/// Stands for a view: nothing of it is Sendable.
@MainActor
final class Screen {
  private let reactor: NamesReactor
  private var subscriptions: Set<EventSubscription> = []
  private var shown: [String] = []
  /// A key path that is kept and used later.
  private let path: KeyPath<NamesReactor.State, String>

  init(reactor: NamesReactor, path: KeyPath<NamesReactor.State, String>) {
    self.reactor = reactor
    self.path = path
  }

  func bind() {
    reactor.observe(\.a) { [weak self] in self?.shown.append("\($0)") }.store(in: &subscriptions)
    reactor.observe(\.child?.n) { [weak self] in self?.shown.append("\($0 ?? 0)") }.store(in: &subscriptions)
    reactor.observe(\.items[0]) { [weak self] in self?.shown.append("\($0)") }.store(in: &subscriptions)
    reactor.observe(path) { [weak self] in self?.shown.append($0) }.store(in: &subscriptions)
    reactor.observe(\.text, by: ==) { [weak self] in self?.shown.append($0) }.store(in: &subscriptions)
    reactor.pulse(\.$alert) { [weak self] in self?.shown.append($0 ?? "") }.store(in: &subscriptions)
    reactor.$state.sink { [weak self] in self?.shown.append($0.text) }.store(in: &subscriptions)
  }

  func bindControls() {
    let text = reactor.binding(path) { .set($0.count) }
    text.observe { [weak self] in self?.shown.append($0) }.store(in: &subscriptions)
    reactor.binding(\.child?.n) { .set($0 ?? 0) }
      .observe { [weak self] in self?.shown.append("\($0 ?? 0)") }.store(in: &subscriptions)
    text.value = "typed"
    shown.append(text.value)
  }

  func tap() async {
    reactor.action(.set(1))
    shown.append(reactor.state.text)
    shown.append(reactor.text)
    // Both stay on the main actor: no hop before or after.
    await reactor.perform(.load)
    await reactor.action(.load, while: { $0.a == 0 })
    shown.append("loaded")
  }

  func follow() async {
    for await state in reactor.states { shown.append(state.text) }
  }

  func own() {
    let screen = ScreenReactor(initialState: .init())
    screen.title = "mine"
    screen.action(.tap)
    screen.observe(\.taps) { [weak self] in self?.shown.append("\($0)") }.store(in: &subscriptions)
  }
}
