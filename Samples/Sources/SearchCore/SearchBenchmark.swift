// How long a key takes and how much memory all of it needs: the program without a terminal, typing by itself.

internal import Foundation
internal import SampleProgram
internal import SwiftReactor
internal import TerminalScreen

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Reads an index and types in it. A key counts from the moment in which another thread hands it over until the bytes for
/// the terminal are there.
package struct SearchBenchmark: Sendable {
  /// A window larger than most.
  private static let size = TerminalSize(columns: 200, rows: 60)
  private static let limit = Duration.milliseconds(16)
  private static let typedMeanwhile = "python3 lib"
  private static let typedAfterwards = ["apt", "python3-", "http server", "editor for text", "lib", "zzz"]

  private let source: IndexSource
  private let clock = ContinuousClock()

  package init(_ source: IndexSource) {
    self.source = source
  }

  package func run() async throws {
    let desk = await Desk(SearchReactor(environment: .live(source)), Self.size)
    let search = desk.search
    let begun = clock.now
    search.action(.load)
    for await state in search.states where state.results.count > 0 || state.failure != nil { break }
    await desk.draw()
    let first = clock.now - begun
    let early = search.state
    if let failure = early.failure { throw failure }

    let meanwhile = try await typing(Self.typedMeanwhile, at: desk)
    let during = search.state
    for await state in search.states where !state.isReading { break }
    let read = clock.now - begun
    let state = search.state
    if case .failed(let failure) = state.reading { throw failure }

    var afterwards: [KeyTime] = []
    var searches: [KeyTime] = []
    for text in Self.typedAfterwards {
      _ = try await typing("\u{1B}", at: desk)
      let times = try await typing(text, at: desk)
      // The first letter after nothing is searched for; those that follow narrow what it found.
      searches += times.prefix(1)
      afterwards += times.dropFirst()
    }

    let bytes = max(early.size ?? 0, 1)
    try show(
      "index", "\(state.source): \(megabytes(bytes)), \(state.index.count) packages, \(state.index.broken) broken")
    try show("first results", "after \(text(first)), \(early.index.count) packages, \(early.percent) read")
    try show("all of it", "after \(text(read))")
    try show(
      "keys while it is read",
      "\(summary(meanwhile)); the last one with \(during.percent) read, query \"\(during.query.text)\"")
    try show(
      "first keys", "\(summary(searches)), with a pause of \(text(SearchEnvironment.livePause)) before the search")
    try show("further keys", "\(summary(afterwards)); limit \(text(Self.limit))")
    try show("memory", "\(megabytes(ProcessMemory.peak)) at most; limit \(megabytes(2 * bytes + 50 * 1_048_576))")
  }

  /// How long a key took until what it finds was drawn, and for how much of that a core was busy with it on the queue: on
  /// a machine with other work the first is longer.
  private struct KeyTime {
    let whole: Duration
    let work: Duration
  }

  private func typing(_ keys: String, at desk: Desk) async throws -> [KeyTime] {
    var times: [KeyTime] = []
    for character in keys {
      let key = character == "\u{1B}" ? Key.escape : .character(character)
      let pressed = clock.now
      var work = await desk.press(key)
      // What was found at once is drawn already.
      if desk.search.state.isSearching {
        for await state in desk.search.states where !state.isSearching { break }
        work += await desk.draw()
      }
      times.append(KeyTime(whole: clock.now - pressed, work: work))
    }
    return times
  }

  private func show(_ what: String, _ text: String) throws {
    try StandardStreams.show(what.padding(toLength: 23, withPad: " ", startingAt: 0) + text + "\n")
  }

  private func summary(_ times: [KeyTime]) -> String {
    let sorted = times.sorted { $0.whole < $1.whole }
    guard let slowest = sorted.last, let work = times.map(\.work).max() else { return "none" }
    return "\(sorted.count) keys, median \(text(sorted[sorted.count / 2].whole)), slowest \(text(slowest.whole)), "
      + "most work \(text(work))"
  }

  private func text(_ time: Duration) -> String {
    String(format: "%.1f ms", time / .milliseconds(1))
  }

  private func megabytes(_ bytes: Int) -> String { ProcessMemory.megabytes(bytes) }
}

/// The reactor and a screen that nobody sees.
@MainActor
private final class Desk {
  nonisolated let search: SearchReactor
  private let size: TerminalSize
  private var screen = Screen()

  init(_ search: SearchReactor, _ size: TerminalSize) {
    self.search = search
    self.size = size
    search.action(.laidOut(rows: size.listBelowField.count))
  }

  func press(_ key: Key) -> Duration {
    working {
      _ = search.press(key)
      picture()
    }
  }

  @discardableResult
  func draw() -> Duration {
    working { picture() }
  }

  private func picture() {
    _ = screen.update(to: SearchTerminalView.frame(of: search.state, size: size, step: 0))
  }

  /// How long this thread was busy with something.
  private func working(_ body: () -> Void) -> Duration {
    let begun = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
    body()
    return .nanoseconds(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - begun)
  }
}

private func nanoseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension SearchReactor.State {
  fileprivate var size: Int? {
    if case .running(_, let size) = reading { size } else { nil }
  }

  fileprivate var percent: String {
    guard case .running(let bytes, .some(let size)) = reading else { return "all" }
    return "\(bytes * 100 / max(size, 1)) %"
  }
}
