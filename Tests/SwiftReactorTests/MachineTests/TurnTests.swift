// The machine's turns: who drains, when a drain is scheduled, and what belongs to a turn.

import Testing

@testable import SwiftReactor

@Suite("Machine: turns")
struct TurnTests {
  private let machine = MachineBench()
  private let reactor: SlotKey
  private let queue = ReactorMachine.Sender.queue(thread: TestThread.first)

  init() { reactor = machine.admitStarted() }

  // MARK: Who drains

  @Test("The first arrival on the queue opens a turn and is drained by its sender")
  func onQueueDrains() {
    #expect(machine.arrive(1, for: reactor, from: queue) == .drainNow)
    #expect(machine.isTurnOpen && machine.isInside(thread: TestThread.first))
    #expect(!machine.isInside(thread: TestThread.second))
    let turn = machine.runTurn()
    #expect(turn.events == [.handled(1)])
    #expect(!turn.schedules && !machine.isTurnOpen && machine.waitingCount == 0)
  }

  @Test("The short way in is open only when nothing waits, no turn runs, and the reactor has started")
  func enter() {
    let fresh = machine.admit()
    #expect(!machine.enter(fresh))
    machine.arrive(1, for: reactor, from: .elsewhere)
    #expect(!machine.enter(reactor))
    _ = machine.runScheduledDrain()
    #expect(machine.enter(reactor))
    #expect(!machine.enter(reactor, thread: TestThread.first), "a turn is open")
    #expect(machine.leave() && !machine.isTurnOpen)
  }

  @Test("The short way out is closed while something waits; the drain ends the turn then")
  func leave() {
    #expect(machine.enter(reactor))
    #expect(machine.arrive(1, for: reactor, from: queue) == .waits)
    #expect(!machine.leave() && machine.isTurnOpen)
    #expect(machine.runTurn().events == [.handled(1)])
    #expect(!machine.isTurnOpen)
  }

  @Test("A value that is there at once passes only when nothing waits before it and its reactor has a state")
  func pass() {
    #expect(machine.enter(reactor))
    #expect(machine.pass(for: reactor) && machine.pass(for: reactor))
    #expect(machine.arrive(1, for: reactor, from: .elsewhere) == .schedule)
    #expect(!machine.pass(for: reactor), "something from elsewhere waits")
    #expect(!machine.leave())
    #expect(machine.runTurn().events == [])
    #expect(machine.runScheduledDrain() == [.handled(1)])
    #expect(machine.enter(reactor))
    machine.arrive(.init(reactor: reactor, stage: .action, call: MachineBench.tag(2)), from: .startingHook)
    #expect(!machine.pass(for: reactor), "something injected waits")
    #expect(machine.runTurn().events == [.injected(2)])
    #expect(machine.enter(reactor))
    _ = machine.machine.dismiss(reactor)
    #expect(!machine.pass(for: reactor), "its state is gone")
    machine.release(reactor)
    #expect(!machine.pass(for: reactor), "it is gone itself")
    #expect(machine.leave())
  }

  @Test("What has passed leaves the machine as if it had been registered, had arrived, been taken and ended")
  func passAndLongWay() {
    let long = MachineBench()
    long.machine = machine.machine
    #expect(machine.enter(reactor) && machine.pass(for: reactor) && machine.leave())
    #expect(long.enter(reactor))
    let effect = long.registerUnnamed(for: reactor)
    #expect(long.arrive(1, of: effect, for: reactor, from: queue) == .waits)
    #expect(!long.leave() && long.next() == .work(reactor))
    #expect(long.take(for: reactor)?.isDropped == false)
    #expect(long.endsPlainly(effect))
    long.endPlainly(effect)
    #expect(long.next() == .endOfTurn(schedule: nil))
    for one in [machine, long] {
      #expect(!one.isTurnOpen && one.waitingCount == 0 && one.machine.effects.isEmpty)
      #expect(one.machine.effects(of: reactor).isEmpty)
    }
  }

  @Test("Inside a turn nobody drains a second time: what is sent waits")
  func nested() {
    #expect(machine.arrive(1, for: reactor, from: queue) == .drainNow)
    var welcomes: [MachineBench.Welcome] = []
    let turn = machine.runTurn { number in
      if number < 4 { welcomes.append(machine.arrive(number + 1, for: reactor, from: queue)) }
    }
    #expect(welcomes == [.waits, .waits, .waits])
    #expect(turn.events == [.handled(1), .handled(2), .handled(3), .handled(4)])
  }

