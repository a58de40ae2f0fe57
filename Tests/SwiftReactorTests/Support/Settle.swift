// Waiting without sleeping: hops through a queue and through the pool until something holds, or until nothing moves.

import Dispatch
import SwiftReactor
import Testing

/// Returns after everything that waited on `queue` when this was called has run.
func hop(_ queue: DispatchQueue) async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    queue.async { continuation.resume() }
  }
}

/// Returns after a task that was made now has run on the pool: what was runnable there before had its turn.
func hopThroughPool() async {
  await Task.detached {}.value
  await Task.yield()
}

/// Waits until nothing is runnable any more without outside input: values travel from pool to queue and back, so each
/// round passes through both, and there are many more rounds than any chain of hand-overs in these tests is long.
///
/// Use it before asserting that something did *not* happen. For something that must happen there is `eventually`.
func settle(_ queue: DispatchQueue, rounds: Int = 24) async {
  for _ in 0..<rounds {
    await hop(queue)
    await hopThroughPool()
  }
  await hop(queue)
}

func settle<Action, Mutation, State>(_ reactor: BaseReactor<Action, Mutation, State>, rounds: Int = 24) async {
  await settle(reactor.queue, rounds: rounds)
}

/// Waits until `condition` holds, looking after every hop, and records an issue that says what never came true.
func eventually(
  _ what: String,
  on queue: DispatchQueue = .main,
  within limit: Duration = .seconds(150),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async {
  let clock = ContinuousClock()
  let deadline = clock.now.advanced(by: limit)
  while !condition() {
    if clock.now > deadline {
      Issue.record("after \(limit) still not true: \(what)", sourceLocation: sourceLocation)
      return
    }
    await hop(queue)
    await hopThroughPool()
  }
}

/// The same for conditions of a reactor, looking on its queue's pace.
func eventually<Action, Mutation, State>(
  _ what: String,
  of reactor: BaseReactor<Action, Mutation, State>,
  within limit: Duration = .seconds(150),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: (State) -> Bool
) async {
  await eventually(what, on: reactor.queue, within: limit, sourceLocation: sourceLocation) {
    condition(reactor.state)
  }
}
