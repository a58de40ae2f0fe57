import Dispatch
import Foundation
import SampleProgram
import Testing

@testable import StressCore

@Suite("The books")
struct LedgerTests {
  @Test("Numbers that all come in order are no fault")
  func clean() {
    var ledger = Ledger(expected: [100, 0, 3])
    for number in 0..<100 { ledger.record(lane: 0, number: number) }
    for number in 0..<3 { ledger.record(lane: 2, number: number) }
    #expect(ledger.faults.isClean)
    #expect(ledger.complaints { "\($0)" } == [])
  }

  @Test("Lost, duplicated, reordered and unknown numbers are told apart")
  func faults() {
    var ledger = Ledger(expected: [5, 5])
    // 1 comes late, 2 twice, 4 never.
    for number in [0, 2, 1, 2, 3] { ledger.record(lane: 0, number: number) }
    for number in 0..<5 { ledger.record(lane: 1, number: number) }
    ledger.record(lane: 1, number: 5)
    ledger.record(lane: 1, number: -1)
    let first = ledger.faults(ofLane: 0)
    #expect(first.lost == 1)
    #expect(first.duplicated == 1)
    #expect(first.reordered == 1)
    #expect(ledger.faults.unknown == 2)
    #expect(
      ledger.complaints { "lane \($0)" } == [
        "lane 0: lost 1, duplicated 1, reordered 1; first number 1",
        "lane 1: lost 0, duplicated 0, reordered 0, unknown 2",
      ])
  }

  @Test("A lane that nobody knows is a fault, too")
  func unknownLane() {
    var ledger = Ledger(expected: [1])
    ledger.record(lane: 0, number: 0)
    ledger.record(lane: 7, number: 0)
    #expect(ledger.faults.unknown == 1)
  }

  @Test("Many bad lanes are cut short")
  func manyComplaints() {
    let ledger = Ledger(expected: Array(repeating: 1, count: 20))
    let complaints = ledger.complaints { "\($0)" }
    #expect(complaints.count == 11)
    #expect(complaints.last == "and 10 more")
  }
}

@Suite("The plan of a round")
struct StressPlanTests {
  @Test("All actions are shared out, some have one more")
  func sharing() {
    let plan = StressPlan(actions: 1_000_000, threads: 8, seed: 1)
    #expect(plan.counts.count == 9)
    #expect(plan.counts.reduce(0, +) == 1_000_000)
    #expect(plan.counts.max() == plan.counts.min().map { $0 + 1 })
    #expect(StressPlan(actions: 2, threads: 8, seed: 1).counts == [1, 1, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("A planted fault is one fault of its kind, always the same one for a seed", arguments: Plant.allCases)
  func planting(plant: Plant) {
    for seed in UInt64(0)..<200 {
      let plan = StressPlan(actions: 30, threads: 2, seed: seed, plant: plant)
      let again = StressPlan(actions: 30, threads: 2, seed: seed, plant: plant)
      var ledger = Ledger(expected: plan.counts)
      for sender in plan.counts.indices {
        for turn in 0..<plan.counts[sender] {
          let numbers = plan.numbers(sender: sender, turn: turn)
          #expect(numbers == again.numbers(sender: sender, turn: turn))
          for number in numbers { ledger.record(lane: sender, number: number) }
        }
      }
      #expect(ledger.faults.lost == (plant == .lost ? 1 : 0))
      #expect(ledger.faults.duplicated == (plant == .twice ? 1 : 0))
      #expect((ledger.faults.reordered > 0) == (plant == .order))
      #expect(ledger.faults.unknown == 0)
    }
  }

  @Test("Every kind books every number of every sender exactly once", arguments: StressKind.allCases)
  func lanes(kind: StressKind) {
    let plan = StressPlan(actions: 31, threads: 2, seed: 1)
    let map = LaneMap(kind: kind, plan: plan)
    var ledger = Ledger(expected: map.expected)
    for sender in plan.counts.indices {
      for number in 0..<plan.counts[sender] {
        for stage in 0..<(kind == .mixed || kind == .nested ? 1 : map.lanesPerSender) {
          let place = map.place(of: Token(sender: sender, number: number), stage: stage)
          ledger.record(lane: place.lane, number: place.number)
        }
      }
    }
    #expect(ledger.faults.isClean)
    #expect(map.name(0).hasPrefix("sender 1, "))
    #expect(map.name(map.expected.count - 1).hasPrefix("the sender on the queue, "))
  }
}

/// A target without a reactor, which does with an action what it is told.
private final class FakeTarget: StressTarget, @unchecked Sendable {
  // Safe to share: the ledger is only touched on the queue.
  enum Behaviour: Sendable { case handles, swallows(Int), repeats(Int), hangs }

