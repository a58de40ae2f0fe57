// What is not time per action: W7, what a reactor costs that does nothing, and W9, what an action takes from the heap.

internal import AllocationCounter
internal import BenchmarkReactors
internal import Dispatch
internal import SwiftReactor

extension Workload {
  static var atRest: [Workload] {
    [
      Workload("W7", "idle reactors") { effort in
        let count = effort.scaled(10_000)
        return [
          Line("memory of each of \(count)", unit: "B", most: 600) { bytes(of: count, isUsed: false) },
          Line("after an action of each", unit: "B", most: 600) { bytes(of: count, isUsed: true) },
          Line("making each of \(count)", unit: "ns", most: 1_000) { creation(of: count, effort) },
        ]
      },
      Workload("W9", "allocations per action") { effort in
        let actions = effort.scaled(20_000)
        return [
          Line("synchronous, nobody observes", unit: "", most: 0) { allocations(of: actions, observers: 0) },
          Line("synchronous, $state and a path are observed", unit: "", most: 0) {
            allocations(of: actions, observers: 1)
          },
          Line("from 2 other threads", unit: "", most: 0.1) { allocationsElsewhere(of: actions) },
        ]
      },
    ]
  }

  private static func counting(_ body: () -> Void) -> allocation_count {
    allocation_counter_begin()
    body()
    return allocation_counter_end()
  }

  private static func bytes(of count: Int, isUsed: Bool) -> Double {
    // The queue's own part is there before.
    let first = CounterReactor()
    first.action(.add(1))
    var reactors: [CounterReactor] = []
    reactors.reserveCapacity(count)
    let counted = counting {
      for _ in 0..<count { reactors.append(CounterReactor()) }
      if isUsed { for reactor in reactors { reactor.action(.add(1)) } }
    }
    return withExtendedLifetime((first, reactors)) { Double(counted.bytes) / Double(count) }
  }

  private static func creation(of count: Int, _ effort: Effort) -> Double {
    var samples: [Double] = []
    for _ in 0..<max(3, effort.repeats) {
      var reactors: [CounterReactor] = []
      reactors.reserveCapacity(count)
      samples.append(time { for _ in 0..<count { reactors.append(CounterReactor()) } } / Double(count))
      withExtendedLifetime(reactors) {}
    }
    return Samples(samples).median
  }

  private static func allocations(of actions: Int, observers: Int) -> Double {
    let tally = Tally()
    let reactor = CounterReactor()
    let subscriptions = (0..<observers).flatMap { _ in
      [reactor.$state.sink { tally.add($0.count) }, reactor.observe(\.count) { tally.add($0) }]
    }
    // What the first action makes is kept.
    reactor.action(.add(1))
    let counted = counting { for _ in 0..<actions { reactor.action(.add(1)) } }
    return withExtendedLifetime(subscriptions) { Double(counted.allocations) / Double(actions) }
  }

  private static func allocationsElsewhere(of actions: Int) -> Double {
    let senders = Senders(2)
    let queue = Serving.privateQueue.makeQueue()
    let reactor = CounterReactor(queue: queue)
    func round() {
      let wanted = reactor.state.count + actions
      senders.begin { sender in
        for _ in 0..<senders.share(of: actions, for: sender) { reactor.action(.add(1)) }
      }
      Serving.privateQueue.wait { reactor.state.count == wanted }
      senders.finish()
    }
    // The room for what waits grows in the first rounds, and is kept.
    for _ in 0..<5 { round() }
    var samples: [Double] = []
    for _ in 0..<7 { samples.append(Double(counting(round).allocations) / Double(actions)) }
    return Samples(samples).median
  }
}
