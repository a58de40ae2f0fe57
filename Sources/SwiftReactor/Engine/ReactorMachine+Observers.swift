// Decides: who is told of a commit, in which order, and who is not told any more.
// Never: see ReactorMachine.
// Guarded by: the lane's lock.

extension ReactorMachine {
  struct ObserverRecord: Hashable, SlotRecord {
    var reactor = SlotKey.none
    var audience = 0
    /// The place in the order of registration over all audiences; 0 while the registration waits for the queue.
    var order = 0
  }

  /// Who observes one reactor. A record of its own, because most reactors of a large program are observed by nobody.
  struct Audiences: Hashable, SlotRecord {
    /// Observers by audience in order of registration. Audience 0 hears every commit, the others one key path each.
    var lists: ContiguousArray<ContiguousArray<Seat>> = [[]]
    /// Audiences whose paths are not watched any more; their numbers can be given out again.
    var vacant: ContiguousArray<Int> = []
    /// Observers whose registration waits.
    var announced: ContiguousArray<SlotKey> = []
  }

  /// An observer's place in an audience.
  struct Seat: Hashable {
    var observer: SlotKey
    var order: Int
  }

  /// The delivery that is going on; there is at most one on a queue.
  struct Delivery: Hashable {
    var reactor = SlotKey.none
    /// The audience of the first path that has changed; 0: none has. That of every commit is told anyway.
    var changed = 0
    /// Those of the other ones.
    var others: ContiguousArray<Int> = []
    /// How many of them were told.
    var position = 0
    /// All of them, in order of registration, once that had to be found out.
    var seats: ContiguousArray<Seat> = []
    /// Observers registered later are not told of this commit: they began with it.
    var newest = 0
    /// Somebody was cancelled on the way, so the lists have to be put in order at the end.
    var hasGone = false
  }

  /// What a reactor leaves behind.
  struct Remains: Hashable {
    var consequences = Consequences()
    var observers: [SlotKey] = []
  }

  /// An observer exists, but is not registered yet.
  mutating func announceObserver(of reactor: SlotKey) -> SlotKey? {
    guard reactors.contains(reactor) else { return nil }
    let observer = observers.insert(ObserverRecord(reactor: reactor))
    audiences[known: openAudiences(of: reactor)].announced.append(observer)
    return observer
  }

  /// A number for a path that nobody observed so far. An audience that has lost its last observer is not given out
  /// before it was vacated: until then its path is still compared, and that must not reach observers of another path.
  mutating func addAudience(to reactor: SlotKey) -> Int {
    guard reactors.contains(reactor) else { return 0 }
    let key = openAudiences(of: reactor)
    if let unused = audiences[known: key].vacant.popLast() { return unused }
    audiences[known: key].lists.append([])
    return audiences[known: key].lists.count - 1
  }

  private mutating func openAudiences(of reactor: SlotKey) -> SlotKey {
    let known = reactors[known: reactor].audiences
    guard known.isNone else { return known }
    let made = audiences.insert(Audiences())
    reactors[known: reactor].audiences = made
    return made
  }

  /// The audiences of a reactor that somebody observes, or did.
  private func knownAudiences(of reactor: SlotKey) -> SlotKey? {
    guard reactors.contains(reactor) else { return nil }
    let key = reactors[known: reactor].audiences
    return key.isNone ? nil : key
  }

  /// The audience's path need not be watched any more, if nobody is left. False: somebody is.
  mutating func vacate(_ audience: Int, of reactor: SlotKey) -> Bool {
    guard let key = knownAudiences(of: reactor) else { return true }
    guard audiences[known: key].lists[audience].isEmpty else { return false }
    if !audiences[known: key].vacant.contains(audience) { audiences[known: key].vacant.append(audience) }
    return true
  }

  /// From here on the observer is told of commits. False: it was cancelled in between.
  mutating func register(_ observer: SlotKey, in audience: Int) -> Bool {
    guard let record = observers[observer], record.order == 0, let key = knownAudiences(of: record.reactor) else {
      return false
    }
    registrations += 1
    observers[known: observer].order = registrations
    observers[known: observer].audience = audience
    audiences[known: key].announced.removeAll { $0 == observer }
    audiences[known: key].lists[audience].append(Seat(observer: observer, order: registrations))
    return true
  }

  /// The observer is not called again. Returns the reactor if one of its audiences has nobody left because of it.
  mutating func cancelObserver(_ observer: SlotKey) -> SlotKey? {
    guard let record = observers.remove(observer), let key = knownAudiences(of: record.reactor) else { return nil }
    guard record.order > 0 else {
      audiences[known: key].announced.removeAll { $0 == observer }
      return nil
    }
    guard delivery.reactor != record.reactor else {
      // The delivery walks these lists. It skips who is not known any more.
      delivery.hasGone = true
      return nil
    }
    audiences[known: key].lists[record.audience].removeAll { $0.observer == observer }
    return audiences[known: key].lists[record.audience].isEmpty ? record.reactor : nil
  }