  let queue = DispatchQueue(label: "fake target")
  private let behaviour: Behaviour
  private let handled: @Sendable (Token) -> Void
  private var ledger: Ledger

  init(_ plan: StressPlan, _ behaviour: Behaviour, _ handled: @escaping @Sendable (Token) -> Void) {
    self.behaviour = behaviour
    self.handled = handled
    ledger = Ledger(expected: plan.counts)
  }

  func send(_ token: Token) {
    queue.async { self.handle(token) }
  }

  private func handle(_ token: Token) {
    switch behaviour {
    case .hangs: return
    case .swallows(token.number) where token.sender == 0: return
    case .repeats(token.number) where token.sender == 0: ledger.record(lane: token.sender, number: token.number)
    default: break
    }
    ledger.record(lane: token.sender, number: token.number)
    handled(token)
  }

  func books() -> [Book] {
    [Book(name: "fake", ledger: ledger, laneName: { "sender \($0 + 1)" })]
  }
}

/// Runs what blocks on a thread of its own: the threads of the pool are for the effects.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: body()) }.start()
  }
}

@Suite("A round")
struct StressRoundTests {
  private func run(_ behaviour: FakeTarget.Behaviour, patience: Double = 30) async -> RoundResult {
    let plan = StressPlan(actions: 3_000, threads: 2, seed: 1)
    return await onThread {
      var round = StressRound(plan: plan)
      round.window = 50
      round.patience = patience
      return round.run { FakeTarget(plan, behaviour, $0) }
    }
  }

  private func run(_ kind: StressKind, _ plan: StressPlan) async -> RoundResult {
    await onThread {
      var round = StressRound(plan: plan)
      round.patience = 60
      return round.run { kind.target(plan, handled: $0) }
    }
  }

  @Test("A target that does all it should is clean")
  func clean() async {
    let result = await run(.handles)
    #expect(result.isClean, "\(result.complaints)")
    #expect(result.sent == 3_000)
  }

  @Test("A target that loses an action is found, and so is who waits for it")
  func losing() async {
    let result = await run(.swallows(7), patience: 0.3)
    #expect(result.faults.lost == 1)
    #expect(result.complaints.contains { $0.contains("sender 1: lost 1") })
    #expect(result.complaints.contains { $0.contains("waiting for sender 1 (finished, 1 of 1000 on their way)") })
  }

  @Test("A target that handles an action twice is found")
  func repeating() async {
    let result = await run(.repeats(7))
    #expect(result.faults.duplicated == 1)
    #expect(!result.isClean)
  }

  @Test("A target that hangs is found, and the senders are let go")
  func hanging() async {
    let result = await run(.hangs, patience: 0.3)
    #expect(!result.isClean)
    #expect(result.complaints.first?.contains("0 of 150 sent actions were handled") == true)
  }

  @Test("A reactor is clean under every kind of stress", arguments: StressKind.allCases)
  func reactors(kind: StressKind) async {
    let plan = StressPlan(actions: 4_000, threads: 4, seed: 7)
    let result = await run(kind, plan)
    #expect(result.isClean, "\(result.complaints)")
    #expect(result.sent == 4_000)
  }

