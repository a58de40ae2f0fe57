// Walks through the orders of a scenario: all of them, depth first, or random ones. A reactor cannot be copied, so every
// order runs from the beginning, and the same choices lead to the same place.

internal import SwiftReactor

/// What is to be explored.
struct ExplorationPlan<R: Reactor> {
  let make: () -> R
  var scenario: Scenario<R>
  let limits: ExplorationLimits
  let seed: UInt64
  let mergesEqualStates: Bool
  let invariant: (R.State) throws -> Bool
  let atEnd: (R.State) throws -> Bool
}

/// How one run came to its end.
enum RunEnd: Sendable {
  /// Everything has happened. From here on there were so many orders: one, or more if the rest was walked before.
  case over(Int)
  case violation(Violation)
  /// A task waits for something else, or was moved by it.
  case uncontrolled(String)
  /// Something came from another thread.
  case crossed
  /// A task sleeps on a clock that was not made with the reactor.
  case strayClock(String)
  /// The reactor was not made for this run.
  case strayReactor
  /// It came to another choice than before, with the same choices.
  case differs
  case tooLong
  /// A line of a script is not possible. The ones that are.
  case impossible(step: Int, instead: [String])
}

/// A place on the way, before a choice.
private struct OrderNode {
  /// How many moves are possible; nil: not known yet.
  var count: Int?
  /// The one that is taken.
  var choice = 0
  /// Tasks that could go on, and of which that can be told from going on later: each is a move of its own.
  var held: Set<Int>
  /// How many orders there are from here on, so far.
  var orders = 0
  var likeness: AnyHashable?
}

/// The runs of one exploration.
struct OrderWalk<R: Reactor> {
  private let plan: ExplorationPlan<R>
  private var nodes: [OrderNode] = []
  private var known: [AnyHashable: Int] = [:]
  private(set) var runs = 0

  init(_ plan: ExplorationPlan<R>) {
    self.plan = plan
  }

  // MARK: Orders

  /// Walks through all orders, at most so many runs. The result is how many there are, if they were all walked through, and
  /// the run that went wrong.
  nonisolated(nonsending) mutating func all(
    limit: Int
  ) async -> (orders: Int, isComplete: Bool, failed: FailedRun<R>?) {
    nodes = []
    var orders = 0
    while runs < limit {
      await letOthersRun()
      let (end, run) = follow { _, _ in 0 }
      guard case .over(var count) = end else { return (orders, false, FailedRun(end, run)) }
      // Back to the last choice that has something left.
      while var node = nodes.popLast() {
        node.orders = clamped(node.orders, count)
        node.choice += 1
        if node.choice < node.count ?? 0 {
          nodes.append(node)
          count = 0
          break
        }
        if let likeness = node.likeness { known[likeness] = node.orders }
        count = node.orders
      }
      if nodes.isEmpty { return (count, true, nil) }
      orders += 1
    }
    return (orders, false, nil)
  }

