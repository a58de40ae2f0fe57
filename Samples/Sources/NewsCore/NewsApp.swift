// The app around the news, seen from outside: three forms of it do the same.

internal import SampleProgram
package import SwiftReactor
internal import TerminalScreen

/// What is shown, whatever form the app has.
package struct NewsPicture: Sendable, Hashable {
  package let user: NewsUser
  /// Nil while the news are closed.
  package let news: NewsState?
  /// What the app itself knows of the news.
  package let status: String

  package init(user: NewsUser, news: NewsState?, status: String) {
    self.user = user
    self.news = news
    self.status = status
  }
}

/// An app with a user and with news that are open or closed.
@MainActor
package protocol NewsApp: AnyObject {
  var picture: NewsPicture { get }
  func signIn(_ user: NewsUser)
  /// Opens the news and loads them; loads them again if they are open.
  func open()
  func close()
  /// Calls `changed` for each commit that may have changed the picture.
  func observe(_ changed: @escaping @MainActor @Sendable () -> Void) -> Set<EventSubscription>
  /// Returns when nothing is loading.
  func settled() async
}

/// The forms that an app with a module can have.
package enum NewsForm: String, Sendable, CaseIterable {
  /// One reactor and one state; the reducers of app and module are combined.
  case combined
  /// Two reactors, of which neither knows the other.
  case separate
  /// The module's reactor is a window on a part of the app's state.
  case nested

  @MainActor
  package func app(_ environment: NewsEnvironment) -> any NewsApp {
    switch self {
    case .combined: CombinedNews(environment: environment)
    case .separate: SeparateNews(environment: environment)
    case .nested: NestedNews(environment: environment)
    }
  }
}

extension NewsStep {
  /// The step in a word or two.
  package var status: String {
    switch self {
    case .initial: "closed"
    case .loading: "loading"
    case .loaded(let list): list.uploads.count == 1 ? "1 upload" : "\(list.uploads.count) uploads"
    case .failed(let failure): TextWidth.printable(failure.reason)
    }
  }
}
