// The second form: app and module as two reactors, of which neither knows the other's types.

package import Dispatch
package import SwiftReactor

/// The app's reactor. Of the news it knows that they are open, and a text about them.
package final class AccountReactor: BaseReactor<AccountReactor.Action, AccountReactor.Action, AccountReactor.State>,
  @unchecked Sendable  // Safe to share: adds no stored property.
{
  package enum Action: Sendable, Hashable {
    case signIn(name: String, follows: String)
    case showNews(Bool)
    case newsChanged(String)
  }

  package struct State: Sendable, Hashable {
    package internal(set) var name = ""
    package internal(set) var follows = ""
    package internal(set) var showsNews = false
    package internal(set) var newsStatus = ""

    package init() {}
  }

  package init(queue: DispatchQueue = .main) {
    super.init(initialState: State(), queue: queue)
  }

  package override func mutate(action: Action) -> Mutations<Action> { [action] }

  package override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .signIn(let name, let follows):
      state.name = name
      state.follows = follows
    case .showNews(let shows): state.showsNews = shows
    case .newsChanged(let status): state.newsStatus = status
    }
  }
}

/// The app in this form. Only here both are known: the app's user goes into the news, and their step comes out of them.
@MainActor
package final class SeparateNews: NewsApp {
  package let account = AccountReactor()
  package let news: NewsReactor
  private var wires: Set<EventSubscription> = []

  package init(environment: NewsEnvironment) {
    news = NewsReactor(environment: environment)
    account.observe(\.user) { [news] user in
      news.action(.userChanged(NewsUser(name: user.name, follows: user.follows)))
    }.store(in: &wires)
    news.observe(\.step) { [account] step in account.action(.newsChanged(step.status)) }.store(in: &wires)
    account.observe(\.showsNews) { [news] shows in news.action(shows ? .load : .close) }.store(in: &wires)
  }

  package var picture: NewsPicture {
    let state = account.state
    return NewsPicture(
      user: NewsUser(name: state.name, follows: state.follows), news: state.showsNews ? news.state : nil,
      status: state.newsStatus)
  }

  package func signIn(_ user: NewsUser) { account.action(.signIn(name: user.name, follows: user.follows)) }

  package func open() {
    if account.state.showsNews { news.action(.load) } else { account.action(.showNews(true)) }
  }

  package func close() { account.action(.showNews(false)) }

  package func observe(_ changed: @escaping @MainActor @Sendable () -> Void) -> Set<EventSubscription> {
    [account.observe(\.self) { _ in changed() }, news.observe(\.self) { _ in changed() }]
  }

  package func settled() async {
    for await state in news.states where state.query == nil { return }
  }
}

extension AccountReactor.State {
  /// What others may know of the user.
  fileprivate struct User: Sendable, Equatable {
    let name: String
    let follows: String
  }

  fileprivate var user: User { User(name: name, follows: follows) }
}
