import SwiftReactor
import Testing

@testable import SampleProgram
@testable import TerminalScreen

/// A clock on which every sleep is over as soon as the main queue has come round once. With less than that a loop that
/// sleeps would be faster than the queue that handles what it emits, and nothing else would have its turn there.
private struct HastyClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    await MainActor.run {}
  }
}

@MainActor
@Suite("The reactor of the window")
struct WindowReactorTests {
  private let size = TerminalSize(columns: 80, rows: 24)

  @Test("The spinner turns until it is stopped, and not once more")
  func spinner() async {
    let window = WindowReactor(size: size, clock: HastyClock())
    let (turns, turn) = AsyncStream.makeStream(of: Int.self)
    let subscription = window.observe(\.step) { turn.yield($0) }
    window.action(.spin(true))
    for await step in turns where step >= 3 { break }
    #expect(window.effects.count == 1)
    window.action(.spin(false))
    let reached = window.state.step
    #expect(reached >= 3)
    for _ in 0..<100 { await Task.yield() }
    #expect(window.state.step == reached)
    #expect(window.effects.isEmpty)
    subscription.cancel()
  }

  @Test("Spinning twice is one spinner")
  func oneSpinner() async {
    let window = WindowReactor(size: size, clock: HastyClock())
    window.action(.spin(true))
    window.action(.spin(true))
    #expect(window.effects.count == 1)
    window.action(.spin(false))
    #expect(window.effects.isEmpty)
  }

  @Test("A new size and a repaint are in the state at once")
  func sizes() {
    let window = WindowReactor(size: size)
    let small = TerminalSize(columns: 20, rows: 5)
    window.action(.resize(small))
    #expect(window.state.size == small)
    #expect(window.state.paintings == 0)
    window.action(.repaint(size))
    #expect(window.state.size == size)
    #expect(window.state.paintings == 1)
    #expect(TerminalSize(columns: 0, rows: -1) == TerminalSize(columns: 1, rows: 1))
  }
}