  /// Walks through random orders.
  nonisolated(nonsending) mutating func random(count: Int) async -> FailedRun<R>? {
    known = [:]
    for number in 0..<count {
      await letOthersRun()
      nodes = []
      var generator = SeededGenerator(seed: plan.seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
      let (end, run) = follow { _, count in Int(generator.next() % UInt64(count)) }
      if case .over = end { continue }
      return FailedRun(end, run)
    }
    return nil
  }

  /// Between two runs: other tests may want the thread.
  private nonisolated(nonsending) func letOthersRun() async {
    if runs % 16 == 15 { await Task.yield() }
  }

  private func clamped(_ one: Int, _ other: Int) -> Int {
    let (sum, isTooMuch) = one.addingReportingOverflow(other)
    return isTooMuch ? .max : sum
  }

  // MARK: One run

  /// Runs along the nodes, and beyond them along what `choose` says.
  private mutating func follow(_ choose: (_ depth: Int, _ count: Int) -> Int) -> (RunEnd, ScenarioRun<R>) {
    while true {
      runs += 1
      let run = ScenarioRun(plan)
      let end = run.world.inside { attempt(run, choose) }
      run.close()
      if let end { return (end, run) }
    }
  }

  /// Nil: again, now that it is known which tasks have to be held.
  private mutating func attempt(_ run: ScenarioRun<R>, _ choose: (Int, Int) -> Int) -> RunEnd? {
    var depth = 0
    while true {
      if depth == nodes.count { nodes.append(OrderNode(held: depth == 0 ? [] : inherited(run))) }
      if let task = run.world.settle(holding: nodes[depth].held) {
        nodes[depth].held.insert(task)
        return nil
      }
      if let end = run.end { return end }
      if depth == plan.limits.steps { return .tooLong }
      let moves = run.moves(holding: nodes[depth].held)
      if moves.isEmpty {
        nodes.removeLast()
        return run.endOfOrder(plan) ?? .over(1)
      }
      if let count = nodes[depth].count {
        if count != moves.count { return run.outside ?? .differs }
      } else {
        if plan.mergesEqualStates, let likeness = run.rest() {
          if let orders = known[likeness] {
            nodes.removeLast()
            return .over(orders)
          }
          nodes[depth].likeness = likeness
        }
        nodes[depth].count = moves.count
        nodes[depth].choice = moves.count == 1 ? 0 : choose(depth, moves.count)
      }
      run.perform(moves[nodes[depth].choice])
      depth += 1
    }
  }

  /// Who was held stays so, unless it was cancelled: then it can go on, nobody will tell.
  private func inherited(_ run: ScenarioRun<R>) -> Set<Int> {
    nodes[nodes.count - 1].held.filter { run.world.isWorthHolding($0) }
  }
}

/// A run that went wrong.
struct FailedRun<R: Reactor> {
  let end: RunEnd
  /// What had happened, as a script.
  let steps: [Scenario<R>.Step]

  init(_ end: RunEnd, _ run: ScenarioRun<R>) {
    self.end = end
    steps = run.performed
  }
}

extension ScenarioRun {
  /// Is it over before its time?
  var end: RunEnd? {
    if isStray { return .strayReactor }
    // Nothing that is found from here on means anything.
    if world.isCrossed { return outside }
    if let violation = trace.violation { return .violation(violation) }
    if let task = world.onStrayClock { return .strayClock(name(of: task)) }
    return world.isRestless ? .tooLong : nil
  }

  /// Does something decide that the explorer has no hold of?
  var outside: RunEnd? {
    if let task = world.elsewhere { return .uncontrolled(name(of: task)) }
    return world.isCrossed ? .crossed : nil
  }

  /// Nothing can happen any more: is everything as it should be?
  func endOfOrder(_ plan: ExplorationPlan<R>) -> RunEnd? {
    if let outside { return outside }
    trace.check(state, isAtEnd: true, plan.atEnd)
    return end
  }

  /// Runs a script. Nil: again, now that it is known which tasks have to be held.
  func follow(
    _ script: [Step], _ plan: ExplorationPlan<R>, isLenient: Bool, holding held: inout [Set<Int>]
  ) -> RunEnd? {
    for depth in 0...script.count {
      if held.count == depth { held.append(depth == 0 ? [] : held[depth - 1].filter { world.isWorthHolding($0) }) }
      if let task = world.settle(holding: held[depth]) {
        held[depth].insert(task)
        return nil
      }
      if let end { return end }
      guard depth < script.count, !perform(script[depth], holding: held[depth]), !isLenient else { continue }
      return .impossible(step: depth, instead: possibilities(holding: held[depth]))
    }
    if ownMoves(holding: held[script.count]).isEmpty, let end = endOfOrder(plan) { return end }
    return .over(1)
  }

  private func possibilities(holding held: Set<Int>) -> [String] {
    ownMoves(holding: held).map { move in
      switch move {
      case .turn(let number): Step.turn(number + 1).source.line
      case .answer(let waiter): Step.answer(waiter.name).source.line
      case .goOn(let task): Step.goOn(name(of: task)).source.line
      case .sender: ""
      }
    }
  }
}

/// Numbers that look random and are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
