// What an exploration says when something is wrong: the script, the trace, and what to do.

internal import SwiftReactor

extension Exploration {
  /// Puts the failure into words, if `end` is one.
  mutating func tell<R: Reactor>(
    of end: RunEnd, _ steps: [Scenario<R>.Step], _ plan: ExplorationPlan<R>, _ place: TestPlace
  ) {
    switch end {
    case .over: return
    case .violation:
      let (end, run) = ScriptShrinker.run(steps, plan, keepsEntries: true)
      let script = Script(steps)
      self.script = script.text
      guard case .violation(let violation) = end else {
        failure = unrepeated(of: script)
        return
      }
      let events = TraceText(run).text
      failure = """
        explore: \(violation.message).

        \(indented(ValueTree(run.trace.wrongState ?? run.state).line))

        The shortest script found (\(counted(steps.count, "step")), after \(counted(runs, "run")), seed \(seed)):

        \(indented(script.text))

        \(events.isEmpty ? "" : "What happens in it:\n\n\(indented(events))\n\n")\
        \(violation.isAtEnd ? "At the end" : "The invariant"): \(place.name)
        Hint: Give the script to the same call, in place of the scenario, until the reactor is mended.
        """
    case .uncontrolled(let name):
      failure = """
        explore: \(subject(name)) waits for something that the explorer does not \
        control, or was moved by it.

        \(indented(Script(steps).text))

        Hint: Let its dependency wait at a `Gate`, and its clock be a `ManualClock`, both made together with the reactor; a \
        `Task { }` of its own, the main actor and reactors that were made elsewhere are out of reach.
        """
    case .crossed:
      failure = """
        explore: something came from another thread than the one that explores.

        \(indented(Script(steps).text))

        Hint: Somebody sends, emits, moves a gate or a clock, or makes one or a reactor in a `Task { }` of its own, on the main \
        actor or on a queue: nobody can say when. Let the reactor do it in an effect.
        """
    case .strayClock(let name):
      failure = """
        explore: \(subject(name)) sleeps on a ManualClock that the explorer does not move.

        \(indented(Script(steps).text))

        Hint: It was made elsewhere: make the clock inside `reactor:`, together with the reactor.
        """
    case .strayReactor:
      failure = """
        explore: `reactor:` returns a reactor that was not made in it.

        Hint: Make the reactor inside `reactor:`, with its gates and clocks: each order begins with a new one.
        """
    case .differs:
      failure = """
        explore: the same order went another way when it was run again.

        \(indented(Script(steps).text))

        Hint: Make everything the reactor uses in the closure that makes it: gates, clocks, services. Chance, the time and \
        the order of a Set or a Dictionary must not decide what it does.
        """
    case .tooLong:
      failure = """
        explore: there is no end after \(counted(steps.count, "step")).

        \(indented(Script(steps.prefix(12).map { $0 }).text))

        Hint: Does an effect start itself again and again? Let it wait at a gate or a clock, or cancel it.
        """
    case .impossible(let step, let instead):
      failure = """
        explore: line \(step + 1) of the script is not possible: \(steps[step].source.line).

        \(instead.isEmpty ? "Nothing waits." : "Possible are:\n\n\(indented(instead.joined(separator: "\n")))")

        Hint: If the reactor has changed, the script may have lost its meaning: explore again.
        """
    }
  }

  private func unrepeated(of script: Script) -> String {
    """
    explore: the invariant did not hold, and did when the same order was run again.

    \(indented(script.text))

    Hint: Make everything the reactor uses in the closure that makes it. Chance, the time and the order of a Set or a \
    Dictionary must not decide what it does.
    """
  }

  /// Who waits. A hook has no action.
  private func subject(_ name: String) -> String {
    name == "effect" ? "something" : "the effect of \(name)"
  }

  private func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
}

private func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
    .joined(separator: "\n")
}

/// Steps as lines of a test.
private struct Script {
  let text: String

  init<R: Reactor>(_ steps: [Scenario<R>.Step]) {
    let sources = steps.map(\.source)
    let base = sources.contains { $0.reference != nil } ? "scenario" : "Scenario<\(R.self)>"
    let lines = sources.enumerated().map { "  " + $1.scriptLine(isLast: $0 == sources.count - 1) }
    text = "let script = \(base).script(" + (lines.isEmpty ? ")" : "\n" + lines.joined(separator: "\n") + "\n)")
  }
}

/// What happened in a run, line by line.
private struct TraceText {
  let text: String

  init<R: Reactor>(_ run: ScenarioRun<R>) {
    var lines: [String] = []
    for entry in run.trace.entries {
      switch entry {
      case .script(let source): lines.append(source().line)
      case .step(let step):
        let isNested = step.reactor != run.reactorName
        let things =
          step.actions.map { "action \(ValueTree($0).shortLine)" }
          + (step.source.kind == .restore ? ["a restored state"] : [])
          + step.mutations.map { "mutation \(ValueTree($0).shortLine)" }
        let cause =
          step.source.kind == .effect ? step.source.action.map { ", of \(ValueTree($0).shortLine)" } ?? "" : ""
        lines.append("  \(isNested ? "\(step.reactor): " : "")\(things.joined(separator: ", "))\(cause)")
        if step.isCommit { lines += Self.shown(step).map { "    \($0)" } }
      case .report(let report): lines.append("  \(report)")
      case .effect(let event, let effect):
        let name = effect.action.map { "the effect of \(ValueTree($0).shortLine)" } ?? "an effect"
        switch event {
        case .started: lines.append("  \(name) starts")
        case .cancelled: lines.append("  \(name) is cancelled")
        case .failed(let error): lines.append("  \(name) throws \(error)")
        case .ended: break
        }
      }
    }
    text = lines.joined(separator: "\n")
  }

  /// The state after a commit; if it is large, what is different.
  private static func shown<State>(_ step: WatchedStep<State>) -> [String] {
    let state = ValueTree(step.after)
    return state.line.count <= 100 ? [state.line] : TreeDifference(from: ValueTree(step.before), to: state).lines
  }
}
