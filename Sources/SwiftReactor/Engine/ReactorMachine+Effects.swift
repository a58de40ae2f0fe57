// Decides: which effect may start, which one waits, which one is replaced, dropped or cancelled, and when a `perform`
//   has seen the last of its effects.
// Never: see ReactorMachine. An effect that is not in the table any more has no say: its values are dropped on arrival
//   and, if they wait already, when their turn comes (Contract G15).
// Guarded by: the lane's lock.

extension ReactorMachine {
  struct EffectRecord: Hashable, SlotRecord {
    enum Phase: UInt8, Hashable {
      /// It waits for its turn under its id.
      case waiting
      case running
      /// It is no effect but the time after a throttled one, in which others are held.
      case window
    }

    var reactor = SlotKey.none
    var group = SlotKey.none
    var call = SlotKey.none
    var phase = Phase.running
    /// The state asks for it, so it does not end with the call in which it did.
    var isOfState = false
    /// How many may run under its id, itself included, for it to start after waiting.
    var room = Int.max
    /// How many of its values wait to be handled.
    var waitingValues = 0
    /// Somebody wants to hear when fewer than this many wait; 0 for nobody.
    var wantedBelow = 0
    /// Its neighbours among the effects of its reactor, and among those under its id.
    var links = EffectLinks()

    /// Counts a value that is handled now; true if that is what somebody waits for.
    mutating func didTakeValue() -> Bool {
      waitingValues -= 1
      guard waitingValues < wantedBelow else { return false }
      wantedBelow = 0
      return true
    }
  }

  /// The effects of one reactor under one id.
  struct EffectGroup: Hashable, SlotRecord {
    var reactor = SlotKey.none
    var members = EffectChain()
    /// How many of the members are in which phase.
    var running = 0
    var waiting = 0
    var windows = 0
    /// A registration under it is on its way: a cancel elsewhere must not forget it in between.
    var isKept = true

    mutating func count(_ phase: EffectRecord.Phase, by change: Int) {
      switch phase {
      case .waiting: waiting += change
      case .running: running += change
      case .window: windows += change
      }
    }
  }

  /// A `perform` that is under way.
  struct CallRecord: Hashable, SlotRecord {
    var reactor = SlotKey.none
    /// The effect whose body called `perform`, if any.
    var origin = SlotKey.none
    /// The action itself, until its step is over, and its effects.
    var pending = 1
    var isCancelled = false
  }

  /// How one effect gets on with the others under its id.
  enum Rule: Hashable {
    case concurrent(max: Int)
    case latest
    case first
    /// At most one start per window. During the window the newest one is held, or none is.
    case throttled(holdsLatest: Bool)
  }

  /// What follows from a decision about effects.
  struct Consequences: Hashable {
    /// Cancel these. They are gone from every table.
    var cancelled: [SlotKey] = []
    /// Start these now.
    var started: [SlotKey] = []
    /// Time the window after a throttled effect.
    var openedWindows: [SlotKey] = []
    /// These calls of `perform` have seen everything.
    var finishedCalls: [SlotKey] = []
    /// Nothing runs under these ids any more: forget their numbers.
    var emptiedGroups: [SlotKey] = []
    /// The effect that was registered, unless it was dropped.
    var registered = SlotKey.none
    /// It waits for the effect that waits for it.
    var isSelfWait = false
  }

  /// A number for a user's id under which nothing runs yet.
  mutating func makeGroup(for reactor: SlotKey) -> SlotKey {
    groups.insert(EffectGroup(reactor: reactor))
  }

  /// Keeps a group until the next registration under it. False: it was forgotten.
  mutating func keep(group: SlotKey) -> Bool {
    guard groups.contains(group) else { return false }
    groups[known: group].isKept = true
    return true
  }

  /// An effect was returned by `mutate`. It is known from now on, before anything of it runs (Contract G14).
  mutating func register(
    for reactor: SlotKey, under group: SlotKey, rule: Rule, call: SlotKey, isOfState: Bool = false
  ) -> Consequences {
    var outcome = Consequences()
    let call = isOfState && calls[call]?.isCancelled == true ? .none : call
    if groups.contains(group) { groups[known: group].isKept = false }
    // A nested reactor's state may go in its own step, by what its `mutate` calls.
    if reactors[known: reactor].isGone || calls[call]?.isCancelled == true {
      forgetGroupIfEmpty(group, &outcome)
      return outcome
    }
    var phase = EffectRecord.Phase.running
    var room = Int.max
    var opensWindow = false
    if !group.isNone {
      switch rule {
      case .latest:
        removeMembers(of: group, &outcome)
      case .first:
        guard groups[known: group].members.isEmpty else { return outcome }
      case .concurrent(let max):
        room = max
        if groups[known: group].running >= max { phase = .waiting }
      case .throttled(let holdsLatest):
        if isThrottled(group) {
          guard holdsLatest else { return outcome }
          phase = .waiting
          while let held = firstWaiting(in: group) { remove(held, keepsGroup: true, &outcome) }
        } else {
          opensWindow = true
        }
      }
    }
    let effect = insert(
      EffectRecord(reactor: reactor, group: group, call: call, phase: phase, isOfState: isOfState, room: room))
    outcome.registered = effect
    if calls.contains(call) { calls[known: call].pending += 1 }
    if phase == .waiting {
      outcome.isSelfWait = waitsForItself(call: call, group: group)
    } else {
      outcome.started.append(effect)
    }
    if opensWindow { openWindow(of: group, &outcome) }
    return outcome
  }

