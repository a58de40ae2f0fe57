// Creates tasks: the one place of the framework in which a task comes into being.
// Never: decides whether or when an effect starts (that is the machine's), never waits for one.
// Guarded by: nothing, it has no state.

/// Makes the tasks in which effects, asynchronous sources and timed operators run. Tests put their own in its place
/// to know when nothing is runnable any more.
@usableFromInline
package protocol EffectRunner: Sendable {
  /// Starts `operation` in a task of its own. It inherits nothing: no task-local value, no priority, no actor.
  func start(priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// The runner that is used unless a test replaces it: detached tasks on the global pool.
package struct DetachedEffectRunner: EffectRunner {
  package init() {}

  package func start(
    priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Task.detached(priority: priority) { await operation() }
  }
}

extension EffectHandle {
  /// Starts the task of an effect that is nothing but its body; `runner` is there if a test has put one in.
  func startTask(with runner: (any EffectRunner)?) -> Task<Void, Never> {
    // Without what lies between a task and its code otherwise: each closure and each call in between is an allocation or a
    // detour for every effect.
    if priority == 0, runner == nil { return Task.detached { [self] in await run() } }
    let priority = priority == 0 ? nil : TaskPriority(rawValue: priority)
    return (runner ?? DetachedEffectRunner()).start(priority: priority) { [self] in await run() }
  }

  @inline(__always)
  private func run() async {
    guard let body else { return }
    await EffectOrigin.$current.withValue(EffectOrigin(lane: lane, effect: key)) {
      await TaskNode.run(body, into: self)
    }
  }
}
