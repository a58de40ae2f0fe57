// Clocks, gates and rest.

import Dispatch
import Foundation
import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Clocks and gates")
struct ClockTests {
  @Test("Time stands still until it is moved, and everybody wakes in the order of their times")
  func order() async throws {
    let clock = ManualClock()
    let list = TextList()
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        list.append("\(seconds) at \(clock.now)")
      }
    }
    await clock.advance(by: .zero)
    #expect(clock.sleeps.map(\.offset) == [.seconds(1), .seconds(2), .seconds(3)])
    await clock.advance(by: .seconds(2))
    #expect(list.texts == ["1 at 1.0 seconds", "2 at 2.0 seconds"])
    await clock.advance(to: .init(offset: .seconds(10)))
    #expect(clock.now.offset == .seconds(10) && clock.sleeps.isEmpty)
    for task in tasks { try await task.value }
  }

  @Test("What goes to sleep while the time moves is woken in the same call, at its own time")
  func sleepingOn() async throws {
    let clock = ManualClock()
    let list = TextList()
    let task = Task {
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        list.append("\(clock.now)")
      }
    }
    await clock.advance(by: .seconds(5))
    #expect(list.texts == ["1.0 seconds", "2.0 seconds", "3.0 seconds"])
    #expect(clock.now.offset == .seconds(5))
    try await task.value
  }

  @Test("A cancelled sleep throws at once, and nothing of it is left")
  func cancelled() async {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.advance(by: .zero)
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(clock.sleeps.isEmpty)
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    let earlyResult = await early.result
    #expect(throws: CancellationError.self) { try earlyResult.get() }
    #expect(clock.sleeps.isEmpty)
  }

  @Test("Effects in many tasks: the clock is exact, a hundred times over")
  func exact() async {
    for _ in 0..<100 {
      let clock = ManualClock()
      let test = TestReactor(CounterReactor(clock: clock), exhaustivity: .off)
      for seconds in 1...5 { await test.send(.later(seconds)) }
      for seconds in 1...5 {
        await clock.advance(by: .milliseconds(999))
        #expect(test.state.count == seconds - 1)
        await clock.advance(by: .milliseconds(1))
        #expect(test.state.count == seconds)
      }
      test.exhaustivity = .on
      await test.skipReceived()
      await test.finish()
    }
  }

  @Test("The timed operators of streams and the rate limits of effects run on it")
  func operators() async {
    let clock = ManualClock()
    let test = TestReactor(DebouncedReactor(clock: clock))
    await test.send(.type("a"))
    await clock.advance(by: .milliseconds(299))
    await test.send(.type("ab"))
    await clock.advance(by: .milliseconds(299))
    await clock.advance(by: .milliseconds(1))
    await test.receive(.results("ab")) { $0 = "ab" }
    await test.send(.tick)
    await clock.advance(by: .seconds(1))
    await test.receive(.results("1")) { $0 = "1" }
    await clock.run()
    await test.receive(.results("2")) { $0 = "2" }
    await test.finish()
  }

  @Test("An immediate clock never waits, and still moves")
  func immediate() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(3))
    try await clock.sleep(for: .seconds(2))
    #expect(clock.now.offset == .seconds(5))
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    let result = await cancelled.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test("A gate lets through whom it is told to, in order, and those who heed it are cancelled at it")
  func gate() async throws {
    let gate = Gate("door")
    let list = TextList()
    var tasks: [Task<Void, any Error>] = []
    for name in ["a", "b", "c"] {
      tasks.append(
        Task {
          try await gate.wait()
          list.append(name)
        })
      while gate.waiting < tasks.count { await Task.yield() }
    }
    tasks[0].cancel()
    let cancelled = await tasks[0].result
    #expect(throws: CancellationError.self) { try cancelled.get() }
    gate.letThrough()
    try await tasks[1].value
    #expect(list.texts == ["b"] && gate.waiting == 1 && !gate.isOpen)
    gate.open()
    try await tasks[2].value
    try await gate.wait()
    gate.close()
    #expect(!gate.isOpen)
    gate.letThrough(2)
    try await gate.wait()
    await gate.waitStubbornly()
    let stubborn = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await gate.waitStubbornly()
    }
    while gate.waiting == 0 { await Task.yield() }
    gate.open()
    await stubborn.value
  }
}

@Suite("Rest")
struct RestTests {
  @Test("Settled means: no arrival, no drain, and every task has ended or waits", arguments: 0..<20)
  func scope(round: Int) async {
    await withTestScope {
      let gate = Gate()
      let reactor = CounterReactor(gate: gate)
      reactor.action(.many(Array(repeating: 1, count: 50)))
      reactor.action(.actor)
      reactor.action(.gated)
      await settle()
      #expect(reactor.count == 52)
      gate.open()
      await settle(reactor)
      #expect(reactor.count == 53 && reactor.effects.isEmpty)
    }
  }

  @Test("Without a scope, and without a run loop: what was sent from elsewhere is there")
  func withoutScope() async {
    for _ in 0..<20 {
      let reactor = CounterReactor(queue: .main)
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        DispatchQueue(label: "sender").async {
          reactor.action(.increment)
          continuation.resume()
        }
      }
      await settle()
      #expect(reactor.count == 1)
      reactor.action(.actor)
      await settle(reactor)
      #expect(reactor.count == 3)
    }
  }

  @Test("Many actions on the main queue are counted when the loop ends")
  @MainActor
  func loops() {
    for power in 0...4 {
      let reactor = CounterReactor(queue: .main)
      let count = Int(pow(10, Double(power)))
      for _ in 0..<count { reactor.action(.increment) }
      #expect(reactor.count == count)
    }
  }
}

/// Texts from many tasks.
final class TextList: @unchecked Sendable {
  // Safe to share: `list` is only touched under `lock`.
  private let lock = NSLock()
  private var list: [String] = []

  var texts: [String] { lock.withLock { list } }

  func append(_ text: String) {
    lock.withLock { list.append(text) }
  }
}

/// Waits until nothing is typed, and ticks twice.
private final class DebouncedReactor: BaseReactor<DebouncedReactor.Action, DebouncedReactor.Mutation, String>,
  @unchecked Sendable
{
  // Safe to share: adds a constant.
  enum Action: Equatable, Sendable { case type(String), tick }
  enum Mutation: Equatable, Sendable { case results(String) }

  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) {
    self.clock = clock
    super.init(initialState: "", queue: DispatchQueue(label: "debounced"))
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .type(let text):
      .run { emit in emit(.results(text)) }.debounced(id: "type", for: .milliseconds(300), clock: clock)
    case .tick:
      Mutations(async: EventStream.interval(every: .seconds(1), clock: clock).prefix(2).map { .results("\($0)") })
    }
  }

  override func reduce(into state: inout String, mutation: Mutation) {
    switch mutation {
    case .results(let results): state = results
    }
  }
}
