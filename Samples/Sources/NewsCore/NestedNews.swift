// The third form: the module's reactor is a window on a part of the app's state. Nothing is copied to and fro.

package import Dispatch
package import SwiftReactor

/// The app's reactor, with the news nested in it. There is one user, and it is the news': the app's is the same.
package final class PortalReactor: BaseReactor<PortalReactor.Action, PortalReactor.Mutation, PortalReactor.State>,
  @unchecked Sendable  // Safe to share: adds a constant.
{
  package enum Action: Sendable, Hashable {
    case signIn(NewsUser)
    case showNews(Bool)
    /// Heard from the news.
    case newsChanged(String)
  }

  package enum Mutation: Sendable, Hashable {
    case news(NewsEvent)
    case showNews(Bool)
    case newsChanged(String)
  }

  package struct State: Sendable, Hashable {
    package internal(set) var news = NewsState(user: .nobody)
    package internal(set) var showsNews = false
    package internal(set) var newsStatus = ""

    package init() {}

    package var user: NewsUser { news.user }
  }

  package let news: NewsReactor

  package init(environment: NewsEnvironment, queue: DispatchQueue = .main) {
    news = NewsReactor(environment: environment, queue: queue)
    super.init(initialState: State(), reduce: Self.reduce, queue: queue)
    nest(news, at: \.news)
  }

  private static let reduce = Reduce.combine(
    NewsModule.reduce.pullback(state: \.news) { mutation in if case .news(let event) = mutation { event } else { nil }
    },
    Reduce<State, Mutation> { state, mutation in
      switch mutation {
      case .news: break
      case .showNews(let shows): state.showsNews = shows
      case .newsChanged(let status): state.newsStatus = status
      }
    })

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .signIn(let user): [.news(.userChanged(user))]
    case .showNews(true): [.showNews(true), .news(.load)]
    case .showNews(false): [.showNews(false), .news(.close)]
    case .newsChanged(let status): [.newsChanged(status)]
    }
  }

  package override func received(output: any Sendable, from child: AnyObject) -> Action? {
    (output as? NewsReactor.StepChanged).map { .newsChanged($0.step.status) }
  }
}

/// The app in this form.
@MainActor
package final class NestedNews: NewsApp {
  package let portal: PortalReactor

  package init(environment: NewsEnvironment) {
    portal = PortalReactor(environment: environment)
  }

  package var picture: NewsPicture {
    let state = portal.state
    return NewsPicture(
      user: state.user, news: state.showsNews ? state.news : nil,
      status: state.newsStatus.isEmpty ? NewsStep.initial.status : state.newsStatus)
  }

  package func signIn(_ user: NewsUser) { portal.action(.signIn(user)) }

  package func open() {
    // Loading again is the module's business.
    if portal.state.showsNews { portal.news.action(.load) } else { portal.action(.showNews(true)) }
  }

  package func close() { portal.action(.showNews(false)) }

  package func observe(_ changed: @escaping @MainActor @Sendable () -> Void) -> Set<EventSubscription> {
    [portal.observe(\.self) { _ in changed() }]
  }

  package func settled() async {
    for await state in portal.states where state.news.query == nil { return }
  }
}
