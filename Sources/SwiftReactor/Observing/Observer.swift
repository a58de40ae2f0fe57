// The way out: who is told of a commit, and what of it.

/// Somebody who is told of commits.
@usableFromInline
class Observer: @unchecked Sendable {
  // Safe to share: subclasses change only what belongs to the turn.

  /// The reactor is gone. On whatever thread let it go.
  func end() {}
}

/// An observer of a state of a certain type.
@usableFromInline
class StateObserver<State: Sendable>: Observer, @unchecked Sendable {
  // Safe to share: see Observer.

  /// Finds its audience. In a turn.
  func enroll<Action, Mutation>(in core: ReactorCore<Action, Mutation, State>) -> Int { 0 }

  /// Tells it. In a turn; the state does not change meanwhile.
  @usableFromInline
  func deliver(_ state: UnsafeMutablePointer<State>) {}

  /// Tells it what it begins with. In a turn.
  func deliverInitial(_ state: UnsafeMutablePointer<State>) { deliver(state) }
}

/// Hears every commit.
final class CommitObserver<State: Sendable>: StateObserver<State>, @unchecked Sendable {
  // Safe to share: constants.
  private let receive: @Sendable (UnsafeMutablePointer<State>) -> Void
  private let finish: @Sendable () -> Void

  init(
    _ receive: @escaping @Sendable (UnsafeMutablePointer<State>) -> Void, finish: @escaping @Sendable () -> Void
  ) {
    self.receive = receive
    self.finish = finish
  }

  override func deliver(_ state: UnsafeMutablePointer<State>) { receive(state) }
  override func end() { finish() }
}

/// Hears that there was a commit, and takes no state with it.
final class SignalObserver<State: Sendable>: StateObserver<State>, @unchecked Sendable {
  // Safe to share: constants.
  private let signal: @Sendable () -> Void
  private let finish: @Sendable () -> Void

  init(signal: @escaping @Sendable () -> Void, finish: @escaping @Sendable () -> Void) {
    self.signal = signal
    self.finish = finish
  }

  override func deliver(_ state: UnsafeMutablePointer<State>) { signal() }
  override func end() { finish() }
}

/// Hears the values of one path that differ from the one before.
///
/// Its closures take pointers: such a closure is called as it was formed, in the module that knows the types.
@usableFromInline
final class PathObserver<State: Sendable, Value: Sendable>: StateObserver<State>, @unchecked Sendable {
  // Safe to share: `watch` and `value` belong to the turn, the rest are constants. Key paths are immutable.
  private let path: AnyKeyPath?
  private let read: (UnsafeMutablePointer<State>) -> Value
  private let update: (UnsafeMutablePointer<State>, UnsafeMutablePointer<Value>) -> Bool
  private let receive: (UnsafeMutablePointer<Value>) -> Void
  private let isInitialTold: Bool
  @exclusivity(unchecked) private var watch: PathWatch<State, Value>?
  /// The watch's value.
  @exclusivity(unchecked) private var value: UnsafeMutablePointer<Value>?

  /// - Parameters:
  ///   - path: What may be shared with other observers of the same path; nil if the comparison is the observer's own.
  ///   - read: Takes the value out of a state.
  ///   - update: Takes it out, compares it with the last one, and replaces that if they differ.
  ///   - receive: Calls the user's closure with a value.
  @usableFromInline
  init(
    path: AnyKeyPath?, isInitialTold: Bool, read: @escaping (UnsafeMutablePointer<State>) -> Value,
    update: @escaping (UnsafeMutablePointer<State>, UnsafeMutablePointer<Value>) -> Bool,
    receive: @escaping (UnsafeMutablePointer<Value>) -> Void
  ) {
    self.path = path
    self.isInitialTold = isInitialTold
    self.read = read
    self.update = update
    self.receive = receive
  }

  override func enroll<Action, Mutation>(in core: ReactorCore<Action, Mutation, State>) -> Int {
    let watch = sharedWatch(in: core) ?? ownWatch(in: core)
    self.watch = watch
    value = watch.value
    return watch.audience
  }

  private func sharedWatch<Action, Mutation>(
    in core: ReactorCore<Action, Mutation, State>
  ) -> PathWatch<State, Value>? {
    path.flatMap { core.pathWatches?.watch($0) } as? PathWatch<State, Value>
  }

  private func ownWatch<Action, Mutation>(in core: ReactorCore<Action, Mutation, State>) -> PathWatch<State, Value> {
    let value = core.storage.displayed.withState(read)
    let watch = PathWatch(audience: core.addAudience(), path: path, value: value, update: update)
    core.madePathWatches.add(watch)
    return watch
  }

  override func deliver(_ state: UnsafeMutablePointer<State>) {
    if let value { receive(value) }
  }

  override func deliverInitial(_ state: UnsafeMutablePointer<State>) {
    // Not the watch's value: in a tree the commit that is being told may not have come to this reactor's watches yet.
    guard isInitialTold else { return }
    var initial = read(state)
    receive(&initial)
  }
}

/// One path that somebody observes, compared once per commit however many observe it.
@usableFromInline
class AnyPathWatch<State: Sendable> {
  @usableFromInline final let audience: Int
  final let path: AnyKeyPath?

  init(audience: Int, path: AnyKeyPath?) {
    self.audience = audience
    self.path = path
  }

  /// Takes the new value; true if it differs.
  @usableFromInline
  func refresh(_ state: UnsafeMutablePointer<State>) -> Bool { false }
}

final class PathWatch<State: Sendable, Value: Sendable>: AnyPathWatch<State> {
  /// In memory of its own, so that it is changed in place by a closure that knows its type.
  let value: UnsafeMutablePointer<Value>
  private let update: (UnsafeMutablePointer<State>, UnsafeMutablePointer<Value>) -> Bool

  init(
    audience: Int, path: AnyKeyPath?, value: Value,
    update: @escaping (UnsafeMutablePointer<State>, UnsafeMutablePointer<Value>) -> Bool
  ) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
    self.update = update
    super.init(audience: audience, path: path)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  override func refresh(_ state: UnsafeMutablePointer<State>) -> Bool { update(state, value) }
}

/// The observed paths of one reactor. In a turn.
@usableFromInline
final class PathWatches<State: Sendable> {
  private var watches: ContiguousArray<AnyPathWatch<State>> = []
  /// The same, not counted: a commit walks through them, and none is forgotten meanwhile.
  @usableFromInline @exclusivity(unchecked) var uncounted: ContiguousArray<Unmanaged<AnyPathWatch<State>>> = []
  private var byPath: [AnyKeyPath: AnyPathWatch<State>] = [:]

  func watch(_ path: AnyKeyPath) -> AnyPathWatch<State>? { byPath[path] }

  func add(_ watch: AnyPathWatch<State>) {
    watches.append(watch)
    uncounted.append(.passUnretained(watch))
    if let path = watch.path { byPath[path] = watch }
  }

  func forget(where isUnused: (Int) -> Bool) {
    for watch in watches where isUnused(watch.audience) {
      if let path = watch.path, byPath[path] === watch { byPath[path] = nil }
    }
    watches.removeAll { isUnused($0.audience) }
    uncounted = ContiguousArray(watches.map { .passUnretained($0) })
  }
}