  func hasObservers(_ reactor: SlotKey, audience: Int) -> Bool {
    knownAudiences(of: reactor).map { !audiences[known: $0].lists[audience].isEmpty } ?? false
  }

  func hasObservers(_ reactor: SlotKey) -> Bool {
    knownAudiences(of: reactor).map { audiences[known: $0].lists.contains { !$0.isEmpty } } ?? false
  }

  /// Several reactors are told of one commit: whoever registers meanwhile, with any of them, began with it. False: that
  /// is so already.
  mutating func beginTreeCommit(newest: Int?) -> Bool {
    guard newestOfTreeCommit == nil else { return false }
    newestOfTreeCommit = newest ?? registrations
    return true
  }

  mutating func endTreeCommit() {
    newestOfTreeCommit = nil
  }

  mutating func beginDelivery(of reactor: SlotKey) {
    delivery.reactor = reactor
    delivery.newest = newestOfTreeCommit ?? registrations
    delivery.hasGone = false
    delivery.position = 0
    delivery.changed = 0
    while delivery.others.popLast() != nil {}
  }

  /// The audience is told, too. Before the first observer is.
  mutating func includeAudience(_ audience: Int) {
    if delivery.changed == 0 { delivery.changed = audience } else { delivery.others.append(audience) }
  }

  /// All who are told, in order of registration. It holds until somebody leaves; then `nextObserver` goes on.
  mutating func listDelivery() -> ContiguousArray<Seat> {
    guard let key = knownAudiences(of: delivery.reactor) else { return [] }
    if newestOfTreeCommit == nil, let only = onlyAudience(among: key) {
      // They lie in order, and none of them is too new.
      return audiences[known: key].lists[only]
    }
    seatDelivery(from: key)
    return delivery.seats
  }

  /// The next one to tell, in order of registration. Nil: the delivery is over, and `hasGone` says whether somebody
  /// left on the way.
  mutating func nextObserver() -> SlotKey? {
    guard reactors.contains(delivery.reactor) else { return nil }
    if delivery.seats.isEmpty, let key = knownAudiences(of: delivery.reactor) { seatDelivery(from: key) }
    while delivery.position < delivery.seats.count {
      let observer = delivery.seats[delivery.position].observer
      delivery.position += 1
      if observers.contains(observer) { return observer }
    }
    endDelivery()
    return nil
  }

  /// The one audience in which somebody is told; nil if there are several.
  private func onlyAudience(among key: SlotKey) -> Int? {
    if delivery.changed == 0 { return 0 }
    let isFirstEmpty = audiences[known: key].lists[0].isEmpty
    return delivery.others.isEmpty && isFirstEmpty ? delivery.changed : nil
  }

  /// Puts all who are told in order. Who has left meanwhile keeps his seat until the end, so it is the same order whenever
  /// it is asked for.
  private mutating func seatDelivery(from key: SlotKey) {
    delivery.seats.removeAll(keepingCapacity: true)
    var last = 0
    var isOrdered = true
    for audience in (delivery.changed == 0 ? [0] : [0, delivery.changed]) + delivery.others {
      for seat in audiences[known: key].lists[audience] where seat.order <= delivery.newest {
        if seat.order < last { isOrdered = false }
        last = seat.order
        delivery.seats.append(seat)
      }
    }
    if !isOrdered { delivery.seats.sort { $0.order < $1.order } }
  }

  /// Everybody was told.
  mutating func endDelivery() {
    let reactor = delivery.reactor
    delivery.reactor = .none
    if !delivery.seats.isEmpty { delivery.seats.removeAll(keepingCapacity: true) }
    guard delivery.hasGone, let key = knownAudiences(of: reactor) else { return }
    for audience in audiences[known: key].lists.indices {
      audiences[known: key].lists[audience].removeAll { !observers.contains($0.observer) }
    }
  }

  /// The reactor is gone, and with it everything that was its own.
  mutating func release(_ reactor: SlotKey) -> Remains {
    var remains = Remains()
    guard reactors.contains(reactor) else { return remains }
    remains.consequences = cancelEffects(of: reactor)
    if let own = knownAudiences(of: reactor).flatMap({ audiences.remove($0) }) {
      for observer in own.lists.joined().map(\.observer) + own.announced where observers.remove(observer) != nil {
        remains.observers.append(observer)
      }
    }
    if delivery.reactor == reactor { delivery = Delivery() }
    reactors.remove(reactor)
    return remains
  }
}
