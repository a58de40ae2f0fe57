// The terminal mode: hands keys to the reactor and draws what it shows.

internal import SampleProgram
internal import SwiftReactor
package import TerminalScreen

/// The program on a terminal.
@MainActor
package struct SearchTerminalSession {
  private let search: SearchReactor
  private let terminal: Terminal

  package init(search: SearchReactor, terminal: Terminal) {
    self.search = search
    self.terminal = terminal
  }

  /// Runs until the user quits or the terminal is gone. Throws the ``FileFailure`` if nothing could be read at all.
  package func run() async throws {
    let stage = TerminalStage(terminal: terminal) { [search] window in
      SearchTerminalView.frame(of: search.state, size: window.size, step: window.step)
    }
    try await stage.run(press: search.press) { [search] end in
      let subscriptions: Set<EventSubscription> = [
        stage.window.observe(\.size) { size in search.action(.laidOut(rows: size.listBelowField.count)) },
        search.observe(\.isWaiting) { isWaiting in stage.window.action(.spin(isWaiting)) },
        search.observe(\.failure) { failure in if failure != nil { end() } },
        search.$state.sink { _ in stage.plan() },
      ]
      search.action(.load)
      return subscriptions
    }
    if let failure = search.state.failure { throw failure }
  }
}

extension SearchReactor.State {
  /// There is nothing to show yet.
  fileprivate var isWaiting: Bool { isReading && results.count == 0 }
}
