// A task of an effect in an explored world. It runs only when the explorer says so, and then up to its next wait.

internal import SwiftReactor

/// One effect's task, with the tasks that it makes below itself.
final class ExploredTask: TaskToken, InnerWaitKeeper, @unchecked Sendable {
  // Safe to share: `jobs` and `isCrossed` are only touched under the world's lock, everything else by the thread that explores.
  let number: Int
  private weak var world: ExploredWorld?
  private let lock: Lock
  /// Pieces of the task that could run now, in the order in which they became so.
  fileprivate(set) var jobs: [@Sendable () -> Void] = []
  /// Something outside has moved it, or is waited for.
  var isCrossed = false
  /// A step of the script has woken it: what it does now is part of that step.
  var isFree = false
  var isFinished = false
  var handle: Task<Void, Never>?
  var effect = SlotKey.none
  /// What it waits for, in order.
  private(set) var waits: [Wait] = []
  /// When it went on, and what woke it, so that two tasks can be compared.
  var past: [Waking] = []
  private var innerWaits = 0
  /// It sleeps, or slept, on a clock that belongs to no reactor of this world: nobody moves it.
  private(set) var hasStrayClock = false

  /// Something that only the explorer can bring about.
  struct Wait {
    let number: Int
    let hint: ParkingHint
  }

  struct Waking: Hashable {
    let time: Duration
    /// The gate that let it through, if it was one.
    let gate: String?
  }

  init(number: Int, world: ExploredWorld) {
    self.number = number
    self.world = world
    lock = world.lock
    super.init()
  }

  var canRun: Bool { lock.withLock { !jobs.isEmpty } }

  /// It waits for something, and nobody here knows for what.
  var isElsewhere: Bool { !isFinished && !canRun && waits.isEmpty && innerWaits == 0 }

  override func park(_ hint: ParkingHint, _ description: @escaping @Sendable () -> String) -> ParkedTask? {
    guard let world, world.isHere(self) else { return nil }
    if case .clock(let clock) = hint, !world.moves(clock) { hasStrayClock = true }
    let number = world.nextNumber()
    waits.append(Wait(number: number, hint: hint))
    return ParkedTask { [weak self] in self?.endWait(number) }
  }
}

extension ExploredTask {
  /// A gate may be opened from anywhere.
  private func endWait(_ number: Int) {
    if world?.isHere(self) == true { waits.removeAll { $0.number == number } }
  }

  func beginInnerWait() { if world?.isHere(self) == true { innerWaits += 1 } }
  func endInnerWait() { if world?.isHere(self) == true { innerWaits -= 1 } }
  func waitsElsewhere() { world?.cross(self) }
}

/// Makes the tasks of one world.
struct ExploredRunner: EffectRunner {
  // Not held: a reactor that somebody keeps must not keep the whole world.
  weak var world: ExploredWorld?

  func start(priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *), let world, world.isHere() else {
      return Task.detached(priority: priority) { await operation() }
    }
    let task = world.makeTask()
    let body: @Sendable () async -> Void = {
      await InnerWait.$keeper.withValue(task) {
        await TaskToken.$current.withValue(task) { await operation() }
      }
      task.isFinished = true
    }
    let handle = Task.detached(executorPreference: TaskLine(task, of: world), priority: priority) { await body() }
    task.handle = handle
    return handle
  }
}

/// Where the pieces of one task go: to the explorer, who runs them one after the other on its own thread.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
private final class TaskLine: TaskExecutor {
  private let task: ExploredTask
  private let world: ExploredWorld

  init(_ task: ExploredTask, of world: ExploredWorld) {
    self.task = task
    self.world = world
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = world.isHere(task)
    world.lock.withLock {
      task.jobs.append { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

extension ExploredTask {
  /// Under the world's lock: the next piece.
  func takeJob() -> (@Sendable () -> Void)? {
    jobs.isEmpty ? nil : jobs.removeFirst()
  }
}
