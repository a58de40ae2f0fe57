// Keeps what a reactor did until the test has said that it expects it.

internal import SwiftReactor

/// The steps of one reactor that were not asserted yet, in commit order.
final class TestJournal<State: Sendable>: StepWatcher, @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`.
  private let lock = Lock()
  private weak var pool: TestPool?
  private var steps: [WatchedStep<State>] = []
  private var isSending = false
  private var sent: WatchedStep<State>?
  private var errors: [(effect: WatchedEffect, error: any Error)] = []

  init(pool: TestPool) {
    self.pool = pool
  }

  // MARK: Watching

  func willMutate(_ action: any Sendable, of reactor: String, from source: StepSource) {}

  func didStep(_ step: WatchedStep<State>) {
    lock.withLock {
      if isSending, step.source.kind == .outside, !step.actions.isEmpty {
        isSending = false
        sent = step
      } else if step.isCommit || !step.actions.isEmpty {
        steps.append(step)
      }
    }
    pool?.noteChange()
  }

  func effectDid(_ event: EffectEvent, _ effect: WatchedEffect) {
    if case .failed(let error) = event { lock.withLock { errors.append((effect, error)) } }
    pool?.noteChange()
  }

  // MARK: Asserting

  /// The next action from outside is the test's own. On the queue.
  func expectSending() {
    lock.withLock {
      isSending = true
      sent = nil
    }
  }

  /// The step of the action that was sent since `expectSending`. Nil: a hook has kept it.
  func takeSent() -> WatchedStep<State>? {
    lock.withLock {
      isSending = false
      defer { sent = nil }
      return sent
    }
  }

  /// The steps that were not asserted yet.
  var rest: [WatchedStep<State>] { lock.withLock { steps } }

  func takeFirst() -> WatchedStep<State>? {
    lock.withLock { steps.isEmpty ? nil : steps.removeFirst() }
  }

  func takeAll() -> [WatchedStep<State>] {
    lock.withLock {
      defer { steps = [] }
      return steps
    }
  }

  /// What effects have thrown so far.
  var failures: [String] {
    lock.withLock { errors }.map { effect, error in
      let cause = effect.action.map { " of \(ValueTree($0).line)" } ?? ""
      return "An effect\(cause) ended with an error: \(error)"
    }
  }
}
