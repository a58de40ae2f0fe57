// Every schedule of observers: registration from anywhere, cancels, paths, and callbacks that do all of it.

import Testing

@testable import SwiftReactor

@Suite("Schedules: observers")
struct ObserverScheduleTests {
  @Test("A sender, and an observer that registers from elsewhere")
  func fromElsewhere() {
    var plan = Plan(scheduling: .inTwoSteps)
    let observer = plan.observer()
    plan.sender("a", .elsewhere, count: 2)
    plan.thread("o", .elsewhere, [.observe(observer)])
    expectSchedules(144_834, plan)
  }

  @Test("A sender, an observer from elsewhere, and its cancel from elsewhere")
  func cancelElsewhere() {
    var plan = Plan(scheduling: .inOneStep)
    let observer = plan.observer()
    plan.sender("a", .elsewhere, count: 2)
    plan.thread("o", .elsewhere, [.observe(observer), .cancelObserver(observer)])
    expectSchedules(28_960, plan)
  }

  @Test("A sender, an observer from elsewhere, and its cancel on the queue")
  func cancelOnQueue() {
    var plan = Plan(scheduling: .inOneStep)
    let observer = plan.observer()
    plan.sender("a", .elsewhere, count: 2)
    plan.thread("o", .elsewhere, [.observe(observer)])
    plan.thread("q", .queue, [.cancelObserver(observer)])
    expectSchedules(1980, plan)
  }

  @Test("An observer that registers on the queue, before and after an action, beside a sender elsewhere")
  func onQueue() {
    var plan = Plan(scheduling: .inOneStep)
    let first = plan.observer()
    let second = plan.observer(path: 2)
    let source = plan.addSource(1)
    plan.thread(
      "q", .queue, [.observe(first), .send(Item(source: source, number: 1), to: 0), .observe(second)])
    plan.sender("a", .elsewhere, count: 2)
    expectSchedules(574, plan)
  }

  @Test("A first observation that starts the reactor includes what the hooks inject at once")
  func firstObservation() {
    var plan = Plan(scheduling: .inOneStep)
    let injected = plan.addSource(1)
    plan.reactors[0] = ReactorPlan(isStarted: false, injections: [Item(source: injected, number: 1)])
    let onQueue = plan.observer()
    let elsewhere = plan.observer()
    plan.thread("q", .queue, [.observe(onQueue)])
    plan.thread("o", .elsewhere, [.observe(elsewhere)])
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(3949, plan)
  }

  @Test("An observer that sends at a value, and one behind it")
  func reentrant() {
    var plan = Plan(scheduling: .inOneStep)
    // Which values it gets depends on when it registers, and so do the actions that it sends.
    let atOne = plan.addSource(nil)
    let atTwo = plan.addSource(nil)
    let sender = plan.observer([
      1: [.send(Item(source: atOne, number: 1), to: 0)], 2: [.send(Item(source: atTwo, number: 1), to: 0)],
    ])
    let behind = plan.observer()
    plan.thread("q", .queue, [.observe(sender), .observe(behind)])
    plan.sender("a", .elsewhere, count: 2)
    expectSchedules(662, plan)
  }

  @Test("Observers that cancel each other and themselves in callbacks, and one that a thread elsewhere cancels")
  func cancelInCallbacks() {
    var plan = Plan(scheduling: .inOneStep)
    let canceller = plan.observer([1: [.cancelObserver(1)], 2: [.cancelObserver(0)]])
    let victim = plan.observer()
    let bystander = plan.observer()
    let other = plan.observer()
    plan.thread("q", .queue, [canceller, victim, bystander, other].map { .observe($0) })
    plan.sender("a", .elsewhere, count: 2)
    plan.thread("c", .elsewhere, [.cancelObserver(other)])
    expectSchedules(9104, plan)
  }

  @Test("An observer that adds observers in callbacks: theirs is the state being delivered, then the next commit")
  func observeInCallbacks() {
    var plan = Plan(scheduling: .inOneStep)
    let first = plan.observer([1: [.observe(1), .observe(2)]])
    _ = plan.observer()
    _ = plan.observer(path: 2)
    plan.thread("q", .queue, [.observe(first)])
    plan.sender("a", .elsewhere, count: 3)
    expectSchedules(5464, plan)
  }

  @Test("Paths: told of changes only, in order of registration over all audiences")
  func paths() {
    var plan = Plan(scheduling: .inOneStep)
    let observers = [plan.observer(path: 2), plan.observer(), plan.observer(path: 3), plan.observer(path: 2)]
    plan.thread("q", .queue, observers.map { .observe($0) })
    plan.sender("a", .elsewhere, count: 3)
    expectSchedules(21_605, plan)
  }

  @Test("A path that loses its last observer in a turn in which another path gets its first one")
  func pathsInOneTurn() {
    var plan = Plan(scheduling: .inOneStep)
    let old = plan.observer(path: 2)
    let new = plan.observer(path: 3)
    let q = plan.addSource(1)
    plan.thread("q", .queue, [.observe(old), .send(Item(source: q, number: 1), to: 0)])
    plan.reactions[Item(source: q, number: 1)] = Reaction(inMutate: [.cancelObserver(old), .observe(new)])
    plan.sender("a", .elsewhere, count: 3)
    expectSchedules(10_495, plan)
  }

  @Test("Observers of paths that register and go elsewhere while others come")
  func pathsElsewhere() {
    var plan = Plan(scheduling: .inOneStep)
    let going = plan.observer(path: 2)
    let coming = plan.observer(path: 3)
    plan.thread("o", .elsewhere, [.observe(going), .cancelObserver(going)])
    plan.thread("p", .elsewhere, [.observe(coming)])
    plan.sender("q", .queue, count: 2)
    expectSchedules(996_803, plan)
  }

  @Test("An observer registered from reduce gets its initial value after the step")
  func fromReduce() {
    var plan = Plan(scheduling: .inOneStep)
    let observer = plan.observer()
    let q = plan.sender("q", .queue, count: 2)
    plan.reactions[Item(source: q, number: 1)] = Reaction(inReduce: [.observe(observer)])
    plan.sender("a", .elsewhere, count: 1)
    expectSchedules(20, plan)
  }

  @Test("Observers of two reactors of one queue that send to the other one")
  func twoReactors() {
    var plan = Plan(scheduling: .inOneStep)
    plan.reactors = [ReactorPlan(), ReactorPlan()]
    let there = plan.addSource(1)
    let first = plan.observer(of: 0, [1: [.send(Item(source: there, number: 1), to: 1)]])
    let second = plan.observer(of: 1)
    plan.thread("q", .queue, [.observe(first), .observe(second)])
    plan.sender("a", .elsewhere, count: 1, to: 0)
    plan.sender("b", .elsewhere, count: 1, to: 1)
    expectSchedules(731, plan)
  }

  @Test("An observer registers elsewhere while the last reference goes")
  func release() {
    var plan = Plan(scheduling: .inOneStep)
    plan.reactors[0].references = 2
    let observer = plan.observer()
    plan.sender("a", .elsewhere, count: 1, then: [.letGo(of: 0)])
    plan.thread("o", .elsewhere, [.observe(observer), .letGo(of: 0)])
    expectSchedules(7619, plan)
  }
}
