// Joins: a core to its parent's state, and lets it go again.
// Never: copies a state; a window is a place in the parent's memory.
// Guarded by: the turn, or nobody has used either reactor yet.

internal import Dispatch

/// What a tree knows of a core.
protocol TreeMember: AnyObject, Sendable {
  /// The name of the reactor's type.
  var typeName: String { get }
  /// Its observers are told of the state as it is.
  func tellObservers()
  /// Its feedback looks at the state as it is, before anybody is told.
  func followFeedback(_ commit: inout TreeCommit)
  /// Its feedback, if it has any, begins: the reactor that it is nested in is used.
  func startForFeedback()
  /// Was there an action, a mutation or an observation?
  var isUsed: Bool { get }
  /// The state it belongs to is gone: its effects are cancelled, what waits for it is dropped.
  func stateIsGone(_ commit: inout TreeCommit)
  /// A child that it was given is gone. From any thread.
  func childIsLost()
  /// Somebody watches its parent, and so it.
  func watch(from relay: WatchRelay)
  /// Nobody watches its parent any more.
  func endRelay()
  /// The effects that run or wait here and below.
  var watchedEffects: [WatchedEffect] { get }
}

extension ReactorCore: TreeMember {
  /// The core's place in its tree, made when it is nested or something in it.
  var node: TreeNode {
    if let tree { return tree }
    let made = TreeNode(of: self, in: storage)
    made.setWatched(isWatched || isFed, isFed: isFed)
    storage.lock.withLock {
      tree = made
      // What is restored from here on may bring or take children.
      storage.isInUse = true
    }
    isObserved = true
    return made
  }

  /// Makes `child` a window on a part of this reactor's state: on what is at `path`, or on an element of it.
  func adopt<A: Sendable, M: Sendable, S: Sendable>(
    _ child: ReactorCore<A, M, S>, at place: Place, of path: PartialKeyPath<State>, _ commit: inout TreeCommit
  ) {
    require(
      child.lane === lane,
      """
      \(child.typeName) cannot be nested in \(name(of: path)): it has the queue "\(child.queue.label)", the parent \
      "\(queue.label)". A nested reactor needs the queue of its parent.
      """)
    requireQueue(for: path, orUnused: !child.isUsed)
    refuseStateHook()
    child.refuseStateHook()
    let own = node
    let its = child.node
    require(
      !its.hasParent,
      """
      \(child.typeName) cannot be nested in \(name(of: path)): it is nested already, or was. A child has one parent, and \
      one whose state has gone does not come back. Make a new one.
      """)
    require(
      !own.isInside(its),
      """
      \(child.typeName) cannot be nested in \(name(of: path)): a reactor cannot be nested in itself or in its own child.
      """)

    // The parent's state wins. Who observes the child, or something in it, hears of it if there is something to hear.
    let before = its.isOfInterest ? child.storage.read() : nil
    its.move(to: storage.currentTree, at: place)
    its.join(own)
    let output: @Sendable (any Sendable, AnyObject) -> Void = { [weak self] output, child in
      self?.receive(output: output, from: child)
    }
    child.storage.lock.withLock { its.output = output }
    lane.ask { $0.setParent(of: child.key, to: key) }
    child.inheritReports(from: self)
    if hasWatchers { child.watch(from: relay) }
    its.check(&commit)
    if child.isUsed, !isUsed { receive(.nothing, .start) }
    if isUsed { child.startForFeedback() }
    guard let before, !isEqual(before, child.storage.read()) else { return }
    its.newestAtNesting = lane.ask { $0.registrations }
    child.receive(.nothing, .nested)
  }

  /// Stops the program unless children at `path` may be made and let go here and now.
  func requireQueue(for path: PartialKeyPath<State>, orUnused isUnused: Bool = true) {
    require(
      !ThreadMark.isReducing,
      """
      \(name(of: path)): reactors are not nested, made or renewed inside `reduce`. Do it in `mutate(action:)`, or in an \
      observer.
      """)
    require(
      lane.isCurrent || (isUnused && !isUsed),
      """
      \(name(of: path)): nest, children(at:), reactor(for:) and renew(id:) belong on the reactor's queue, \
      "\(queue.label)", or before it was used.
      """)
  }

