// The workloads in which values come from other threads or later: W3, W4.

internal import BenchmarkBaselines
internal import BenchmarkReactors
internal import Dispatch
internal import SwiftReactor

extension Workload {
  static var elsewhere: [Workload] {
    [
      Workload("W3", "actions from other threads") { effort in
        Serving.allCases.flatMap { serving in
          [2, 8].map { sending(from: $0, serving, most: 4, effort) }
        }
      },
      Workload("W4", "mutations that come later") { effort in
        let instant = CounterReactor()
        return [
          Line(
            "an effect that has its value at once (.just)", most: 15,
            subject: { actions in time { for _ in 0..<actions { instant.action(.addLater(1)) } } },
            baseline: addingByHand()),
          following(most: 25, effort),
          tasks(most: 2, effort),
        ]
      },
    ]
  }

  /// How many may wait; more than that is reported.
  static let most = 50_000

  private static func sending(from count: Int, _ serving: Serving, most: Double, _ effort: Effort) -> Line {
    let senders = Senders(count)
    let queue = serving.makeQueue()
    let counter = HandWrittenCounter()
    let handOver = HandOver(to: counter, on: queue)
    return Line(
      "\(count) senders, \(serving.name)", most: most, against: "hand-over",
      actions: effort.scaled(20_000)...effort.scaled(Self.most), subject: sendingBody(from: count, serving),
      baseline: { actions in
        let wanted = counter.state.count + actions
        return time {
          senders.begin { sender in
            for _ in 0..<senders.share(of: actions, for: sender) { handOver.send(.add(1)) }
          }
          serving.wait { counter.state.count == wanted }
          senders.finish()
        }
      })
  }

  /// Threads that share the actions; over when the last is committed.
  static func sendingBody(from count: Int, _ serving: Serving) -> Body {
    let senders = Senders(count)
    let queue = serving.makeQueue()
    let reactor = CounterReactor(queue: queue)
    return { actions in
      let wanted = reactor.state.count + actions
      return time {
        senders.begin { sender in
          for _ in 0..<senders.share(of: actions, for: sender) { reactor.action(.add(1)) }
        }
        serving.wait { reactor.state.count == wanted }
        senders.finish()
      }
    }
  }

  /// A source on another thread emits as fast as it can.
  private static func following(most: Double, _ effort: Effort) -> Line {
    let senders = Senders(1)
    let queue = Serving.privateQueue.makeQueue()
    let reactor = FollowingReactor(queue: queue)
    return Line(
      "values from another thread in bulk, each", most: most,
      actions: effort.scaled(20_000)...effort.scaled(Self.most),
      subject: { actions in
        let wanted = reactor.state.count + actions
        let values = EventStream<Int> { emit in
          senders.begin { _ in
            for _ in 0..<actions { emit(1) }
            emit.finish()
          }
          return EventSubscription {}
        }
        return time {
          reactor.action(values)
          Serving.privateQueue.wait { reactor.state.count == wanted }
          senders.finish()
        }
      },
      baseline: addingByHand())
  }

  /// Effects that are tasks, and tasks that bring their value by hand.
  private static func tasks(most: Double, _ effort: Effort) -> Line {
    let queue = Serving.privateQueue.makeQueue()
    let reactor = CounterReactor(queue: queue)
    let counter = HandWrittenCounter()
    let handOver = HandOver(to: counter, on: queue)
    return Line(
      ".run in bulk, each", most: most, against: "tasks", actions: effort.scaled(2_000)...effort.scaled(5_000),
      subject: { actions in
        let wanted = reactor.state.count + actions
        return time {
          queue.sync { for _ in 0..<actions { reactor.action(.addInTask(1)) } }
          Serving.privateQueue.wait { reactor.state.count == wanted }
        }
      },
      baseline: { actions in
        let wanted = counter.state.count + actions
        return time {
          queue.sync { for _ in 0..<actions { Task.detached { handOver.send(.add(1)) } } }
          Serving.privateQueue.wait { counter.state.count == wanted }
        }
      })
  }
}
