// The terminal mode of a program: hands keys to whom they concern and draws what is to be seen.

internal import Dispatch
package import SwiftReactor
package import TerminalScreen

/// A program on a terminal. Keys and sizes become actions, and each commit becomes a frame.
///
/// ```swift
/// let stage = TerminalStage(terminal: terminal) { window in frame(of: dogs.state, size: window.size) }
/// try await stage.run(press: dogs.press) { [stage] end in
///   [
///     dogs.observe(\.self) { _ in stage.plan() },
///     dogs.observe(\.failure) { failure in if failure != nil { end() } },
///   ]
/// }
/// ```
@MainActor
package final class TerminalStage {
  /// The size of the window, and the wheel that turns while one waits.
  package let window: WindowReactor
  private let terminal: Terminal
  private let picture: (WindowReactor.State) -> Frame
  private var screen = Screen()
  private var isPlanned = false

  /// `picture` makes what is shown; it reads the states of the reactors.
  package init(terminal: Terminal, picture: @escaping (WindowReactor.State) -> Frame) {
    self.terminal = terminal
    self.picture = picture
    window = WindowReactor(size: terminal.size)
  }

  /// Runs until a key means the end, `end` is called, or the terminal is gone.
  ///
  /// - Parameters:
  ///   - press: Does what a key means; false when it means the end. Called on the main queue outside of turns, so
  ///     all that a key sets off is done when it returns: the next key meets the state that this one has left.
  ///   - begin: Called when the terminal is ready; answers with the subscriptions that last as long as this runs.
  package func run(
    press: @escaping (Key) -> Bool, begin: (_ end: @escaping @Sendable () -> Void) -> Set<EventSubscription>
  ) async throws {
    let (events, event) = AsyncStream.makeStream(of: Terminal.Event.self)
    // Called on threads of the terminal.
    guard terminal.start({ event.yield($0) }) else { throw TerminalSilence() }
    let subscriptions = begin { event.finish() }.union([
      window.observe(\.paintings) { [self] _ in screen.invalidate() },
      window.observe(\.self) { [self] _ in plan() },
    ])
    for await event in events where !take(event, press) { break }
    for subscription in subscriptions { subscription.cancel() }
    terminal.stop()
  }

  /// One frame for everything that happens in one turn: a pasted text is not drawn letter by letter.
  package func plan() {
    guard !isPlanned else { return }
    isPlanned = true
    DispatchQueue.main.async { MainActor.assumeIsolated { self.draw() } }
  }

  /// False when it is the end.
  private func take(_ event: Terminal.Event, _ press: (Key) -> Bool) -> Bool {
    switch event {
    case .keys(let keys): return keys.allSatisfy(press)
    case .resized(let size): window.action(.resize(size))
    case .resumed(let size): window.action(.repaint(size))
    case .closed: return false
    }
    return true
  }

  private func draw() {
    isPlanned = false
    terminal.write(screen.update(to: picture(window.state)))
  }
}

/// A terminal that can be asked for its settings and does not answer.
package struct TerminalSilence: Error, CustomStringConvertible {
  package let description = "the terminal does not take settings; use --lines"

  package init() {}
}
