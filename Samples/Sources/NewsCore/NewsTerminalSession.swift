// The terminal mode: hands keys to the app and draws what it shows.

package import SampleProgram
internal import SwiftReactor
package import TerminalScreen

extension NewsApp {
  /// Does what a key means; false when it means the end. On the queue: then it is done when this returns.
  package func press(_ key: Key, at desk: ListDeskReactor) -> Bool {
    if key == .control("q") { return false }
    if picture.news != nil {
      pressOnNews(key, desk)
    } else {
      pressOnUser(key, desk)
    }
    return true
  }

  private func pressOnNews(_ key: Key, _ desk: ListDeskReactor) {
    switch key {
    case .escape, .backspace, .left: close()
    case .control("r"): open()
    default: if let move = ListCursor.Move(key) { desk.action(.move(move)) }
    }
  }

  private func pressOnUser(_ key: Key, _ desk: ListDeskReactor) {
    let draft = desk.state.draft
    switch key {
    case .character(let character): desk.action(.type(draft + String(character)))
    case .backspace: desk.action(.type(String(draft.dropLast())))
    case .escape, .control("u"): desk.action(.type(""))
    case .enter:
      if let user = NewsUser(typed: draft) { signIn(user) }
      desk.action(.type(""))
      if picture.user != .nobody { open() }
    default: break
    }
  }
}

/// The program on a terminal.
@MainActor
package struct NewsTerminalSession {
  private let app: any NewsApp
  private let terminal: Terminal

  package init(app: any NewsApp, terminal: Terminal) {
    self.app = app
    self.terminal = terminal
  }

  /// Runs until the user quits or the terminal is gone.
  package func run() async throws {
    let desk = ListDeskReactor()
    let stage = TerminalStage(terminal: terminal) { [app] window in
      NewsTerminalView.frame(of: app.picture, desk: desk.state, size: window.size, step: window.step)
    }
    try await stage.run { [app] key in
      app.press(key, at: desk)
    } begin: { [app] _ in
      let follow: @MainActor @Sendable () -> Void = {
        let news = app.picture.news
        let count = if case .loaded(let list) = news?.step { list.uploads.count } else { 0 }
        desk.action(.fit(count: count, rows: stage.window.state.size.listBelowHead.count))
        stage.window.action(.spin(news?.step == .loading))
        stage.plan()
      }
      return app.observe(follow).union([
        stage.window.observe(\.size) { _ in follow() },
        desk.observe(\.self) { _ in stage.plan() },
      ])
    }
  }
}
