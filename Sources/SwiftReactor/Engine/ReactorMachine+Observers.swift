// Decides: who is told of a commit, in which order, and who is not told any more.
// Never: see ReactorMachine.
// Guarded by: the lane's lock.

extension ReactorMachine {
  struct ObserverRecord: Hashable {
    var reactor: SlotKey
    var audience = 0
    /// The place in the order of registration over all audiences; 0 while the registration waits for the queue.
    var order = 0
  }

  /// The delivery that is going on; there is at most one on a queue.
  struct Delivery: Hashable {
    struct Cursor: Hashable {
      var audience: Int
      var position = 0
    }

    var reactor = SlotKey.none
    var cursors: ContiguousArray<Cursor> = []
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
    reactors[known: reactor].announced.append(observer)
    return observer
  }

  /// A number for a path that nobody observed so far. An audience that has lost its last observer is not given out
  /// before it was vacated: until then its path is still compared, and that must not reach observers of another path.
  mutating func addAudience(to reactor: SlotKey) -> Int {
    guard reactors.contains(reactor) else { return 0 }
    if let unused = reactors[known: reactor].vacant.popLast() { return unused }
    reactors[known: reactor].audiences.append([])
    return reactors[known: reactor].audiences.count - 1
  }

  /// The audience's path need not be watched any more, if nobody is left. False: somebody is.
  mutating func vacate(_ audience: Int, of reactor: SlotKey) -> Bool {
    guard reactors.contains(reactor) else { return true }
    guard reactors[known: reactor].audiences[audience].isEmpty else { return false }
    if !reactors[known: reactor].vacant.contains(audience) { reactors[known: reactor].vacant.append(audience) }
    return true
  }

  /// From here on the observer is told of commits. False: it was cancelled in between.
  mutating func register(_ observer: SlotKey, in audience: Int) -> Bool {
    guard let record = observers[observer], record.order == 0 else { return false }
    registrations += 1
    observers[known: observer].order = registrations
    observers[known: observer].audience = audience
    reactors[known: record.reactor].announced.removeAll { $0 == observer }
    reactors[known: record.reactor].audiences[audience].append(observer)
    return true
  }

  /// The observer is not called again. Returns the reactor if one of its audiences has nobody left because of it.
  mutating func cancelObserver(_ observer: SlotKey) -> SlotKey? {
    guard let record = observers.remove(observer), reactors.contains(record.reactor) else { return nil }
    guard record.order > 0 else {
      reactors[known: record.reactor].announced.removeAll { $0 == observer }
      return nil
    }
    guard delivery.reactor != record.reactor else {
      // The delivery walks these lists. It skips who is not known any more.
      delivery.hasGone = true
      return nil
    }
    reactors[known: record.reactor].audiences[record.audience].removeAll { $0 == observer }
    return reactors[known: record.reactor].audiences[record.audience].isEmpty ? record.reactor : nil
  }

  func hasObservers(_ reactor: SlotKey) -> Bool {
    reactors[reactor]?.audiences.contains { !$0.isEmpty } ?? false
  }

  mutating func beginDelivery(of reactor: SlotKey) {
    delivery.reactor = reactor
    delivery.newest = registrations
    delivery.hasGone = false
    delivery.cursors.removeAll(keepingCapacity: true)
    if !reactors[known: reactor].audiences[0].isEmpty { delivery.cursors.append(.init(audience: 0)) }
  }

  mutating func includeAudience(_ audience: Int) {
    delivery.cursors.append(.init(audience: audience))
  }

  /// The next one to tell, in order of registration. Nil: the delivery is over, and `hasGone` says whether somebody
  /// left on the way.
  mutating func nextObserver() -> SlotKey? {
    guard reactors.contains(delivery.reactor) else { return nil }
    var best: (cursor: Int, order: Int, key: SlotKey)?
    for index in delivery.cursors.indices {
      guard let (key, order) = head(of: index) else { continue }
      if best == nil || order < best!.order { best = (index, order, key) }
    }
    guard let best else {
      endDelivery()
      return nil
    }
    delivery.cursors[best.cursor].position += 1
    return best.key
  }

  /// The reactor is gone, and with it everything that was its own.
  mutating func release(_ reactor: SlotKey) -> Remains {
    var remains = Remains()
    guard reactors.contains(reactor) else { return remains }
    remains.consequences = cancelEffects(of: reactor)
    for audience in reactors[known: reactor].audiences + [reactors[known: reactor].announced] {
      for observer in audience where observers.remove(observer) != nil { remains.observers.append(observer) }
    }
    if delivery.reactor == reactor { delivery = Delivery() }
    reactors.remove(reactor)
    return remains
  }

  /// Skips those who were cancelled; nil when the audience is through.
  private mutating func head(of index: Int) -> (key: SlotKey, order: Int)? {
    let cursor = delivery.cursors[index]
    let audience = reactors[known: delivery.reactor].audiences[cursor.audience]
    var position = cursor.position
    defer { delivery.cursors[index].position = position }
    while position < audience.count {
      if let record = observers[audience[position]] {
        return record.order <= delivery.newest ? (audience[position], record.order) : nil
      }
      position += 1
    }
    return nil
  }

  private mutating func endDelivery() {
    let reactor = delivery.reactor
    delivery.reactor = .none
    guard delivery.hasGone, reactors.contains(reactor) else { return }
    for audience in reactors[known: reactor].audiences.indices {
      reactors[known: reactor].audiences[audience].removeAll { !observers.contains($0) }
    }
  }
}