  @Test("A send from inside a reduce joins its own thread's turn")
  func reduceInsideTurn() {
    #expect(machine.enter(reactor))
    #expect(machine.arrive(1, for: reactor, from: .reduce(thread: TestThread.first)) == .waits)
    #expect(!machine.leave())
    let turn = machine.runTurn()
    #expect(turn.events == [.handled(1)] && !turn.schedules)
  }

  @Test("A send from inside a reduce never opens a turn, and belongs to no turn but its thread's")
  func reduceElsewhere() {
    #expect(machine.arrive(1, for: reactor, from: .reduce(thread: TestThread.first)) == .schedule)
    #expect(machine.runScheduledDrain() == [.handled(1)])
    #expect(machine.enter(reactor))
    #expect(machine.arrive(2, for: reactor, from: .reduce(thread: TestThread.second)) == .schedule)
    #expect(!machine.leave())
    #expect(machine.runTurn().events.isEmpty)
    #expect(machine.runScheduledDrain() == [.handled(2)])
  }

  // MARK: Schedules

  @Test("Of many arrivals from elsewhere only the first schedules a drain")
  func scheduleOnce() {
    #expect(machine.arrive(1, for: reactor, from: .elsewhere) == .schedule)
    #expect(machine.arrive(2, for: reactor, from: .elsewhere) == .waits)
    #expect(machine.runScheduledDrain() == [.handled(1), .handled(2)])
    #expect(machine.arrive(3, for: reactor, from: .elsewhere) == .schedule, "the next one schedules again")
  }

  @Test("No lost wake-up: what comes while a turn runs has a drain of its own, which is not scheduled twice")
  func wakeUpInATurn() {
    #expect(machine.enter(reactor))
    #expect(machine.arrive(1, for: reactor, from: .elsewhere) == .schedule)
    #expect(!machine.leave())
    let turn = machine.runTurn()
    #expect(turn.events.isEmpty && !turn.schedules)
    #expect(machine.runScheduledDrain() == [.handled(1)])
  }

