// The machine's observers: who is told of a commit, in which order, and who is not told any more.

import Testing

@testable import SwiftReactor

@Suite("Machine: observers")
struct ObserverDecisionTests {
  private let machine = MachineBench()
  private let reactor: SlotKey

  init() { reactor = machine.admitStarted() }

  // MARK: Registration

  @Test("An observer that is only announced is told nothing")
  func announced() {
    let observer = machine.announceObserver(of: reactor)!
    #expect(machine.deliver(to: reactor).isEmpty)
    #expect(!machine.machine.hasObservers(reactor))
    #expect(machine.register(observer, in: 0))
    #expect(machine.machine.hasObservers(reactor))
    #expect(machine.deliver(to: reactor) == [observer])
  }

  @Test("An observer is registered once")
  func once() {
    let observer = machine.enrollObserver(of: reactor)
    #expect(!machine.register(observer, in: 0))
    #expect(machine.deliver(to: reactor) == [observer])
  }

  @Test("An observer that was cancelled before its registration is not registered, and its late arrival is dropped")
  func cancelledBefore() {
    let observer = machine.announceObserver(of: reactor)!
    let arrival = ReactorMachine.Arrival(
      reactor: reactor, stage: .observation, about: observer, call: MachineBench.tag(1))
    machine.arrive(arrival)
    #expect(machine.cancelObserver(observer) == nil)
    #expect(!machine.register(observer, in: 0))
    #expect(machine.runScheduledDrain() == [.dropped(1)])
    #expect(machine.machine.observers.isEmpty)
    #expect(machine.machine.audiences(of: reactor).announced.isEmpty)
  }

  @Test("The observation of one that lives is handled")
  func observation() {
    let observer = machine.announceObserver(of: reactor)!
    machine.arrive(.init(reactor: reactor, stage: .observation, about: observer, call: MachineBench.tag(1)))
    #expect(machine.runScheduledDrain() == [.handled(1)])
  }

  @Test("Nobody observes a reactor that is gone")
  func gone() {
    machine.release(reactor)
    #expect(machine.announceObserver(of: reactor) == nil)
    #expect(machine.addAudience(to: reactor) == 0)
  }

  // MARK: Order