  @Test("A fault on the sending side is found with every kind", arguments: StressKind.allCases, Plant.allCases)
  func plants(kind: StressKind, plant: Plant) async {
    let plan = StressPlan(actions: 900, threads: 4, seed: 7, plant: plant)
    let result = await run(kind, plan)
    #expect(!result.isClean)
    #expect((result.faults.lost > 0) == (plant == .lost))
    #expect((result.faults.duplicated > 0) == (plant == .twice))
    #expect((result.faults.reordered > 0) == (plant == .order))
  }
}

@Suite("The program")
struct StressProgramTests {
  @Test("Options are read, and each mistake is one line")
  func options() throws {
    let options = try StressOptions([
      "--actions", "10", "--senders=2", "--kind", "mixed", "--seed=5", "--minutes", "0.5", "--patience", "3",
    ])
    #expect(options.actions == 10)
    #expect(options.senders == 2)
    #expect(options.kind == .mixed)
    #expect(options.seed == 5)
    #expect(options.minutes == 0.5)
    #expect(options.patience == 3)
    #expect(try StressOptions(["--help"]).showsHelp)
    for (arguments, told) in [
      (["--what"], "unknown option \"--what\"; see stress --help"),
      (["7"], "unknown option \"7\"; see stress --help"),
      (["--actions"], "--actions needs a value; see stress --help"),
      (["--actions", "0"], "--actions needs a number from 1 to 1000000000, not \"0\"; see stress --help"),
      (["--actions", "many"], "--actions needs a number from 1 to 1000000000, not \"many\"; see stress --help"),
      (["--senders", "257"], "--senders needs a number from 1 to 256, not \"257\"; see stress --help"),
      (["--kind", "x\ny"], "--kind needs one of sync|async|mixed|reentrant|nested, not \"x?y\"; see stress --help"),
      (["--plant", "all"], "--plant needs one of lost|twice|order, not \"all\"; see stress --help"),
      (["--minutes", "nan"], "--minutes needs a number above 0 and up to 1440, not \"nan\"; see stress --help"),
      (["--seed", "-1"], "--seed needs a number from 0 to 18446744073709551615, not \"-1\"; see stress --help"),
      (
        ["--plant", "lost", "--actions", "10"],
        "--plant needs at least 27 actions for 8 senders; see stress --help"
      ),
    ] {
      #expect(throws: StressOptions.Mistake(description: told)) { try StressOptions(arguments) }
    }
  }

  @Test("What it says ends with the peak, and the exit code tells whether all was well")
  func output() async throws {
    func run(_ options: StressOptions) async -> (code: Int32, lines: [String]) {
      await onThread {
        var lines: [String] = []
        let code = StressProgram.run(options) { lines.append($0) }
        return (code, lines)
      }
    }
    let good = try StressOptions(["--actions", "500", "--senders", "2", "--seed", "3"])
    let (code, lines) = await run(good)
    #expect(code == 0)
    #expect(lines.first == "sync: 500 actions a round from 2 threads and one sender on the queue, seed 3")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("round 1: 500 actions in "))
    #expect(lines[1].contains("lost 0, duplicated 0, reordered 0; memory "))
    #expect(lines[2].hasPrefix("peak memory "))
    let bad = try StressOptions(["--actions", "500", "--senders", "2", "--seed", "3", "--plant", "lost"])
    #expect(await run(bad).code == 1)
  }

  @Test("The memory is read from the system's own text")
  func memory() {
    #expect(ProcessMemory.resident(inStatus: "Name:\tx\nVmRSS:\t    2048 kB\n") == 2_097_152)
    #expect(ProcessMemory.resident(inStatus: "") == nil)
    #expect(ProcessMemory.megabytes(2_202_010) == "2.1 MB")
    #expect(ProcessMemory.peak > 1_000_000)
    #expect(ProcessMemory.current > 1_000_000)
  }
}
