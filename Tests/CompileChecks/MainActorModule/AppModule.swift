// An app's module whose default isolation is the main actor, as Xcode makes them: a reactor in it is `nonisolated`, its
// views are what the module says.

import SwiftReactor

nonisolated final class AppReactor: BaseReactor<AppReactor.Action, AppReactor.Mutation, AppReactor.State>,
  @unchecked Sendable
{
  // Safe to share: what this class adds is a constant of a Sendable type.
  enum Action: Sendable { case increment, load }
  enum Mutation: Sendable { case add(Int) }
  struct State: Equatable, Sendable {
    var count = 0
    var text = ""
  }

  let service: @Sendable () async throws -> Int

  init(service: @escaping @Sendable () async throws -> Int) {
    self.service = service
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .increment: [.add(1)]
    case .load: .run { [service] emit in emit(.add(try await service())) }.effect(id: "load")
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let number): state.count += number
    }
  }

  override func transform(action: EventStream<Action>) -> EventStream<Action> {
    action.prepend(.load)
  }
}

/// A view of this module: main actor without saying so.
final class AppView {
  private let reactor: AppReactor
  private var subscriptions: Set<EventSubscription> = []
  private var label = ""

  init(reactor: AppReactor) {
    self.reactor = reactor
  }

  func bind() {
    reactor.observe(\.count) { [weak self] count in self?.label = "\(count)" }.store(in: &subscriptions)
    reactor.observe(\.text) { [weak self] text in self?.label = text }.store(in: &subscriptions)
    reactor.$state.map(\.count).sink { [weak self] count in self?.label = "\(count)" }.store(in: &subscriptions)
  }

  func bindControls() {
    let text = reactor.binding(\.text) { _ in .load }
    text.observe { [weak self] text in self?.label = text }.store(in: &subscriptions)
    text.value = label
    reactor.binding(\.count, mutation: AppReactor.Mutation.add)
      .observe { [weak self] count in self?.label = "\(count)" }.store(in: &subscriptions)
  }

  func tap() {
    reactor.action(.increment)
    label = "\(reactor.state.count)"
  }

  func refresh() async {
    await reactor.perform(.load)
    label = reactor.text
    for await state in reactor.states where state.count > 3 { label = "\(state.count)" }
  }
}
