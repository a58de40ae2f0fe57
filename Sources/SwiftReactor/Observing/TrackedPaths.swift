// Mirrors: the state into the Observation module, so that who reads a path inside a tracking scope hears of its change.
// Never: costs a commit anything while nobody is tracking, calls back or compares under a lock.
// Guarded by: `lock` guards the directory and the post box; what is marked "in a turn" belongs to the reactor's queue.
//
// The life of a path: it is *watched* from the first tracked read on. The first commit that changes it *fires* it: every
// reader is called, and the path rests until somebody reads it again. So a path is compared once per commit, however many
// readers it has, and a reader is called once per tracking.

internal import Observation

/// What a reactor's readers are entered in. The type has no availability, so that a property can hold it.
class ReaderRegister: @unchecked Sendable {
  // Safe to share: the one subclass guards what it adds.
}

/// The paths of one reactor that are read in tracking scopes.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
final class TrackedPaths<State: Sendable>: ReaderRegister, @unchecked Sendable {
  // Safe to share: see "Guarded by".

  private let registrar = ObservationRegistrar()
  private let probe = TrackingProbe()

  private let lock = Lock()
  private var directory: [AnyKeyPath: TrackedPath<State>] = [:]
  /// How often the directory was replaced.
  private var editions = 0
  /// What readers elsewhere have begun to follow, for the next look at the paths.
  private var post: [Letter] = []
  private var connection = Connection.none
  /// The thread that calls readers just now, 0 for none.
  private var firingThread: UInt = 0

  // In a turn, or on the queue while no turn is open.
  @exclusivity(unchecked) private var watched = WatchedBytes()
  @exclusivity(unchecked) private var idleCommits = 0

  /// Does the reactor tell of its commits?
  private enum Connection {
    case none
    case requested
    case made
  }

  /// Word from a reader elsewhere.
  private struct Letter {
    let path: TrackedPath<State>
    /// Nil: the reader is about to read.
    let read: (() -> Void)?
  }

  /// Is the running code in a tracking scope?
  var isReadTracked: Bool { probe.asks(registrar) }

  // MARK: Readers

  /// A tracked read on the queue.
  ///
  /// - Parameter read: Takes the value out of the newest state.
  /// - Returns: The value, and whether the reactor has to be asked for its commits.
  func readOnQueue<Value>(_ path: KeyPath<State, Value>, _ read: () -> Value) -> (Value, isUnconnected: Bool) {
    openPost()
    forgetUnused()
    let tracked = known(path)
    let connection = lock.withLock { self.connection }
    registrar.access(TrackedSubject.shared, keyPath: tracked.path)
    let value = read()
    watch(tracked)
    tracked.noteSeen(value)
    return (value, connection != .made)
  }

  /// A tracked read elsewhere. Scopes are installed after their code has run, and a commit may come in between; so the
  /// reader leaves a ticket, which notices at the installation that it is too late.
  func readElsewhere<Value>(
    _ path: KeyPath<State, Value>, recheck: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    _ read: () -> Value
  ) -> (Value, isUnconnected: Bool) {
    // Announced first and read then: a commit that comes meanwhile finds the path watched.
    let tracked = known(path)
    let fires = lock.withLock {
      post.append(Letter(path: tracked, read: nil))
      return tracked.fires
    }
    let ticket = Ticket { [weak self, weak tracked] in
      guard let self, let tracked, isRecheckNeeded(of: tracked, since: fires) else { return }
      recheck { [weak self, weak tracked] in
        guard let self, let tracked else { return }
        lock.withLock { tracked.isRecheckDue = false }
        fire([tracked])
      }
    }
    registrar.access(TrackedSubject.shared, keyPath: TrackedSubject.path(to: tracked.key, ticket))
    let value = read()
    let isUnconnected = lock.withLock { () -> Bool in
      // Safe: the value is only compared, on the queue, and came out of a state that is `Sendable`.
      nonisolated(unsafe) let value = value
      post.append(Letter(path: tracked) { tracked.noteSeen(value) })
      defer { if connection == .none { connection = .requested } }
      return connection == .none
    }
    return (value, isUnconnected)
  }

  private func known<Value>(_ path: KeyPath<State, Value>) -> TrackedPath<State> {
    while true {
      // Looked up and copied outside of the lock: paths with indices in them run the user's `hash` and `==`.
      let (directory, edition) = lock.withLock { (self.directory, editions) }
      if let known = directory[path] { return known }
      let made = TrackedPath<State>.make(path)
      var grown = directory
      grown[path] = made
      if replace(with: &grown, after: edition) { return made }
    }
  }

  /// Paths with indices in them may be many; those that nobody watches are forgotten now and then. On the queue.
  private func forgetUnused() {
    let (directory, edition) = lock.withLock { (self.directory, editions) }
    guard directory.count > 2 * watched.list.count + 64 else { return }
    var rest = directory.filter { $0.value.isWatched }
    _ = replace(with: &rest, after: edition)
  }

