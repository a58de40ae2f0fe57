// S5 and S6: one state of two modules, and two modules that do not see each other's types, as nested reactors.

import Dispatch
import SwiftReactor
import Testing

/// The news module. It knows nothing of the app.
private final class NewsReactor: BaseReactor<NewsReactor.Action, NewsReactor.Mutation, NewsReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Step: Equatable, Sendable { case initial, loading, loaded }
  enum Action: Sendable { case load, userChanged(String) }
  enum Mutation: Sendable { case step(Step), user(String) }
  /// The output: what others may want to know.
  struct StepChanged: Equatable, Sendable { var step: Step }

  struct State: Equatable, Sendable {
    var user = ""
    var step = Step.initial
  }

  init(on queue: DispatchQueue) { super.init(initialState: State(), queue: queue) }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .load:
      output(StepChanged(step: .loading))
      return [.step(.loading)]
    case .userChanged(let user):
      return [.user(user)]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .step(let step): state.step = step
    case .user(let user): state.user = user
    }
  }
}

private final class AppReactor: BaseReactor<AppReactor.Action, AppReactor.Mutation, AppReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action: Sendable { case userLoaded(String), openNews, closeNews, newsStep(NewsReactor.Step) }
  enum Mutation: Sendable { case user(String), news(NewsReactor.State?), note(NewsReactor.Step) }

  struct State: Equatable, Sendable {
    var user = ""
    var news: NewsReactor.State?
    var heard: [NewsReactor.Step] = []
  }

  init(_ state: State, on queue: DispatchQueue) { super.init(initialState: state, queue: queue) }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .userLoaded(let user): [.user(user)]
    case .openNews: [.news(NewsReactor.State(user: state.user))]
    case .closeNews: [.news(nil)]
    case .newsStep(let step): [.note(step)]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .user(let user):
      state.user = user
      state.news?.user = user
    case .news(let news): state.news = news
    case .note(let step): state.heard.append(step)
    }
  }

  override func received(output: any Sendable, from child: AnyObject) -> Action? {
    (output as? NewsReactor.StepChanged).map { .newsStep($0.step) }
  }
}

@Suite("Scenarios · Nested modules")
struct NestScenarioTests {
  @Test(
    "S5 · One state, two modules: from user \"\" and news initial to user 1, then step loading; without news nothing")
  func composed() {
    onQueue { queue in
      let app = AppReactor(.init(news: .init()), on: queue)
      let news = app.nest(at: \.news) { NewsReactor(on: queue) }
      app.action(.userLoaded("1"))
      #expect(app.state == .init(user: "1", news: .init(user: "1")))
      news.reactor?.action(.load)
      #expect(app.state.news == .init(user: "1", step: .loading))
      app.action(.closeNews)
      let before = app.state
      news.reactor?.action(.load)
      #expect(app.state == before)
    }
  }

  @Test("S6 · Two modules, separated: an input, an output, and no copy of the state")
  func separated() {
    onQueue { queue in
      let app = AppReactor(.init(), on: queue)
      let news = app.nest(at: \.news) { NewsReactor(on: queue) }
      app.action(.userLoaded("1"))
      #expect(news.reactor == nil)
      app.action(.openNews)
      let reactor = news.reactor!
      #expect(reactor.user == "1")
      reactor.action(.load)
      #expect(app.heard == [.loading])
      reactor.action(.userChanged("2"))
      #expect(app.state.news?.user == "2")
      #expect(app.state.user == "1", "the module does not see the app's")
      app.action(.userLoaded("3"))
      #expect(reactor.user == "3")
    }
  }
}
