// The news as a module: its state, what happens to it, and what it asks for. It knows nothing of the app around it.

package import SampleProgram
package import SwiftReactor

/// Who reads. The app has the same user, and the module is told when it is another one.
package struct NewsUser: Sendable, Hashable {
  package static let nobody = NewsUser(name: "")

  package let name: String
  /// A word that has to be in the news; empty for all.
  package let follows: String

  package init(name: String, follows: String = "") {
    self.name = name
    self.follows = follows
  }

  /// A name, and perhaps a word after it.
  package init?(typed text: String) {
    let words = text.split(maxSplits: 1) { $0.isWhitespace }.map(String.init)
    guard let name = words.first else { return nil }
    self.init(name: name, follows: words.count > 1 ? words[1].split { $0.isWhitespace }.joined(separator: " ") : "")
  }
}

/// What a user gets to read.
package struct NewsList: Sendable, Hashable {
  package var uploads: [Upload]
  /// How many there are for everybody.
  package var all: Int
  /// Lines of the file that could not be understood.
  package var broken: Int

  package init(uploads: [Upload], all: Int, broken: Int = 0) {
    self.uploads = uploads
    self.all = all
    self.broken = broken
  }
}

package enum NewsStep: Sendable, Hashable {
  case initial, loading
  case loaded(NewsList)
  case failed(FileFailure)
}

package struct NewsState: Sendable, Hashable {
  package internal(set) var user: NewsUser
  package internal(set) var step = NewsStep.initial

  package init(user: NewsUser) { self.user = user }

  /// What is asked for: the news of this user, as long as they are loading. This is all that starts and ends a request.
  package var query: NewsUser? { step == .loading ? user : nil }
}

package enum NewsEvent: Sendable, Hashable {
  case userChanged(NewsUser)
  case load
  case answered(NewsStep, to: NewsUser)
  case close
}

package enum NewsModule {
  /// What an event does to the news.
  package static let reduce = Reduce<NewsState, NewsEvent> { state, event in
    switch event {
    case .userChanged(let user):
      guard user != state.user else { return }
      state.user = user
      // The news of somebody else are none.
      if state.step != .initial { state.step = .loading }
    case .load:
      state.step = .loading
    case .answered(let step, let user):
      // An answer to another user's question is on its way no more when this is seen; not to depend on it costs nothing.
      if state.query == user { state.step = step }
    case .close:
      state.step = .initial
    }
  }

  /// What answers a query, as events of whoever has the module.
  package static func request<Event: Sendable>(
    _ user: NewsUser, from environment: NewsEnvironment, _ embed: @escaping @Sendable (NewsEvent) -> Event
  ) -> Mutations<Event> {
    .run { emit in
      do {
        emit(embed(.answered(.loaded(try await environment.loadNews(user)), to: user)))
      } catch let failure as FileFailure {
        emit(embed(.answered(.failed(failure), to: user)))
      }
    }
  }
}
