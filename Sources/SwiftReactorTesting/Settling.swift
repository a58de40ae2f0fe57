// Waiting for rest: returns when nothing can happen any more without input from outside.

internal import Dispatch
public import SwiftReactor

/// Makes reactors whose rest can be waited for exactly: those that are made inside `operation`.
///
/// A ``TestReactor`` needs no scope, it has one of its own. Use a scope for a test that works with plain reactors.
///
/// ```swift
/// await withTestScope {
///   let reactor = CounterReactor()
///   reactor.action(.incrementLater)
///   await settle()
///   print(reactor.count)  // 1
/// }
/// ```
nonisolated(nonsending) public func withTestScope<Result>(
  _ operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  let pool = TestPool()
  defer { pool.failures.flush() }
  return try await TestPool.$current.withValue(pool) {
    try await ReactorEnvironment.$current.withValue(pool.environment) { try await operation() }
  }
}

/// Returns when nothing is runnable any more without input from outside: no arrival waits, no drain is under way, and
/// effects that run wait only for a clock, a gate, or something outside of the program.
///
/// Inside ``withTestScope(_:)`` it is exact for everything that was made in the scope. Outside of one there is nothing to
/// count, and it lets the main queue and the pool of threads go through what they have, several times: enough for actions
/// that were sent before, slower, and no proof. A thread that has not sent yet is input from outside: wait for it first.
///
/// **Platforms.** Exactness needs a task executor: macOS 15, iOS 18, tvOS 18, watchOS 11, or Linux. On older systems tasks
/// that wait for a ``ManualClock`` or a ``Gate`` are known all the same; if an effect waits for anything else, `settle`
/// returns when nothing has moved for about 40 milliseconds.
///
/// Where there is no rest, because something runs and runs, it returns after ten seconds.
///
/// Unstructured tasks (`Task { }`) that an effect makes are not counted.
nonisolated(nonsending) public func settle() async {
  if let pool = TestPool.current ?? TaskToken.current?.pool {
    await pool.settle()
    return
  }
  await settleByPatience([])
}

/// Returns when nothing is runnable any more in these reactors. For those that were made in a ``withTestScope(_:)`` or by
/// a ``TestReactor`` it is exact; with others it takes a little patience, see ``settle()``.
///
/// ```swift
/// let reactor = CounterReactor()
/// reactor.action(.incrementLater)
/// await settle(reactor)
/// ```
nonisolated(nonsending) public func settle(_ reactors: any Reactor...) async {
  var others: [any RestingReactor] = []
  var pools: [TestPool] = []
  for reactor in reactors {
    let core = resting(reactor)
    if let pool = TestPool.current, pool.contains(core) {
      pools.append(pool)
    } else {
      others.append(core)
    }
  }
  if let pool = pools.first { await pool.settle() }
  if !others.isEmpty { await settleByPatience(others) }
}

private func resting(_ reactor: some Reactor) -> any RestingReactor { reactor.core }

/// Rounds through queues and the pool of threads until nothing has moved for many of them. While effects run that nobody
/// counts, rounds take a little time.
nonisolated(nonsending) func settleByPatience(_ reactors: [any RestingReactor]) async {
  var quietRounds = 0
  while quietRounds < 24 {
    let before = reactors.flatMap(\.activity)
    let hasEffects = reactors.contains { ($0.activity.last ?? 0) > 0 }
    if hasEffects { try? await ContinuousClock().sleep(for: .milliseconds(2)) }
    for reactor in reactors { await reactor.passQueue() }
    await DispatchQueue.main.pass()
    await Task.detached {}.value
    await Task.yield()
    let isQuiet = before == reactors.flatMap(\.activity) && reactors.allSatisfy { $0.waitingCount == 0 }
    quietRounds = isQuiet ? quietRounds + 1 : 0
  }
}
