// Tells a test that a task waits for the framework itself, and not for something outside.
// Never: waits, decides, or does anything at all when no test listens.
// Guarded by: nothing, it has no state.

/// Is told of the running task's waits for this framework: for a state, a value, the end of a `perform`.
package protocol InnerWaitKeeper: AnyObject, Sendable {
  func beginInnerWait()
  func endInnerWait()
  /// The task is about to wait for a reactor on a real queue.
  func waitsElsewhere()
}

/// A wait of the running task for this framework.
package enum InnerWait {
  /// Who listens; bound in the tasks that a test makes.
  @TaskLocal package static var keeper: (any InnerWaitKeeper)?

  /// A wait begins; whoever listens is to be told of its end. `lane` is that of the reactor which is waited for, if it is one:
  /// a reactor on a real queue is something outside for who explores virtual ones.
  static func begin(for lane: Lane? = nil) -> (any InnerWaitKeeper)? {
    guard let keeper else { return nil }
    if let lane, !lane.isVirtual {
      keeper.waitsElsewhere()
      return nil
    }
    keeper.beginInnerWait()
    return keeper
  }
}