  @Test("Registration order within a commit, over several audiences")
  func orderOverAudiences() {
    let first = machine.addAudience(to: reactor)
    let audiences = [0, first, 0, machine.addAudience(to: reactor), first, 2, 0]
    let observers = audiences.map { machine.enrollObserver(of: reactor, in: $0) }
    #expect(machine.deliver(to: reactor, including: [2, 1]) == observers)
    #expect(
      machine.deliver(to: reactor, including: [1]) == [0, 1, 2, 4, 6].map { observers[$0] }, "only what has changed")
    #expect(machine.deliver(to: reactor) == [0, 2, 6].map { observers[$0] })
  }

  @Test("Commits of one reactor are no news for the observers of another")
  func otherReactors() {
    let other = machine.admitStarted()
    let mine = machine.enrollObserver(of: reactor)
    let theirs = machine.enrollObserver(of: other)
    #expect(machine.deliver(to: reactor) == [mine])
    #expect(machine.deliver(to: other) == [theirs])
  }

  // MARK: Cancels and registrations on the way

  @Test("An observer that is cancelled in a callback is not called, and nobody else is skipped or called twice")
  func cancelDuringDelivery() {
    for canceller in 0..<4 {
      for cancelled in 0..<4 {
        let bench = MachineBench()
        let reactor = bench.admitStarted()
        let audience = bench.addAudience(to: reactor)
        let observers = [0, audience, 0, audience].map { bench.enrollObserver(of: reactor, in: $0) }
        let told = bench.deliver(to: reactor, including: [audience]) { observer in
          if observer == observers[canceller] { bench.cancelObserver(observers[cancelled]) }
        }
        let expected = observers.indices.filter { $0 != cancelled || $0 <= canceller }
        #expect(told == expected.map { observers[$0] }, "\(canceller) cancels \(cancelled)")
        let rest = bench.deliver(to: reactor, including: [audience])
        #expect(rest == observers.indices.filter { $0 != cancelled }.map { observers[$0] })
      }
    }
  }

  @Test("Whoever registers in a callback is not told of that commit, and of the next one is")
  func registerDuringDelivery() {
    let first = machine.enrollObserver(of: reactor)
    var late: [SlotKey] = []
    let audience = machine.addAudience(to: reactor)
    let told = machine.deliver(to: reactor, including: [audience]) { _ in
      for place in [0, audience] { late.append(machine.enrollObserver(of: reactor, in: place)) }
    }
    #expect(told == [first])
    #expect(machine.deliver(to: reactor, including: [audience]) == [first] + late)
  }

  @Test("The lists are put in order after a delivery in which somebody left")
  func tidyAfterDelivery() {
    let observers = (0..<3).map { _ in machine.enrollObserver(of: reactor) }
    _ = machine.deliver(to: reactor) { _ in machine.cancelObserver(observers[1]) }
    #expect(machine.machine.delivery.hasGone)
    #expect(machine.machine.audiences(of: reactor).lists[0].map(\.observer) == [observers[0], observers[2]])
    _ = machine.deliver(to: reactor)
    #expect(!machine.machine.delivery.hasGone)
  }

  @Test("A cancel of another reactor's observer during a delivery takes effect at once")
  func cancelOtherDuringDelivery() {
    let other = machine.admitStarted()
    let theirs = machine.enrollObserver(of: other)
    _ = machine.enrollObserver(of: reactor)
    var answer: SlotKey?
    _ = machine.deliver(to: reactor) { _ in answer = machine.cancelObserver(theirs) }
    #expect(answer == other)
    #expect(machine.machine.audiences(of: other).lists == [[]])
  }

  @Test("A reactor that is released by an observer tells nobody else")
  func releasedDuringDelivery() {
    let observers = (0..<3).map { _ in machine.enrollObserver(of: reactor) }
    var remains = ReactorMachine.Remains()
    let told = machine.deliver(to: reactor) { _ in remains = machine.release(reactor) }
    #expect(told == [observers[0]] && remains.observers == observers)
    #expect(machine.machine.observers.isEmpty)
  }

  @Test("A release hands back registered and announced observers, by audience")
  func release() {
    let audience = machine.addAudience(to: reactor)
    let inAudience = machine.enrollObserver(of: reactor, in: audience)
    let every = machine.enrollObserver(of: reactor)
    let waiting = machine.announceObserver(of: reactor)!
    #expect(machine.release(reactor).observers == [every, inAudience, waiting])
    #expect(machine.release(reactor) == .init(), "once")
    #expect(machine.cancelObserver(every) == nil)
  }

  // MARK: Audiences

  @Test("The last one to leave an audience says so; the others do not, and nobody does twice")
  func lastOne() {
    let audience = machine.addAudience(to: reactor)
    let first = machine.enrollObserver(of: reactor, in: audience)
    let second = machine.enrollObserver(of: reactor, in: audience)
    #expect(machine.cancelObserver(first) == nil)
    #expect(machine.cancelObserver(second) == reactor)
    #expect(machine.cancelObserver(second) == nil)
  }

  @Test("An audience that has lost its last observer is not given to another path before it was vacated")
  func reuse() {
    let first = machine.addAudience(to: reactor)
    let observer = machine.enrollObserver(of: reactor, in: first)
    #expect(!machine.vacate(first, of: reactor), "somebody is there")
    machine.cancelObserver(observer)
    let second = machine.addAudience(to: reactor)
    #expect(second != first, "its path may still be watched")
    #expect(machine.vacate(first, of: reactor) && machine.vacate(first, of: reactor), "asked twice, given out once")
    #expect(machine.addAudience(to: reactor) == first)
    #expect(machine.addAudience(to: reactor) == 3)
  }
}
