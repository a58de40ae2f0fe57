// Delivery walks through a list without a lock as long as nobody leaves, and asks the machine before each call once
// somebody has. Both ways have to end in the same.

import Dispatch
import Foundation
import Testing

@testable import SwiftReactor

@Suite("The short and the long way of a delivery")
struct DeliveryPathTests {
  @Test("Which paths a commit of one reactor has changed is nothing to the next reactor of the queue")
  func severalPathsOfOne() {
    let queue = DispatchQueue(label: "two reactors")
    let (many, all, two) = (CounterReactor(queue: queue), CounterReactor(queue: queue), CounterReactor(queue: queue))
    let log = Recorder<String>()
    let subscriptions = queue.sync {
      [
        many.observe(\.n) { log.append("n\($0)") }, many.observe(\.a) { log.append("a\($0)") },
        many.observe(\.b) { log.append("b\($0)") }, all.$state.sink { log.append("all\($0.n)") },
        two.observe(\.b) { log.append("two b\($0)") }, two.observe(\.a) { log.append("two a\($0)") },
        two.observe(\.text) { log.append("two \($0)") },
      ]
    }
    queue.sync {
      log.removeAll()
      for _ in 0..<2 {
        many.action(.answer([.setA(many.a + 1), .setB(many.b + 1)]))
        all.action(.inc)
        two.action(.answer([.setA(two.a + 1), .setText("text \(two.a)")]))
        two.action(.setB(two.b + 1))
      }
    }
    #expect(
      log.values == [
        "a1", "b1", "all1", "two a1", "two text 0", "two b1", "a2", "b2", "all2", "two a2", "two text 1", "two b2",
      ])
    for subscription in subscriptions { subscription.cancel() }
  }

  /// A reactor whose observers come and go in the middle of deliveries, by chance.
  private final class Story: @unchecked Sendable {
    // Safe to share: everything happens on the reactor's queue.
    let reactor = CounterReactor.onOwnQueue()
    private(set) var calls: [String] = []
    private var generator: SeededGenerator
    private var subscriptions: [(number: Int, subscription: EventSubscription)] = []
    private var last = 0

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
    }

    /// Sends actions; `takesLongWay` makes every delivery ask before each call.
    func play(actions: Int, takesLongWay: Bool) {
      reactor.onQueue { reactor in
        for _ in 0..<6 { add() }
        for _ in 0..<actions {
          if takesLongWay { reactor.core.lane.disturb() }
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: reactor.action(.inc)
          case 1: reactor.action(.setA(Int.random(in: 0..<3, using: &generator)))
          case 2: reactor.action(.incBoth)
          default: reactor.action(.nop)
          }
          if subscriptions.count < 4 { add() }
        }
        for (_, subscription) in subscriptions { subscription.cancel() }
      }
    }

    private func add() {
      last += 1
      let number = last
      let told: @Sendable (Int) -> Void = { [weak self] in self?.tell(number, $0) }
      let subscription =
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: reactor.$state.sink { told($0.n * 10 + $0.a) }
        case 1: reactor.observe(\.n, told)
        default: reactor.observe(\.a, told)
        }
      subscriptions.append((number, subscription))
    }

    private func tell(_ number: Int, _ value: Int) {
      calls.append("\(number): \(value)")
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: add()
      case 1: remove(number)
      case 2: if let other = subscriptions.randomElement(using: &generator) { remove(other.number) }
      default: break
      }
    }

    private func remove(_ number: Int) {
      guard let index = subscriptions.firstIndex(where: { $0.number == number }) else { return }
      let removed = subscriptions.remove(at: index)
      removed.subscription.cancel()
      calls.append("\(number) gone")
    }
  }

  @Test("Whoever comes and goes in callbacks, both ways call the same observers in the same order")
  func sameCalls() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("delivery ways: seed \(seed)")
    for round in 0..<40 {
      let short = Story(seed: seed &+ UInt64(round))
      let long = Story(seed: seed &+ UInt64(round))
      short.play(actions: 60, takesLongWay: false)
      long.play(actions: 60, takesLongWay: true)
      #expect(!short.calls.isEmpty)
      #expect(short.calls == long.calls, "seed \(seed), round \(round)")
    }
  }

  @Test(
    "An observer that another thread has cancelled during a delivery is not called any more, and freed with its end")
  func cancelledElsewhere() async {
    let reactor = CounterReactor.onOwnQueue()
    let calls = Recorder<String>()
    let freed = Shared(0)
    let (isInFirst, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    final class Captured: Sendable {
      let freed: Shared<Int>
      init(_ freed: Shared<Int>) { self.freed = freed }
      deinit { freed.increment() }
    }
    let (first, second) = reactor.onQueue { reactor in
      let captured = Captured(freed)
      let first = reactor.$state.sink { state in
        calls.append("first \(state.n)")
        if state.n == 1 {
          isInFirst.signal()
          mayGoOn.wait()
        }
      }
      let second = reactor.$state.sink { state in
        withExtendedLifetime(captured) { calls.append("second \(state.n)") }
      }
      return (first, second)
    }
    reactor.action(.inc)
    await onThread {
      isInFirst.wait()
      second.cancel()
      mayGoOn.signal()
    }
    reactor.action(.inc)
    await settle(reactor)
    #expect(calls.values == ["first 0", "second 0", "first 1", "first 2"])
    #expect(freed.value == 1)
    first.cancel()
  }

  @Test(
    "What observers capture is freed when cancel returns on the queue, or with the end of the action that called them")
  func freed() {
    let reactor = CounterReactor.onOwnQueue()
    final class Captured: Sendable {}
    reactor.onQueue { reactor in
      weak var captured: Captured?
      var subscription: EventSubscription?
      do {
        let object = Captured()
        captured = object
        subscription = reactor.$state.sink { _ in withExtendedLifetime(object) {} }
      }
      reactor.action(.inc)
      #expect(captured != nil)
      subscription?.cancel()
      #expect(captured == nil)

      let held = Shared<EventSubscription?>(nil)
      do {
        let object = Captured()
        captured = object
        held.value = reactor.$state.sink { [held] state in
          withExtendedLifetime(object) { if state.n == 2 { held.value?.cancel() } }
        }
      }
      #expect(captured != nil)
      reactor.action(.inc)
      #expect(captured == nil)
    }
  }

  @Test("A reactor whose last owner is one of its observers may go in the middle of its delivery")
  func reactorGoes() {
    let queue = DispatchQueue(label: "owner")
    queue.sync {
      let calls = Recorder<String>()
      let owner = Shared<CounterReactor?>(CounterReactor(queue: queue))
      let subscriptions = (0..<3).map { number in
        owner.value!.$state.sink { state in
          calls.append("\(number): \(state.n)")
          if number == 1, state.n == 1 { owner.value = nil }
        }
      }
      let core = owner.value!.core
      owner.value!.action(.inc)
      #expect(calls.values.prefix(5) == ["0: 0", "1: 0", "2: 0", "0: 1", "1: 1"])
      withExtendedLifetime((subscriptions, core)) {}
    }
  }
}