  /// The same for an effect without an id: nothing follows from it but that it may start.
  mutating func registerUnnamed(for reactor: SlotKey, call: SlotKey) -> SlotKey {
    if reactors[known: reactor].isGone { return .none }
    if !call.isNone {
      guard calls[call]?.isCancelled == false else { return .none }
      calls[known: call].pending += 1
    }
    let effect = effects.insertEmpty()
    effects[known: effect].reactor = reactor
    effects[known: effect].call = call
    effects.link(effect, to: &reactors[known: reactor].effects, .ofReactor)
    return effect
  }

  /// Does nothing follow from the end of the effect but that it is gone? Else `effectEnded` has to be asked.
  func endsPlainly(_ effect: SlotKey) -> Bool {
    !effects.contains(effect) || effects[known: effect].call.isNone && effects[known: effect].group.isNone
  }

  /// The end of such an effect.
  mutating func endPlainly(_ effect: SlotKey) {
    guard effects.contains(effect) else { return }
    let reactor = effects[known: effect].reactor
    effects.unlink(effect, from: &reactors[known: reactor].effects, .ofReactor)
    effects.clear(known: effect)
  }

  /// The end of an effect, or of a throttle's window, is handled.
  mutating func effectEnded(_ effect: SlotKey) -> Consequences {
    var outcome = Consequences()
    guard let record = effects[effect] else { return outcome }
    remove(effect, keepsGroup: true, &outcome)
    if record.group.isNone { return outcome }
    if record.phase == .window {
      if startNext(in: record.group, &outcome) != nil { openWindow(of: record.group, &outcome) }
    } else if !isThrottled(record.group) {
      startNext(in: record.group, &outcome)
    }
    forgetGroupIfEmpty(record.group, &outcome)
    return outcome
  }

  mutating func cancel(group: SlotKey) -> Consequences {
    var outcome = Consequences()
    guard groups.contains(group) else { return outcome }
    removeMembers(of: group, &outcome)
    forgetGroupIfEmpty(group, &outcome)
    return outcome
  }

  /// The state has ceased to ask for these.
  mutating func cancel(effects: [SlotKey]) -> Consequences {
    var outcome = Consequences()
    for effect in effects where self.effects.contains(effect) { cancel(effect, &outcome) }
    return outcome
  }

  mutating func cancelEffects(of reactor: SlotKey) -> Consequences {
    var outcome = Consequences()
    guard reactors.contains(reactor) else { return outcome }
    while let effect = reactors[known: reactor].effects.first { remove(effect, keepsGroup: false, &outcome) }
    return outcome
  }

  // MARK: Calls

  mutating func openCall(of reactor: SlotKey, origin: SlotKey) -> SlotKey {
    calls.insert(CallRecord(reactor: reactor, origin: origin))
  }

  /// The call itself, or else the one that the effect belongs to. It does not end before `didHandleAction` is said of it
  /// once more.
  mutating func keepCall(_ call: SlotKey, of effect: SlotKey) -> SlotKey {
    let call = call.isNone ? effects[effect]?.call ?? .none : call
    guard calls.contains(call) else { return .none }
    calls[known: call].pending += 1
    return call
  }

  /// The step of the call's action is over, or its action came to nothing.
  mutating func didHandleAction(of call: SlotKey) -> Consequences {
    var outcome = Consequences()
    settle(call, &outcome)
    return outcome
  }

  /// The task that waits for the call was cancelled: so are the call's effects, those to come included.
  mutating func cancel(call: SlotKey) -> Consequences {
    var outcome = Consequences()
    guard let record = calls[call] else { return outcome }
    calls[known: call].isCancelled = true
    for effect in effects(of: record.reactor) where effects[effect]?.call == call {
      guard effects[known: effect].isOfState else {
        cancel(effect, &outcome)
        continue
      }
      // Nobody waits for it any more, and it goes on.
      effects[known: effect].call = .none
      settle(call, &outcome)
    }
    return outcome
  }

