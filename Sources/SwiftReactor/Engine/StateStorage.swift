// Keeps: the one state of a reactor, and changes it in place.
// Never: copies it for its own purposes, never runs user code besides `reduce` and what `reduce` drops.
// Guarded by: `lock`. Only the thread whose turn it is writes, so that thread may read without the lock.

/// The storage of a state. Readers on any thread see a committed state, never a torn one (Contract G6).
@usableFromInline
final class StateStorage<State: Sendable>: @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`, or read by the one thread that writes.
  @usableFromInline let lock = Lock()
  @usableFromInline let value: UnsafeMutablePointer<State>
  /// How many commits there were. Tells an async reader whether it has seen the newest one.
  @usableFromInline @exclusivity(unchecked) var commits = 0
  /// The last committed state, while a step with several actions is half done.
  private var held: (state: State, commit: Int, thread: UInt)?
  /// What `transform(state:)` shows in place of this state, if it does.
  private var shown: StateStorage<State>?

  @inlinable
  init(_ state: State) {
    value = .allocate(capacity: 1)
    value.initialize(to: state)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// A copy of the committed state, from any thread.
  func read() -> State {
    readWithCommit().state
  }

  func readWithCommit() -> (state: State, commit: Int) {
    ThreadMark.stopIfReducing()
    let (own, other) = lock.withLock { () -> ((State, Int)?, StateStorage<State>?) in
      if let shown { return (nil, shown) }
      if let held, held.thread != ThreadMark.thread { return ((held.state, held.commit), nil) }
      return ((value.pointee, commits), nil)
    }
    return own ?? other!.readWithCommit()
  }

  /// Readers on other threads see the state as it is now, until `letGo`. It costs a copy.
  @usableFromInline
  func hold() {
    lock.withLock { held = (value.pointee, commits, ThreadMark.thread) }
  }

  @usableFromInline
  func letGo() {
    // The copy is released after unlocking.
    lock.lock()
    let copy = held
    held = nil
    lock.unlock()
    withExtendedLifetime(copy) {}
  }

  /// One commit: `change` runs under the lock. On the queue, inside a turn.
  @inlinable
  func commit(_ change: (inout State) -> Void) {
    lock.lock()
    ThreadMark.beginReduce()
    change(&value.pointee)
    commits &+= 1
    ThreadMark.endReduce()
    lock.unlock()
  }

  /// Replaces the state as a whole and hands the old one back, so that it is released without the lock.
  @usableFromInline
  func replace(with state: State) -> State {
    lock.withLock {
      let old = value.move()
      value.initialize(to: state)
      commits &+= 1
      return old
    }
  }

  /// From here on readers get another storage's state.
  func show(_ other: StateStorage<State>) {
    lock.withLock { shown = other }
  }

  /// Where the state that is shown lies, for the thread whose turn it is.
  @usableFromInline
  var displayed: StateStorage<State> { shown ?? self }
}
