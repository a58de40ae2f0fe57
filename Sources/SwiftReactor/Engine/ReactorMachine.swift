// Decides: what is handled next, by whom, and what may no longer happen. One machine serves all reactors of a queue.
// Never: calls a closure, takes a lock, starts a task, holds a user's object, imports a module. It is a plain value.
// Guarded by: the lane's lock, held for one call of one of these functions at a time.

/// The state machine behind a lane: events go in, decisions come out.
///
/// Events: ``arrive(_:from:)``, ``enter(_:thread:)``, ``openTurn(thread:)``, `effectEnded`, … Decisions: "drain now",
/// "schedule a drain", "handle this arrival", "drop it", "cancel these". Whoever carries them out decides nothing about
/// order. Everything is a number, so that a machine can be compared, hashed and explored.
@usableFromInline
struct ReactorMachine: Hashable {
  /// How far an arrival has come, and so what has to be done with it.
  @usableFromInline
  enum Stage: UInt8, Hashable, Sendable {
    /// An action that has not met its hook.
    case action
    /// An action that its hook handed on outside of a push.
    case actionBehindHook
    case mutation
    case mutationBehindHook
    /// A value that `transform(state:)` handed on outside of a push.
    case shownState
    case restore
    /// The reactor was nested, and its state is another one now.
    case nested
    /// Something a child put out.
    case output
    /// An error of an effect or of a hook.
    case failure
    case effectEnd
    /// An effect whose turn has come because another one was cancelled elsewhere.
    case effectStart
    case observation
    /// A request to start that nothing else waits for.
    case start
    /// Something was cancelled elsewhere; what the reactor keeps about it on the queue can go.
    case tidying

    /// `restore` and tidying up do not count as first use.
    var needsStart: Bool { self != .restore && self != .tidying && self != .nested }

    /// Is it for a reactor whose state is gone all the same?
    var outlivesState: Bool { self == .observation || self == .tidying || self == .start }
  }

  /// Something that waits to be handled.
  @usableFromInline
  struct Arrival: Hashable {
    var reactor: SlotKey
    @usableFromInline var stage: Stage
    /// The effect it comes from, or the observer it registers.
    @usableFromInline var about = SlotKey.none
    /// The `perform` that waits for it.
    @usableFromInline var call = SlotKey.none
    /// Its effect ends with it.
    @usableFromInline var isLast = false
    /// It keeps its reactor alive until it is handled.
    @usableFromInline var isKeeping = false

    var isOfEffect: Bool { stage != .observation && !about.isNone }
  }

  /// Where an event comes from.
  @usableFromInline
  enum Sender: Hashable {
    /// On the queue, by a thread that may open a turn.
    case queue(thread: UInt)
    /// On the queue, but inside a `reduce`: it may join the thread's own turn, not open one.
    case reduce(thread: UInt)
    case elsewhere
    /// From a hook that is just being started: before everything that waits.
    case startingHook
  }

  /// What the sender has to do about its arrival.
  enum Welcome: Hashable {
    /// It waits; somebody else will come by.
    case waits
    /// A turn was opened for it: drain now, in this call.
    case drainNow
    /// Let the queue run a drain later, and say `didSchedule` when it is in the queue.
    case schedule(Ticket)
    /// Its reactor or effect is gone. Release the payload after unlocking.
    case dropped
    /// The same, and worth a report: the reactor lives, but its state in its parent is gone.
    case late
  }

  /// What the drain has to do next.
  enum Next: Hashable {
    case work(SlotKey)
    case start(SlotKey)
    case endOfTurn(schedule: Ticket?)
  }

  /// Which drain is meant: the one before which so many turns were opened by drains.
  typealias Ticket = Int

  /// Where the next drain is.
  private enum DrainState: Hashable {
    case none
    /// Somebody is about to put it into the queue. Until it is there, others do so too: who has sent may rely on a block
    /// that he puts into the queue himself afterwards to come later.
    case announced
    case queued
  }

