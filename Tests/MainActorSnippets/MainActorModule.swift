// A reactor in a module whose default isolation is the main actor, the setting of new app projects.

import SwiftReactor
import Testing

// snippet.reactor
nonisolated final class LampReactor: BaseReactor<LampReactor.Action, LampReactor.Mutation, LampReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case toggle }
  enum Mutation { case toggle }
  struct State { var isOn = false }

  init() { super.init(initialState: State()) }

  override func mutate(action: Action) -> Mutations<Mutation> { [.toggle] }

  override func reduce(into state: inout State, mutation: Mutation) { state.isOn.toggle() }
}
// snippet.end

// snippet.view
final class LampView {  // main actor by default
  private let reactor: LampReactor
  private var subscriptions: Set<EventSubscription> = []
  private(set) var title = ""

  init(reactor: LampReactor) {
    self.reactor = reactor
    reactor.observe(\.isOn) { [weak self] isOn in
      self?.title = isOn ? "on" : "off"
    }.store(in: &subscriptions)
  }

  func tap() { reactor.action(.toggle) }
}
// snippet.end

@Suite("Snippets · A module of the main actor")
struct LampTests {
  @Test("A view of the main actor follows a nonisolated reactor")
  func follows() {
    let view = LampView(reactor: LampReactor())
    #expect(view.title == "off")
    view.tap()
    #expect(view.title == "on")
  }
}
