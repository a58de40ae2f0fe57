// The news in every order, in each of their forms: users change and news close while answers are on their way.

import SampleProgram
import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import NewsCore

@Suite("The news in every order", .serialized)
struct NewsExploredTests {
  /// Each user's news come when they like, cancelled or not.
  private static func environment() -> NewsEnvironment {
    let (toAda, toBob) = (Gate("answer to ada"), Gate("answer to bob"))
    return .fake(uploads, pause: { user in await (user == ada ? toAda : toBob).waitStubbornly() })
  }

  /// News are always those of their user.
  private static func isRight(_ news: NewsState?) -> Bool {
    guard let news, case .loaded(let shown) = news.step else { return true }
    return shown == list(news.user)
  }

  @Test("Combined: app and news have one user, and only that one's news are shown")
  func combined() async {
    let exploration = await explore(
      reactor: { CombinedNewsReactor(environment: Self.environment()) },
      scenario: Scenario(
        after: [.send(.user(ada)), .send(.openNews), .send(.news(.load))],
        .sender("user", .send(.user(bob)), .send(.news(.load))),
        .sender("other", .send(.closeNews), .send(.openNews)).elsewhere),
      invariant: { state in Self.isRight(state.news) && state.news.map { $0.user == state.user } != false },
      atEnd: { state in state.user == bob && state.news?.step != .loading })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("Alone: whatever comes in between, the news end with what their user gets")
  func alone() async {
    let exploration = await explore(
      reactor: { NewsReactor(user: ada, environment: Self.environment()) },
      scenario: Scenario(
        .sender("user", .send(.load), .send(.userChanged(bob)), .send(.load)),
        .sender("other", .send(.close)).elsewhere),
      invariant: { Self.isRight($0) },
      atEnd: { state in state.user == bob && (state.step == .initial || state.step == .loaded(list(bob))) })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("Nested: the app's user is the news', and the app hears of each step")
  func nested() async {
    let exploration = await explore(
      reactor: { PortalReactor(environment: Self.environment()) },
      scenario: Scenario(
        after: [.send(.signIn(ada))], .sender("user", .send(.showNews(true)), .send(.signIn(bob))),
        .sender("module", .send(NewsReactor.Action.load, to: \PortalReactor.news)),
        .sender("other", .send(.showNews(false))).elsewhere),
      invariant: { state in Self.isRight(state.news) && state.user == state.news.user },
      atEnd: { state in
        let step = state.news.step
        return state.user == bob && step != .loading && state.newsStatus == step.status
      })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("Separate: the account knows what it was told last")
  func separate() async {
    let exploration = await explore(
      reactor: { AccountReactor() },
      scenario: Scenario(
        .sender("user", .send(.signIn(name: "ada", follows: "")), .send(.showNews(true)), .send(.showNews(false))),
        .sender("wire", .send(.newsChanged("loading")), .send(.newsChanged("2 uploads"))).elsewhere),
      invariant: { state in !state.showsNews || state.name == "ada" },
      atEnd: { state in !state.showsNews && state.newsStatus == "2 uploads" })
    #expect(exploration.failure == nil && exploration.isComplete)
  }
}