  /// What a reactor gets when it asks for its next arrival.
  @usableFromInline
  struct Taken: Hashable {
    @usableFromInline var arrival: Arrival
    /// Its effect was cancelled while it waited: release the payload, do nothing.
    @usableFromInline var isDropped = false
    /// The state of its reactor has gone while it waited: say so.
    @usableFromInline var isLate = false
    /// It was injected by a hook that was being started.
    @usableFromInline var isInjected = false
    /// The effect whose waiting values have just become few enough for those that wait for that.
    var drained = SlotKey.none
    /// The end of its effect is seen to.
    @usableFromInline var isEnded = false
    /// This is the step with which the turn became suspiciously long; say so.
    @usableFromInline var isLongTurn = false
    /// The turn is open for more than a second, which is said once.
    @usableFromInline var isOverdue = false

    /// There is nothing left to do about it.
    @inlinable var isDone: Bool { isEnded && stage == .effectEnd }
    @inlinable var stage: Stage { arrival.stage }
    @inlinable var about: SlotKey { arrival.about }
    @inlinable var isLast: Bool { arrival.isLast }
    @inlinable var isKeeping: Bool { arrival.isKeeping }
    @inlinable var call: SlotKey { arrival.call }
  }

  struct ReactorRecord: Hashable, SlotRecord {
    var isStarted = false
    /// It was nested, and its state is gone.
    var isGone = false
    /// Whose state its own is a part of.
    var parent = SlotKey.none
    /// Its effects in order of registration.
    var effects = EffectChain()
    /// Who observes it; none as long as nobody has.
    var audiences = SlotKey.none
  }

  private struct Turn: Hashable {
    var thread: UInt
    /// The turn ends after this arrival.
    var last: Int
    var steps = 0
  }

  /// When to report that arrivals pile up, and that a turn does not end.
  static let waitingLimit = 100_000
  static let stepLimit = 1_000_000

  var reactors = SlotTable<ReactorRecord>()
  var effects = SlotTable<EffectRecord>()
  var groups = SlotTable<EffectGroup>()
  var calls = SlotTable<CallRecord>()
  var audiences = SlotTable<Audiences>()
  var observers = SlotTable<ObserverRecord>()
  var delivery = Delivery()
  var registrations = 0
  /// While the reactors of a tree are told of one commit: the last observer that is.
  var newestOfTreeCommit: Int?

  private var waiting = Ring<Arrival>()
  /// What hooks inject while they are started.
  private var ahead = Ring<Arrival>()
  /// The position of the first waiting arrival since the beginning of time.
  private var head = 0
  private var turn: Turn?
  private var drain = DrainState.none
  private var ticket: Ticket = 0
  private(set) var hasReportedWaiting = false
  /// Two threads were on the queue at once.
  private(set) var isQueueConcurrent = false

  // MARK: Reactors

  mutating func admit() -> SlotKey {
    reactors.insert(ReactorRecord())
  }

  var waitingCount: Int { waiting.count + ahead.count }
  /// How much hooks have injected for a reactor that is not handled yet.
  func aheadCount(of reactor: SlotKey) -> Int { (0..<ahead.count).count { ahead[$0].reactor == reactor } }
  var isTurnOpen: Bool { turn != nil }

  func isInside(thread: UInt) -> Bool {
    turn?.thread == thread
  }

  /// The thread is in a step of the open turn, not just about to make its first one.
  func isWorking(thread: UInt) -> Bool {
    turn.map { $0.thread == thread && $0.steps > 0 } ?? false
  }

  // MARK: Turns

  /// The short way of an action on the queue: true, and a turn is open, if it can be handled at once.
  mutating func enter(_ reactor: SlotKey, thread: UInt) -> Bool {
    guard turn == nil, waiting.isEmpty, reactors[known: reactor].isStarted,
      !reactors[known: reactor].isGone
    else { return false }
    turn = Turn(thread: thread, last: head - 1, steps: 1)
    return true
  }

