// Keeps: the one state of a reactor, in memory of its own or, once it is nested, as a part of its parent's.
// Never: copies it for its own purposes, never runs user code besides `reduce`, what `reduce` drops, and what finds a
//   nested part (case closures, ids).
// Guarded by: the tree's lock. Only the thread whose turn it is writes, so that thread may read a stored part without it.

/// The memory of a tree of states: that of its root reactor, of which all others see a part.
@usableFromInline
class StateTree: @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`.

  /// Guards the state, and what belongs to the reactor but is none of its lane's business.
  @usableFromInline final let lock: Lock
  /// Where the state lies: behind the mutex, in the same allocation.
  @usableFromInline final let base: UnsafeMutableRawPointer
  /// How many commits there were. Tells an async reader whether it has seen the newest one.
  @usableFromInline @exclusivity(unchecked) final var commits = 0
  /// The last committed state, while a step with several actions is half done: for all other threads.
  private final var held: HeldState?
  private final let mark = ThreadMark.reducing
  /// How often a reactor in the tree has begun or ceased to be watched. The turn's, or before first use.
  @exclusivity(unchecked) final var watchChanges: UInt32 = 0
  /// A reactor in the tree has, or had, effects that its state asks for. The turn's.
  @exclusivity(unchecked) final var hasFeedback = false

  private final class HeldState {
    let base: UnsafeMutableRawPointer
    let commit: Int
    let thread: UInt

    init(_ base: UnsafeMutableRawPointer, _ commit: Int, _ thread: UInt) {
      self.base = base
      self.commit = commit
      self.thread = thread
    }
  }

  /// - Parameters:
  ///   - size: The size of the state.
  ///   - alignment: What it has to be aligned to.
  fileprivate init(size: Int, alignment: Int) {
    // Only what is more than usual needs more room than its size.
    lock = Lock(room: size + max(0, alignment - MemoryLayout<UInt64>.alignment))
    base = lock.room.alignedUp(toMultipleOf: alignment)
  }

  /// Where a thread reads, and which commit that is. Under `lock`.
  final func readable(by thread: UInt) -> (base: UnsafeMutableRawPointer, commit: Int) {
    if let held, held.thread != thread { return (held.base, held.commit) }
    return (base, commits)
  }

  /// Readers on other threads see the state as it is now, until `letGo`. It costs a copy.
  @usableFromInline
  final func hold() {
    lock.withLock { held = HeldState(copy(), commits, ThreadMark.thread) }
  }

  @usableFromInline
  final func letGo() {
    // The copy is released after unlocking.
    let old = lock.withLock { held.take() }
    if let old { destroy(old.base) }
  }

  // MARK: Commits

  /// A commit begins: nobody else reads or writes until it ends. One call for lock and mark, because every action passes
  /// here.
  @usableFromInline
  final func beginCommit() {
    lock.lock()
    ThreadMark.beginReduce(mark)
  }

  @usableFromInline
  final func endCommit() {
    commits &+= 1
    ThreadMark.endReduce(mark)
    lock.unlock()
  }

  fileprivate func copy() -> UnsafeMutableRawPointer { base }
  fileprivate func destroy(_ copy: UnsafeMutableRawPointer) {}
}

/// Where the state of one reactor lies: in the tree that it is itself or, once it is nested, in its root ancestor's.
@usableFromInline
class StateWindow: StateTree, @unchecked Sendable {
  // Safe to share: where the state lies changes in turns, or before first use, and under `lock`; so the turn reads that
  // without the lock, everybody else under it.

  /// The reactor has run, or is nested: its state is not replaced from elsewhere any more. Under `lock`.
  final var isInUse = false
  /// It is always there: not in an optional.
  @usableFromInline @exclusivity(unchecked) final var isStored = true
  /// The tree that the state lies in: this one, or what `moved` holds. Not counted here, because the way of an action
  /// passes it.
  @usableFromInline @exclusivity(unchecked) final var uncountedTree: Unmanaged<StateTree>!
  /// Where a commit finds the state; nil if it has to be looked for.
  @usableFromInline @exclusivity(unchecked) final var address: UnsafeMutableRawPointer?
  /// Where the state has moved to; nil as long as it lies where the reactor was made with it.
  private final var moved: Move?
  /// The readers that the Observation module follows, once there may be any. Under `lock`; it stays as long as somebody
  /// can read, so who has found it need not hold it.
  private final var register: ReaderRegister?

  /// A state lies in another tree, or did.
  private final class Move {
    /// Nil: its part is gone. What is read is the state that the reactor was made with.
    let tree: StateTree?
    let place: Place
    /// Makes the numbers of commits go on from one tree to the next.
    let commitOffset: Int
    /// How often the state has moved, so that a reader elsewhere notices it.
    let count: Int

    init(to tree: StateTree?, at place: Place, commitOffset: Int, count: Int) {
      self.tree = tree
      self.place = place
      self.commitOffset = commitOffset
      self.count = count
    }
  }

  override fileprivate init(size: Int, alignment: Int) {
    super.init(size: size, alignment: alignment)
    uncountedTree = .passUnretained(self)
    address = base
  }

  /// The register of readers, made by `make` at the first call.
  final func register(_ make: () -> ReaderRegister) -> ReaderRegister {
    if let known = lock.withLock({ register }) { return known }
    let made = make()
    return lock.withLock {
      if register == nil { register = made }
      return register!
    }
  }

  /// Nobody can read any more: what was registered goes, although a child may keep the tree.
  final func forgetReaders() {
    // Released after unlocking.
    let old = lock.withLock { register.take() }
    withExtendedLifetime(old) {}
  }

  fileprivate final var uncountedRegister: Unmanaged<ReaderRegister>? { register.map { .passUnretained($0) } }

  final var tree: StateTree { uncountedTree.takeUnretainedValue() }

  /// The tree, for a child that moves into it. In a turn, or before first use.
  @usableFromInline
  final var currentTree: StateTree { moved?.tree ?? self }

  final var place: Place { moved?.place ?? .root }
  fileprivate final var isAtHome: Bool { moved?.tree == nil }
  fileprivate final var commitOffset: Int { moved?.commitOffset ?? 0 }
  fileprivate final var moveCount: Int { moved?.count ?? 0 }

  /// From here on the state is a part of another tree.
  final func move(to tree: StateTree, at place: Place) {
    move(into: tree, tree, at: place)
  }

  /// The part is gone. What is read is the state that the reactor was made with; what is written comes to nothing.
  final func leave() {
    move(into: nil, self, at: .nowhere)
  }

  private func move(into other: StateTree?, _ tree: StateTree, at place: Place) {
    // The old tree is released after unlocking.
    let old = lock.withLock {
      let old = moved
      // Nobody else commits meanwhile.
      let offset = commitOffset &+ currentTree.commits &+ 1 &- tree.commits
      isInUse = true
      moved = Move(to: other, at: place, commitOffset: offset, count: moveCount &+ 1)
      uncountedTree = .passUnretained(tree)
      address = place.distance.map { tree.base + $0 }
      isStored = place.isStored
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Where the state lies, if it is always there.
  @inlinable
  final var storedAddress: UnsafeMutableRawPointer? { isStored ? address : nil }

  /// Shows a stored part of the state where it lies; nil if the state is not there. In a turn, or before first use.
  final func look<Answer>(at offset: Int, _ body: (UnsafeRawPointer) -> Answer) -> Answer? {
    if let storedAddress { return body(storedAddress + offset) }
    var answer: Answer?
    tree.lock.withLock {
      ThreadMark.beginReduce()
      _ = place.visit(tree.base) { answer = body($0 + offset) }
      ThreadMark.endReduce()
    }
    return answer
  }
}

/// The state of one reactor: how it is read and changed.
@usableFromInline
final class StateStorage<State: Sendable>: StateWindow, @unchecked Sendable {
  // Safe to share: see StateWindow; `shown` is only touched under `lock`.

  /// What `transform(state:)` shows in place of this state, if it does.
  private var shown: StateStorage<State>?

  @usableFromInline
  init(_ state: State) {
    super.init(size: MemoryLayout<State>.size, alignment: MemoryLayout<State>.alignment)
    own.initialize(to: state)
  }

  deinit {
    own.deinitialize(count: 1)
  }

  /// The state that the reactor was made with; once it is nested, it is kept for the day its part is gone.
  private var own: UnsafeMutablePointer<State> { base.assumingMemoryBound(to: State.self) }

  override fileprivate func copy() -> UnsafeMutableRawPointer {
    let copy = UnsafeMutablePointer<State>.allocate(capacity: 1)
    copy.initialize(to: own.pointee)
    return UnsafeMutableRawPointer(copy)
  }

  override fileprivate func destroy(_ copy: UnsafeMutableRawPointer) {
    let value = copy.assumingMemoryBound(to: State.self)
    value.deinitialize(count: 1)
    value.deallocate()
  }

  // MARK: From any thread

  /// A copy of the committed state.
  @usableFromInline
  func read() -> State {
    var register: Unmanaged<ReaderRegister>?
    return read(&register)
  }

  func readWithCommit() -> (state: State, commit: Int) {
    var register: Unmanaged<ReaderRegister>?
    var commit = 0
    let state = read(&register, &commit)
    return (state, commit)
  }

  /// The same, and the register of readers, which is found under the lock that is taken anyway.
  func read(_ register: inout Unmanaged<ReaderRegister>?) -> State {
    var commit = 0
    return read(&register, &commit)
  }

  /// No tuple with a state in it: where its type is not known, making one costs more than reading.
  @inline(__always)
  private func read(_ register: inout Unmanaged<ReaderRegister>?, _ commit: inout Int) -> State {
    if ThreadMark.isReducing { stopReading() }
    lock.lock()
    register = uncountedRegister
    if isAtHome, shown == nil {
      let (base, count) = readable(by: ThreadMark.thread)
      let state = base.assumingMemoryBound(to: State.self).pointee
      commit = count &+ commitOffset
      lock.unlock()
      return state
    }
    let shown = shown
    lock.unlock()
    let (state, count) = shown?.readWithCommit() ?? readInTree()
    commit = count
    return state
  }

  private func stopReading() -> Never {
    mistake(
      """
      `state` (\(State.self)) was read inside `reduce`. A reducer is a function of its parameters: use the `state` \
      parameter, or read the other reactor's state in `mutate(action:)` and put it into the mutation.
      """)
  }

  private func readInTree() -> (state: State, commit: Int) {
    while true {
      lock.lock()
      let (tree, place, offset, move) = (currentTree, self.place, commitOffset, moveCount)
      lock.unlock()
      let (state, commit) = read(in: tree, at: place)
      // What was found there is another reactor's, if this one has moved meanwhile.
      guard lock.withLock({ moveCount == move }) else { continue }
      // Its part has gone, and its reactor is about to hear of it: what remains is the state it was made with.
      return (state ?? initial, commit &+ offset)
    }
  }

  private func read(in tree: StateTree, at place: Place) -> (state: State?, commit: Int) {
    var state: State?
    let commit = tree.lock.withLock {
      let (base, commit) = tree.readable(by: ThreadMark.thread)
      ThreadMark.beginReduce()
      _ = place.visit(base) { state = $0.assumingMemoryBound(to: State.self).pointee }
      ThreadMark.endReduce()
      return commit
    }
    return (state, commit)
  }

  /// How many commits its tree has seen.
  var commitCount: Int {
    let tree = lock.withLock { currentTree }
    return tree.lock.withLock { tree.commits }
  }

  private var initial: State { lock.withLock { own.pointee } }

  // MARK: In a turn

  /// One commit: `change` runs under the lock.
  @inlinable
  func commit(_ change: (inout State) -> Void) {
    let tree = uncountedTree!
    tree._withUnsafeGuaranteedRef { $0.beginCommit() }
    if let address { change(&address.assumingMemoryBound(to: State.self).pointee) } else { changePlace(change) }
    tree._withUnsafeGuaranteedRef { $0.endCommit() }
  }

  @usableFromInline
  func changePlace(_ change: (inout State) -> Void) {
    _ = place.modify(tree.base) { change(&$0.assumingMemoryBound(to: State.self).pointee) }
  }

  /// Replaces the state as a whole and hands the old one back, so that it is released without the lock.
  @inlinable
  func replace(with state: State) -> State {
    var old = state
    commit { swap(&$0, &old) }
    return old
  }

  /// Replaces the initial state, if nothing of the reactor has run yet and it is not nested. From any thread.
  func replaceBeforeUse(with state: State) -> Bool {
    // The old state is released after unlocking.
    var old = state
    return lock.withLock {
      guard !isInUse else { return false }
      swap(&own.pointee, &old)
      return true
    }
  }

  /// The state as it is: where it lies if that is known, otherwise as a copy.
  @inlinable
  func withState<Result>(_ body: (UnsafeMutablePointer<State>) -> Result) -> Result {
    if let storedAddress { return body(storedAddress.assumingMemoryBound(to: State.self)) }
    return withFoundState(body)
  }

  @usableFromInline
  func withFoundState<Result>(_ body: (UnsafeMutablePointer<State>) -> Result) -> Result {
    if let address, place.isThere(in: tree.base) { return body(address.assumingMemoryBound(to: State.self)) }
    var copy = read()
    return withUnsafeMutablePointer(to: &copy, body)
  }

  /// From here on readers get another storage's state.
  func show(_ other: StateStorage<State>) {
    lock.withLock { shown = other }
  }

  /// Where the state that is shown lies.
  @usableFromInline
  var displayed: StateStorage<State> { shown ?? self }
}
