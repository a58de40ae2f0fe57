// Runs one workload so many times and ends: for valgrind, which counts the instructions of a whole process. The difference of
// two sizes is what the actions cost, whatever the start costs.

internal import BenchmarkReactors
internal import Foundation
internal import SwiftReactor

@main
struct Instructions {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let name = arguments.first, let actions = arguments.last.flatMap({ Int($0) }),
      actions >= 0, let run = workloads[name]
    else {
      let names = workloads.keys.sorted().joined(separator: "|")
      FileHandle.standardError.write(Data("usage: instructions \(names) ACTIONS\n".utf8))
      exit(1)
    }
    run(actions)
  }

  private static let workloads: [String: @Sendable (Int) -> Void] = [
    "W1": { add($0, to: CounterReactor()) },
    "W2": { actions in
      let reactor = CounterReactor()
      let subscription = reactor.$state.sink { state in _ = state }
      add(actions, to: reactor)
      withExtendedLifetime(subscription) {}
    },
    "W2-path": { actions in
      let reactor = CounterReactor()
      let subscription = reactor.observe(\.count) { _ in }
      add(actions, to: reactor)
      withExtendedLifetime(subscription) {}
    },
    "W3": { actions in
      let queue = DispatchQueue(label: "W3")
      let reactor = CounterReactor(queue: queue)
      fill(queue, actions) { reactor.action(.add(1)) }
    },
    "W4-values": { actions in
      let queue = DispatchQueue(label: "W4-values")
      let reactor = FollowingReactor(queue: queue)
      // Safe to share: set before `sync` returns.
      nonisolated(unsafe) var emit: Emitter<Int>!
      queue.sync {
        reactor.action(
          EventStream {
            emit = $0
            return EventSubscription {}
          })
      }
      fill(queue, actions) { emit(1) }
    },
    "W4-just": { actions in
      let reactor = CounterReactor()
      for _ in 0..<actions { reactor.action(.addLater(1)) }
    },
    "W5-1": { nested($0, depth: 1) },
    "W5-5": { nested($0, depth: 5) },
    "W5-20": { nested($0, depth: 20) },
    "W6": { set($0, in: ListReactor(size: 1_000)) },
    "W6-observed": { actions in
      let reactor = ListReactor(size: 1_000)
      let subscription = reactor.observe(\.name) { _ in }
      set(actions, in: reactor)
      withExtendedLifetime(subscription) {}
    },
    "W7": { count in
      var reactors: [CounterReactor] = []
      reactors.reserveCapacity(count)
      for _ in 0..<count { reactors.append(CounterReactor()) }
      withExtendedLifetime(reactors) {}
    },
  ]

  /// Does something so many times elsewhere while the queue stands still, and lets the queue handle it, some hundred at a time:
  /// nobody waits for anybody, and no queue grows long.
  private static func fill(_ queue: DispatchQueue, _ count: Int, _ body: () -> Void) {
    let portion = 500
    for first in stride(from: 0, to: count, by: portion) {
      queue.suspend()
      for _ in first..<min(first + portion, count) { body() }
      queue.resume()
      queue.sync {}
    }
  }

  private static func add(_ actions: Int, to reactor: CounterReactor) {
    for _ in 0..<actions { reactor.action(.add(1)) }
  }

  private static func nested(_ actions: Int, depth: Int) {
    let nested = NestedCounter(depth: depth)
    withExtendedLifetime(nested) { add(actions, to: nested.leaf) }
  }

  private static func set(_ actions: Int, in reactor: ListReactor) {
    for index in 0..<actions { reactor.action(.set(index, at: index % 1_000)) }
  }
}
