// How the cost of an action grows with what is around it: a table with a small chart in each row.

internal import BenchmarkReactors
internal import SwiftReactor

/// The cost at several sizes of one thing.
package struct Growth: Sendable, Hashable {
  package var title: String
  package var sizes: [Int]
  /// Nanoseconds per action at each size.
  package var costs: [Double]
  package var isFlat: Bool

  package init(title: String, sizes: [Int], costs: [Double], isFlat: Bool) {
    self.title = title
    self.sizes = sizes
    self.costs = costs
    self.isFlat = isFlat
  }

  /// How many times the cost at the smallest size the cost at the largest is.
  package var factor: Double {
    guard let first = costs.first, let last = costs.last, first > 0 else { return 1 }
    return last / first
  }

  /// The title, the sizes, the costs, bars for them, and what was expected.
  package var lines: [String] {
    let width = 11
    func cells(_ texts: [String]) -> String {
      texts.map { String(repeating: " ", count: max(1, width - $0.count)) + $0 }.joined()
    }
    let expected = isFlat ? "should be flat" : "grows"
    return [
      "\(title): \(expected), × \(ResultTable.decimal(factor, 2))",
      cells(sizes.map(String.init)),
      cells(costs.map { ResultTable.amount($0, "ns") }),
    ] + chart(width)
  }

  /// Four rows of bars, as high as the costs.
  private func chart(_ width: Int) -> [String] {
    let top = costs.max() ?? 0
    guard top > 0 else { return [] }
    let rows = 4
    let eighths = costs.map { Int(($0 / top * Double(rows * 8)).rounded()) }
    return (0..<rows).reversed().map { row in
      let line = eighths.map { height in
        let rest = min(max(height - row * 8, 0), 8)
        return String(repeating: " ", count: width - 5) + String(repeating: Self.blocks[rest], count: 5)
      }.joined()
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

package enum Scale {
  package static func show(_ effort: Effort, _ say: (String) throws -> Void) rethrows {
    try say("\(Machine.description); \(effort.repeats) samples each, medians, ns per action")
    for series in all(effort) {
      try say("")
      for line in series.measure(effort).lines { try say(line) }
    }
  }

  /// What is measured at several sizes. The sizes take turns, so that what else the machine does meets all.
  private struct Series {
    let title: String
    let isFlat: Bool
    let bodies: [(size: Int, actions: Int, body: Body)]

    func measure(_ effort: Effort) -> Growth {
      var samples = Array(repeating: [Double](), count: bodies.count)
      for point in bodies { _ = point.body(point.actions) }
      for _ in 0..<effort.repeats {
        for (index, point) in bodies.enumerated() {
          samples[index].append(point.body(point.actions) / Double(point.actions))
        }
      }
      return Growth(
        title: title, sizes: bodies.map(\.size), costs: samples.map { Samples($0).median }, isFlat: isFlat)
    }
  }

  private static func all(_ effort: Effort) -> [Series] {
    let actions = effort.scaled(20_000)
    func series(
      _ title: String, isFlat: Bool, _ sizes: [Int], actions: @escaping (Int) -> Int = { _ in actions },
      _ body: (Int) -> Body
    ) -> Series {
      var known: Set<Int> = []
      let sizes = sizes.map { $0 == 0 ? 0 : effort.scaled($0) }.filter { known.insert($0).inserted }
      return Series(title: title, isFlat: isFlat, bodies: sizes.map { ($0, actions($0), body($0)) })
    }
    let fewer = { (size: Int) in max(10, min(actions, 2_000_000 / max(size, 1))) }
    return [
      series("elements of the state, one is changed", isFlat: true, [1, 100, 10_000, 1_000_000]) { size in
        let reactor = ListReactor(size: size)
        return { actions in time { for index in 0..<actions { reactor.action(.set(index, at: index % size)) } } }
      },
      series("observers of one path that does not change", isFlat: true, [1, 100, 1_000, 10_000]) { count in
        observed(count) { $0.observe(\.name) { _ in } }
      },
      series("observed paths that do not change", isFlat: false, [0, 1, 100, 1_000, 10_000], actions: fewer) { count in
        let reactor = WideReactor()
        let subscriptions = WideState.paths(count).map { reactor.observe($0) { _ in } }
        return { actions in
          withExtendedLifetime(subscriptions) { time { for _ in 0..<actions { reactor.action(.add(1)) } } }
        }
      },
      series("observers of every commit", isFlat: false, [0, 1, 10, 100, 1_000], actions: fewer) { count in
        observed(count) { $0.$state.sink { _ in } }
      },
      series("children of a keyed collection, the parent acts", isFlat: true, [0, 1, 100, 10_000]) { count in
        let (parent, children) = keyed(count)
        return { actions in
          withExtendedLifetime(children) { time { for _ in 0..<actions { parent.action(.add(1)) } } }
        }
      },
      series("children of a keyed collection, one of them acts", isFlat: true, [1, 100, 10_000]) { count in
        let (parent, children) = keyed(count)
        return Workload.adding(to: children.reactor(for: count / 2)!, holding: [parent, children])
      },
      series("levels above a child", isFlat: false, [0, 1, 2, 5, 10, 20, 40]) { depth in
        let nested = NestedCounter(depth: depth)
        return Workload.adding(to: nested.leaf, holding: nested.ancestors)
      },
      senders(.privateQueue, effort),
      senders(.mainQueue, effort),
    ]
  }

  private static func observed(_ count: Int, _ observe: (CounterReactor) -> EventSubscription) -> Body {
    let reactor = CounterReactor()
    return Workload.adding(to: reactor, holding: (0..<count).map { _ in observe(reactor) })
  }

  private static func keyed(_ count: Int) -> (KeyedReactor, KeyedChildren<Int, CounterReactor>) {
    let parent = KeyedReactor(size: count)
    let children = parent.children(at: \.counters) { _ in CounterReactor() }
    for key in 0..<count { _ = children.reactor(for: key) }
    return (parent, children)
  }

  private static func senders(_ serving: Serving, _ effort: Effort) -> Series {
    Series(
      title: "senders on other threads, \(serving.name)", isFlat: true,
      bodies: [1, 2, 4, 8, 16].map { count in
        (count, effort.scaled(20_000), Workload.sendingBody(from: count, serving))
      })
  }
}
