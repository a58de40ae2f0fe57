// A bench for one machine: its events and decisions as calls that `#expect` can hold, with tags in place of payloads.

@testable import SwiftReactor

/// The threads of the machine's tests: numbers, as for the machine itself.
enum TestThread {
  static let first: UInt = 1
  static let second: UInt = 2
}

/// A machine on a bench. A class, because `#expect` does not take calls that change a value.
final class MachineBench {
  typealias Machine = ReactorMachine

  var machine = ReactorMachine()

  // MARK: Reactors and turns

  func admit() -> SlotKey { machine.admit() }

  /// A reactor that was used before.
  func admitStarted() -> SlotKey {
    let reactor = machine.admit()
    machine.reactors[known: reactor].isStarted = true
    return reactor
  }

  var isTurnOpen: Bool { machine.isTurnOpen }
  var waitingCount: Int { machine.waitingCount }
  func isInside(thread: UInt) -> Bool { machine.isInside(thread: thread) }
  func enter(_ reactor: SlotKey, thread: UInt = TestThread.first) -> Bool { machine.enter(reactor, thread: thread) }
  func leave() -> Bool { machine.leave() }
  func pass(for reactor: SlotKey) -> Bool { machine.pass(for: reactor) }
  func endsPlainly(_ effect: SlotKey) -> Bool { machine.endsPlainly(effect) }
  func endPlainly(_ effect: SlotKey) { machine.endPlainly(effect) }
  func openTurn(thread: UInt = TestThread.first) -> Bool { machine.openTurn(thread: thread) }
  func next() -> Machine.Next { machine.next() }
  func take(for reactor: SlotKey) -> Machine.Taken? { machine.take(for: reactor) }
  func shouldReportWaiting() -> Bool { machine.shouldReportWaiting() }
  @discardableResult func release(_ reactor: SlotKey) -> Machine.Remains { machine.release(reactor) }

  // MARK: Arrivals

  /// A tag for an arrival. The machine looks calls up in a table of its own, in which a tag is unknown.
  static func tag(_ number: Int) -> SlotKey {
    SlotKey(index: UInt32(1_000_000 + number), generation: 0)
  }

  /// What the sender has to do.
  enum Welcome: Hashable {
    case waits
    case drainNow
    case schedule
    case dropped, late
  }

  /// An action comes in.
  @discardableResult
  func arrive(_ number: Int, for reactor: SlotKey, from sender: Machine.Sender) -> Welcome {
    arrive(.init(reactor: reactor, stage: .action, call: Self.tag(number)), from: sender)
  }

  /// Something of an effect comes in.
  @discardableResult
  func arrive(
    _ number: Int, of effect: SlotKey, for reactor: SlotKey, stage: Machine.Stage = .mutation,
    from sender: Machine.Sender = .elsewhere
  ) -> Welcome {
    arrive(.init(reactor: reactor, stage: stage, about: effect, call: Self.tag(number)), from: sender)
  }

  /// Something comes in. A drain that is asked for is in the queue at once.
  @discardableResult
  func arrive(_ arrival: Machine.Arrival, from sender: Machine.Sender = .elsewhere) -> Welcome {
    switch machine.arrive(arrival, from: sender) {
    case .waits: return .waits
    case .drainNow: return .drainNow
    case .dropped: return .dropped
    case .late: return .late
    case .schedule(let ticket):
      machine.didSchedule(ticket)
      return .schedule
    }
  }

  /// What a turn did, in order.
  enum Event: Hashable, CustomStringConvertible {
    case handled(Int)
    case dropped(Int)
    case injected(Int)
    case started(SlotKey)

    var description: String {
      switch self {
      case .handled(let number): "\(number)"
      case .dropped(let number): "(\(number))"
      case .injected(let number): "+\(number)"
      case .started(let reactor): "start \(reactor.index)"
      }
    }
  }

