// One run of an exploration: queues, tasks and clocks that move only when the explorer moves them, on its own thread.

internal import Dispatch
internal import SwiftReactor

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the reactors of one run live in. Nothing in it runs by itself.
final class ExploredWorld: @unchecked Sendable {
  // Safe to share: blocks, jobs and who was crossed are touched under `lock`, everything else by the thread that explores.
  // Whatever code of an effect may call, on any thread, asks `isHere` first.
  let lock = Lock()
  private let thread = pthread_self()
  private(set) var queues: [ExploredQueue] = []
  /// The lanes hold their queues, not the other way round.
  private var lanes: [Lane] = []
  private(set) var tasks: [ExploredTask] = []
  private var clocks: [ManualClock] = []
  private var reactors: [WeakReactor] = []
  private var newest = 0
  private var running: ExploredTask?
  private var lastNumber = 0
  /// Something has come from another thread, or waits for what is outside.
  private var crossed = false
  /// The effect that was started last in the running step.
  var startedEffect = SlotKey.none
  /// Is told of what reactors report.
  var didReport: ((ReactorReport) -> Void)?
  /// How far the time is.
  private(set) var time = Duration.zero
  /// The reactor is being made, on its queue like a screen's.
  var isMaking = false
  /// Somebody runs and runs.
  private(set) var isRestless = false

  private struct WeakReactor {
    weak var reactor: (any RestingReactor)?
    let queue: ExploredQueue?
  }

  /// More pieces of tasks in one step are a loop.
  private var jobLimit = 100_000

  @TaskLocal static var current: ExploredWorld?

  var environment: ReactorEnvironment {
    ReactorEnvironment(
      runner: ExploredRunner(world: self),
      lane: { [weak self] queue in
        guard let self, isHere() else { return Lane.of(queue) }
        return lane(for: queue)
      },
      didMake: { [weak self] in self?.add($0) })
  }