  /// The old directory is let go after unlocking, by the caller. False: somebody else has replaced it.
  private func replace(with other: inout [AnyKeyPath: TrackedPath<State>], after edition: Int) -> Bool {
    lock.withLock {
      guard editions == edition else { return false }
      editions += 1
      swap(&directory, &other)
      return true
    }
  }

  private func isRecheckNeeded(of path: TrackedPath<State>, since fires: Int) -> Bool {
    lock.withLock {
      // A tracking that is being called takes its paths out, which is no installation.
      guard path.fires != fires, firingThread != ThreadMark.thread, !path.isRecheckDue else { return false }
      path.isRecheckDue = true
      return true
    }
  }

  // MARK: In a turn

  /// The reactor tells of its commits from here on.
  func connect() {
    lock.withLock { connection = .made }
    idleCommits = 0
  }

  /// Nobody has followed for a while: the reactor need not tell of its commits any more.
  func disconnect() -> Bool {
    lock.withLock {
      guard post.isEmpty, watched.list.isEmpty else { return false }
      connection = .none
      return true
    }
  }

  /// A commit: calls the readers of what has changed.
  ///
  /// - Returns: Whether anybody is worth the question after the next one.
  func look(at state: UnsafeMutablePointer<State>) -> Bool {
    openPost()
    var changed: [TrackedPath<State>] = []
    let base = UnsafeRawPointer(state)
    // By index: comparing runs user code, which may read.
    var next = watched.firstDifference(from: 0, base)
    while let index = next {
      // Safe: nothing else is watched here.
      let path = unsafeDowncast(watched.list[index].path, to: TrackedPath<State>.self)
      if path.takeChange(state) { changed.append(path) }
      next = watched.firstDifference(from: index + 1, base)
    }
    if !changed.isEmpty { fire(changed) }
    if !watched.list.isEmpty { idleCommits = 0 } else { idleCommits += 1 }
    return idleCommits < 16
  }

  /// Calls the readers of a path whether it has changed or not, and those of the whole state.
  func fire(_ path: AnyKeyPath) {
    openPost()
    let directory = lock.withLock { self.directory }
    fire([path, \State.self as AnyKeyPath].compactMap { directory[$0] })
  }

  private func fire(_ paths: [TrackedPath<State>]) {
    for path in paths {
      path.isWatched = false
      // While it rests nothing of the state is kept for it.
      path.forget()
    }
    watched.list.removeAll {
      // Safe: see `look`.
      let path = unsafeDowncast($0.path, to: TrackedPath<State>.self)
      if !path.isWatched { path.isListed = false }
      return !path.isWatched
    }
    let outer = lock.withLock { () -> UInt in
      for path in paths { path.fires &+= 1 }
      defer { firingThread = ThreadMark.thread }
      return firingThread
    }
    for path in paths { registrar.withMutation(of: TrackedSubject.shared, keyPath: path.path) {} }
    lock.withLock { firingThread = outer }
  }

  private func openPost() {
    let letters = lock.withLock { () -> [Letter] in
      if post.isEmpty { return [] }
      defer { post = [] }
      return post
    }
    for letter in letters {
      if letter.read == nil { watch(letter.path) } else if letter.path.isWatched { letter.read?() }
    }
  }

  private func watch(_ path: TrackedPath<State>) {
    if path.isWatched { return }
    path.isWatched = true
    path.forget()
    if path.isListed { return }
    path.isListed = true
    watched.list.append(.init(path: path, offset: path.offset, size: path.size, seen: path.seen))
  }
}

/// The bytes of the watched paths, as readers saw them. No generic type, so that a commit is quick about many of them
/// although it does not know their types.
struct WatchedBytes {
  struct Watch {
    let path: AnyObject
    let offset: Int
    /// 0: the path has to be asked.
    let size: Int
    let seen: UnsafeMutableRawPointer
  }

  var list: ContiguousArray<Watch> = []

  /// The next path whose bytes have changed. The same bytes are the same value, whatever its type; if they differ, the
  /// type is asked.
  func firstDifference(from start: Int, _ state: UnsafeRawPointer) -> Int? {
    list.withUnsafeBufferPointer { list in
      var index = start
      while index < list.count {
        let size = list[index].size
        if size == 0 || !Self.isSame(state + list[index].offset, list[index].seen, size) { return index }
        index &+= 1
      }
      return nil
    }
  }

  @inline(__always)
  private static func isSame(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, _ size: Int) -> Bool {
    if size == 8 { return lhs.loadUnaligned(as: UInt64.self) == rhs.loadUnaligned(as: UInt64.self) }
    var index = 0
    while index < size {
      if lhs.load(fromByteOffset: index, as: UInt8.self) != rhs.load(fromByteOffset: index, as: UInt8.self) {
        return false
      }
      index &+= 1
    }
    return true
  }
}
