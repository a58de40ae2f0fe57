// Knows when nothing is runnable any more: makes the tasks of effects and counts what they have to do.

internal import Dispatch
internal import SwiftReactor

/// The tasks and the reactors of one test.
///
/// Effect tasks prefer an executor that counts jobs, one after the other on a queue of the test. So "nothing is runnable"
/// is a number, and the order in which effects run is the order in which they became runnable. On systems without task
/// executors (before macOS 15, iOS 18, tvOS 18, watchOS 11) the pool knows which tasks wait for a clock or a gate of this
/// module, and for the others waits until nothing has moved for a while.
final class TestPool: @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`.

  private struct WeakReactor {
    weak var reactor: (any RestingReactor)?
  }

  private let lock = Lock()
  let failures = FailureSink()
  private let usesExecutor: Bool
  private var jobs = 0
  /// Counts everything that happens.
  private var changes = 0
  private var tokens: [ObjectIdentifier: PoolTask] = [:]
  private var reactors: [WeakReactor] = []
  private var idleWaiters: [UnsafeContinuation<Void, Never>] = []
  /// From when on those who wait for an idle executor are told after each job that it is not.
  private var idleDeadline: ContinuousClock.Instant?
  /// How long something may go on before whoever waits for rest is told that there is none.
  let patience: Duration
  private var changeWaiters: [Int: UnsafeContinuation<Void, Never>] = [:]
  private var lastWaiter = 0

  /// - Parameter usesExecutor: False for the way of systems without task executors.
  init(usesExecutor: Bool = true, patience: Duration = .seconds(10)) {
    self.patience = patience
    self.usesExecutor = usesExecutor && TestPool.hasExecutors
  }

  private static var hasExecutors: Bool {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) { true } else { false }
  }

  /// The pool of the scope in which the running code is.
  @TaskLocal static var current: TestPool?

  // MARK: Reactors

  /// What a reactor of this test is made in.
  var environment: ReactorEnvironment {
    ReactorEnvironment(runner: runner, didMake: { [weak self] in self?.add($0) })
  }

  var runner: any EffectRunner {
    if usesExecutor, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) {
      return PoolRunner(pool: self, executor: CountingExecutor(self))
    }
    return PoolRunner(pool: self, executor: nil)
  }

  func add(_ reactor: any RestingReactor) {
    lock.withLock {
      reactors.removeAll { $0.reactor == nil }
      if !reactors.contains(where: { $0.reactor === reactor }) { reactors.append(WeakReactor(reactor: reactor)) }
    }
  }

  func contains(_ reactor: any RestingReactor) -> Bool {
    lock.withLock { reactors.contains { $0.reactor === reactor } }
  }

  // MARK: What happens

  func noteChange() {
    let waiters = lock.withLock { didChange() }
    for waiter in waiters { waiter.resume() }
  }

  fileprivate func jobCame() {
    let waiters = lock.withLock {
      jobs += 1
      return didChange()
    }
    for waiter in waiters { waiter.resume() }
  }

  fileprivate func jobRan() {
    let waiters = lock.withLock { () -> [UnsafeContinuation<Void, Never>] in
      jobs -= 1
      guard jobs == 0 || idleDeadline.map({ ContinuousClock.now > $0 }) == true else { return [] }
      idleDeadline = nil
      defer { idleWaiters = [] }
      return idleWaiters
    }
    for waiter in waiters { waiter.resume() }
  }

  fileprivate func taskCame(_ token: PoolTask) {
    lock.withLock { tokens[ObjectIdentifier(token)] = token }
    noteChange()
  }

  fileprivate func taskEnded(_ token: PoolTask) {
    lock.withLock { tokens[ObjectIdentifier(token)] = nil }
    noteChange()
  }

  /// Under the lock. Resume the result after unlocking.
  private func didChange() -> [UnsafeContinuation<Void, Never>] {
    changes += 1
    defer { changeWaiters = [:] }
    return Array(changeWaiters.values)
  }

  // MARK: Rest

  /// Returns when nothing of this test is runnable without input from outside. False: there is no rest.
  @discardableResult
  nonisolated(nonsending) func settle() async -> Bool {
    var patience = Patience(until: ContinuousClock.now.advanced(by: patience))
    return usesExecutor ? await settleByCounting(&patience) : await settleByWatching(&patience)
  }

  private nonisolated(nonsending) func settleByCounting(_ patience: inout Patience) async -> Bool {
    while true {
      await idle(until: patience.deadline)
      let reactors = living
      // A second round when there are several: what one of them is just doing may concern another one.
      if reactors.count > 1 { await pass(reactors) }
      let before = signature(reactors)
      await pass(reactors)
      // A task that is not parked may be on the main actor just now.
      if hasTasks { await DispatchQueue.main.pass() }
      if isIdle, before == signature(reactors), reactors.allSatisfy({ $0.waitingCount == 0 }) { return true }
      if patience.endsAfterRestlessRound() { return false }
    }
  }

  /// Without an executor: rounds until nothing has moved for some of them; and, as long as a task is somewhere unknown,
  /// for some time.
  private nonisolated(nonsending) func settleByWatching(_ patience: inout Patience) async -> Bool {
    var quietRounds = 0
    while true {
      let reactors = living
      let before = signature(reactors)
      if hasUnparkedTasks { try? await ContinuousClock().sleep(for: .milliseconds(5)) }
      await pass(reactors)
      if hasTasks { await DispatchQueue.main.pass() }
      await Task.detached {}.value
      let isQuiet = before == signature(reactors) && reactors.allSatisfy { $0.waitingCount == 0 }
      quietRounds = isQuiet ? quietRounds + 1 : 0
      if quietRounds == 8 { return true }
      if !isQuiet, patience.endsAfterRestlessRound() { return false }
    }
  }

  private nonisolated(nonsending) func pass(_ reactors: [any RestingReactor]) async {
    for reactor in reactors { await reactor.passQueue() }
  }

  /// Returns when the executor has nothing to do; after the deadline also when it has, as soon as a job ended.
  private nonisolated(nonsending) func idle(until deadline: ContinuousClock.Instant) async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let isIdle = lock.withLock {
        if jobs == 0 { return true }
        idleDeadline = idleDeadline.map { min($0, deadline) } ?? deadline
        idleWaiters.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }

  private var isIdle: Bool { lock.withLock { jobs == 0 } }
  private var hasTasks: Bool { lock.withLock { !tokens.isEmpty } }
  private var living: [any RestingReactor] { lock.withLock { reactors.compactMap(\.reactor) } }

  private func signature(_ reactors: [any RestingReactor]) -> [Int] {
    lock.withLock { [changes] } + reactors.flatMap(\.activity)
  }

  /// Returns when something happens, at the latest at `deadline`.
  nonisolated(nonsending) func change(until deadline: ContinuousClock.Instant) async {
    let left = ContinuousClock.now.duration(to: deadline)
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let number = lock.withLock {
        lastWaiter += 1
        changeWaiters[lastWaiter] = continuation
        return lastWaiter
      }
      let nanoseconds = Double(left.components.seconds) * 1e9 + Double(left.components.attoseconds) / 1e9
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(max(0, Int(nanoseconds)))) { [weak self] in
        guard let self else { return }
        self.lock.withLock { self.changeWaiters.removeValue(forKey: number) }?.resume()
      }
    }
  }

  // MARK: Parked tasks

  /// Does a task wait for something other than a clock or a gate of this module?
  var hasUnparkedTasks: Bool { lock.withLock { tokens.values.contains { $0.parkings.isEmpty } } }

  /// What the tasks of an effect wait for, in order.
  func parkings(of effect: SlotKey) -> [Parking] {
    lock.withLock {
      tokens.values.flatMap(\.parkings.values).filter { $0.effect == effect }.sorted { $0.number < $1.number }
    }
  }

  fileprivate func park(_ token: PoolTask, _ parking: Parking) {
    lock.withLock { token.parkings[parking.number] = parking }
    noteChange()
  }

  fileprivate func unpark(_ token: PoolTask, _ number: Int) {
    lock.withLock { _ = token.parkings.removeValue(forKey: number) }
    noteChange()
  }

  fileprivate func nextNumber() -> Int {
    lock.withLock {
      lastWaiter += 1
      return lastWaiter
    }
  }
}

/// How long rest is waited for. On a busy machine a single round may take seconds: what counts as "runs and runs" is a
/// deadline that has passed and, after it, rounds in which something still moved.
private struct Patience {
  let deadline: ContinuousClock.Instant
  private var roundsLeft = 8

  init(until deadline: ContinuousClock.Instant) {
    self.deadline = deadline
  }

  mutating func endsAfterRestlessRound() -> Bool {
    guard ContinuousClock.now > deadline else { return false }
    roundsLeft -= 1
    return roundsLeft == 0
  }
}

extension DispatchQueue {
  /// Returns when everything that stood in the queue has run.
  nonisolated(nonsending) func pass() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      async { continuation.resume() }
    }
  }
}

/// A task of an effect, known to itself and to its children.
class TaskToken: @unchecked Sendable {
  // Safe to share: it has nothing of its own, and what subclasses have they guard.
  @TaskLocal static var current: TaskToken?

  /// The pool that waits for it.
  var pool: TestPool? { nil }

  /// Notes that the running task waits. Nil: that is of no interest.
  func park(_ hint: ParkingHint, _ description: @escaping @Sendable () -> String) -> ParkedTask? { nil }
}

/// A task of a pool.
final class PoolTask: TaskToken, @unchecked Sendable {
  // Safe to share: `parkings` is only touched under the pool's lock.
  private weak var owner: TestPool?
  fileprivate var parkings: [Int: Parking] = [:]

  init(_ pool: TestPool) {
    owner = pool
  }

  override var pool: TestPool? { owner }

  override func park(_ hint: ParkingHint, _ description: @escaping @Sendable () -> String) -> ParkedTask? {
    guard let pool = owner else { return nil }
    let number = pool.nextNumber()
    let effect = EffectOrigin.current?.effect ?? .none
    pool.park(self, Parking(number: number, effect: effect, hint: hint, describe: description))
    return ParkedTask { [weak pool] in pool?.unpark(self, number) }
  }
}

/// The end of a parking. Called before the task is resumed; further calls do nothing.
struct ParkedTask: Sendable {
  let end: @Sendable () -> Void
}

/// What a parked task waits for, and so what to do about it.
enum ParkingHint: Sendable {
  case clock(ManualClock)
  /// With the number of the one who waits there.
  case gate(Gate, Int)

  var isClock: Bool { if case .clock = self { true } else { false } }
  var isGate: Bool { if case .gate = self { true } else { false } }
}

/// A task waits for something that only the test can bring about.
struct Parking: Sendable {
  let number: Int
  let effect: SlotKey
  let hint: ParkingHint
  let describe: @Sendable () -> String
}

/// Makes the tasks of one test.
private struct PoolRunner: EffectRunner {
  let pool: TestPool
  let executor: (any Sendable)?

  func start(priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let token = PoolTask(pool)
    pool.taskCame(token)
    let body: @Sendable () async -> Void = { [pool] in
      await TaskToken.$current.withValue(token) { await operation() }
      pool.taskEnded(token)
    }
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *), let executor = executor as? CountingExecutor {
      return Task.detached(executorPreference: executor, priority: priority) { await body() }
    }
    return Task.detached(priority: priority) { await body() }
  }
}

/// Runs jobs one after the other and says how many there are.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
private final class CountingExecutor: TaskExecutor {
  private let pool: TestPool
  private let queue = DispatchQueue(label: "SwiftReactorTesting.effects")

  init(_ pool: TestPool) {
    self.pool = pool
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.jobCame()
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      pool.jobRan()
    }
  }
}