  /// A scheduled drain begins. False: there is nothing to do, or a turn is open further down the stack.
  mutating func openTurn(thread: UInt) -> Bool {
    drain = .none
    ticket += 1
    guard turn == nil, !waiting.isEmpty else { return false }
    turn = Turn(thread: thread, last: head + waiting.count - 1)
    return true
  }

  /// Something comes in. The payload of an end is nothing at all, so whoever keeps the payloads keeps none for it.
  mutating func arrive(_ arrival: Arrival, from sender: Sender) -> Welcome {
    guard reactors.contains(arrival.reactor) else { return .dropped }
    if reactors[known: arrival.reactor].isGone, !arrival.stage.outlivesState {
      return arrival.isOfEffect ? .dropped : .late
    }
    if arrival.isOfEffect {
      guard effects.contains(arrival.about) else { return .dropped }
      if arrival.stage == .effectEnd, sender != .startingHook, joinsNewest(arrival.about) {
        return welcome(at: head + waiting.count - 1, sender)
      }
      effects[known: arrival.about].waitingValues += 1
    }
    if case .startingHook = sender {
      ahead.append(arrival)
      return .waits
    }
    waiting.append(arrival)
    return welcome(at: head + waiting.count - 1, sender)
  }

  /// The end of an effect whose own value is the newest of all that waits needs no arrival: it comes right behind that value.
  private mutating func joinsNewest(_ effect: SlotKey) -> Bool {
    guard !waiting.isEmpty, waiting.newest.about == effect, waiting.newest.stage == .mutation else { return false }
    waiting.newest.isLast = true
    return true
  }

  /// What the sender of the newest arrival has to do about it.
  private mutating func welcome(at position: Int, _ sender: Sender) -> Welcome {
    switch sender {
    case .queue(let thread):
      if turn == nil {
        turn = Turn(thread: thread, last: position)
        return .drainNow
      }
      if turn!.thread == thread {
        turn!.last = position
        return .waits
      }
      // The queue runs two blocks at once: it is not serial. Nothing tears, but this sender is elsewhere.
      isQueueConcurrent = true
      return announceDrain().map { .schedule($0) } ?? .waits
    case .reduce(let thread) where turn?.thread == thread:
      turn!.last = position
      return .waits
    case .reduce, .elsewhere, .startingHook:
      return announceDrain().map { .schedule($0) } ?? .waits
    }
  }

  /// The drain that was asked for is in the queue now.
  mutating func didSchedule(_ scheduled: Ticket) {
    if scheduled == ticket, drain == .announced { drain = .queued }
  }

  private mutating func announceDrain() -> Ticket? {
    guard drain != .queued else { return nil }
    drain = .announced
    return ticket
  }

  /// True once, when so much waits that it has to be said; again only after everything was handled.
  mutating func shouldReportWaiting() -> Bool {
    guard waiting.count > Self.waitingLimit, !hasReportedWaiting else { return false }
    hasReportedWaiting = true
    return true
  }

  /// Who works next in the open turn.
  mutating func next() -> Next {
    while let injected = ahead.first {
      if reactors.contains(injected.reactor) { return .work(injected.reactor) }
      _ = ahead.popFirst()
    }
    while let arrival = waiting.first, head <= turn!.last {
      guard reactors.contains(arrival.reactor) else {
        skipFirst()
        continue
      }
      if arrival.stage.needsStart, let unstarted = firstUnstarted(for: arrival.reactor) {
        reactors[known: unstarted].isStarted = true
        return .start(unstarted)
      }
      return .work(arrival.reactor)
    }
    return endTurn()
  }

