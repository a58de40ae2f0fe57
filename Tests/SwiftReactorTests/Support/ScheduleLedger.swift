// Keeps the books of a schedule: what arrived, what was handled, whose turn it is. It knows the contract and not the
// machine, and complains by the name of the guarantee that is broken.

@testable import SwiftReactor

struct ScheduleLedger: Hashable {
  /// Something that has arrived and was not handled.
  struct Entry: Hashable {
    var reactor: Int
    var stage: ReactorMachine.Stage
    var item: Item?
    var position: Int
    /// It was sent from inside the turn that is open.
    var isInside: Bool
  }

  struct Turn: Hashable {
    var thread: Int
    /// The turn ends after this position.
    var last: Int
  }

  private(set) var line: [Entry] = []
  private(set) var ahead: [Entry] = []
  private var arrived = 0
  private(set) var turn: Turn?
  private var isStepping = false
  private(set) var progress: [Int] = []
  private(set) var commits: [Int] = []
  private(set) var delivered: [Int] = []
  private(set) var registrations = 0
  private var lastTold = 0

  init() {}

  init(_ plan: Plan) {
    progress = Array(repeating: 0, count: plan.sources.count)
    commits = Array(repeating: 0, count: plan.reactors.count)
    delivered = commits
  }

  // MARK: Arrivals and turns

  /// Something was let in. Hands back its position.
  mutating func accept(
    reactor: Int, stage: ReactorMachine.Stage, item: Item?, by thread: Int, onQueue: Bool
  ) {
    let isInside = onQueue && turn?.thread == thread
    line.append(Entry(reactor: reactor, stage: stage, item: item, position: arrived, isInside: isInside))
    if isInside { turn!.last = arrived }
    arrived += 1
  }

  /// An end was let in together with the newest arrival.
  mutating func join(by thread: Int, onQueue: Bool) {
    guard onQueue, turn?.thread == thread else { return }
    line[line.count - 1].isInside = true
    turn!.last = arrived - 1
  }

  mutating func inject(reactor: Int, stage: ReactorMachine.Stage, item: Item) {
    ahead.append(Entry(reactor: reactor, stage: stage, item: item, position: 0, isInside: true))
  }

  /// Everything that waits belongs to the new turn.
  mutating func openTurn(by thread: Int) throws(Violation) {
    guard turn == nil else {
      throw Violation(guarantee: .singleDrainer, text: "a turn begins while thread \(turn!.thread) is in one")
    }
    turn = Turn(thread: thread, last: arrived - 1)
  }

  mutating func endTurn(by thread: Int) throws(Violation) {
    try checkTurn(of: thread)
    if let entry = line.first(where: \.isInside) ?? ahead.first {
      throw Violation(guarantee: .insideATurnNext, text: "the turn ends before \(entry.stage) \(entry.item as Any)")
    }
    turn = nil
  }

  func checkTurn(of thread: Int) throws(Violation) {
    guard turn?.thread == thread else {
      throw Violation(guarantee: .singleDrainer, text: "thread \(thread) drains without having the turn")
    }
  }

  /// Is something that waits ahead of an item?
  func isEmpty(orHoldsOnly item: Item) -> Bool { line.allSatisfy { $0.item == item } }

  // MARK: Steps

  /// The next one is taken out of the line.
  mutating func take(
    reactor: Int, stage: ReactorMachine.Stage, item: Item?, isInjected: Bool, by thread: Int
  ) throws(Violation) {
    try checkTurn(of: thread)
    if isInjected {
      try compare(ahead.first, reactor, stage, item)
      ahead.removeFirst()
      return
    }
    guard ahead.isEmpty else {
      throw Violation(guarantee: .startedFirst, text: "\(stage) is handled before \(ahead[0].item as Any)")
    }
    try compare(line.first, reactor, stage, item)
    guard line[0].position <= turn!.last else {
      throw Violation(guarantee: .turnEnd, text: "\(stage) \(item as Any) is handled behind the end of the turn")
    }
    line.removeFirst()
  }

  private func compare(
    _ expected: Entry?, _ reactor: Int, _ stage: ReactorMachine.Stage, _ item: Item?
  ) throws(Violation) {
    guard let expected, expected.reactor == reactor, expected.stage == stage, expected.item == item else {
      throw Violation(
        guarantee: .inOrder,
        text: "\(stage) \(item as Any) is handled in place of \(expected.map { "\($0)" } ?? "nothing")")
    }
  }

  mutating func beginStep(by thread: Int) throws(Violation) {
    try checkTurn(of: thread)
    guard !isStepping else { throw Violation(guarantee: .insideATurnNext, text: "a step begins inside a step") }
    isStepping = true
  }

  mutating func endStep() { isStepping = false }

  /// An item is handled: the next one of its source, or a later one where items may be dropped.
  mutating func handle(_ item: Item, mayHaveGaps: Bool) throws(Violation) {
    let next = progress[item.source] + 1
    guard mayHaveGaps ? item.number >= next : item.number == next else {
      throw Violation(guarantee: .inOrder, text: "\(item) is handled when \(next) is next")
    }
    progress[item.source] = item.number
  }

  /// An action goes in past the line.
  mutating func handleDirectly(_ item: Item) throws(Violation) {
    guard line.isEmpty else {
      throw Violation(guarantee: .inOrder, text: "\(item) overtakes \(line[0].item as Any)")
    }
    try handle(item, mayHaveGaps: false)
  }

  func isHandled(_ item: Item) -> Bool { progress[item.source] >= item.number }

  // MARK: Commits

  mutating func didCommit(_ reactor: Int) { commits[reactor] += 1 }

  mutating func didDeliver(_ reactor: Int) {
    delivered[reactor] = commits[reactor]
    lastTold = 0
  }

  mutating func nextRank() -> Int {
    registrations += 1
    return registrations
  }

  /// An observer is told of a commit.
  mutating func tell(rank: Int, of reactor: Int) throws(Violation) {
    guard commits[reactor] > delivered[reactor] else {
      throw Violation(guarantee: .commitFirst, text: "an observer is told before the commit")
    }
    guard rank >= lastTold else {
      throw Violation(guarantee: .commitFirst, text: "an observer is told before one that registered earlier")
    }
    lastTold = rank
  }

  /// What waits for a reactor that is gone will not be handled.
  mutating func forget(_ reactor: Int) {
    line.removeAll { $0.reactor == reactor }
    ahead.removeAll { $0.reactor == reactor }
  }

  // MARK: The end

  func checkEnd(_ plan: Plan) throws(Violation) {
    if let turn {
      throw Violation(guarantee: .singleDrainer, text: "the turn of thread \(turn.thread) is still open")
    }
    if let entry = line.first ?? ahead.first {
      throw Violation(guarantee: .noLostWakeUp, text: "\(entry.stage) \(entry.item as Any) waits for ever")
    }
    for (source, count) in plan.sources.enumerated() {
      guard let count, progress[source] != count else { continue }
      throw Violation(
        guarantee: .inOrder, text: "of source \(source) only \(progress[source]) of \(count) were handled")
    }
  }
}
