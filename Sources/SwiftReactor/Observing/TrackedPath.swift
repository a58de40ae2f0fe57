// One path of a state that is read in tracking scopes: what its readers saw last, and its name in the Observation module.

internal import Observation

/// A path that counts as changed with every commit: the whole state, or a value that cannot be compared.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
class TrackedPath<State: Sendable>: @unchecked Sendable {
  // Safe to share: `fires` and `isRecheckDue` are guarded by the lock of `TrackedPaths`, what is marked "in a turn" belongs to the queue.

  /// Tells it from other paths in the Observation module.
  final let key = TrackedKey()
  /// The name under which readers are entered.
  final let path: KeyPath<TrackedSubject, Int>
  /// How often its readers were called.
  @exclusivity(unchecked) final var fires = 0
  /// Its readers will be called once more, for one who came too late.
  @exclusivity(unchecked) final var isRecheckDue = false
  /// Compared at each commit. In a turn.
  @exclusivity(unchecked) final var isWatched = false
  /// It is in the list of those that are compared. In a turn.
  @exclusivity(unchecked) final var isListed = false

  /// Where the value lies in the state, and how many bytes it has; size 0: it has to be asked for.
  var offset: Int { 0 }
  var size: Int { 0 }
  var seen: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 1)! }

  static func make<Value>(_ path: KeyPath<State, Value>) -> TrackedPath<State> {
    // Of a whole state no copy is kept.
    guard path != \State.self, let type = Value.self as? any Equatable.Type else { return TrackedPath() }
    func make<Member: Equatable>(_: Member.Type) -> TrackedPath<State> {
      // Safe: `Member` is `Value`.
      ComparedPath<State, Member>(unsafeDowncast(path, to: KeyPath<State, Member>.self))
    }
    return make(type)
  }

  init() {
    path = TrackedSubject.path(to: key, nil)
  }

  /// What a reader got. The first one counts: who reads later has seen the same, or is called once too often.
  func noteSeen<Value>(_ value: Value) {}

  /// Nothing has been seen.
  func forget() {}

  /// Has the value changed? Takes the new one. In a turn.
  func takeChange(_ state: UnsafeMutablePointer<State>) -> Bool { true }
}

/// A path whose values are compared.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
final class ComparedPath<State: Sendable, Member: Equatable>: TrackedPath<State>, @unchecked Sendable {
  // Safe to share: everything belongs to the queue. Key paths are immutable.
  private let member: KeyPath<State, Member>
  private let distance: Int?
  private let value = UnsafeMutablePointer<Member>.allocate(capacity: 1)
  @exclusivity(unchecked) private var isKnown = false

  init(_ member: KeyPath<State, Member>) {
    self.member = member
    // Bytes that are no value are never looked at as one: `isKnown` says so.
    distance = MemoryLayout<State>.offset(of: member)
    UnsafeMutableRawPointer(value).initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Member>.size)
    super.init()
  }

  deinit {
    forget()
    value.deallocate()
  }

  override var offset: Int { distance ?? 0 }
  override var size: Int { distance == nil ? 0 : MemoryLayout<Member>.size }
  override var seen: UnsafeMutableRawPointer { UnsafeMutableRawPointer(value) }

  override func noteSeen<Value>(_ value: Value) {
    guard !isKnown, let value = value as? Member else { return }
    self.value.initialize(to: value)
    isKnown = true
  }

  override func forget() {
    if isKnown { value.deinitialize(count: 1) }
    isKnown = false
  }

  override func takeChange(_ state: UnsafeMutablePointer<State>) -> Bool {
    let new = state.pointee[keyPath: member]
    // Somebody is just reading for the first time, elsewhere.
    guard isKnown else {
      noteSeen(new)
      return true
    }
    if value.pointee == new { return false }
    value.pointee = new
    return true
  }
}

/// What tells paths apart in the Observation module. It knows nothing, so that key paths that live on hold nothing.
final class TrackedKey: Sendable {}

/// Is asked whenever the Observation module touches a path that was read elsewhere.
final class Ticket: Sendable {
  let isTouched: @Sendable () -> Void

  init(_ isTouched: @escaping @Sendable () -> Void) {
    self.isTouched = isTouched
  }
}

/// The subject of all reads. The module wants one, and asks it for nothing.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
final class TrackedSubject: Observable, Sendable {
  static let shared = TrackedSubject()

  /// A path's place in key paths. Two are the same if their paths are.
  struct Name: Hashable, Sendable {
    let key: TrackedKey
    let ticket: Ticket?

    static func == (lhs: Name, rhs: Name) -> Bool { lhs.key === rhs.key }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(key))
      ticket?.isTouched()
    }
  }

  subscript(name: Name) -> Int { 0 }
  subscript(probe probe: TrackingProbe.Mark) -> Int { 0 }

  static func path(to key: TrackedKey, _ ticket: Ticket?) -> KeyPath<TrackedSubject, Int> {
    \TrackedSubject[Name(key: key, ticket: ticket)]
  }
}

/// Finds out whether the running code is in a tracking scope. The Observation module does not tell; but only inside a
/// scope does it enter what is read into a set, and then it asks for the hash.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct TrackingProbe: @unchecked Sendable {
  // Safe to share: constants, and key paths are immutable.
  private let path: KeyPath<TrackedSubject, Int>
  private let mark: UInt32
  private let works: Bool

  /// The part of the path that notes on its thread that it was hashed.
  struct Mark: Hashable, Sendable {
    static func == (lhs: Mark, rhs: Mark) -> Bool { true }
    func hash(into hasher: inout Hasher) { ThreadMark.set(ThreadMark.tracked) }
  }

  private init(works: Bool) {
    path = \TrackedSubject[probe: Mark()]
    mark = ThreadMark.tracked
    self.works = works
  }

  init() {
    self.init(works: Self.works)
  }

  /// Should the module ever do without the hash, every read counts as tracked: slower, but nothing is missed.
  private static let works: Bool = {
    let registrar = ObservationRegistrar()
    let probe = TrackingProbe(works: true)
    return withObservationTracking {
      probe.asks(registrar)
    } onChange: {
    }
  }()

  /// Each reactor is asked through its own registrar: what is noted there ends with it.
  @inline(__always)
  func asks(_ registrar: ObservationRegistrar) -> Bool {
    registrar.access(TrackedSubject.shared, keyPath: path)
    if !ThreadMark.isSet(mark), works { return false }
    return asksAgain(registrar)
  }

  /// The mark may be an old one: scopes are installed, and taken out again, on this thread too.
  private func asksAgain(_ registrar: ObservationRegistrar) -> Bool {
    ThreadMark.clear(mark)
    registrar.access(TrackedSubject.shared, keyPath: path)
    defer { ThreadMark.clear(mark) }
    return ThreadMark.isSet(mark) || !works
  }
}
