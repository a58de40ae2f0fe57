// Joins: a core to its parent's state, and lets it go again.
// Never: copies a state; a window is a place in the parent's memory.
// Guarded by: the turn, or nobody has used either reactor yet.

internal import Dispatch

/// What a parent knows of a child's core.
protocol TreeMember: AnyObject, Sendable {
  /// The state it belongs to is gone: its effects are cancelled, what waits for it is dropped.
  func leaveTree()
  /// Its own place has moved; so do those of its children.
  func moveChildren()
  /// Somebody watches its parent, and so it.
  func watch(from relay: WatchRelay)
  /// The effects that run or wait here and below.
  var watchedEffects: [WatchedEffect] { get }
  /// The reactor, for a parent that is told something.
  var reactor: AnyObject? { get }
}

/// A part of a parent's state that children live in.
protocol ChildPlaces: AnyObject {
  /// The bytes of the parent's state that belong to it.
  var range: Range<Int> { get }
  /// Cases of one enum may share their bytes; nothing else may.
  var sharesRange: Bool { get }
  /// Does a child live here, or may one come?
  var isInUse: Bool { get }
  /// The children that live here now.
  var members: [any TreeMember] { get }
  /// The parent's place has moved.
  func move()
  /// The parent's state is gone.
  func leave()
}

/// What a core needs to be part of a tree; made when it is nested, or something in it.
@usableFromInline
final class TreeMembership: @unchecked Sendable {
  // Safe to share: used in turns only, or before the reactors' first use. Telling the parent something asks under the
  // state's lock.
  let node: TreeNode
  var places: [any ChildPlaces] = []
  /// Gives the parent what a child put out.
  var parentOutput: (@Sendable (any Sendable, AnyObject) -> Void)?
  var hasParent = false
  var isGone = false
  /// The children that are there now.
  var members: [any TreeMember] { places.flatMap(\.members) }

  init(node: TreeNode) {
    self.node = node
  }
}

extension ReactorCore: TreeMember {
  var reactor: AnyObject? { owner }

  /// The core's place in its tree.
  func membership() -> TreeMembership {
    if let tree { return tree }
    let made = TreeMembership(
      node: TreeNode { [weak self] in
        guard let self else { return }
        tell()
      })
    made.node.setWatched(isWatched)
    storage.lock.withLock { tree = made }
    isObserved = true
    return made
  }

  /// Makes `child` a window on a part of this reactor's state.
  func adopt<A: Sendable, M: Sendable, S: Sendable>(_ child: ReactorCore<A, M, S>, at place: Place<S>) {
    require(
      child.lane === lane,
      "A nested reactor needs the queue of its parent: this one has \"\(child.queue.label)\", the parent \"\(queue.label)\"."
    )
    require(
      lane.isCurrent || !(isUsed || child.isUsed),
      "nest must be called on the reactors' queue, or before either was used.")
    refuseStateHook()
    child.refuseStateHook()
    let own = membership()
    let its = child.membership()
    require(!its.hasParent, "This reactor is nested already: a child has one parent.")
    require(!own.node.isInside(its.node), "A reactor cannot be nested in itself or in its own child.")

    its.hasParent = true
    child.storage.lock.withLock { its.isGone = false }
    its.parentOutput = { [weak self] output, child in self?.receive(output: output, from: child) }
    let before = child.lane.ask { $0.hasObservers(child.key) } ? child.storage.read() : nil
    child.storage.move(to: storage.currentTree, at: place)
    child.moveChildren()
    its.node.join(own.node)
    lane.ask { $0.setParent(of: child.key, to: key) }
    if !watchers.isEmpty { child.watch(from: relay) }
    if child.isUsed, !isUsed { receive(.nothing, .start) }
    // The parent's state wins. Who observes the child hears of it, if there is something to hear.
    if let before, !isEqual(before, child.storage.read()) { child.receive(.nothing, .nested) }
  }

  /// Was there an action, a mutation or an observation?
  var isUsed: Bool { lane.ask { $0.reactors[key]?.isStarted == true } }

  /// A reactor that shows something else than its state cannot lend a part of it, or be one.
  func refuseStateHook() {
    require(
      hooks.state == nil,
      "A reactor that overrides transform(state:) takes no part in nesting: what it shows is not its state.")
  }

  func moveChildren() {
    for places in tree?.places ?? [] { places.move() }
  }

  func leaveTree() {
    guard let tree, !tree.isGone else { return }
    for places in tree.places { places.leave() }
    tree.node.leave()
    storage.lock.withLock { tree.isGone = true }
    storage.moveHome()
    if !watchers.isEmpty { endRelay() }
    cancelled(lane.decide { $0.dismiss(key) })
  }

  /// Reserves a part of the state for children.
  func add(_ places: any ChildPlaces) {
    let own = membership()
    for other in own.places
    where other.isInUse && other.range.overlaps(places.range) && !(other.sharesRange && places.sharesRange) {
      mistake("Two nested reactors may not share a part of their parent's state, nor one lie inside the other's.")
    }
    own.places.append(places)
  }

  /// The distance of a stored property from the beginning of the state.
  func offset<Part>(of path: KeyPath<State, Part>) -> Int {
    guard let offset = MemoryLayout<State>.offset(of: path) else {
      mistake("\(path) is not a stored property: a reactor can only be nested at one.")
    }
    return offset
  }

  // MARK: Telling

  /// A commit in a tree: what came or went first, then the reactor itself, its ancestors, its children.
  @usableFromInline
  func deliverInTree(_ tree: TreeMembership) {
    if tree.node.hasChecks { tree.node.check() }
    if isWatched { tell() }
    tree.node.tellOthers()
  }

  /// Is its state there?
  var isAttached: Bool { storage.lock.withLock { tree?.isGone != true } }

  // MARK: Outputs

  /// Gives the parent something that is no state.
  func output(_ output: any Sendable) {
    guard let owner else { return }
    storage.lock.withLock { tree?.parentOutput }?(output, owner)
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

/// Compares two states if their type can be compared; otherwise they count as different.
private func isEqual<State>(_ lhs: State, _ rhs: State) -> Bool {
  guard let lhs = lhs as? any Equatable else { return false }
  func compare<Value: Equatable>(_ value: Value) -> Bool { rhs as? Value == value }
  return compare(lhs)
}
