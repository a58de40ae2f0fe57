// What is measured: workloads, and the lines of each.

/// Runs so many actions, and answers how many nanoseconds they took.
package typealias Body = (_ actions: Int) -> Double

/// A situation in which a reactor is used.
package struct Workload: Sendable {
  package let name: String
  package let title: String
  /// Makes what is measured; called when it is this workload's turn, so that nothing of it is around before.
  package let lines: @Sendable (Effort) -> [Line]

  init(_ name: String, _ title: String, lines: @escaping @Sendable (Effort) -> [Line]) {
    self.name = name
    self.title = title
    self.lines = lines
  }

  /// All of them, in the order of the table.
  package static var all: [Workload] {
    // The numbers first, in their order.
    (onQueue + elsewhere + atRest).sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) } + hops
  }
}

/// One line of the table.
package struct Line {
  let label: String
  let kind: Kind

  enum Kind {
    /// How long an action takes, in comparison.
    case timed(Timed)
    /// A number that can be had without a comparison.
    case counted(Counted)
  }

  struct Timed {
    let subject: Body
    let baseline: Body
    /// What it is compared with.
    let baselineName: String
    /// How many times the baseline it may cost; nil: it is only shown.
    let most: Double?
    /// How many actions make one sample; where the number does not matter, as many as fill the time of a sample.
    let actions: ClosedRange<Int>
  }

  struct Counted {
    let unit: String
    let most: Double
    let count: () -> Double
  }

  init(
    _ label: String, most: Double?, against baselineName: String = "by hand",
    actions: ClosedRange<Int> = 1...10_000_000,
    subject: @escaping Body, baseline: @escaping Body
  ) {
    self.label = label
    kind = .timed(
      Timed(subject: subject, baseline: baseline, baselineName: baselineName, most: most, actions: actions))
  }

  init(_ label: String, unit: String, most: Double, count: @escaping () -> Double) {
    self.label = label
    kind = .counted(Counted(unit: unit, most: most, count: count))
  }
}
