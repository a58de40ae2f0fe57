// How a line is measured: the subject and its baseline in turns, so that whatever else the machine does meets both.

/// How much is measured.
package struct Effort: Sendable, Hashable {
  /// How many samples of each.
  package var repeats = 101
  /// How long a sample should take: so short that on a busy machine most samples are not interrupted.
  package var microseconds = 500.0
  /// How many actions, reactors or observers where a workload names a large number; 1 is what it names.
  package var scale = 1.0

  package init() {}

  /// A number of a workload, made smaller for a trial.
  func scaled(_ number: Int) -> Int { max(1, Int(Double(number) * scale)) }
}

extension Line {
  package func measure(for workload: String, _ effort: Effort) -> Reading {
    switch kind {
    case .counted(let counted):
      let value = counted.count()
      return Reading(
        workload: workload, label: label, unit: counted.unit, value: value, spread: 0, most: counted.most,
        holds: value <= counted.most)
    case .timed(let timed):
      return measure(timed, for: workload, effort)
    }
  }

  private func measure(_ timed: Timed, for workload: String, _ effort: Effort) -> Reading {
    let subjectActions = actions(for: timed.subject, in: timed.actions, effort)
    let baselineActions = actions(for: timed.baseline, in: timed.actions, effort)
    var (subjects, baselines, ratios): ([Double], [Double], [Double]) = ([], [], [])
    func sampleSubject() { subjects.append(timed.subject(subjectActions) / Double(subjectActions)) }
    func sampleBaseline() { baselines.append(timed.baseline(baselineActions) / Double(baselineActions)) }
    for turn in 0..<effort.repeats {
      // The one that goes second has a warmer machine: they take turns.
      if turn.isMultiple(of: 2) {
        sampleSubject()
        sampleBaseline()
      } else {
        sampleBaseline()
        sampleSubject()
      }
      ratios.append(subjects[turn] / max(baselines[turn], .leastNonzeroMagnitude))
    }
    let ratio = Samples(ratios)
    return Reading(
      workload: workload, label: label, unit: "ns", value: Samples(subjects).median,
      spread: Samples(subjects).spread,
      baseline: Reading.Baseline(
        name: timed.baselineName, value: Samples(baselines).median, ratio: ratio.median, ratioSpread: ratio.spread),
      most: timed.most, holds: timed.most.map { ratio.median <= $0 } ?? true)
  }

  /// As many actions as take the time of a sample. Finding that out is the warm-up.
  private func actions(for body: Body, in range: ClosedRange<Int>, _ effort: Effort) -> Int {
    var actions = range.lowerBound
    _ = body(actions)
    while true {
      let nanoseconds = max(body(actions), 1)
      let wanted = effort.microseconds * 1e3
      if nanoseconds >= wanted * 0.8 || actions == range.upperBound { return actions }
      let next = Double(actions) * min(max(wanted / nanoseconds, 1.5), 10)
      actions = min(Int(next.rounded(.up)), range.upperBound)
    }
  }
}
