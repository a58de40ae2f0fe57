// The line mode: reads commands, tells the app, prints what came of it.

/// A conversation in lines. Each command is done, and what it loads is there, before the next is read: the same input
/// always gives the same output, whatever form the app has.
@MainActor
package struct NewsLineSession {
  private let app: any NewsApp
  private let nextLine: () async throws -> String?
  private let show: (String) throws -> Void

  /// `nextLine` answers nil at the end of the input, `show` writes text as it is. What they throw ends the session.
  package init(
    app: any NewsApp, nextLine: @escaping () async throws -> String?, show: @escaping (String) throws -> Void
  ) {
    self.app = app
    self.nextLine = nextLine
    self.show = show
  }

  /// Runs until the user quits or the input ends.
  package func run() async throws {
    try show(NewsLines.text(of: app.picture))
    while let line = try await nextLine() {
      let command = NewsCommand(line)
      if command == .quit { return }
      try show(await answer(to: command))
    }
  }

  private func answer(to command: NewsCommand) async -> String {
    switch command {
    case .signIn(let user): app.signIn(user)
    case .open where app.picture.user == .nobody: return "there is no user yet: user NAME\n"
    case .open where app.picture.news != nil: return "the news are open already; reload loads them again\n"
    case .open: app.open()
    case .reload where app.picture.news == nil, .close where app.picture.news == nil: return "the news are closed\n"
    case .reload: app.open()
    case .close: app.close()
    case .show: break
    case .help: return NewsCommand.helpText
    case .mistake(let text): return text + "\n"
    case .nothing, .quit: return ""
    }
    await app.settled()
    return NewsLines.text(of: app.picture)
  }
}