  /// The next arrival of the open turn, if it is `reactor`'s.
  mutating func take(for reactor: SlotKey) -> Taken? {
    // It may have been released since `next` named it.
    guard reactors.contains(reactor) else { return nil }
    if let injected = ahead.first {
      guard injected.reactor == reactor else { return nil }
      _ = ahead.popFirst()
      var taken = didTake(injected)
      taken.isInjected = true
      return taken
    }
    guard let arrival = waiting.first, head <= turn!.last, arrival.reactor == reactor,
      reactors.contains(reactor)
    else { return nil }
    if arrival.stage.needsStart, firstUnstarted(for: reactor) != nil { return nil }
    skipFirst()
    return didTake(arrival)
  }

  /// The short way of an effect that is nothing but one value: true, and the value is handled now as the next step of the
  /// open turn, if nothing waits before it. It is what its registration, its arrival, taking it and its end come to then.
  mutating func pass(for reactor: SlotKey) -> Bool {
    guard waiting.isEmpty, ahead.isEmpty, turn!.steps < Self.stepLimit - 1, reactors.contains(reactor),
      !reactors[known: reactor].isGone
    else { return false }
    turn!.steps += 1
    return true
  }

  /// The short way out: true, and the turn is closed, if nothing is left to do in it.
  mutating func leave() -> Bool {
    guard waiting.isEmpty, ahead.isEmpty else { return false }
    turn = nil
    return true
  }

  /// Who has to be started before a reactor's step: its ancestors from above, then itself.
  private func firstUnstarted(for reactor: SlotKey) -> SlotKey? {
    // Whose state is gone has no use for its hooks.
    if reactors[known: reactor].isGone { return nil }
    var unstarted = reactors[known: reactor].isStarted ? nil : reactor
    var ancestor = reactors[known: reactor].parent
    while !ancestor.isNone, reactors.contains(ancestor) {
      if !reactors[known: ancestor].isStarted { unstarted = ancestor }
      ancestor = reactors[known: ancestor].parent
    }
    return unstarted
  }

  // MARK: Nesting

  func isStarted(_ reactor: SlotKey) -> Bool {
    reactors.contains(reactor) && reactors[known: reactor].isStarted
  }

  func isGone(_ reactor: SlotKey) -> Bool {
    reactors.contains(reactor) && reactors[known: reactor].isGone
  }

  mutating func setParent(of child: SlotKey, to parent: SlotKey) {
    reactors[known: child].parent = parent
    reactors[known: child].isGone = false
  }

  /// The state of a nested reactor is gone: its effects are cancelled, and what waits or comes later is dropped.
  mutating func dismiss(_ reactor: SlotKey) -> Consequences {
    guard reactors.contains(reactor) else { return Consequences() }
    reactors[known: reactor].isGone = true
    reactors[known: reactor].parent = .none
    return cancelEffects(of: reactor)
  }

  private mutating func endTurn() -> Next {
    turn = nil
    return .endOfTurn(schedule: waiting.isEmpty ? nil : announceDrain())
  }

  private mutating func skipFirst() {
    _ = waiting.popFirst()
    head += 1
    if waiting.isEmpty { hasReportedWaiting = false }
  }

  private mutating func didTake(_ arrival: Arrival) -> Taken {
    turn!.steps += 1
    var taken = Taken(arrival: arrival, isLongTurn: turn!.steps == Self.stepLimit)
    if reactors[known: arrival.reactor].isGone, !arrival.stage.outlivesState {
      taken.isDropped = true
      taken.isLate = !arrival.isOfEffect
    } else if arrival.stage == .observation {
      taken.isDropped = !observers.contains(arrival.about)
    } else if arrival.isOfEffect {
      if !effects.contains(arrival.about) {
        taken.isDropped = true
      } else if effects[known: arrival.about].didTakeValue() {
        taken.drained = arrival.about
      }
    }
    return taken
  }
}

extension Ring: Equatable where Element: Equatable {
  @usableFromInline
  static func == (lhs: Ring, rhs: Ring) -> Bool {
    lhs.count == rhs.count && (0..<lhs.count).allSatisfy { lhs[$0] == rhs[$0] }
  }
}

extension Ring: Hashable where Element: Hashable {
  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for offset in 0..<count { hasher.combine(self[offset]) }
  }
}