  /// Runs something in the world: what it makes belongs to it. Its reports would fill the screen, one for each order; they
  /// go to the handler of the test, or into the trace.
  func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
    let handler =
      ReactorReports.testHandler ?? { [weak self] report in
        if let self, isHere() { didReport?(report) }
      }
    return try ReactorReports.withTestHandler(handler) {
      try ReactorEnvironment.$current.withValue(environment) {
        try ExploredWorld.$current.withValue(self, operation: body)
      }
    }
  }

  // MARK: What is made

  private func lane(for queue: DispatchQueue) -> Lane {
    let number = number(of: queue)
    newest = number
    return lanes[number]
  }

  private func number(of queue: DispatchQueue) -> Int {
    let real = Lane.of(queue)
    if let known = queues.firstIndex(where: { $0.real === real }) { return known }
    queues.append(ExploredQueue(real, in: self))
    // Closures of the main actor may only be called where it is.
    lanes.append(Lane(virtual: queues[queues.count - 1], isMain: real.isMain && real.isCurrent))
    return queues.count - 1
  }

  func queue(for queue: DispatchQueue) -> ExploredQueue { queues[number(of: queue)] }

  /// A reactor asks for its lane just before it says that it is there.
  private func add(_ reactor: any RestingReactor) {
    guard isHere() else { return }
    reactors.append(WeakReactor(reactor: reactor, queue: queues[newest]))
  }

  func hasMade(_ reactor: any RestingReactor) -> Bool { reactors.contains { $0.reactor === reactor } }

  func adopt(_ clock: ManualClock) {
    if isHere(), !clocks.contains(where: { $0 === clock }) { clocks.append(clock) }
  }

  func moves(_ clock: ManualClock) -> Bool { clocks.contains { $0 === clock } }

  func makeTask() -> ExploredTask {
    let task = ExploredTask(number: tasks.count, world: self)
    task.effect = running?.effect ?? startedEffect
    lock.withLock { tasks.append(task) }
    return task
  }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Who runs

  fileprivate var isOnThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

  /// Is this the thread that explores? If not, something comes from outside, and moves the task if there is one: that ends
  /// the exploration.
  func isHere(_ task: ExploredTask? = nil) -> Bool {
    if isOnThread { return true }
    cross(task)
    return false
  }

  /// What another thread does could happen at any time.
  func noteThread() {
    _ = isHere()
  }

  /// Something outside has a hand in it.
  func cross(_ task: ExploredTask? = nil) {
    lock.withLock {
      crossed = true
      task?.isCrossed = true
    }
  }

  /// Runs something on a queue.
  func run(on queue: ExploredQueue, _ body: () -> Void) {
    let outer = queue.isRunning
    queue.isRunning = true
    body()
    queue.isRunning = outer
  }

  /// Lets a task go on up to its next wait.
  func run(_ task: ExploredTask, wokenBy gate: String? = nil) {
    let outer = running
    running = task
    defer { running = outer }
    task.isFree = false
    task.past.append(ExploredTask.Waking(time: time, gate: gate))
    var count = 0
    while let job = lock.withLock({ task.takeJob() }) {
      job()
      count += 1
      if count == jobLimit {
        isRestless = true
        return
      }
    }
  }

  /// The reactor's queue runs what is first in it.
  func turn(_ queue: ExploredQueue) {
    guard let block = queue.takeBlock() else { return }
    run(on: queue, block)
  }

  /// How much has arrived and was not handled.
  func waitingCount(in queue: ExploredQueue? = nil) -> Int {
    reactors.reduce(0) { sum, member in
      guard queue == nil || member.queue === queue, let reactor = member.reactor else { return sum }
      return sum + reactor.waitingCount
    }
  }

  /// Lets everything go on that nobody can tell from having gone on at another time. The result is a task of which it turned
  /// out that somebody can: something has arrived. `held` are those of which that is known.
  func settle(holding held: Set<Int>) -> Int? {
    while !isRestless {
      // A drain that finds nothing is nothing that happens.
      for queue in queues where queue.hasBlock && waitingCount(in: queue) == 0 { turn(queue) }
      guard let task = tasks.first(where: { $0.canRun && ($0.isFree || !held.contains($0.number)) }) else { return nil }
      let isFree = task.isFree
      let before = waitingCount()
      run(task)
      if !isFree, waitingCount() != before { return task.number }
    }
    return nil
  }

  /// Does it matter when it goes on? Not if it was cancelled: nothing that it emits counts.
  func isWorthHolding(_ number: Int) -> Bool {
    tasks.indices.contains(number) && tasks[number].canRun && tasks[number].handle?.isCancelled != true
  }

  // MARK: Time

  /// The way to where the next one wakes, at most `duration`.
  func way(in duration: Duration) -> Duration {
    min(duration, max(clocks.compactMap(\.timeToNext).min() ?? duration, .zero))
  }

  /// Moves the time, and wakes the first one whose time has come.
  func advance(by duration: Duration) {
    time += duration
    for clock in clocks { clock.move(by: duration) }
    freeing { for clock in clocks where clock.wakeFirst() { break } }
  }

  /// Somebody else should have been woken too.
  var isOverdue: Bool { clocks.compactMap(\.timeToNext).contains { $0 <= .zero } }

  /// Those who can run after `body` and could not before belong to the step.
  func freeing(_ body: () -> Void) {
    let before = tasks.map(\.canRun)
    body()
    for task in tasks where task.canRun && !(task.number < before.count && before[task.number]) { task.isFree = true }
  }

  // MARK: Gates

  /// A task that waits at a gate.
  struct Waiter {
    let task: ExploredTask
    let gate: Gate
    /// Its number at the gate.
    let number: Int
    /// Its number among all waits.
    let wait: Int

    var name: String { gate.name ?? "gate" }
  }

  /// Who waits at gates, in the order in which they came.
  var waiters: [Waiter] {
    tasks.flatMap { task in
      task.waits.compactMap { wait in
        guard case .gate(let gate, let number) = wait.hint else { return nil }
        return Waiter(task: task, gate: gate, number: number, wait: wait.number)
      }
    }.sorted { $0.wait < $1.wait }
  }

  func answer(_ waiter: Waiter) {
    freeing { waiter.gate.letThrough(waiter: waiter.number) }
    if waiter.task.isFree { run(waiter.task, wokenBy: waiter.name) }
  }

  // MARK: The end

  /// The first task that something else has moved, or that waits for something else now.
  var elsewhere: ExploredTask? {
    tasks.first { task in lock.withLock { task.isCrossed } || task.isElsewhere }
  }

  /// The first task that sleeps on a clock that stands still.
  var onStrayClock: ExploredTask? { tasks.first(where: \.hasStrayClock) }

  /// Has anything outside a hand in it?
  var isCrossed: Bool { lock.withLock { crossed } }

  func cancelEffects() {
    for member in reactors { member.reactor?.cancelEffects() }
  }

  /// Ends what is left after the effects were cancelled and the reactors are gone, so that nothing stays behind: those that
  /// take no notice of a cancellation. They may have a lot to do, and are not waited for. Reactors that are still there, kept
  /// by somebody or by what waits for them, have nobody who would run their queue.
  func close() {
    jobLimit = 100
    for waiter in waiters { waiter.gate.letThrough(waiter: waiter.number) }
    for task in tasks where task.canRun { run(task) }
    for task in tasks where !task.isFinished { task.handle?.cancel() }
    for task in tasks where task.canRun { run(task) }
    for member in reactors { member.reactor?.abandon() }
  }
}

/// A queue of an explored world, in the place of a dispatch queue.
final class ExploredQueue: VirtualQueue, @unchecked Sendable {
  // Safe to share: `blocks` is touched under the world's lock, the rest by the thread that explores.
  let real: Lane
  fileprivate var isRunning = false
  private weak var world: ExploredWorld?
  private let lock: Lock
  private var blocks: [@Sendable () -> Void] = []

  fileprivate init(_ real: Lane, in world: ExploredWorld) {
    self.real = real
    self.world = world
    lock = world.lock
  }

  var isCurrent: Bool {
    guard let world, world.isOnThread else { return false }
    return isRunning || world.isMaking
  }

  func async(_ block: @escaping @Sendable () -> Void) {
    world?.noteThread()
    lock.withLock { blocks.append(block) }
  }

  fileprivate var hasBlock: Bool { lock.withLock { !blocks.isEmpty } }

  fileprivate func takeBlock() -> (@Sendable () -> Void)? {
    lock.withLock { blocks.isEmpty ? nil : blocks.removeFirst() }
  }
}
