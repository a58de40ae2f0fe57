import Testing

@testable import BoardCore

@MainActor
@Suite("The clock that is moved by hand", .timeLimit(.minutes(1)))
struct ManualClockTests {
  private let clock = ManualClock()

  /// A task that tells of each period that has passed.
  private func repeats(_ seconds: Int, _ tell: @escaping @Sendable (Int) -> Void) -> Task<Void, any Error> {
    let begin = clock.now
    return Task.detached { [clock] in
      for round in 1... {
        try await clock.sleep(until: begin.advanced(by: .seconds(seconds * round)), tolerance: nil)
        tell(seconds)
      }
    }
  }

  @Test("Whoever sleeps wakes at his deadline, the earliest first, and all are done when the time has passed")
  func order() async {
    let (periods, period) = AsyncStream.makeStream(of: Int.self)
    let tasks = [repeats(5) { period.yield($0) }, repeats(2) { period.yield($0) }]
    await clock.advance(by: .milliseconds(1_999), sleepers: 2)
    period.yield(0)
    await clock.advance(by: .milliseconds(7_001), sleepers: 2)
    period.finish()
    var seen: [Int] = []
    for await period in periods { seen.append(period) }
    #expect(seen == [0, 2, 2, 5, 2, 2])
    for task in tasks { task.cancel() }
  }

  @Test("A sleeper that is cancelled sleeps no more, before and while it sleeps")
  func cancelling() async {
    let sleeping = repeats(1) { _ in Issue.record("nothing is due") }
    await clock.advance(by: .milliseconds(500), sleepers: 1)
    sleeping.cancel()
    #expect(clock.sleeperCount == 0)
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    let early = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(clock.sleeperCount == 0)
    await clock.advance(by: .seconds(5), sleepers: 0)
  }

  @Test("Waiting for a sleeper that never comes ends when the task is cancelled")
  func cancelledAdvance() async {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let advancing = Task { [clock] in
      begin.finish()
      await clock.advance(by: .seconds(1), sleepers: 7)
    }
    for await _ in begun {}
    advancing.cancel()
    await advancing.value
    #expect(clock.sleeperCount == 0)
  }
}