  @Test("A drain that is scheduled already is not scheduled again at the end of a turn")
  func noSecondSchedule() {
    #expect(machine.arrive(1, for: reactor, from: .elsewhere) == .schedule)
    #expect(machine.arrive(2, for: reactor, from: queue) == .drainNow)
    let turn = machine.runTurn { number in
      if number == 2 { #expect(machine.arrive(3, for: reactor, from: .elsewhere) == .waits) }
    }
    #expect(turn.events == [.handled(1), .handled(2)] && !turn.schedules)
    #expect(machine.runScheduledDrain() == [.handled(3)])
  }

  @Test("A scheduled drain that finds nothing does nothing, and the next arrival schedules again")
  func emptyDrain() {
    machine.arrive(1, for: reactor, from: .elsewhere)
    #expect(machine.arrive(2, for: reactor, from: queue) == .drainNow)
    _ = machine.runTurn()
    #expect(!machine.openTurn())
    #expect(machine.arrive(3, for: reactor, from: .elsewhere) == .schedule)
  }

  @Test("A scheduled drain inside an open turn leaves everything to that turn, which schedules what is behind it")
  func drainInsideTurn() {
    #expect(machine.arrive(1, for: reactor, from: .elsewhere) == .schedule)
    #expect(machine.arrive(2, for: reactor, from: queue) == .drainNow)
    let turn = machine.runTurn { number in
      guard number == 2 else { return }
      machine.arrive(3, for: reactor, from: .elsewhere)
      // A run loop spins inside an observer and runs the block that was scheduled.
      #expect(!machine.openTurn())
    }
    #expect(turn.events == [.handled(1), .handled(2)] && turn.schedules)
    #expect(machine.runScheduledDrain() == [.handled(3)])
  }

  @Test("Until a drain is in the queue every sender puts one there; from then on nobody does")
  func announcedDrain() {
    var bare = machine.machine
    let arrival = ReactorMachine.Arrival(reactor: reactor, stage: .action)
    func arrives(_ expected: ReactorMachine.Welcome) -> Bool { bare.arrive(arrival, from: .elsewhere) == expected }
    #expect(arrives(.schedule(0)))
    #expect(arrives(.schedule(0)), "the first sender may not have got to it yet")
    bare.didSchedule(0)
    #expect(arrives(.waits))
  }

  @Test("Who has put an earlier drain into the queue says nothing about the next one")
  func lateNews() {
    var bare = machine.machine
    let arrival = ReactorMachine.Arrival(reactor: reactor, stage: .action)
    func arrives(_ expected: ReactorMachine.Welcome) -> Bool { bare.arrive(arrival, from: .elsewhere) == expected }
    func opensTurn() -> Bool { bare.openTurn(thread: TestThread.first) }
    #expect(arrives(.schedule(0)))
    // The block runs before its sender comes to say that it is in the queue.
    #expect(opensTurn())
    #expect(arrives(.schedule(1)))
    bare.didSchedule(0)
    #expect(arrives(.schedule(1)), "nobody has said that this one is in the queue")
    bare.didSchedule(1)
    #expect(arrives(.waits))
  }

  @Test("A turn that ends before the drain of a later arrival is in the queue puts one there itself")
  func endBeforeTheDrain() {
    #expect(machine.enter(reactor))
    var bare = machine.machine
    _ = bare.arrive(ReactorMachine.Arrival(reactor: reactor, stage: .action), from: .elsewhere)
    var end = bare.next()
    #expect(end == .endOfTurn(schedule: 0))
    bare = machine.machine
    _ = bare.arrive(ReactorMachine.Arrival(reactor: reactor, stage: .action), from: .elsewhere)
    bare.didSchedule(0)
    end = bare.next()
    #expect(end == .endOfTurn(schedule: nil))
  }

  @Test("Two threads on one queue at once: the second one is elsewhere, and it is noticed")
  func concurrentQueue() {
    #expect(machine.enter(reactor))
    #expect(!machine.machine.isQueueConcurrent)
    #expect(machine.arrive(1, for: reactor, from: .queue(thread: TestThread.second)) == .schedule)
    #expect(machine.machine.isQueueConcurrent)
    #expect(machine.runTurn().events.isEmpty, "it does not belong to the first one's turn")
  }

  // MARK: What belongs to a turn

  @Test("A turn ends after the last one that waited when it began")
  func lastAtTheBeginning() {
    machine.arrive(1, for: reactor, from: .elsewhere)
    machine.arrive(2, for: reactor, from: .elsewhere)
    #expect(machine.openTurn())
    let turn = machine.runTurn { number in
      machine.arrive(number + 2, for: reactor, from: .elsewhere)
    }
    #expect(turn.events == [.handled(1), .handled(2)])
    #expect(machine.waitingCount == 2)
  }

  @Test("What is sent from inside is handled in the turn, and those from elsewhere in front of it on the way")
  func insideMovesTheEnd() {
    machine.arrive(1, for: reactor, from: .elsewhere)
    #expect(machine.openTurn())
    let turn = machine.runTurn { number in
      guard number == 1 else { return }
      machine.arrive(2, for: reactor, from: .elsewhere)
      machine.arrive(3, for: reactor, from: queue)
      machine.arrive(4, for: reactor, from: .elsewhere)
    }
    #expect(turn.events == [.handled(1), .handled(2), .handled(3)])
    #expect(machine.runScheduledDrain() == [.handled(4)])
  }

  @Test("A sender on the queue pays for what waited before it, in the same call")
  func paysForWaiting() {
    machine.arrive(1, for: reactor, from: .elsewhere)
    machine.arrive(2, for: reactor, from: .elsewhere)
    #expect(machine.arrive(3, for: reactor, from: queue) == .drainNow)
    #expect(machine.runTurn().events == [.handled(1), .handled(2), .handled(3)])
  }

  @Test("Arrivals are handled strictly in order of arrival, across reactors")
  func acrossReactors() {
    let other = machine.admitStarted()
    for number in 1...6 { machine.arrive(number, for: number.isMultiple(of: 2) ? other : reactor, from: .elsewhere) }
    #expect(machine.runScheduledDrain() == (1...6).map { .handled($0) })
  }

  @Test("A reactor takes only what is its own and next")
  func takesItsOwn() {
    let other = machine.admitStarted()
    machine.arrive(1, for: other, from: .elsewhere)
    machine.arrive(2, for: reactor, from: .elsewhere)
    #expect(machine.openTurn())
    #expect(machine.take(for: reactor) == nil)
    #expect(machine.next() == .work(other))
    #expect(machine.take(for: other)?.arrival.call == MachineBench.tag(1))
    #expect(machine.take(for: other) == nil)
    #expect(machine.next() == .work(reactor))
  }

  @Test("A reactor does not take what lies behind the end of the turn")
  func takesNothingBehindTheEnd() {
    machine.arrive(1, for: reactor, from: .elsewhere)
    #expect(machine.openTurn())
    machine.arrive(2, for: reactor, from: .elsewhere)
    #expect(machine.take(for: reactor)?.arrival.call == MachineBench.tag(1))
    #expect(machine.take(for: reactor) == nil)
    #expect(machine.next() == .endOfTurn(schedule: nil))
    #expect(machine.runScheduledDrain() == [.handled(2)])
  }

  // MARK: Reactors that go

  @Test("What arrives for a reactor that is gone is dropped")
  func arrivesTooLate() {
    machine.release(reactor)
    #expect(machine.arrive(1, for: reactor, from: queue) == .dropped)
    #expect(machine.arrive(1, for: reactor, from: .elsewhere) == .dropped)
    #expect(!machine.isTurnOpen && machine.waitingCount == 0)
  }

  @Test("What waits for a reactor that is gone is skipped, and the others have their turn")
  func skipsTheGone() {
    let other = machine.admitStarted()
    machine.arrive(1, for: reactor, from: .elsewhere)
    machine.arrive(2, for: other, from: .elsewhere)
    machine.arrive(3, for: reactor, from: .elsewhere)
    machine.release(reactor)
    #expect(machine.runScheduledDrain() == [.handled(2)])
    #expect(machine.waitingCount == 0)
  }

  @Test("A reactor that is released while it works is not asked for what waits")
  func releasedWhileItWorks() {
    machine.arrive(1, for: reactor, from: .elsewhere)
    machine.arrive(2, for: reactor, from: .elsewhere)
    #expect(machine.openTurn())
    #expect(machine.next() == .work(reactor))
    machine.release(reactor)
    #expect(machine.take(for: reactor) == nil)
    #expect(machine.next() == .endOfTurn(schedule: nil))
  }

  @Test("A number that was given out again does not inherit what waits")
  func reusedNumber() {
    machine.arrive(1, for: reactor, from: .elsewhere)
    machine.release(reactor)
    let heir = machine.admitStarted()
    #expect(heir.index == reactor.index && heir != reactor)
    machine.arrive(2, for: heir, from: .elsewhere)
    #expect(machine.runScheduledDrain() == [.handled(2)])
  }

  // MARK: Limits

  @Test("A hundred thousand waiting arrivals are no news; one more is said once, until everything was handled")
  func waitingLimit() {
    for number in 0..<ReactorMachine.waitingLimit { machine.arrive(number, for: reactor, from: .elsewhere) }
    #expect(!machine.shouldReportWaiting())
    machine.arrive(0, for: reactor, from: .elsewhere)
    #expect(machine.shouldReportWaiting())
    machine.arrive(0, for: reactor, from: .elsewhere)
    #expect(!machine.shouldReportWaiting(), "said once")
    #expect(machine.openTurn())
    #expect(machine.next() == .work(reactor))
    for _ in 0..<3 { _ = machine.take(for: reactor) }
    for number in 0..<3 { machine.arrive(number, for: reactor, from: .elsewhere) }
    #expect(!machine.shouldReportWaiting(), "not everything was handled")
    _ = machine.runTurn()
    _ = machine.runScheduledDrain()
    #expect(machine.waitingCount == 0)
    for number in 0...ReactorMachine.waitingLimit { machine.arrive(number, for: reactor, from: .elsewhere) }
    #expect(machine.shouldReportWaiting(), "said again after everything was handled")
  }

  @Test("The millionth step of a turn is pointed out, once; the next turn counts anew")
  func stepLimit() {
    var bare = machine.machine
    let arrival = ReactorMachine.Arrival(reactor: reactor, stage: .action)
    var pointedOut: [Int] = []
    func step(_ number: Int) {
      _ = bare.arrive(arrival, from: queue)
      if bare.take(for: reactor)!.isLongTurn { pointedOut.append(number) }
    }
    _ = bare.enter(reactor, thread: TestThread.first)
    for number in 2...(ReactorMachine.stepLimit + 2) { step(number) }
    _ = bare.leave()
    _ = bare.enter(reactor, thread: TestThread.first)
    for number in 2...1_000 { step(number) }
    #expect(pointedOut == [ReactorMachine.stepLimit])
  }
}
