// The table: send, receive, skip, finish, when everything is said rightly.

import Dispatch
import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Table")
struct TableTests {
  @Test("What is sent and what comes back, row by row")
  func rows() async {
    let test = TestReactor(CounterReactor())
    await test.send(.increment) { $0.count = 1 }
    await test.send(.twice) { $0.count = 3 }
    await test.send(.nop)
    await test.send(.just(4))
    await test.receive(.add(4)) { $0.count = 7 }
    await test.send(.many([1, 2]))
    await test.receive(.add(1)) { $0.count = 8 }
    await test.receive { $0.count = 10 }
    await test.send(.actor)
    await test.receive(.add(2)) { $0.count = 12 }
    await test.finish()
    #expect(test.state.count == 12)
  }

  @Test("On the main actor, with a reactor of the main queue")
  @MainActor
  func mainActor() async {
    let test = TestReactor(CounterReactor(queue: .main))
    await test.send(.increment) { $0.count = 1 }
    await test.send(.actor)
    await test.receive(.add(2)) { $0.count = 3 }
    await test.finish()
  }

  @Test("An effect that sleeps wakes when the clock is moved, not before")
  func clock() async {
    let clock = ManualClock()
    let test = TestReactor { CounterReactor(clock: clock) }
    await test.send(.later(2))
    #expect(clock.sleeps == [.init(offset: .seconds(2))])
    await clock.advance(by: .milliseconds(1999))
    #expect(test.state.count == 0)
    await clock.advance(by: .milliseconds(1))
    await test.receive(.add(1)) { $0.count = 1 }
    await test.finish()
  }

  @Test("An effect that waits at a gate goes on when it is opened")
  func gate() async {
    let gate = Gate()
    let test = TestReactor(CounterReactor(gate: gate))
    await test.send(.gated)
    await test.send(.gated)
    #expect(gate.waiting == 1, "the second one waits for the first")
    gate.letThrough()
    await test.receive(.add(1)) { $0.count = 1 }
    gate.open()
    await test.receive(.add(1)) { $0.count = 2 }
    await test.finish()
  }

  @Test("Actions of observers and of effects are rows of their own")
  func otherActions() async {
    let test = TestReactor(CounterReactor())
    let token = test.reactor.observe(\.count) { [reactor = test.reactor] count in
      if count == 1 { reactor.action(.text("one")) }
    }
    await test.send(.increment) { $0.count = 1 }
    await test.receive(action: .text("one")) { $0.text = "one" }
    await test.send(.next)
    await test.receive(action: .increment) { $0.count = 2 }
    token.cancel()
    await test.finish()
  }

  @Test("What others send, and what is restored, has to be received too")
  func outside() async {
    let test = TestReactor(CounterReactor())
    test.reactor.action(.increment)
    await test.receive(action: .increment) { $0.count = 1 }
    test.reactor.mutation.send(.add(2))
    await test.receive(.add(2)) { $0.count = 3 }
    test.reactor.restore(.init(count: 5))
    await test.receive { $0.count = 5 }
    await test.finish()
  }

  @Test("Without exhaustivity only what is asserted has to be right")
  func off() async {
    let test = TestReactor(CounterReactor(), exhaustivity: .off)
    await test.send(.many([1, 2, 3]))
    await test.receive(.add(3)) { $0.count = 6 }
    await test.send(.text("a"))
    await test.send(.twice) { $0.count = 8 }
    await test.send(.later(1))
    await test.finish()
  }

  @Test("What does not matter is skipped, and exhaustivity can be switched in between")
  func skip() async {
    let test = TestReactor(CounterReactor())
    await test.send(.many([1, 2, 3]))
    await test.skipReceived()
    test.exhaustivity = .off
    await test.send(.increment)
    test.exhaustivity = .on
    await test.send(.increment) { $0.count = 8 }
    await test.finish()
  }

  @Test("An effect that waits for the real world is waited for")
  func realTime() async {
    let test = TestReactor(CounterReactor(), timeout: .seconds(60))
    await test.send(.real)
    await test.receive(.add(1)) { $0.count = 1 }
    await test.send(.real)
    test.exhaustivity = .off
    await test.receive { $0.count = 2 }
    await test.finish()
  }

  @Test("A reactor that was made before, and used, is taken over")
  func takenOver() async {
    let reactor = CounterReactor()
    await reactor.perform(.increment)
    let test = TestReactor(reactor)
    await test.send(.actor)
    await test.receive(.add(2)) { $0.count = 3 }
    await test.finish()
  }

  @Test("A thousand pairs of send and receive")
  func manyPairs() async {
    let test = TestReactor(CounterReactor())
    for number in 0..<1000 {
      await test.send(.many([1]))
      await test.receive(.add(1)) { $0.count = number + 1 }
    }
    await test.finish()
  }
}
