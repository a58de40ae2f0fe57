// Says what went wrong: makes the reports of one reactor, with its name and the action in question.
// Never: stops anything; who reads the reports decides.
// Guarded by: the handler by the state's lock.

internal import Dispatch

extension ReactorCore {
  /// The name of the reactor's type.
  var typeName: String { connection.map { "\($0.name)" } ?? "ReactorCore" }

  func report(_ kind: ReactorReport.Kind, action: Action?, _ message: String) {
    ReactorReports.report(
      ReactorReport(
        kind: kind, reactor: connection == nil ? nil : typeName, action: action.map { String(describing: $0) },
        message: message),
      to: storage.lock.withLock { sharedParts?.reportHandler })
  }

  /// A parent's reports and its children's go the same way.
  func inheritReports<A, M, S>(from parent: ReactorCore<A, M, S>) {
    guard let handler = parent.storage.lock.withLock({ parent.sharedParts?.reportHandler }) else { return }
    storage.lock.withLock { if madeSharedParts.reportHandler == nil { madeSharedParts.reportHandler = handler } }
  }

  func reportFailure(_ error: any Error, action: Action?) {
    report(
      .effectFailed, action: action,
      "ended with an error: \(error). Override effectFailed(_:action:), or catch it in the effect.")
  }

  @usableFromInline
  func report(_ notices: Lane.Notices, action: Action?, call: SlotKey = .none) {
    if notices.contains(.late) { reportLate(action.map { .action($0) }, call: call) }
    if notices.contains(.backlog) {
      report(
        .backlog, action: action,
        """
        more than \(ReactorMachine.waitingLimit) arrivals wait. Either a sender is faster than the queue (pace it with \
        `await perform`), or the queue is blocked.
        """)
    }
    if notices.contains(.overdue) { reportOverdue(action) }
    if notices.contains(.concurrent) {
      report(
        .misuse, action: action,
        "the queue \"\(queue.label)\" ran two blocks at once. A reactor needs a serial queue for \"on the queue: now\"."
      )
    }
  }

  /// The same where the action is not known. By itself, so that only what is to be reported asks for the type of one.
  @inline(never)
  func report(_ notices: Lane.Notices) {
    report(notices, action: nil)
  }

  /// Something was dropped because the reactor's state is gone. Nobody waits for it any longer.
  @usableFromInline
  func reportLate(_ payload: Payload?, call: SlotKey) {
    var action: Action?
    switch payload {
    case .action(let known)?: action = known
    case .traced(let traced)?: action = traced.action
    default: break
    }
    report(
      .lateArrival, action: action,
      "arrived after the reactor's state was removed from its parent, and was dropped.")
    if !call.isNone { cancelled(lane.decide { $0.didHandleAction(of: call) }) }
  }

  private func reportOverdue(_ action: Action?) {
    report(
      .openTurn, action: action,
      """
      a turn is open for more than a second while this waits. Does an observer block, or spin a run loop? Present \
      modals from a task.
      """)
  }

  @usableFromInline
  func reportLongTurn(_ payload: Payload, isOverdue: Bool) {
    var action: Action?
    switch payload {
    case .action(let known): action = known
    case .traced(let traced): action = traced.action
    default: break
    }
    if isOverdue { return reportOverdue(action) }
    report(
      .longTurn, action: action,
      "\(ReactorMachine.stepLimit) steps in one turn: does an observer or a hook send an action at every commit?")
  }
}
