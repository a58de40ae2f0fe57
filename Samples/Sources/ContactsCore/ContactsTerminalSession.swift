// The terminal mode: hands keys to the reactors and draws what they show.

package import SampleProgram
package import SwiftReactor
package import TerminalScreen

extension ContactsReactor {
  /// An account after a while, the contacts after another: a stream that is an action.
  package static func both(
    every interval: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock()
  ) -> EventStream<Action> {
    EventStream { emit in
      try await clock.sleep(for: interval)
      emit(.account(.load))
      try await clock.sleep(for: interval)
      emit(.contacts(.load))
    }
  }

  /// Does what a key means; false when it means the end. On the queue: then it is done when this returns.
  package func press(
    _ key: Key, at desk: ListDeskReactor, stream: @autoclosure () -> EventStream<Action> = both()
  ) -> Bool {
    let draft = desk.state.draft
    switch key {
    case .control("q"): return false
    case .control("r"): action(.contacts(.load))
    case .control("s"): action(.stream(stream()))
    case .control("f"):
      action(.account(.forget))
      action(.contacts(.forget))
    case .enter: action(.account(.load))
    case .character(let character): desk.action(.type(draft + String(character)))
    case .backspace: desk.action(.type(String(draft.dropLast())))
    case .escape, .control("u"): desk.action(.type(""))
    default: if let move = ListCursor.Move(key) { desk.action(.move(move)) }
    }
    return true
  }
}

/// The program on a terminal.
@MainActor
package struct ContactsTerminalSession {
  private let reactor: ContactsReactor
  private let terminal: Terminal
  private let interval: Duration

  /// `interval` is that of the streams.
  package init(reactor: ContactsReactor, terminal: Terminal, interval: Duration) {
    self.reactor = reactor
    self.terminal = terminal
    self.interval = interval
  }

  /// Runs until the user quits or the terminal is gone.
  package func run() async throws {
    let desk = ListDeskReactor()
    let stage = TerminalStage(terminal: terminal) { [reactor] window in
      ContactsTerminalView.frame(of: reactor.state, desk: desk.state, size: window.size, step: window.step)
    }
    try await stage.run { [reactor, interval] key in
      reactor.press(key, at: desk, stream: ContactsReactor.both(every: interval))
    } begin: { [reactor] _ in
      let follow: @MainActor @Sendable () -> Void = {
        let view = ContactsViewState(reactor.state, finding: desk.state.draft)
        desk.action(.fit(count: view.rows.count, rows: stage.window.state.size.listBelowField.count))
        stage.window.action(.spin(!reactor.state.loading.isEmpty))
        stage.plan()
      }
      return [
        reactor.observe(\.self) { _ in follow() },
        stage.window.observe(\.size) { _ in follow() },
        desk.observe(\.draft) { _ in follow() },
        desk.observe(\.self) { _ in stage.plan() },
      ]
    }
  }
}
