// A reactor that does nothing: for tests and previews of what shows a state and sends actions.

public import SwiftReactor

/// Takes the place of a reactor's code: actions are recorded, nothing runs, and the test pushes the states.
///
/// What is tested with it is the other side: the view that sends the right action for a tap, and shows the right text for
/// a state. It works with every reactor class, so a view need not be made for it.
///
/// ```swift
/// let stub = ReactorStub(CounterReactor())
/// let screen = CounterScreen(reactor: stub.reactor)
/// await stub.push(.init(count: 3))
/// screen.tapPlus()
/// print(screen.text, await stub.actions)
/// ```
///
/// `mutate`, `reduce` and the hooks are not called any more, and `perform` returns as soon as its action is recorded.
///
/// **Threads.** All calls may be made from any thread. Make it before the reactor's first use; effects that run already go
/// on, but change nothing.
public final class ReactorStub<R: Reactor>: Sendable {
  /// The reactor, to be given to what is tested.
  public let reactor: R
  private let recorder = ActionRecorder<R.Action>()

  /// Makes a stub of `reactor`.
  public init(_ reactor: R) {
    self.reactor = reactor
    reactor.core.replace { [recorder] action in
      if let action = action as? R.Action { recorder.append(action) }
    }
  }

  /// The actions that were sent so far, in order. It waits for those that are on their way to the queue.
  public var actions: [R.Action] {
    get async {
      await reactor.core.onQueue {}
      return recorder.actions
    }
  }

  /// Makes `state` the state of the reactor, and tells its observers. Returns when they have been told.
  public nonisolated(nonsending) func push(_ state: R.State) async {
    await reactor.core.onQueue { [core = reactor.core] in core.restore(state) }
  }

  /// Changes the state of the reactor, and tells its observers. Returns when they have been told.
  ///
  /// ```swift
  /// await stub.push { $0.isLoading = true }
  /// ```
  public nonisolated(nonsending) func push(_ change: @escaping @Sendable (inout R.State) -> Void) async {
    await reactor.core.onQueue { [core = reactor.core] in
      var state = core.state
      change(&state)
      core.restore(state)
    }
  }
}

private final class ActionRecorder<Action: Sendable>: @unchecked Sendable {
  // Safe to share: `list` is only touched under `lock`.
  private let lock = Lock()
  private var list: [Action] = []

  var actions: [Action] { lock.withLock { list } }

  func append(_ action: Action) {
    lock.withLock { list.append(action) }
  }
}
