// The terminal mode: hands keys to the reactors and draws what they show.

internal import Dispatch
internal import SwiftReactor
package import TerminalScreen

/// The program on a terminal. Keys and sizes become actions, and each commit becomes a frame.
@MainActor
package struct TerminalSession {
  private let dogs: DogsReactor
  private let window: WindowReactor
  private let terminal: Terminal

  package init(dogs: DogsReactor, terminal: Terminal) {
    self.dogs = dogs
    self.terminal = terminal
    window = WindowReactor(size: terminal.size)
  }

  /// Runs until the user quits or the terminal is gone. Throws the ``CatalogueError`` if there is no list.
  package func run(plantsCrash: Bool = false) async throws {
    let (endings, ending) = AsyncStream.makeStream(of: Void.self)
    let subscriptions = bind { ending.finish() }
    // Called on threads of the terminal. Both reactors keep the order in which the keys came.
    let isStarted = terminal.start { [dogs, window] event in
      switch event {
      case .keys(let keys):
        if plantsCrash, keys.contains(.control("x")) { fatalError("a crash as it was asked for") }
        for key in keys { dogs.action(.pressed(key)) }
      case .resized(let size): window.action(.resize(size))
      case .resumed(let size): window.action(.repaint(size))
      case .closed: ending.finish()
      }
    }
    guard isStarted else { throw TerminalSilence() }
    dogs.action(.load)
    for await _ in endings {}
    for subscription in subscriptions { subscription.cancel() }
    terminal.stop()
    if let failure = dogs.state.failure { throw failure }
  }

  private func bind(_ end: @escaping @Sendable () -> Void) -> Set<EventSubscription> {
    let painter = Painter(dogs: dogs, window: window, terminal: terminal)
    return [
      window.observe(\.size) { [dogs] size in dogs.action(.laidOut(DogsLayout(size: size))) },
      dogs.observe(\.isLoading) { [window] isLoading in window.action(.spin(isLoading)) },
      dogs.observe(\.hasEnded) { hasEnded in if hasEnded { end() } },
      window.observe(\.paintings) { _ in painter.forget() },
      dogs.observe(\.self) { _ in painter.plan() },
      window.observe(\.self) { _ in painter.plan() },
    ]
  }
}

/// A terminal that can be asked for its settings and does not answer.
private struct TerminalSilence: Error, CustomStringConvertible {
  let description = "the terminal does not take settings; use --lines"
}

/// Draws what two reactors show together.
@MainActor
private final class Painter {
  private let dogs: DogsReactor
  private let window: WindowReactor
  private let terminal: Terminal
  private var screen = Screen()
  private var isPlanned = false

  init(dogs: DogsReactor, window: WindowReactor, terminal: Terminal) {
    self.dogs = dogs
    self.window = window
    self.terminal = terminal
  }

  /// The next picture is drawn from scratch.
  func forget() { screen.invalidate() }

  /// One frame for everything that happens in one turn: a pasted text is not drawn letter by letter.
  func plan() {
    guard !isPlanned else { return }
    isPlanned = true
    DispatchQueue.main.async { MainActor.assumeIsolated { self.draw() } }
  }

  private func draw() {
    isPlanned = false
    let window = window.state
    let frame = DogsTerminalView.frame(of: dogs.state, size: window.size, step: window.step)
    terminal.write(screen.update(to: frame))
  }
}

extension DogsReactor.State {
  fileprivate var hasEnded: Bool { isOver || failure != nil }
}
