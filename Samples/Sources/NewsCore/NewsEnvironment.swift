// What the news need from the world outside.

internal import SampleProgram

package struct NewsEnvironment: Sendable {
  /// Loads the news of a user. Throws a ``FileFailure``, or `CancellationError` when its task is cancelled.
  package var loadNews: @Sendable (NewsUser) async throws -> NewsList

  package init(loadNews: @escaping @Sendable (NewsUser) async throws -> NewsList) {
    self.loadNews = loadNews
  }

  /// Reads a file each time, or the built-in one for nil, after a delay that makes the loading visible.
  package static func live(file: String?, delay: Duration = .zero) -> NewsEnvironment {
    NewsEnvironment { user in
      if delay > .zero { try await ContinuousClock().sleep(for: delay) }
      return try await BlockingWork.run("reading of news") { try UploadFile.read(file).filtered(for: user) }
    }
  }

  /// Answers with these uploads, after `pause`, which may wait or throw.
  package static func fake(
    _ uploads: [Upload], pause: @escaping @Sendable (NewsUser) async throws -> Void = { _ in }
  ) -> NewsEnvironment {
    NewsEnvironment { user in
      try await pause(user)
      return NewsList(uploads: uploads, all: uploads.count).filtered(for: user)
    }
  }

  /// Answers every call with a failure, and tells of it.
  package static func failing(_ unexpected: @escaping @Sendable (String) -> Void) -> NewsEnvironment {
    NewsEnvironment { user in
      unexpected("loadNews(\(user.name))")
      throw FileFailure("nowhere", "there is no such file")
    }
  }
}

extension NewsList {
  package func filtered(for user: NewsUser) -> NewsList {
    NewsList(uploads: uploads.filter { $0.isAbout(user.follows) }, all: all, broken: broken)
  }
}
