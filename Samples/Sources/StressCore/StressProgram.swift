// The program: rounds, what is printed of them, and the exit code.

internal import Dispatch
internal import Foundation
internal import SampleProgram
internal import TerminalScreen

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

package enum StressProgram {
  /// Runs with these options on the calling thread and answers with the exit code: 0 also when nobody reads what it
  /// writes, 1 when it cannot be written.
  package static func run(_ arguments: [String]) -> Int32 {
    StandardStreams.prepare()
    do {
      let options = try StressOptions(arguments)
      if options.showsHelp {
        try StandardStreams.show(StressOptions.usage)
        return 0
      }
      return try run(options) { try StandardStreams.show($0 + "\n") }
    } catch let failure as StreamFailure where failure.isClosedPipe {
      return 0
    } catch {
      StandardStreams.complain("stress: \(error)")
      return 1
    }
  }

  /// Runs the rounds, and says what came out of each.
  package static func run(_ options: StressOptions, say: (String) throws -> Void) rethrows -> Int32 {
    let seed = options.seed ?? UInt64.random(in: 0...UInt64.max)
    try say(
      "\(options.kind.rawValue): \(options.actions) actions a round from \(options.senders) threads and one sender "
        + "on the queue, seed \(seed)")
    let start = DispatchTime.now()
    var round = 0
    var isClean = true
    // The system's own peak is counted less often, and may lie below what was shown.
    var most = 0
    repeat {
      round += 1
      let plan = StressPlan(
        actions: options.actions, threads: options.senders, seed: seed &+ UInt64(round - 1), plant: options.plant)
      let result = run(plan, options)
      let memory = ProcessMemory.current
      most = max(most, memory)
      try say(line(round, result, memory))
      for complaint in result.complaints { try say("  \(complaint)") }
      isClean = isClean && result.isClean
    } while isClean && options.minutes.map { elapsed(since: start) < $0 * 60 } ?? false
    try say("peak memory \(ProcessMemory.megabytes(max(most, ProcessMemory.peak)))")
    return isClean ? 0 : 1
  }

  private static func run(_ plan: StressPlan, _ options: StressOptions) -> RoundResult {
    var round = StressRound(plan: plan)
    round.patience = options.patience
    let line = ProgressLine(total: options.actions)
    round.progress = { handled in line.show(handled) }
    defer { line.clear() }
    return round.run { handled in options.kind.target(plan, handled: handled) }
  }

  private static func line(_ round: Int, _ result: RoundResult, _ memory: Int) -> String {
    let rate = result.seconds > 0 ? Int(Double(result.sent) / result.seconds) : result.sent
    let faults = result.faults
    let unknown = faults.unknown > 0 ? ", unknown \(faults.unknown)" : ""
    return "round \(round): \(result.sent) actions in \(seconds(result.seconds)) s, \(rate) a second; "
      + "lost \(faults.lost), duplicated \(faults.duplicated), reordered \(faults.reordered)\(unknown); "
      + "memory \(ProcessMemory.megabytes(memory))"
  }

  private static func seconds(_ seconds: Double) -> String {
    let thousandths = Int(seconds * 1000)
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  private static func elapsed(since start: DispatchTime) -> Double {
    Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
  }
}

/// A line on a terminal that is written over and over, at most once a second.
private final class ProgressLine: @unchecked Sendable {
  // Safe to share: only the thread that runs the round calls it.
  private let total: Int
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var last = DispatchTime.now()
  private var isShown = false

  init(total: Int) { self.total = total }

  func show(_ handled: Int) {
    guard isTerminal, DispatchTime.now().uptimeNanoseconds - last.uptimeNanoseconds >= 1_000_000_000 else { return }
    last = .now()
    isShown = true
    put("\r\(handled) of \(total)\u{1B}[K")
  }

  func clear() {
    if isShown { put("\r\u{1B}[K") }
  }
}

private func put(_ text: String) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
  }
}
