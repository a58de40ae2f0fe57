// The workloads that run on the reactor's own queue: W1, W2, W5, W6, W8, W10.

internal import BenchmarkBaselines
internal import BenchmarkReactors
internal import SwiftReactor

extension Workload {
  static var onQueue: [Workload] {
    [
      Workload("W1", "a synchronous action on the queue, nobody observes") { _ in
        [Line("no observer", most: 4, subject: adding(to: CounterReactor()), baseline: addingByHand())]
      },
      Workload("W2", "the same with observers of every commit") { _ in
        [1, 100].map { everyCommit(observers: $0, most: $0 == 1 ? 3 : 2) }
          + [1, 100].map { changedPath(observers: $0, most: $0 == 1 ? 3 : 2) }
      },
      Workload("W5", "an action of a nested child") { _ in
        [(1, 8.0), (5, 12), (20, 30)].map { depth, most in
          let nested = NestedCounter(depth: depth)
          return Line(
            "depth \(depth)", most: most, subject: adding(to: nested.leaf, holding: nested.ancestors),
            baseline: addingByHand())
        }
      },
      Workload("W6", "an element of a large array is changed in place") { effort in
        let size = effort.scaled(100_000)
        return [false, true].map { largeState(size: size, isObserved: $0) }
      },
      Workload("W8", "observers of paths that do not change") { effort in
        [100, 1_000, 10_000].map { unchangedPath(observers: effort.scaled($0)) }
          + [100, 1_000, 10_000].map { unchangedPaths(effort.scaled($0)) }
      },
      Workload("W10", "an element of a keyed collection, through its child") { effort in
        [100, 10_000].map { size in
          let size = effort.scaled(size)
          let parent = KeyedReactor(size: size)
          let children = parent.children(at: \.counters) { _ in CounterReactor() }
          let child = children.reactor(for: size / 2)!
          return Line(
            "one of \(size)", most: 8, subject: adding(to: child, holding: [parent, children]),
            baseline: addingByHand())
        }
      },
    ]
  }

  /// Actions on the queue. `holding` is what has to live for that.
  static func adding(to reactor: CounterReactor, holding objects: [AnyObject] = []) -> Body {
    { actions in
      withExtendedLifetime(objects) {
        time { for _ in 0..<actions { reactor.action(.add(1)) } }
      }
    }
  }

  static func addingByHand(to counter: HandWrittenCounter = HandWrittenCounter()) -> Body {
    { actions in time { for _ in 0..<actions { counter.action(.add(1)) } } }
  }

  private static func everyCommit(observers: Int, most: Double) -> Line {
    let tally = Tally()
    let reactor = CounterReactor()
    let subscriptions = (0..<observers).map { _ in reactor.$state.sink { tally.add($0.count) } }
    return Line(
      "\(observers) of every commit, $state", most: most, subject: adding(to: reactor, holding: subscriptions),
      baseline: addingByHand(to: handWritten(observers: observers)))
  }

  private static func changedPath(observers: Int, most: Double) -> Line {
    let tally = Tally()
    let reactor = CounterReactor()
    let subscriptions = (0..<observers).map { _ in reactor.observe(\.count) { tally.add($0) } }
    return Line(
      "\(observers) of a path that changes, observe(\\.count)", most: most,
      subject: adding(to: reactor, holding: subscriptions),
      baseline: addingByHand(to: handWritten(observers: observers)))
  }

  private static func handWritten(observers: Int) -> HandWrittenCounter {
    let tally = Tally()
    let counter = HandWrittenCounter()
    for _ in 0..<observers { counter.observe { tally.add($0.count) } }
    return counter
  }

  private static func largeState(size: Int, isObserved: Bool) -> Line {
    let tally = Tally()
    let reactor = ListReactor(size: size)
    let list = HandWrittenList(size: size)
    let subscription = isObserved ? reactor.observe(\.name) { tally.add($0) } : nil
    return Line(
      "\(size) elements" + (isObserved ? ", another path is observed" : ""), most: 5,
      subject: { actions in
        withExtendedLifetime(subscription) {
          time { for index in 0..<actions { reactor.action(.set(index, at: index % size)) } }
        }
      },
      baseline: { actions in
        time { for index in 0..<actions { list.action(.set(index, at: index % size)) } }
      })
  }

  private static func unchangedPath(observers: Int) -> Line {
    let one = observing(\.name, times: 1)
    let many = observing(\.name, times: observers)
    return Line(
      "\(observers) of the same path", most: 1.05, against: "one", subject: adding(to: many.0, holding: many.1),
      baseline: adding(to: one.0, holding: one.1))
  }

  private static func observing(
    _ path: KeyPath<CounterState, Int>, times: Int
  ) -> (CounterReactor, [EventSubscription]) {
    let tally = Tally()
    let reactor = CounterReactor()
    return (reactor, (0..<times).map { _ in reactor.observe(path) { tally.add($0) } })
  }

  private static func unchangedPaths(_ count: Int) -> Line {
    let tally = Tally()
    let reactor = WideReactor()
    let subscriptions = WideState.paths(count).map { path in reactor.observe(path) { tally.add($0) } }
    // By hand each observer is called and compares.
    let counter = HandWrittenCounter()
    for _ in 0..<count {
      let last = Tally.Last(0)
      counter.observe { state in
        if last.changes(to: state.name) { tally.add(state.name) }
      }
    }
    // Above ten thousand it is the memory that both wait for.
    return Line(
      "\(count) of as many paths", most: count < 10_000 ? 1 : 1.25,
      subject: { actions in
        withExtendedLifetime(subscriptions) {
          time { for _ in 0..<actions { reactor.action(.add(1)) } }
        }
      }, baseline: addingByHand(to: counter))
  }
}
