// Runs a reactor in every order that its contract allows, and shows the shortest one in which something is wrong.

internal import Dispatch
public import SwiftReactor

/// How far an exploration goes.
public struct ExplorationLimits: Sendable {
  /// So many runs at most to walk through all orders. Less than one stops the test.
  public var runs: Int
  /// If those were not enough for all, so many random orders are run in addition.
  public var randomOrders: Int
  /// More steps in one order are a loop, and a failure.
  public var steps: Int

  /// Makes limits. A run takes some ten to hundred microseconds in a release build, several times as much in a debug one.
  public init(runs: Int = 5_000, randomOrders: Int = 500, steps: Int = 1_000) {
    self.runs = runs
    self.randomOrders = randomOrders
    self.steps = steps
  }
}

/// What came out of an exploration.
public struct Exploration: Sendable {
  /// How many orders there are; if not all were walked through, how many were.
  public var orders = 0
  /// All orders were walked through.
  public var isComplete = false
  /// How many times the reactor was made and run.
  public var runs = 0
  /// The seed of the random orders.
  public var seed: UInt64 = 0
  /// The shortest failing script that was found, as lines of a test; nil if nothing failed.
  public var script: String?
  /// What was reported; nil if nothing failed.
  public var failure: String?
}

/// Runs a reactor in every order that its contract allows, and holds every commit to an invariant.
///
/// ```swift
/// await explore(
///   reactor: {
///     let answer = Gate("answer")
///     return TitlesReactor(titles: { query in
///       try await answer.wait()
///       return ["\(query) 1"]
///     })
///   },
///   scenario: Scenario(.sender("user", .send(.search("a")), .send(.search("b")))),
///   invariant: { state in state.titles.allSatisfy { $0.hasPrefix(state.query) } })
/// ```
///
/// **What is tried.** The real reactor runs on a queue, with tasks and clocks that stand still until the explorer moves them.
/// One thing happens at a time: a sender's step; a *turn*, in which the queue handles all that has arrived; the answer of an
/// effect, which is a task going on behind the ``Gate`` at which it waits; and an effect that was started and has something
/// to say at once, saying it. Every order of these that keeps each sender's own order is run, from the beginning and on a
/// fresh reactor. Beyond ``ExplorationLimits/runs`` it goes on with random orders.
///
/// **What is wrong** is a state that does not satisfy `invariant`, at the beginning or after any commit, or `atEnd`, when
/// everything has happened. The failure, at the line of the call, shows the shortest script that was found, to be given to
/// another call in place of the scenario, and what happened in it.
///
/// **What it needs.** `reactor` makes the reactor, its gates and its clocks, for every order anew, and as if on its queue; a
/// reactor or a clock that was made elsewhere is a failure. Effects wait only at a ``Gate``, on a ``ManualClock`` or for
/// reactors; where one waits for anything else it is reported by name, and so is what comes from another thread. What the
/// reactor does follows from what happens, not from chance, the time or the order of a dictionary.
///
/// **Equal states.** With `mergingEqualStates` an order is not walked to its end if it comes to where another one was: the
/// same state with nothing on its way, the same effects with the same past, the same steps to go. It is sound, and much
/// faster, if what the reactor does follows from that: `State` is `Hashable` and `==` compares all of it, the reactor has no
/// variables besides its state, its hooks remember nothing (no `scan`, no `debounce` in a hook), its effects and observers do
/// not read or remember what changes, and gates have names. If in doubt leave it off, as it is by default.
///
/// **Random orders.** `seed` chooses them: the same seed gives the same run, so what was found is found again.
///
/// **Threads.** Everything runs on one thread, one piece after the other, and the call returns when all is done: on the
/// caller's actor, or if it has none on a thread of its own, so that other tests go on. A reactor whose observers are
/// closures of the main actor is explored on the main actor.
///
/// **Afterwards.** Effects are cancelled and reactors freed. One that the test keeps can be read, and takes nothing in.
///
/// Returns how many orders there were, and the failure if there was one.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
@discardableResult
public nonisolated(nonsending) func explore<R: Reactor>(
  reactor make: @escaping () -> R, scenario: Scenario<R>, limits: ExplorationLimits = ExplorationLimits(),
  seed: UInt64 = 0, mergingEqualStates: Bool = false, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  invariant: @escaping (R.State) throws -> Bool, atEnd: @escaping (R.State) throws -> Bool = { _ in true }
) async -> Exploration {
  let plan = ExplorationPlan(
    make: make, scenario: scenario, limits: limits, seed: seed, mergesEqualStates: mergingEqualStates,
    invariant: invariant, atEnd: atEnd)
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let exploration = await plan.exploreAside(#isolation, at: place)
  if let failure = exploration.failure { FailureSink().record(failure, at: place) }
  return exploration
}

/// A thread for one exploration: it computes for seconds, and the threads of tasks are few.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
private final class ExploringThread: TaskExecutor {
  private let queue = DispatchQueue(label: "SwiftReactorTesting.explore")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A plan on its way to another thread.
private struct ExclusivePlan<R: Reactor>: @unchecked Sendable {
  // Safe to share: its closures belong to no actor, and who made them waits until they are no longer used.
  let plan: ExplorationPlan<R>

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @concurrent
  func explore(at place: TestPlace) async -> Exploration {
    await withTaskExecutorPreference(ExploringThread()) { await exploreHere(at: place) }
  }

  @concurrent
  private func exploreHere(at place: TestPlace) async -> Exploration {
    await plan.explore(at: place)
  }
}

extension ExplorationPlan {
  /// Explores on the caller's actor, or if it has none, on a thread of its own.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  nonisolated(nonsending) fileprivate func exploreAside(
    _ isolation: (any Actor)?, at place: TestPlace
  ) async -> Exploration {
    if isolation != nil { return await explore(at: place) }
    return await ExclusivePlan(plan: self).explore(at: place)
  }
}

extension ExplorationPlan {
  /// Explores, without telling anybody.
  nonisolated(nonsending) func explore(at place: TestPlace) async -> Exploration {
    require(
      limits.runs > 0 && limits.randomOrders >= 0,
      "explore of \(R.self) needs at least one run, and no negative number of random orders: \(limits).")
    var exploration = Exploration(seed: seed)
    if let script = scenario.script {
      let (end, _) = ScriptShrinker.run(script, self)
      exploration.runs = 1
      exploration.orders = 1
      exploration.tell(of: end, script, self, place)
      return exploration
    }
    if let line = scenario.misplacedStep {
      exploration.failure =
        "explore: \(line) is a step of scripts: turns and answers come at every time by themselves.\n\nHint: Leave it out."
      return exploration
    }
    if let name = scenario.repeatedName {
      exploration.failure = """
        explore: two senders are named \(name.debugDescription).

        Hint: Give each a name of its own: scripts name their steps by it.
        """
      return exploration
    }
    var walk = OrderWalk(self)
    var (orders, isComplete, failed) = await walk.all(limit: limits.runs)
    if !isComplete, failed == nil {
      failed = await walk.random(count: limits.randomOrders)
      orders += limits.randomOrders
    }
    exploration.orders = orders
    exploration.isComplete = isComplete
    exploration.runs = walk.runs
    guard let failed else { return exploration }
    var steps = failed.steps
    if case .violation = failed.end {
      var shrinker = ScriptShrinker(self)
      steps = shrinker.shrink(steps)
    }
    exploration.tell(of: failed.end, steps, self, place)
    return exploration
  }
}

extension Scenario {
  /// The name of more than one sender.
  fileprivate var repeatedName: String? {
    var names: Set<String> = []
    return senders.first { !names.insert($0.name).inserted }?.name
  }

  /// A step of a sender that is only meant for scripts.
  fileprivate var misplacedStep: String? {
    (beginning + senders.flatMap(\.steps)).first { !$0.isOfScenario }?.source.line
  }
}