  /// The reactor and a part of its state, for messages.
  private func name(of path: PartialKeyPath<State>) -> String { "\(typeName), \(path)" }

  /// Was there an action, a mutation or an observation?
  var isUsed: Bool { lane.ask { $0.isStarted(key) } }

  /// A reactor that shows something else than its state cannot lend a part of it, or be one.
  func refuseStateHook() {
    require(parts?.hooks.state == nil, stateHookMessage)
  }

  var stateHookMessage: String {
    """
    \(typeName) overrides transform(state:). A reactor that does takes no part in nesting: what it shows is not its \
    state.
    """
  }

  func stateIsGone(_ commit: inout TreeCommit) {
    let orders = lane.decide { $0.dismiss(key) }
    commit.afterwards { [self] in
      if hasWatchers { endRelay() }
      cancelled(orders)
      parts?.hooks.stop()
    }
  }

  func childIsLost() {
    receive(.nothing, .tidying)
  }

  /// Is its state there?
  var isStateThere: Bool { lane.ask { !$0.isGone(key) } }

  // MARK: Telling

  func tellObservers() {
    if isWatched { tell() }
  }

  func followFeedback(_ commit: inout TreeCommit) {
    guard isFed, tree?.isGone != true else { return }
    var orders: [EffectOrders] = []
    followFeedback(&orders)
    if !orders.isEmpty { commit.afterwards { [self] in for order in orders { carryOutInStep(order) } } }
  }

  /// A commit in a tree: what came or went first, then the reactor itself, its ancestors upwards, its children.
  @usableFromInline
  func deliverInTree(_ node: TreeNode) {
    if node.isAlone {
      // One that let itself go in its own step is told nothing: its observers keep what they got.
      if !node.isGone { deliverAlone() }
      return
    }
    // As a rule nothing has come or gone, and nobody else is to be told.
    let change = node.firstChange(at: storage.storedAddress)
    guard change != nil || node.concernsOthers else {
      deliverAlone()
      return
    }
    var commit = TreeCommit(on: lane, isDelivery: true)
    node.check(from: change, &commit)
    if node.hasTold || node.hasWatchedAncestor {
      commit.mark()
      if node.isFeedbackNear { node.followFeedback(&commit) }
      node.tellUpwards()
      node.tellChildren(upTo: commit.newest)
    } else {
      deliverAlone()
    }
    commit.end()
  }

  /// Nobody else has to hear of the commit.
  private func deliverAlone() {
    if isFed { deliverWithFeedback() } else if isWatched { tell() }
  }

  /// The reactor has just been nested, and shows its parent's state now.
  func tellAfterNesting() {
    guard let tree, !tree.isGone else { return }
    var commit = TreeCommit(on: lane, isDelivery: true)
    commit.mark(newest: tree.newestAtNesting)
    followFeedback(&commit)
    tree.followFeedbackOfChildren(upTo: commit.newest, &commit)
    if isWatched { tell() }
    tree.tellChildren(upTo: commit.newest)
    commit.end()
  }

  // MARK: Outputs

  /// Gives the parent something that is no state; see ``BaseReactor/output(_:)``.
  func put(out output: any Sendable) {
    guard let owner else { return }
    if let receive = storage.lock.withLock({ tree?.output }) { return receive(output, owner) }
    if !isStateThere {
      report(.lateArrival, action: nil, "put something out after its state was removed from its parent: \(output)")
    }
  }

  private func receive(output: any Sendable, from child: AnyObject) {
    guard let owner = connectedOwner() else { return }
    receive(.output(ChildOutput(value: output, child: child)), .output, keeping: owner)
  }
}

/// What a child put out, on its way to the parent.
@usableFromInline
struct ChildOutput: @unchecked Sendable {
  // Safe to share: constants; the child is a reactor, and those are `Sendable`.
  @usableFromInline let value: any Sendable
  @usableFromInline let child: AnyObject
}

/// Compares two values if their type can be compared; otherwise they count as different.
func isEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  guard let lhs = lhs as? any Equatable else { return false }
  func compare<Known: Equatable>(_ value: Known) -> Bool { rhs as? Known == value }
  return compare(lhs)
}
