// The code of the guides "One state, several modules" and "Modules apart".

import SwiftReactor
import Testing

// snippet.news
struct News: Equatable {
  enum Step { case initial, loading }
  enum Event { case load }
  var step = Step.initial

  static let reduce = Reduce<News, Event> { news, event in
    switch event {
    case .load: news.step = .loading
    }
  }
}
// snippet.end

// snippet.app
final class ComposedReactor: BaseReactor<ComposedReactor.Event, ComposedReactor.Event, ComposedReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Event { case userLoaded(String), newsClosed, news(News.Event) }
  struct State: Equatable {
    var user = ""
    var news: News? = News()
  }

  init() {
    let user = Reduce<State, Event> { state, event in
      switch event {
      case .userLoaded(let user): state.user = user
      case .newsClosed: state.news = nil
      case .news: break
      }
    }
    let news: Reduce<State, Event> = News.reduce.optional().pullback(state: \.news) { event in
      if case .news(let event) = event { event } else { nil }
    }
    super.init(initialState: State(), reduce: .combine(user, news))
  }

  override func mutate(action: Event) -> Mutations<Event> { [action] }
}
// snippet.end

// snippet.module
final class NewsReactor: BaseReactor<NewsReactor.Input, NewsReactor.Input, NewsReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Input { case userChanged(String), load }
  enum Output: Equatable { case stepChanged(String) }
  struct State {
    var user = ""
    var step = "initial"
  }

  init() { super.init(initialState: State()) }

  /// What others may know of it: no state, no type of the inside.
  var outputs: EventStream<Output> { $state.map(\.step).removeDuplicates().map { .stepChanged($0) } }

  override func mutate(action: Input) -> Mutations<Input> { [action] }

  override func reduce(into state: inout State, mutation: Input) {
    switch mutation {
    case .userChanged(let user): state.user = user
    case .load: state.step = "loading"
    }
  }
}

final class ShellReactor: BaseReactor<ShellReactor.Action, ShellReactor.Action, ShellReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case userLoaded(String), showStep(String) }
  struct State {
    var user = ""
    var step = ""
  }

  init() { super.init(initialState: State()) }

  override func mutate(action: Action) -> Mutations<Action> { [action] }

  override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .userLoaded(let user): state.user = user
    case .showStep(let step): state.step = step
    }
  }
}
// snippet.end

// snippet.nested
final class NestingShell: BaseReactor<NestingShell.Action, NestingShell.Action, NestingShell.State>,
  @unchecked Sendable  // safe: its only property is a constant
{
  enum Action { case userLoaded(String) }
  struct State { var news = NewsReactor.State() }

  let news = NewsReactor()

  init() {
    super.init(initialState: State())
    nest(news, at: \.news)
  }

  override func mutate(action: Action) -> Mutations<Action> { [action] }

  override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .userLoaded(let user): state.news.user = user
    }
  }
}
// snippet.end

@MainActor @Suite("Snippets · Modules")
struct ModuleSnippetTests {
  @Test("S5 · One state, two modules, reducers composed")
  func composed() {
    // snippet.composedUse
    let app = ComposedReactor()
    app.action(.userLoaded("user 1"))
    app.action(.news(.load))
    #expect(app.state == .init(user: "user 1", news: News(step: .loading)))
    app.action(.newsClosed)
    app.action(.news(.load))  // nobody is there: nothing happens
    #expect(app.state == .init(user: "user 1", news: nil))
    // snippet.end
  }

  @Test("S5 · A part for those who need no more")
  func scope() {
    // snippet.scope
    let app = ComposedReactor()
    let news = app.scope(state: \.news, action: ComposedReactor.Event.news)
    var steps: [News.Step?] = []
    let subscription = news.observe(\.?.step) { steps.append($0) }
    news.action(.load)
    #expect(steps == [.initial, .loading])
    // snippet.end
    subscription.cancel()
  }

  @Test("S6 · Two modules, apart")
  func apart() {
    // snippet.apart
    let shell = ShellReactor()
    let news = NewsReactor()
    let glue = [
      shell.observe(\.user) { news.action(.userChanged($0)) },
      news.outputs.sink { output in
        switch output {
        case .stepChanged(let step): shell.action(.showStep(step))
        }
      },
    ]
    shell.action(.userLoaded("user 1"))
    news.action(.load)
    #expect(news.user == "user 1")
    #expect(shell.step == "loading")
    // snippet.end
    glue.forEach { $0.cancel() }
  }

  @Test("S6 · The same as a nested reactor, without the copying")
  func nested() {
    // snippet.nestedUse
    let shell = NestingShell()
    shell.action(.userLoaded("user 1"))
    shell.news.action(.load)
    #expect(shell.news.user == "user 1")
    #expect(shell.state.news.step == "loading")
    // snippet.end
  }
}