  // MARK: Values

  /// The effects of a reactor in order of registration.
  func effects(of reactor: SlotKey) -> [SlotKey] {
    reactors.contains(reactor) ? effects.keys(of: reactors[known: reactor].effects, .ofReactor) : []
  }

  /// The effects under an id in order of registration.
  func members(of group: SlotKey) -> [SlotKey] {
    groups.contains(group) ? effects.keys(of: groups[known: group].members, .ofGroup) : []
  }

  /// Somebody waits until fewer than `bound` values of an effect wait. False: that is so already.
  mutating func wantsBelow(_ bound: Int, of effect: SlotKey) -> Bool {
    guard let record = effects[effect], record.waitingValues >= bound else { return false }
    effects[known: effect].wantedBelow = max(record.wantedBelow, bound)
    return true
  }

  // MARK: Parts

  private mutating func insert(_ record: EffectRecord) -> SlotKey {
    let effect = effects.insert(record)
    effects.link(effect, to: &reactors[known: record.reactor].effects, .ofReactor)
    if !record.group.isNone {
      effects.link(effect, to: &groups[known: record.group].members, .ofGroup)
      groups[known: record.group].count(record.phase, by: 1)
    }
    return effect
  }

  private mutating func openWindow(of group: SlotKey, _ outcome: inout Consequences) {
    let reactor = groups[known: group].reactor
    outcome.openedWindows.append(
      insert(EffectRecord(reactor: reactor, group: group, call: .none, phase: .window)))
  }

  /// Takes one effect out, and lets those that waited for it start.
  private mutating func cancel(_ effect: SlotKey, _ outcome: inout Consequences) {
    let group = effects[known: effect].group
    let wasRunning = effects[known: effect].phase == .running
    remove(effect, keepsGroup: true, &outcome)
    if wasRunning, !isThrottled(group) { startNext(in: group, &outcome) }
    forgetGroupIfEmpty(group, &outcome)
  }

  private mutating func remove(_ effect: SlotKey, keepsGroup: Bool, _ outcome: inout Consequences) {
    guard let record = effects[effect] else { return }
    outcome.cancelled.append(effect)
    effects.unlink(effect, from: &reactors[known: record.reactor].effects, .ofReactor)
    if !record.group.isNone {
      effects.unlink(effect, from: &groups[known: record.group].members, .ofGroup)
      groups[known: record.group].count(record.phase, by: -1)
    }
    effects.remove(effect)
    if !record.group.isNone {
      if !keepsGroup { forgetGroupIfEmpty(record.group, &outcome) }
    }
    settle(record.call, &outcome)
  }

  @discardableResult
  private mutating func startNext(in group: SlotKey, _ outcome: inout Consequences) -> SlotKey? {
    var started: SlotKey?
    // First in, first out, as long as there is room for the next: others under the id may have other rules.
    while groups.contains(group), let next = firstWaiting(in: group),
      groups[known: group].running < effects[known: next].room
    {
      effects[known: next].phase = .running
      groups[known: group].count(.waiting, by: -1)
      groups[known: group].count(.running, by: 1)
      outcome.started.append(next)
      started = next
    }
    return started
  }

  private func isThrottled(_ group: SlotKey) -> Bool {
    groups.contains(group) && groups[known: group].windows > 0
  }

  private func firstWaiting(in group: SlotKey) -> SlotKey? {
    guard groups[known: group].waiting > 0 else { return nil }
    return effects.first(of: groups[known: group].members, .ofGroup) { $0.phase == .waiting }
  }

  private mutating func removeMembers(of group: SlotKey, _ outcome: inout Consequences) {
    while let member = groups[known: group].members.first { remove(member, keepsGroup: true, &outcome) }
  }

  private mutating func forgetGroupIfEmpty(_ group: SlotKey, _ outcome: inout Consequences) {
    guard let record = groups[group], record.members.isEmpty, !record.isKept else { return }
    groups.remove(group)
    outcome.emptiedGroups.append(group)
  }

  private mutating func settle(_ call: SlotKey, _ outcome: inout Consequences) {
    guard calls.contains(call) else { return }
    calls[known: call].pending -= 1
    guard calls[known: call].pending == 0 else { return }
    calls.remove(call)
    outcome.finishedCalls.append(call)
  }

  /// Does the call come from an effect of this very group, directly or through other calls?
  private func waitsForItself(call: SlotKey, group: SlotKey) -> Bool {
    var origin = calls[call]?.origin ?? .none
    while let effect = effects[origin] {
      if effect.group == group { return true }
      origin = calls[effect.call]?.origin ?? .none
    }
    return false
  }
}
