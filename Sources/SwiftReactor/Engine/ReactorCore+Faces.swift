// The core's faces: subjects, calls that wait, effects as a list.

internal import Dispatch

extension ReactorCore {
  /// Stops the program if this reactor does not belong to the main queue.
  package func requireMainQueue(for what: String) {
    require(
      lane.isMain,
      """
      \(what) has to belong to the main queue; this \(typeName) has "\(queue.label)". Make it with `queue: .main`, and \
      let one with a queue of its own tell it what to show.
      """)
  }

  /// The entrance for actions; see ``BaseReactor/action``.
  public var actions: EventSubject<Action> { EventSubject(inlet: ActionInlet(self)) }

  /// The entrance for mutations; see ``BaseReactor/mutation``.
  public var mutations: EventSubject<Mutation> { EventSubject(inlet: MutationInlet(self)) }

  /// Sends an action and waits; see ``BaseReactor/perform(_:fileID:line:)``.
  nonisolated(nonsending) public func perform(
    _ action: Action, fileID: StaticString = #fileID, line: UInt = #line
  ) async {
    guard let owner = connectedOwner() else { return }
    let origin = EffectOrigin.current
    let call = lane.ask { machine in
      machine.openCall(of: key, origin: origin.map { $0.lane === lane ? $0.effect : .none } ?? .none)
    }
    if Task.isCancelled { cancel(call) }
    send(action, keeping: owner, call: call, at: SendPlace(fileID: fileID, line: line))
    let wait = InnerWait.begin(for: lane)
    defer { wait?.endInnerWait() }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { lane.wait(for: call, CallWaiter($0)) }
    } onCancel: {
      cancel(call)
    }
  }

  private func cancel(_ call: SlotKey) {
    cancelled(lane.decide { $0.cancel(call: call) })
  }

  package func cancelEffects() {
    cancelled(lane.decide { $0.cancelEffects(of: key) })
  }

  /// The ids are the turn's business: it forgets them in a step of its own.
  func cancelled(_ orders: EffectOrders) {
    orders.carryOutElsewhere()
    traceEffects(orders)
    if !orders.emptiedGroups.isEmpty { receive(.nothing, .tidying) }
  }

  func listEffects() -> [ReactorEffect<Action>] {
    lane.listEffects(of: key).compactMap { effect in
      guard let since = effect.since else { return nil }
      return ReactorEffect(id: effect.id?.value, action: effect.cause as? Action, query: effect.query, since: since)
    }
  }

  /// The stream of one of the subjects; the node is made at the first call.
  fileprivate func stream<Element>(
    of tap: WritableKeyPath<Taps<Action, Mutation>, SubjectNode<Element>?>
  ) -> EventStream<Element> {
    let (node, isNew) = storage.lock.withLock { () -> (SubjectNode<Element>, Bool) in
      let shared = madeSharedParts
      if let node = shared.taps[keyPath: tap] { return (node, false) }
      let node = SubjectNode<Element>()
      shared.taps[keyPath: tap] = node
      return (node, true)
    }
    // From its next turn on the reactor feeds it.
    if isNew { receive(.nothing, .tidying) }
    return EventStream(.node(node))
  }
}

/// An effect that runs or waits; see ``BaseReactor/effects``.
public struct ReactorEffect<Action: Sendable>: @unchecked Sendable {
  // Safe to share: constants, and the id was `Sendable` when it came in.

  /// The id it was given, if any.
  public let id: AnyHashable?
  /// The action that started it.
  public let action: Action?
  /// The query of the state that asks for it, if it comes from a ``Reactor/feedback(when:_:)-(KeyPath<Self.State,Query?>,_)``.
  public let query: (any Sendable)?
  /// When it was returned by `mutate`, or asked for by the state.
  public let since: ContinuousClock.Instant
}

/// `reactor.action` as a subject. It knows the core weakly.
private final class ActionInlet<Action: Sendable, Mutation: Sendable, State: Sendable>: EventInlet,
  @unchecked Sendable
{
  // Safe to share: a weak constant.
  private weak var core: ReactorCore<Action, Mutation, State>?

  init(_ core: ReactorCore<Action, Mutation, State>) { self.core = core }

  func send(_ action: Action, at place: SendPlace) { core?.send(action, at: place) }
  /// A reactor takes actions as long as it lives.
  func finish() {}
  var stream: EventStream<Action> { core?.stream(of: \.action) ?? .empty }
}

/// `reactor.mutation` as a subject. It knows the core weakly.
private final class MutationInlet<Action: Sendable, Mutation: Sendable, State: Sendable>: EventInlet,
  @unchecked Sendable
{
  // Safe to share: a weak constant.
  private weak var core: ReactorCore<Action, Mutation, State>?

  init(_ core: ReactorCore<Action, Mutation, State>) { self.core = core }

  func send(_ mutation: Mutation, at place: SendPlace) { core?.send(mutation: mutation, at: place) }
  /// A reactor takes mutations as long as it lives.
  func finish() {}
  var stream: EventStream<Mutation> { core?.stream(of: \.mutation) ?? .empty }
}
