// The first form: one state for app and module, their reducers combined.

package import Dispatch
package import SwiftReactor

/// One reactor. The module brings its reducer; the app pulls it back to the part of its state that the news are in, and
/// puts its own beside it. One event, "there is another user", is for both.
///
/// While the news are closed that part is nil, and an event of the news changes nothing.
package final class CombinedNewsReactor: BaseReactor<
  CombinedNewsReactor.Event, CombinedNewsReactor.Event, CombinedNewsReactor.State
>,
@unchecked Sendable  // Safe to share: adds no stored property.
{
  package enum Event: Sendable, Hashable {
    case user(NewsUser)
    case openNews, closeNews
    case news(NewsEvent)
  }

  package struct State: Sendable, Hashable {
    package internal(set) var user = NewsUser.nobody
    package internal(set) var news: NewsState?

    package init() {}
  }

  /// What an event does to the app.
  package static let reduceApp = Reduce<State, Event> { app, event in
    switch event {
    case .user(let user): app.user = user
    case .openNews: if app.news == nil { app.news = NewsState(user: app.user) }
    case .closeNews: app.news = nil
    case .news: break
    }
  }

  /// What it does to app and news.
  package static let reduce = Reduce.combine(
    reduceApp,
    NewsModule.reduce.optional().pullback(state: \.news) { event in
      switch event {
      case .news(let event): event
      case .user(let user): .userChanged(user)
      case .openNews, .closeNews: nil
      }
    })

  package init(environment: NewsEnvironment, queue: DispatchQueue = .main) {
    super.init(initialState: State(), reduce: Self.reduce, queue: queue)
    feedback(when: \.news?.query) { user in NewsModule.request(user, from: environment) { .news($0) } }
  }

  package override func mutate(action: Event) -> Mutations<Event> { [action] }
}

/// The app in this form.
@MainActor
package final class CombinedNews: NewsApp {
  package let app: CombinedNewsReactor

  package init(environment: NewsEnvironment) {
    app = CombinedNewsReactor(environment: environment)
  }

  package var picture: NewsPicture {
    let state = app.state
    return NewsPicture(user: state.user, news: state.news, status: (state.news?.step ?? .initial).status)
  }

  package func signIn(_ user: NewsUser) { app.action(.user(user)) }

  package func open() {
    app.action(.openNews)
    app.action(.news(.load))
  }

  package func close() { app.action(.closeNews) }

  package func observe(_ changed: @escaping @MainActor @Sendable () -> Void) -> Set<EventSubscription> {
    [app.observe(\.self) { _ in changed() }]
  }

  package func settled() async {
    for await state in app.states where state.news?.query == nil { return }
  }
}
