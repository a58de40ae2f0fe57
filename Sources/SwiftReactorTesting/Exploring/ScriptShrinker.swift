// Makes a script that fails shorter, as long as it fails.

internal import SwiftReactor

/// Looks for the shortest script that fails.
struct ScriptShrinker<R: Reactor> {
  typealias Step = Scenario<R>.Step

  private let plan: ExplorationPlan<R>
  private var runs = 0

  /// Shrinking is a service; it does not go on for ever.
  private static var runLimit: Int { 2_000 }
  /// Longer scripts are not tried without two of their steps at a time.
  private static var pairLimit: Int { 30 }

  init(_ plan: ExplorationPlan<R>) {
    self.plan = plan
  }

  /// Runs a script from the beginning. If it is `lenient` it leaves out what is not possible.
  static func run(_ script: [Step], _ plan: ExplorationPlan<R>, isLenient: Bool = false, keepsEntries: Bool = false)
    -> (end: RunEnd, run: ScenarioRun<R>)
  {
    var held: [Set<Int>] = []
    while true {
      let run = ScenarioRun(plan, keepsEntries: keepsEntries)
      let end = run.world.inside { run.follow(script, plan, isLenient: isLenient, holding: &held) }
      run.close()
      if let end { return (end, run) }
    }
  }

  private var scenarioCount: Int {
    plan.scenario.beginning.count + plan.scenario.senders.reduce(0) { $0 + $1.steps.count }
  }

  /// The shortest script that was found: what has to go first decides where it ends, so it begins at both ends.
  mutating func shrink(_ script: [Step]) -> [Step] {
    let (one, other) = (shrink(script, fromEnd: false), shrink(script, fromEnd: true))
    return other.count < one.count ? other : one
  }

  private mutating func shrink(_ script: [Step], fromEnd: Bool) -> [Step] {
    guard var best = failing(script) else { return script }
    while let shorter = withoutPieces(best, fromEnd: fromEnd) ?? withoutPair(best) { best = shorter }
    return best
  }

  /// Large pieces first.
  private mutating func withoutPieces(_ script: [Step], fromEnd: Bool) -> [Step]? {
    var size = max(1, script.count / 2)
    while size >= 1 {
      let starts = stride(from: 0, to: script.count, by: size)
      for start in fromEnd ? Array(starts.reversed()) : Array(starts) {
        let shorter = without(script, start..<min(start + size, script.count))
        if let failing = failing(shorter) { return failing }
      }
      size /= 2
    }
    return nil
  }

  /// Some steps only go together.
  private mutating func withoutPair(_ script: [Step]) -> [Step]? {
    guard script.count <= Self.pairLimit else { return nil }
    for first in script.indices {
      for second in script.indices.dropFirst(first + 1) {
        let shorter = without(without(script, second..<second + 1), first..<first + 1)
        if let failing = failing(shorter) { return failing }
      }
    }
    return nil
  }

  private func without(_ script: [Step], _ range: Range<Int>) -> [Step] {
    Array(script[..<range.lowerBound]) + script[range.upperBound...]
  }

  /// What is left of the script up to where it fails, without what became impossible: the answer of an effect that was not
  /// started goes with it. Nil if it does not fail. What is wrong at the end is wrong after all that the scenario says, so
  /// nothing of that may be missing.
  private mutating func failing(_ script: [Step]) -> [Step]? {
    guard runs < Self.runLimit else { return nil }
    runs += 1
    let (end, run) = Self.run(script, plan, isLenient: true)
    guard case .violation(let violation) = end else { return nil }
    return violation.isAtEnd && run.performed.count(where: \.isOfScenario) < scenarioCount ? nil : run.performed
  }
}
