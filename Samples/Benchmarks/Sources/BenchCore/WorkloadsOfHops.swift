// What the system's own ways cost, to see what the other numbers mean. Nothing is asked of them.

internal import BenchmarkBaselines
internal import BenchmarkReactors
internal import Dispatch

extension Workload {
  static var hops: [Workload] {
    [
      Workload("hops", "the ways of the system, in comparison") { effort in
        let queue = DispatchQueue(label: "hops")
        let counter = HandWrittenCounter()
        let few = effort.scaled(1_000)...effort.scaled(20_000)
        func all(_ actions: Int, _ body: () -> Void) -> Double {
          let wanted = counter.state.count + actions
          return time {
            body()
            Serving.privateQueue.wait { counter.state.count == wanted }
          }
        }
        return [
          Line("by hand", most: nil, subject: addingByHand(), baseline: addingByHand()),
          Line(
            "queue.sync", most: nil,
            subject: { actions in time { for _ in 0..<actions { queue.sync { counter.action(.add(1)) } } } },
            baseline: addingByHand()),
          Line(
            "queue.async", most: nil, actions: few,
            subject: { actions in
              all(actions) { for _ in 0..<actions { queue.async { counter.action(.add(1)) } } }
            },
            baseline: addingByHand()),
          Line(
            "a bare task", most: nil, actions: few,
            subject: { actions in
              all(actions) { for _ in 0..<actions { Task.detached { counter.action(.add(1)) } } }
            },
            baseline: addingByHand()),
        ]
      }
    ]
  }
}
