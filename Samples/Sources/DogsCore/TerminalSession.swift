// The terminal mode: hands keys to the reactors and draws what they show.

internal import SampleProgram
internal import SwiftReactor
package import TerminalScreen

/// The program on a terminal.
@MainActor
package struct TerminalSession {
  private let dogs: DogsReactor
  private let terminal: Terminal

  package init(dogs: DogsReactor, terminal: Terminal) {
    self.dogs = dogs
    self.terminal = terminal
  }

  /// Runs until the user quits or the terminal is gone. Throws the ``CatalogueError`` if there is no list.
  package func run(plantsCrash: Bool = false) async throws {
    let stage = TerminalStage(terminal: terminal) { [dogs] window in
      DogsTerminalView.frame(of: dogs.state, size: window.size, step: window.step)
    }
    try await stage.run { [dogs] key in
      if plantsCrash, key == .control("x") { fatalError("a crash as it was asked for") }
      return dogs.press(key)
    } begin: { [dogs] end in
      let subscriptions: Set<EventSubscription> = [
        stage.window.observe(\.size) { size in dogs.action(.laidOut(DogsLayout(size: size))) },
        dogs.observe(\.isWaiting) { isWaiting in stage.window.action(.spin(isWaiting)) },
        dogs.observe(\.failure) { failure in if failure != nil { end() } },
        // The breed's commits come here, too: its state is a part of this one.
        dogs.observe(\.self) { _ in stage.plan() },
      ]
      dogs.action(.load)
      return subscriptions
    }
    if let failure = dogs.state.failure { throw failure }
  }
}

extension DogsReactor.State {
  /// Something is on its way.
  fileprivate var isWaiting: Bool { isLoading || detail?.picture == .loading }
}
