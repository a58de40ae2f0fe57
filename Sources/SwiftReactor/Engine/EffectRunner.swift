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
