// The terminal mode: hands keys to the reactors and draws what they show.

internal import Dispatch
internal import SampleProgram
internal import SwiftReactor
package import TerminalScreen

/// What a key means, whatever is shown.
package enum BoardKey: Sendable, Hashable {
  case step(BoardCursor.Step)
  case card(CardReactor.Action)
  case restore
  case quit

  package init?(_ key: Key) {
    switch key {
    case .left: self = .step(.left)
    case .right: self = .step(.right)
    case .up: self = .step(.within(.up))
    case .down: self = .step(.within(.down))
    case .pageUp: self = .step(.within(.pageUp))
    case .pageDown: self = .step(.within(.pageDown))
    case .home: self = .step(.within(.first))
    case .end: self = .step(.within(.last))
    case .character(" "): self = .card(.toggle)
    case .character("<"): self = .card(.ask(.shift(by: -1)))
    case .character(">"): self = .card(.ask(.shift(by: 1)))
    case .character("a"): self = .card(.ask(.archive))
    case .character("u"): self = .restore
    case .character("q"), .control("q"): self = .quit
    default: return nil
    }
  }
}

extension DeskReactor {
  /// Does what a key means; false when it means the end.
  ///
  /// On the queue, outside a turn: all that the key sets off, from the card over its column to the board and back, is done
  /// when this returns. So the next key meets the board as this one left it, and no key is lost with a reactor that has
  /// ended in between.
  @MainActor
  package func press(_ key: Key) -> Bool {
    switch BoardKey(key) {
    case .step(let step): action(.step(step))
    case .card(let action): chosenCard?.action(action)
    case .restore: board.archive.reactor?.action(.restoreLast)
    case .quit: return false
    case nil: break
    }
    return true
  }
}

/// The program on a terminal. Keys and sizes become actions, and each commit becomes a frame.
@MainActor
package struct BoardTerminalSession {
  private let desk: DeskReactor
  private let terminal: Terminal

  package init(issues: [BoardIssue], terminal: Terminal) {
    self.terminal = terminal
    desk = DeskReactor(board: BoardReactor(issues: issues), size: terminal.size)
  }

  /// Runs until the user quits or the terminal is gone.
  package func run() async throws {
    let (events, event) = AsyncStream.makeStream(of: Terminal.Event.self)
    let painter = BoardPainter(desk: desk, terminal: terminal)
    guard terminal.start({ event.yield($0) }) else { throw TerminalSilence() }
    let subscriptions: Set<EventSubscription> = [
      desk.observe(\.paintings) { _ in painter.forget() },
      desk.$state.sink { _ in painter.plan() },
    ]
    for await event in events where !take(event) { break }
    for subscription in subscriptions { subscription.cancel() }
    terminal.stop()
  }

  /// False when it is the end.
  private func take(_ event: Terminal.Event) -> Bool {
    switch event {
    case .keys(let keys): return keys.allSatisfy(desk.press)
    case .resized(let size): desk.action(.resize(size))
    case .resumed(let size): desk.action(.repaint(size))
    case .closed: return false
    }
    return true
  }
}

/// Draws what the desk shows.
@MainActor
private final class BoardPainter {
  private let desk: DeskReactor
  private let terminal: Terminal
  private var screen = Screen()
  private var isPlanned = false

  init(desk: DeskReactor, terminal: Terminal) {
    self.desk = desk
    self.terminal = terminal
  }

  /// The next picture is drawn from scratch.
  func forget() { screen.invalidate() }

  /// One frame for all commits of a turn: many cards that tick in the same second are drawn together.
  func plan() {
    guard !isPlanned else { return }
    isPlanned = true
    DispatchQueue.main.async { MainActor.assumeIsolated { self.draw() } }
  }

  private func draw() {
    isPlanned = false
    terminal.write(screen.update(to: BoardTerminalView.frame(of: desk.state)))
  }
}
