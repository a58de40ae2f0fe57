// Keeps: the one state of a reactor, in memory of its own or, once it is nested, as a part of its parent's.
// Never: copies it for its own purposes, never runs user code besides `reduce`, what `reduce` drops, and what finds a
//   nested part (case closures, ids).
// Guarded by: the tree's lock. Only the thread whose turn it is writes, so that thread may read a stored part without it.

/// The memory of a tree of states: that of its root reactor, of which all others see a part.
@usableFromInline
class StateTree: @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`.
  @usableFromInline final let lock = Lock()
  @usableFromInline final let base: UnsafeMutableRawPointer
  /// How many commits there were. Tells an async reader whether it has seen the newest one.
  @usableFromInline @exclusivity(unchecked) final var commits = 0
  /// The last committed state, while a step with several actions is half done: for all other threads.
  private final var held: (base: UnsafeMutableRawPointer, commit: Int, thread: UInt)?

  init(base: UnsafeMutableRawPointer) {
    self.base = base
  }

  /// Where a thread reads, and which commit that is. Under `lock`.
  final func readable(by thread: UInt) -> (base: UnsafeMutableRawPointer, commit: Int) {
    if let held, held.thread != thread { return (held.base, held.commit) }
    return (base, commits)
  }

  /// Readers on other threads see the state as it is now, until `letGo`. It costs a copy.
  @usableFromInline
  final func hold() {
    lock.withLock { held = (copy(), commits, ThreadMark.thread) }
  }

  @usableFromInline
  final func letGo() {
    // The copy is released after unlocking.
    let old = lock.withLock {
      defer { held = nil }
      return held?.base
    }
    if let old { destroy(old) }
  }

  func copy() -> UnsafeMutableRawPointer { base }
  func destroy(_ copy: UnsafeMutableRawPointer) {}
}

/// The memory for one state.
final class StateMemory<State: Sendable>: StateTree, @unchecked Sendable {
  // Safe to share: see StateTree.
  var value: UnsafeMutablePointer<State> { base.assumingMemoryBound(to: State.self) }

  init(_ state: State) {
    let value = UnsafeMutablePointer<State>.allocate(capacity: 1)
    value.initialize(to: state)
    super.init(base: UnsafeMutableRawPointer(value))
  }

  deinit {
    destroy(base)
  }

  override func copy() -> UnsafeMutableRawPointer {
    let copy = UnsafeMutablePointer<State>.allocate(capacity: 1)
    copy.initialize(to: value.pointee)
    return UnsafeMutableRawPointer(copy)
  }

  override func destroy(_ copy: UnsafeMutableRawPointer) {
    let value = copy.assumingMemoryBound(to: State.self)
    value.deinitialize(count: 1)
    value.deallocate()
  }
}

/// The state of one reactor: where it lies, and how it is read and changed.
@usableFromInline
final class StateStorage<State: Sendable>: @unchecked Sendable {
  // Safe to share: where the state lies changes on the queue and under `home.lock`; so the turn reads that without a
  // lock, everybody else under it.

  /// The memory the reactor was made with. When it is nested this keeps the initial state, for the day its part is gone.
  private let home: StateMemory<State>
  /// The tree that the state lies in; held by `treeOwner`. Not counted here, because the way of an action passes it.
  @usableFromInline @exclusivity(unchecked) unowned(unsafe) var tree: StateTree
  private var treeOwner: StateTree
  /// Where in the tree. Nil if the place has to be found each time: an element, a case, an optional.
  @usableFromInline @exclusivity(unchecked) var value: UnsafeMutablePointer<State>?
  private(set) var place = Place<State>.direct(0)
  /// What `transform(state:)` shows in place of this state, if it does.
  private var shown: StateStorage<State>?

  @usableFromInline
  init(_ state: State) {
    home = StateMemory(state)
    treeOwner = home
    tree = home
    value = home.value
  }

  // MARK: From any thread

  /// A copy of the committed state.
  @usableFromInline
  func read() -> State {
    readWithCommit().state
  }

  func readWithCommit() -> (state: State, commit: Int) {
    ThreadMark.stopIfReducing()
    home.lock.lock()
    if treeOwner === home, shown == nil {
      let (base, commit) = home.readable(by: ThreadMark.thread)
      let state = base.assumingMemoryBound(to: State.self).pointee
      home.lock.unlock()
      return (state, commit)
    }
    let (tree, place, shown) = (treeOwner, place, shown)
    home.lock.unlock()
    return shown?.readWithCommit() ?? read(in: tree, at: place)
  }

  private func read(in tree: StateTree, at place: Place<State>) -> (state: State, commit: Int) {
    var state: State?
    let commit = tree.lock.withLock {
      let (base, commit) = tree.readable(by: ThreadMark.thread)
      ThreadMark.beginReduce()
      _ = place.visit(base) { state = $0.pointee }
      ThreadMark.endReduce()
      return commit
    }
    // Its part has just gone: what remains is the state the reactor was made with.
    return (state ?? initial, commit)
  }

  /// How many commits its tree has seen.
  var commitCount: Int {
    let tree = home.lock.withLock { treeOwner }
    return tree.lock.withLock { tree.commits }
  }

  private var initial: State { home.lock.withLock { home.value.pointee } }

  // MARK: In a turn

  /// One commit: `change` runs under the lock.
  @inlinable
  func commit(_ change: (inout State) -> Void) {
    let tree = tree
    tree.lock.lock()
    ThreadMark.beginReduce()
    if let value { change(&value.pointee) } else { changePlace(change) }
    tree.commits &+= 1
    ThreadMark.endReduce()
    tree.lock.unlock()
  }

  @usableFromInline
  func changePlace(_ change: (inout State) -> Void) {
    _ = place.modify(tree.base) { change(&$0.pointee) }
  }

  /// Replaces the state as a whole and hands the old one back, so that it is released without the lock.
  @usableFromInline
  func replace(with state: State) -> State {
    var old = state
    tree.lock.withLock {
      ThreadMark.beginReduce()
      if let value { swap(&value.pointee, &old) } else { changePlace { swap(&$0, &old) } }
      tree.commits &+= 1
      ThreadMark.endReduce()
    }
    return old
  }

  /// The state as it is. A stored one where it lies, any other as a copy.
  @inlinable
  func withState<Result>(_ body: (UnsafeMutablePointer<State>) -> Result) -> Result {
    if let value { return body(value) }
    var copy = read()
    return withUnsafeMutablePointer(to: &copy, body)
  }

  /// Shows the state where it lies, if it is there. In a turn, or before first use.
  func look(_ body: (UnsafePointer<State>) -> Void) {
    if let value { return body(value) }
    tree.lock.withLock {
      ThreadMark.beginReduce()
      _ = place.visit(tree.base, body)
      ThreadMark.endReduce()
    }
  }

  /// From here on readers get another storage's state.
  func show(_ other: StateStorage<State>) {
    home.lock.withLock { shown = other }
  }

  /// Where the state that is shown lies.
  @usableFromInline
  var displayed: StateStorage<State> { shown ?? self }

  // MARK: Nesting

  /// From here on the state is a part of another tree.
  func move(to tree: StateTree, at place: Place<State>) {
    // The old tree is released after unlocking.
    let old = home.lock.withLock {
      let old = treeOwner
      treeOwner = tree
      self.tree = tree
      self.place = place
      if case .direct(let offset) = place {
        value = (tree.base + offset).assumingMemoryBound(to: State.self)
      } else {
        value = nil
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The part is gone: back to the state the reactor was made with.
  func moveHome() {
    move(to: home, at: .direct(0))
  }

  /// Guards what belongs to the reactor but is none of its lane's business.
  var lock: Lock { home.lock }

  /// The tree, for a child that moves into it. In a turn, or before first use.
  var currentTree: StateTree { treeOwner }
}
