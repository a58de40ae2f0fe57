// The code of the article "Threads and queues".

import Dispatch
import SwiftReactor
import Testing

// snippet.ownQueue
final class JobsReactor: BaseReactor<JobsReactor.Action, JobsReactor.Mutation, JobsReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case add(String), work(String) }
  enum Mutation { case append(String) }
  struct State { var done: [String] = [] }

  init(queue: DispatchQueue = DispatchQueue(label: "jobs")) {
    super.init(initialState: State(), queue: queue)
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .add(let job): [.append(job)]
    case .work(let job): .run { emit in emit(.append(job)) }
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .append(let job): state.done.append(job)
    }
  }
}
// snippet.end

@Suite("Snippets · Threads and queues")
struct ThreadsTests {
  @Test("From a queue of its own, from elsewhere, and waiting for it")
  func threeWays() async {
    let jobs = JobsReactor()

    // snippet.onTheQueue
    jobs.queue.sync {
      jobs.action(.add("a"))  // on the queue: now
      #expect(jobs.done == ["a"])
    }
    // snippet.end

    // snippet.elsewhere
    jobs.action(.add("b"))  // from elsewhere: soon, in order
    jobs.action(.add("c"))
    await jobs.perform(.work("d"))  // soon, in order, and waits for the effect
    #expect(jobs.done == ["a", "b", "c", "d"])
    // snippet.end
  }

  @Test("A fast sender paces itself with perform")
  func pace() async {
    let jobs = JobsReactor()
    let lines = (1...100).map { "line \($0)" }
    // snippet.pace
    for line in lines { await jobs.perform(.add(line)) }
    // snippet.end
    #expect(jobs.done.count == 100)
  }
}
