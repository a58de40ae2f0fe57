// Reads: for whoever is outside, and lets the Observation module know if it is following.
// Never: delays a reader who is not followed by more than the question whether it is.
// Guarded by: see TrackedPaths.

public import Observation

/// Inside `withObservationTracking`, an `Observations` sequence or the body of a SwiftUI view, `reactor.name` follows
/// `name`, and `reactor.state` follows the whole state.
///
/// - A commit that leaves `name` as it was calls nobody. A value that is not `Equatable` counts as changed with every
///   commit, and so does the whole state: read `reactor.name` rather than `reactor.state.name`.
/// - The callback comes on the reactor's queue, in the turn of the commit, before observers are told, once per tracking.
///   Unlike with the `@Observable` macro the change has already happened: reading in the callback gives the new value.
/// - Trackings outside of the queue miss nothing either; one that is set up while a commit comes may be called although it
///   has seen it, or once more.
/// - Real members win over properties of the state with the same name: of a state with a `queue`, `reactor.queue` is still
///   the reactor's queue. Use another name, or `reactor.state.queue`.
///
/// ```swift
/// withObservationTracking {
///   print(reactor.count)
/// } onChange: {
///   print("count has changed")
/// }
/// ```
///
/// **Cost.** Outside of a tracking scope a read asks whether there is one, about 10 ns. While nobody tracks, commits do
/// nothing for it; otherwise a path is compared once per commit, however many readers it has, and its value is kept, so
/// the next change of a large collection copies it.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
extension BaseReactor: Observable {}

extension ReactorCore {
  // The path to the whole state is only formed for a reader who is followed: where its type is not known, that takes
  // longer than everything else.
  func readState() -> State {
    guard #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) else { return storage.read() }
    var register: Unmanaged<ReaderRegister>?
    let state = storage.read(&register)
    return isReadTracked(register) ? readTracked(\.self) : state
  }

  /// The value of a path, for a reader who may be followed.
  func read<Value>(_ path: KeyPath<State, Value>) -> Value {
    guard #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) else { return storage.read()[keyPath: path] }
    var register: Unmanaged<ReaderRegister>?
    let state = storage.read(&register)
    return isReadTracked(register) ? readTracked(path) : state[keyPath: path]
  }

  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
  private func isReadTracked(_ register: Unmanaged<ReaderRegister>?) -> Bool {
    // Safe: the register is a `TrackedPaths`, and lives as long as the core.
    register.map { $0._withUnsafeGuaranteedRef { unsafeDowncast($0, to: TrackedPaths<State>.self).isReadTracked } }
      ?? trackedPaths.isReadTracked
  }

  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
  private var trackedPaths: TrackedPaths<State> {
    // Safe: nobody registers anything else.
    unsafeDowncast(storage.register { TrackedPaths<State>() }, to: TrackedPaths<State>.self)
  }

  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
  private func readTracked<Value>(_ path: KeyPath<State, Value>) -> Value {
    let paths = trackedPaths
    if lane.isCurrent {
      let (value, isUnconnected) = paths.readOnQueue(path) { storage.read()[keyPath: path] }
      if isUnconnected { connect(paths) }
      return value
    }
    let (value, isUnconnected) = paths.readElsewhere(path) { [lane, queue] recheck in
      // Twice round: whoever is being installed can be called, but does not know yet that this is its end.
      lane.run(on: queue) { lane.run(on: queue, recheck) }
    } _: {
      storage.read()[keyPath: path]
    }
    if isUnconnected {
      receive(
        .order(
          WatchOrder(errand: { [weak self] in
            guard let self else { return }
            connect(paths)
            // What was committed since it was read.
            storage.displayed.withState { look(paths, at: $0) }
          })), .tidying)
    }
    return value
  }

  /// On the queue.
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
  private func connect(_ paths: TrackedPaths<State>) {
    paths.connect()
    madeParts.afterCommit = { [weak self] in self?.look(paths, at: $0) }
    noteObservers()
  }

  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
  private func look(_ paths: TrackedPaths<State>, at state: UnsafeMutablePointer<State>) {
    if paths.look(at: state) || !paths.disconnect() { return }
    parts?.afterCommit = nil
    noteObservers()
  }

  /// Calls those who follow a path although it has not changed. In a turn.
  func callReaders(of path: AnyKeyPath) {
    guard #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) else { return }
    trackedPaths.fire(path)
  }
}
