// Tells: walks through those whom the machine names, without the lock as long as nobody leaves.
// Never: calls somebody whose cancel has returned before (Contract G12); frees somebody who is being called.
// Guarded by: the lane's lock; the list of those who are told belongs to the turn.

/// Those who are told of one commit.
struct Telling: ~Copyable {
  /// In order. Not counted: the lane's table holds them, or `kept`.
  private(set) var list: UnsafeMutablePointer<Unmanaged<Observer>>?
  private var capacity = 0
  private(set) var count = 0
  /// Whom the list was made for: as long as nobody comes or goes, the same is not listed twice.
  var occasion = Occasion()
  /// Whose commit is being told; none between deliveries.
  var reactor = SlotKey.none
  /// Who has left since it began. One of them may be being called just now.
  private(set) var kept: [Observer] = []

  struct Occasion: Equatable {
    var reactor = SlotKey.none
    var audience = 0
  }

  deinit {
    list?.deallocate()
  }

  mutating func keep(_ observers: [Observer]) {
    kept += observers
  }

  /// Takes out who has left, to be released without the lock.
  mutating func takeKept() -> [Observer]? {
    if kept.isEmpty { return nil }
    defer { kept = [] }
    return kept
  }

  /// Room for a list of so many.
  mutating func begin(count: Int) -> UnsafeMutablePointer<Unmanaged<Observer>> {
    self.count = count
    if let list, count <= capacity { return list }
    list?.deallocate()
    capacity = max(8, count * 2)
    let larger = UnsafeMutablePointer<Unmanaged<Observer>>.allocate(capacity: capacity)
    list = larger
    return larger
  }
}

/// A flag that any thread may raise under a lock, and one thread sees without it.
///
/// What that takes is a number that is read and written atomically. There is one in every object, how often it is
/// referenced: a second reference is a raised flag. The system's atomics would need newer systems than the floor.
@usableFromInline
final class Alarm: @unchecked Sendable {
  // Safe to share: see the comments of the properties; the count of references is atomic.

  @usableFromInline
  final class Token {}

  /// The first reference. Only looked at by the thread that wants to know.
  @usableFromInline let first: UnsafeMutablePointer<Token>
  private let token: Unmanaged<Token>
  /// Under the lock.
  @exclusivity(unchecked) private var isRaised = false

  init() {
    let token = Token()
    self.token = .passUnretained(token)
    first = .allocate(capacity: 1)
    first.initialize(to: token)
  }

  deinit {
    if isRaised { token.release() }
    first.deinitialize(count: 1)
    first.deallocate()
  }

  func raise() {
    if isRaised { return }
    isRaised = true
    _ = token.retain()
  }

  func lower() {
    if !isRaised { return }
    isRaised = false
    token.release()
  }

  @inlinable var isSeen: Bool { !isKnownUniquelyReferenced(&first.pointee) }
}

extension Lane {
  /// Begins to tell the audience of every commit, and that of a path that has changed, if `audience` is not 0. It stays open
  /// until `endDelivery`, or until the turn goes on.
  @usableFromInline
  func beginDelivery(of reactor: SlotKey, changed audience: Int) -> Told {
    lock.lock()
    let left = beginLocked(of: reactor)
    if audience != 0 { machine.includeAudience(audience) }
    let occasion = Telling.Occasion(reactor: reactor, audience: audience)
    // Mostly it is the same as last time.
    if occasion != telling.occasion || machine.newestOfTreeCommit != nil {
      listLocked()
      telling.occasion = machine.newestOfTreeCommit == nil ? occasion : Telling.Occasion()
    }
    let told = Told(list: telling.list, count: telling.count)
    lock.unlock()
    if left != nil { withExtendedLifetime(left) {} }
    return told
  }

  /// The same with the audiences of several paths that have changed.
  @usableFromInline
  func beginDelivery(of reactor: SlotKey, changed audiences: ContiguousArray<Int>) -> Told {
    lock.lock()
    let left = beginLocked(of: reactor)
    for audience in audiences { machine.includeAudience(audience) }
    listLocked()
    telling.occasion = Telling.Occasion()
    let told = Told(list: telling.list, count: telling.count)
    lock.unlock()
    if left != nil { withExtendedLifetime(left) {} }
    return told
  }

  private func beginLocked(of reactor: SlotKey) -> [Observer]? {
    let left = closeLocked()
    machine.beginDelivery(of: reactor)
    telling.reactor = reactor
    return left
  }

  private func listLocked() {
    let seats = machine.listDelivery()
    let list = telling.begin(count: seats.count)
    for index in seats.indices { list[index] = observers.unmanaged(seats[index].observer) }
  }

  /// Somebody has left, or the reactor itself: who is next, now that the first `count` were told? Nil at the end.
  @usableFromInline
  func nextObserver(after count: Int) -> Observer? {
    lock.withLock {
      machine.delivery.position = max(machine.delivery.position, count)
      return machine.nextObserver().flatMap { observers[$0] }
    }
  }

  /// Everybody was told.
  @usableFromInline
  func endDelivery() {
    let left = lock.withLock { closeLocked() }
    withExtendedLifetime(left) {}
  }

  /// Under the lock: ends the delivery that is still open, if there is one. The result is released after unlocking.
  func closeLocked() -> [Observer]? {
    if telling.reactor.isNone { return nil }
    machine.endDelivery()
    telling.reactor = .none
    disturbed.lower()
    return telling.takeKept()
  }

  /// The next delivery takes the long way: for tests, which compare it with the short one.
  func disturb() {
    lock.withLock { disturbed.raise() }
  }

  /// Those who are told, as it was when the delivery began.
  @usableFromInline
  struct Told {
    @usableFromInline let list: UnsafeMutablePointer<Unmanaged<Observer>>!
    @usableFromInline let count: Int
  }

  /// Returns the reactor if it should tidy up because an audience may have nobody left.
  func cancelObserver(_ key: SlotKey) -> SlotKey? {
    // The observer is released after unlocking: it holds the user's closure.
    let (reactor, observer) = lock.withLock { () -> (SlotKey?, Observer?) in
      guard let record = machine.observers[key] else { return (nil, nil) }
      let observer = observers.take(key)
      telling.occasion = Telling.Occasion()
      guard isTelling(record.reactor) else { return (machine.cancelObserver(key), observer) }
      _ = machine.cancelObserver(key)
      if let observer { keepUntilEnd([observer]) }
      return (record.reactor, observer)
    }
    return withExtendedLifetime(observer) { reactor }
  }

  func register(_ key: SlotKey, in audience: Int) -> Bool {
    lock.withLock {
      telling.occasion = Telling.Occasion()
      return machine.register(key, in: audience)
    }
  }

  /// Under the lock.
  func isTelling(_ reactor: SlotKey) -> Bool { !reactor.isNone && telling.reactor == reactor }

  /// Under the lock: who has left may be being called, and is not called again.
  func keepUntilEnd(_ observers: [Observer]) {
    telling.keep(observers)
    disturbed.raise()
  }
}
