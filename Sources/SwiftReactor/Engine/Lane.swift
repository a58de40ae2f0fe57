// Drains: carries out what the machine decides, for all reactors of one queue.
// Never: decides about order, never waits for a queue or a thread, never runs user code under its lock.
// Guarded by: `lock` guards the machine, the side tables and the inboxes of the cores.

public import Dispatch

#if canImport(CDispatch) && !canImport(Darwin)
  internal import CDispatch
#endif

/// A place that runs blocks one at a time and is no dispatch queue: the lane of an explorer.
package protocol VirtualQueue: AnyObject, Sendable {
  var isCurrent: Bool { get }
  func async(_ block: @escaping @Sendable () -> Void)
}

/// The order of one queue. There is one lane per queue, found by the queue's specific value; it lives as long as the queue.
@usableFromInline
package final class Lane: @unchecked Sendable {
  // Safe to share: see "Guarded by". The lock makes the accesses exclusive, so they are not checked again. What is not
  // private is for the lane's own extensions.
  let lock = Lock()
  @exclusivity(unchecked) var machine = ReactorMachine()
  @exclusivity(unchecked) private var tenants = Tenants()
  @exclusivity(unchecked) var effects = SideTable<any EffectHandling>()
  @exclusivity(unchecked) var observers = SideTable<Observer>()
  @exclusivity(unchecked) var telling = Telling()
  /// Somebody has left since a delivery began, or its reactor has gone: the machine has to be asked who is still there.
  @usableFromInline let disturbed = Alarm()
  @exclusivity(unchecked) var callers = SideTable<CallWaiter>()
  /// The audiences of the paths that a commit has changed, if there are several: from the comparison to the delivery. The
  /// turn's.
  @usableFromInline @exclusivity(unchecked) var otherChanged: ContiguousArray<Int> = []

  /// Present on the lane's queue, and so on every queue that targets it.
  private let marker: DispatchSpecificKey<Bool>
  private let markerAddress: UnsafeRawPointer
  /// Kept here, because a static is dearer to ask.
  private let reducing = ThreadMark.reducing
  private let virtual: (any VirtualQueue)?
  let isVirtual: Bool
  /// Does the main actor run here?
  package let isMain: Bool

  package init(virtual: (any VirtualQueue)? = nil, isMain: Bool) {
    marker = DispatchSpecificKey()
    markerAddress = UnsafeRawPointer(Unmanaged.passUnretained(marker).toOpaque())
    self.virtual = virtual
    isVirtual = virtual != nil
    self.isMain = isMain
  }

  // MARK: The lane of a queue

  private static let key = DispatchSpecificKey<Lane>()
  private static let mainMarker: DispatchSpecificKey<Bool> = {
    let marker = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: marker, value: true)
    return marker
  }()
  private static let creation = Lock()

  /// The lane of a queue; made at the first call.
  package static func of(_ queue: DispatchQueue) -> Lane {
    if let lane = queue.getSpecific(key: key) { return lane }
    return creation.withLock {
      if let lane = queue.getSpecific(key: key) { return lane }
      _ = mainMarker
      let lane = Lane(isMain: queue.getSpecific(key: mainMarker) == true)
      queue.setSpecific(key: lane.marker, value: true)
      queue.setSpecific(key: key, value: lane)
      return lane
    }
  }

  /// Is the running code on the lane's queue? Asked of the queue, not of the thread (Contract G5).
  @usableFromInline
  package var isCurrent: Bool {
    if isVirtual { return virtual!.isCurrent }
    #if canImport(CDispatch) && !canImport(Darwin)
      // The same look-up as that of `DispatchQueue.getSpecific`, without its detour through Swift values.
      return dispatch_get_specific(markerAddress) != nil
    #else
      return DispatchQueue.getSpecific(key: marker) == true
    #endif
  }

  /// Where an event of the running code comes from.
  var sender: ReactorMachine.Sender {
    guard isCurrent else { return .elsewhere }
    let thread = ThreadMark.thread
    return ThreadMark.isReducing ? .reduce(thread: thread) : .queue(thread: thread)
  }

  /// Does the running thread hold the open turn?
  var isInsideTurn: Bool {
    lock.withLock { machine.isInside(thread: ThreadMark.thread) }
  }

  /// Is the running thread in a step of the open turn? Only under the lock: for the `store` of `arrive`, where a turn that
  /// was just opened for the arrival has no step yet.
  var isWorkingHere: Bool { machine.isWorking(thread: ThreadMark.thread) }

  /// Lets the queue run a block.
  func run(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
    if let virtual { virtual.async(block) } else { queue.async(execute: block) }
  }

  // MARK: Turns

  /// How an action comes in.
  @usableFromInline
  enum Entry {
    /// It can be handled now: a turn was opened for it.
    case now
    /// It has to wait for its turn, if only within this call.
    case later
    case elsewhere
  }

  /// The short way in.
  @usableFromInline
  func enter(_ reactor: SlotKey) -> Entry {
    guard isCurrent else { return .elsewhere }
    if ThreadMark.isSet(reducing) { return .later }
    let thread = ThreadMark.thread
    return lock.withLock {
      guard machine.enter(reactor, thread: thread) else { return .later }
      noteProgress(isNewTurn: true)
      return .now
    }
  }

  /// The way out after `enter`. False: the turn is still open, because something was sent from inside or waits; `drain`.
  @usableFromInline
  func leave() -> Bool {
    lock.lock()
    let left = closeLocked()
    let isOver = machine.leave()
    lock.unlock()
    if left != nil { withExtendedLifetime(left) {} }
    return isOver
  }

  /// Lets an action in that waits for its turn. See `arrive`.
  @usableFromInline
  func arriveAction(
    for reactor: SlotKey, call: SlotKey, on queue: DispatchQueue, isElsewhere: Bool, drain kept: () -> KeptDrain,
    store: () -> Void
  ) -> Notices {
    var arrival = ReactorMachine.Arrival(reactor: reactor, stage: .action, call: call)
    arrival.isKeeping = true
    return arrive(arrival, from: isElsewhere ? .elsewhere : sender, on: queue, drain: kept, store: store)
  }

  /// Lets something in. Under the lock `store` puts the payload into the tenant's inbox, and `kept` answers with the drain that
  /// the tenant keeps, if one has to be put into the queue. The result is what should be reported on this occasion.
  func arrive(
    _ arrival: ReactorMachine.Arrival, from sender: ReactorMachine.Sender, on queue: DispatchQueue,
    drain kept: () -> KeptDrain, store: () -> Void
  ) -> Notices {
    var following = Following()
    var scheduled: KeptDrain?
    let (welcome, notices) = lock.withLock {
      let welcome = machine.arrive(arrival, from: sender)
      if welcome != .dropped, welcome != .late { store() }
      switch welcome {
      case .waits, .dropped, .late: break
      case .drainNow:
        noteProgress(isNewTurn: true)
        following = nextLocked()
      case .schedule: scheduled = kept()
      }
      return (welcome, welcome == .late ? takeNotices().union(.late) : takeNotices())
    }
    switch welcome {
    case .waits, .late: break
    // Whoever performs it must not wait for ever.
    case .dropped: if !arrival.call.isNone { decide { $0.didHandleAction(of: arrival.call) }.carryOut() }
    case .drainNow: drain(queue, following)
    case .schedule(let ticket): schedule(queue, ticket, scheduled!)
    }
    return notices
  }

  /// Lets something of an effect in.
  @usableFromInline
  func arrive(
    _ stage: ReactorMachine.Stage, of effect: SlotKey, for reactor: SlotKey, on queue: DispatchQueue,
    drain kept: () -> KeptDrain, store: () -> Void
  ) -> Notices {
    arrive(
      ReactorMachine.Arrival(reactor: reactor, stage: stage, about: effect), from: sender, on: queue, drain: kept,
      store: store)
  }

  /// May the only value of an effect that has no object be handled at once, as the next step? From inside the step that it
  /// belongs to. False: it has to arrive like others.
  @usableFromInline
  func pass(for reactor: SlotKey) -> Bool {
    lock.withLock {
      guard machine.pass(for: reactor) else { return false }
      if isTurnOverdue() { hasOverdueToTell = true }
      noteProgress()
      return true
    }
  }

  /// Registers an effect that has no object, and lets its only value in. From inside the step that it belongs to.
  @usableFromInline
  func arriveOnlyValue(for reactor: SlotKey, call: SlotKey, store: () -> Void) -> Notices {
    let thread = ThreadMark.thread
    return lock.withLock {
      let effect = machine.registerUnnamed(for: reactor, call: call)
      // None: the call that it belongs to was cancelled.
      return effect.isNone ? [] : arriveLocked(effect, for: reactor, thread, store)
    }
  }

  /// The same for one that was registered before.
  @usableFromInline
  func arriveOnlyValue(_ effect: SlotKey, for reactor: SlotKey, store: () -> Void) -> Notices {
    let thread = ThreadMark.thread
    return lock.withLock { arriveLocked(effect, for: reactor, thread, store) }
  }

  private func arriveLocked(
    _ effect: SlotKey, for reactor: SlotKey, _ thread: UInt, _ store: () -> Void
  ) -> Notices {
    var arrival = ReactorMachine.Arrival(reactor: reactor, stage: .mutation, about: effect)
    arrival.isLast = true
    // In an open turn of this thread everything just waits.
    if machine.arrive(arrival, from: .queue(thread: thread)) == .waits { store() }
    return takeNotices()
  }

  /// The effect whose end was taken last, and is still to be seen to.
  @exclusivity(unchecked) private var ending = SlotKey.none

  /// The next arrival of the open turn, if it is the reactor's. `fetch` takes the payload out of the inbox. If it is not,
  /// `following` says what comes instead. Where `endsPlainly`, the end of an effect that has no id and nobody who waits
  /// for it is seen to here, when the next arrival is asked for.
  @usableFromInline
  func take(
    for reactor: SlotKey, endsPlainly: Bool, else following: inout Following, _ fetch: (ReactorMachine.Taken) -> Void
  ) -> ReactorMachine.Taken? {
    var drained: (any EffectHandling)?
    // Released after unlocking: it holds what is the user's.
    var endedHandle: (any EffectHandling)?
    var ended: EndedEffect?
    var left: [Observer]?
    let taken = lock.withLock { () -> ReactorMachine.Taken? in
      left = closeLocked()
      if !ending.isNone {
        endedHandle = effects.take(ending)
        ended = endedHandle?.endLocked()
        machine.endPlainly(ending)
        ending = .none
      }
      guard var taken = machine.take(for: reactor) else {
        following = nextLocked()
        return nil
      }
      taken.isOverdue = isTurnOverdue() || hasOverdueToTell
      hasOverdueToTell = false
      noteProgress()
      fetch(taken)
      if !taken.drained.isNone { drained = effects[taken.drained] }
      if taken.isLast || taken.stage == .effectEnd, endsPlainly, !taken.isDropped, machine.endsPlainly(taken.about) {
        ending = taken.about
        taken.isEnded = true
      }
      return taken
    }
    if left != nil { withExtendedLifetime(left) {} }
    drained?.didDrain()
    if let ended { withExtendedLifetime(endedHandle) { ended.letGo() } }
    return taken
  }

  /// What the open turn does next, with whom. It is handed to `drain`, which lets go of the reactor.
  @usableFromInline
  struct Following {
    fileprivate let next: ReactorMachine.Next
    /// Retained, and released by hand: a copy of this that lies somewhere in a caller must not keep the reactor.
    private var reactor: Unmanaged<AnyObject>?
    private let type: Unmanaged<ReactorType>?

    @usableFromInline
    init() {
      self.init(.endOfTurn(schedule: nil))
    }

    fileprivate init(_ next: ReactorMachine.Next, _ reactor: AnyObject? = nil, _ type: Unmanaged<ReactorType>? = nil) {
      self.next = next
      self.reactor = reactor.map { .passRetained($0) }
      self.type = type
    }

    /// The engine, in place of the reactor, which is not kept any longer than it keeps itself. Nil: it is gone.
    fileprivate mutating func takeEngine() -> (any LaneTenant)? {
      guard let reactor = reactor.take()?.takeRetainedValue(), let type else { return nil }
      return type._withUnsafeGuaranteedRef { $0.engine(of: reactor) }
    }
  }

  private func nextLocked() -> Following {
    // Asked before the turn may end: what waits behind it will tell.
    if machine.waitingCount > 0, isTurnOverdue() { hasOverdueToTell = true }
    let next = machine.next()
    switch next {
    case .work(let reactor), .start(let reactor):
      return Following(next, tenants.reactor(reactor), tenants.type(of: reactor))
    case .endOfTurn: return Following(next)
    }
  }

  private func nextAfterWork() -> Following {
    // Released after unlocking.
    var left: [Observer]?
    defer { withExtendedLifetime(left) {} }
    return lock.withLock {
      left = closeLocked()
      return nextLocked()
    }
  }

  /// Carries the open turn to its end.
  @usableFromInline
  func drain(_ queue: DispatchQueue, _ first: Following, again: KeptDrain? = nil) {
    var following = first
    var started: (any LaneTenant)?
    while true {
      switch following.next {
      case .work(let reactor):
        guard let engine = following.takeEngine() else { following = nextWithout(reactor); continue }
        following = engine.work()
        started?.rest()
        started = nil
      case .start(let reactor):
        guard let engine = following.takeEngine() else { following = nextWithout(reactor); continue }
        engine.start()
        started = engine
        following = nextAfterWork()
      case .endOfTurn(let ticket):
        if let ticket { schedule(queue, ticket, again ?? KeptDrain(of: self, for: queue)) }
        return
      }
    }
  }

  /// A reactor that is just being freed says goodbye to the lane; what it left waiting is skipped then.
  private func nextWithout(_ reactor: SlotKey) -> Following {
    require(
      lock.withLock { tenants.isKnown(reactor) || !machine.reactors.contains(reactor) }, ReactorType.notConnected())
    remove(reactor)
    return nextAfterWork()
  }

  private func schedule(_ queue: DispatchQueue, _ ticket: ReactorMachine.Ticket, _ kept: KeptDrain) {
    if let virtual { virtual.async(kept.block) } else { queue.async(execute: kept.block) }
    lock.withLock { machine.didSchedule(ticket) }
  }

  /// A scheduled drain. If there has to be another one it is `again`.
  fileprivate func drain(_ queue: DispatchQueue, again: KeptDrain?) {
    let thread = ThreadMark.thread
    let following = lock.withLock { () -> Following? in
      guard machine.openTurn(thread: thread) else { return nil }
      noteProgress(isNewTurn: true)
      return nextLocked()
    }
    if let following { drain(queue, following, again: again) }
  }

  // MARK: Notices

  /// What is worth a report, each said once.
  @usableFromInline
  struct Notices: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8
    @usableFromInline
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// More waits than anybody would want.
    static let backlog = Notices(rawValue: 1)
    /// One step keeps the turn open for more than a second, and others wait. In debug builds.
    static let overdue = Notices(rawValue: 2)
    /// The queue is not serial.
    static let concurrent = Notices(rawValue: 4)
    /// The reactor's state is gone; this was dropped.
    @usableFromInline static let late = Notices(rawValue: 8)
  }

  @exclusivity(unchecked) private var hasToldConcurrent = false
  /// A turn that stood still has ended; the next arrival reports it.
  @exclusivity(unchecked) private var hasOverdueToTell = false

  private func takeNotices() -> Notices {
    var notices: Notices = []
    if machine.shouldReportWaiting() { notices.insert(.backlog) }
    if isTurnOverdue() { notices.insert(.overdue) }
    if machine.isQueueConcurrent, !hasToldConcurrent {
      hasToldConcurrent = true
      notices.insert(.concurrent)
    }
    return notices
  }

  #if DEBUG
    private var lastProgress = ContinuousClock.now
    private var hasToldOverdue = false

    private func noteProgress(isNewTurn: Bool = false) {
      lastProgress = .now
      if isNewTurn { hasToldOverdue = false }
    }

    /// True once when a turn has stood still for more than a second. One that is merely long has reports of its own. On a
    /// virtual queue nothing depends on the real time.
    private func isTurnOverdue() -> Bool {
      guard machine.isTurnOpen, !hasToldOverdue, !isVirtual, ContinuousClock.now - lastProgress > .seconds(1)
      else { return false }
      hasToldOverdue = true
      return true
    }
  #else
    private func noteProgress(isNewTurn: Bool = false) {}
    private func isTurnOverdue() -> Bool { false }
  #endif

  // MARK: Tenants

  func admit() -> SlotKey {
    lock.withLock { machine.admit() }
  }

  /// Lets a reactor work in its turn.
  func introduce(_ reactor: AnyObject, _ type: Unmanaged<ReactorType>, as key: SlotKey) {
    lock.withLock { tenants.add(reactor, type, as: key) }
  }

  /// The reactor is gone: its effects are cancelled, its streams finished, its late arrivals dropped.
  func remove(_ reactor: SlotKey) {
    let (leftovers, observers) = lock.withLock { () -> (EffectOrders, [Observer]) in
      let remains = machine.release(reactor)
      tenants.remove(reactor)
      let observers = remains.observers.compactMap { self.observers.take($0) }
      telling.occasion = Telling.Occasion()
      if isTelling(reactor) { keepUntilEnd(observers) }
      return (orders(for: remains.consequences), observers)
    }
    leftovers.carryOut()
    for observer in observers { observer.end() }
  }

  // MARK: Observers

  func announce(_ observer: Observer, of reactor: SlotKey) -> SlotKey? {
    lock.withLock {
      guard let key = machine.announceObserver(of: reactor) else { return nil }
      observers.set(observer, for: key)
      return key
    }
  }

  func observer(_ key: SlotKey) -> Observer? {
    lock.withLock { machine.observers.contains(key) ? observers[key] : nil }
  }
}

/// A drain that can be put into the queue again and again, and so costs no memory each time. It keeps the queue, so the lane,
/// which the queue keeps, must not keep it.
///
/// A plain block, not a `DispatchWorkItem`: an item that is put into a queue while it runs there makes Dispatch release the
/// queue once too often, if two threads meet at the wrong moment.
@usableFromInline
final class KeptDrain: @unchecked Sendable {
  // Safe to share: set once, before anybody else knows it.
  fileprivate private(set) var block: (@convention(block) @Sendable () -> Void)!

  init(of lane: Lane, for queue: DispatchQueue) {
    block = { [weak self] in lane.drain(queue, again: self) }
  }
}
