// Shows again: tells controls of what was set and not taken as it was, and views of everything.
// Never: calls anything a change that is none; observers of a path hear nothing of what is shown again.
// Guarded by: the list of controls by the state's lock; they are told in turns.

/// Somebody who shows a value, or all of them.
final class ShownControl<State: Sendable>: @unchecked Sendable {
  // Safe to share: `isOver` is only touched under `lock`, key paths are immutable.
  private let path: AnyKeyPath?
  private let show: @Sendable (UnsafeMutablePointer<State>) -> Void
  private let lock = Lock()
  private var isOver = false

  /// - Parameter path: What it shows; nil for everything.
  init(_ path: AnyKeyPath?, _ show: @escaping @Sendable (UnsafeMutablePointer<State>) -> Void) {
    self.path = path
    self.show = show
  }

  func end() {
    lock.withLock { isOver = true }
  }

  /// Shows what is there, if the path is its own.
  func show(_ path: AnyKeyPath, of state: UnsafeMutablePointer<State>) {
    if self.path != nil, self.path != path { return }
    if !lock.withLock({ isOver }) { show(state) }
  }
}

/// Hears that there was a commit, not that there is a state to begin with.
final class AnnouncementObserver<State: Sendable>: StateObserver<State>, @unchecked Sendable {
  // Safe to share: a constant.
  private let announce: @Sendable () -> Void

  init(_ announce: @escaping @Sendable () -> Void) {
    self.announce = announce
  }

  override func deliver(_ state: UnsafeMutablePointer<State>) { announce() }
  override func deliverInitial(_ state: UnsafeMutablePointer<State>) {}
}

extension ReactorCore {
  /// Tells a control the value of a path: now, when it is another one, and when it is to be shown again.
  func control<Value: Sendable>(
    _ path: KeyPath<State, Value>, _ isolation: ReceiverIsolation, _ receive: @escaping @Sendable (Value) -> Void
  ) -> EventSubscription {
    // Safe: key paths are immutable.
    nonisolated(unsafe) let shown = path
    let changes = observe(
      path, sharedAs: Value.self is any Equatable.Type ? path : nil, by: isEqual, isolation: isolation, receive)
    return add(ShownControl(path) { receive($0.pointee[keyPath: shown]) }, with: changes)
  }

  /// Tells a view of every commit from here on, and of everything that is to be shown again.
  package func announceCommits(_ announce: @escaping @Sendable () -> Void) -> EventSubscription {
    add(ShownControl(nil) { _ in announce() }, with: observe(AnnouncementObserver(announce)))
  }

  private func add(_ control: ShownControl<State>, with changes: EventSubscription) -> EventSubscription {
    storage.lock.withLock { madeSharedParts.controls.append(control) }
    return EventSubscription(.repeatable) { [weak self] in
      changes.cancel()
      control.end()
      guard let self else { return }
      // Released after unlocking: it holds the user's closure.
      let removed = storage.lock.withLock {
        sharedParts?.controls.firstIndex { $0 === control }.map { sharedParts?.controls.remove(at: $0) }
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Behind everything that was sent so far: shows the value of a path once more, unless it is what was set.
  func showAgain<Value: Sendable>(_ path: KeyPath<State, Value>, unless value: Value) {
    // Safe: key paths are immutable.
    nonisolated(unsafe) let path = path
    receive(
      .order(
        WatchOrder(errand: { [weak self] in
          guard let self, isStateThere else { return }
          storage.displayed.withState { state in
            if isEqual(state.pointee[keyPath: path], value) { return }
            self.callReaders(of: path)
            let controls = self.storage.lock.withLock { self.sharedParts?.controls ?? [] }
            for control in controls { control.show(path, of: state) }
          }
        })), .tidying)
  }
}