@Suite("A drain that is kept")
struct KeptDrainTests {
  @Test("Kept or made each time, a drain brings what waits, also in turns that end before everything is handled")
  func bothBring() async {
    let reactor = CounterReactor.onOwnQueue()
    await race(4) { thread in
      for number in 0..<500 {
        // Actions use the kept one, mutations that come past `mutate` a new one.
        if (thread + number).isMultiple(of: 2) {
          reactor.action(.inc)
        } else {
          reactor.mutation.send(.inc)
        }
      }
    }
    await eventually("all is handled", of: reactor) { $0.n == 2_000 }
  }

  @Test("A reactor that is let go while its drain waits handles what it has accepted, and is freed")
  func letGo() {
    let queue = DispatchQueue(label: "let go")
    let (reduced, freed) = (Shared(0), Shared(0))
    weak var core: AnyObject?
    for _ in 0..<3 {
      queue.suspend()
      do {
        var hooks = CounterReactor.Hooks()
        hooks.onReduce = { _, _ in reduced.increment() }
        hooks.onDeinit = { freed.increment() }
        let reactor = CounterReactor(CounterReactor.State(), queue: queue, hooks: hooks)
        core = reactor.core
        for _ in 0..<100 { reactor.action(.inc) }
      }
      #expect(core != nil)
      queue.resume()
      queue.sync {}
      queue.sync {}
      #expect(core == nil)
    }
    #expect(reduced.value == 300)
    #expect(freed.value == 3)
  }
}