  /// Carries the open turn to its end, as a lane does.
  func runTurn(
    onHandle: (Int) -> Void = { _ in }, onStart: (SlotKey) -> Void = { _ in }
  ) -> (events: [Event], schedules: Bool) {
    var events: [Event] = []
    while true {
      switch machine.next() {
      case .endOfTurn(let ticket):
        if let ticket { machine.didSchedule(ticket) }
        return (events, ticket != nil)
      case .start(let reactor):
        events.append(.started(reactor))
        onStart(reactor)
      case .work(let reactor):
        while let taken = machine.take(for: reactor) {
          let number = Int(taken.arrival.call.index) - 1_000_000
          if taken.isDropped {
            events.append(.dropped(number))
          } else {
            events.append(taken.isInjected ? .injected(number) : .handled(number))
            onHandle(number)
          }
        }
      }
    }
  }

  /// Takes up a scheduled drain and carries its turn to the end.
  func runScheduledDrain(onHandle: (Int) -> Void = { _ in }) -> [Event]? {
    guard openTurn() else { return nil }
    return runTurn(onHandle: onHandle).events
  }

  // MARK: Effects and calls

  func makeGroup(for reactor: SlotKey) -> SlotKey { machine.makeGroup(for: reactor) }

  func register(
    for reactor: SlotKey, under group: SlotKey = .none, _ rule: Machine.Rule = .concurrent(max: .max),
    call: SlotKey = .none
  ) -> Machine.Consequences {
    machine.register(for: reactor, under: group, rule: rule, call: call)
  }

  /// Registers an effect that must come into being, and hands back its key.
  func start(
    for reactor: SlotKey, under group: SlotKey = .none, _ rule: Machine.Rule = .concurrent(max: .max),
    call: SlotKey = .none
  ) -> SlotKey {
    register(for: reactor, under: group, rule, call: call).registered
  }

  func phase(of effect: SlotKey) -> Machine.EffectRecord.Phase? { machine.effects[effect]?.phase }
  func effectEnded(_ effect: SlotKey) -> Machine.Consequences { machine.effectEnded(effect) }
  func cancel(group: SlotKey) -> Machine.Consequences { machine.cancel(group: group) }
  func cancelEffects(of reactor: SlotKey) -> Machine.Consequences { machine.cancelEffects(of: reactor) }
  func keep(group: SlotKey) -> Bool { machine.keep(group: group) }
  func openCall(of reactor: SlotKey, origin: SlotKey = .none) -> SlotKey {
    machine.openCall(of: reactor, origin: origin)
  }
  func didHandleAction(of call: SlotKey) -> Machine.Consequences { machine.didHandleAction(of: call) }
  func cancel(call: SlotKey) -> Machine.Consequences { machine.cancel(call: call) }
  func wantsBelow(_ bound: Int, of effect: SlotKey) -> Bool { machine.wantsBelow(bound, of: effect) }

  // MARK: Observers

  func announceObserver(of reactor: SlotKey) -> SlotKey? { machine.announceObserver(of: reactor) }
  func enrollObserver(of reactor: SlotKey, in audience: Int = 0) -> SlotKey {
    let observer = machine.announceObserver(of: reactor)!
    _ = machine.register(observer, in: audience)
    return observer
  }
  func register(_ observer: SlotKey, in audience: Int) -> Bool { machine.register(observer, in: audience) }
  @discardableResult func cancelObserver(_ observer: SlotKey) -> SlotKey? { machine.cancelObserver(observer) }
  func didSchedule(_ ticket: Machine.Ticket) { machine.didSchedule(ticket) }
  func registerUnnamed(for reactor: SlotKey, call: SlotKey = .none) -> SlotKey {
    machine.registerUnnamed(for: reactor, call: call)
  }
  func addAudience(to reactor: SlotKey) -> Int { machine.addAudience(to: reactor) }
  func vacate(_ audience: Int, of reactor: SlotKey) -> Bool { machine.vacate(audience, of: reactor) }
  func beginDelivery(of reactor: SlotKey) { machine.beginDelivery(of: reactor) }
  func includeAudience(_ audience: Int) { machine.includeAudience(audience) }
  func nextObserver() -> SlotKey? { machine.nextObserver() }

  /// Everybody who is told of a commit.
  func deliver(
    to reactor: SlotKey, including audiences: [Int] = [], onCall: (SlotKey) -> Void = { _ in }
  ) -> [SlotKey] {
    var told: [SlotKey] = []
    machine.beginDelivery(of: reactor)
    for audience in audiences { machine.includeAudience(audience) }
    while let observer = machine.nextObserver() {
      told.append(observer)
      onCall(observer)
    }
    return told
  }
}
