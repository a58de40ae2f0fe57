// Wrong tests, and what they are told: what is left at the end.

import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Wrong tests: the end")
struct WrongEndTests {
  @Test("They fail with the right message", arguments: tests)
  func message(test: WrongTest) async throws { try await test.check() }

  static let tests: [WrongTest] = [
    WrongTest("an effect that sleeps at the end") {
      let test = TestReactor(CounterReactor(clock: ManualClock()))
      await test.send(.later(2))
      await test.finish()
    } message: {
      #"""
      finish(): an effect is still running:

        the effect of .later(2), id "later", sleeps until 2.0 seconds on a ManualClock that shows 0.0 \#
      seconds

      Hint: Advance the clock: `await clock.advance(by: …)`. Or cancel it, if it is meant to run for ever.
      """#
    },
    WrongTest("an effect that stands at a gate at the end") {
      let test = TestReactor(CounterReactor())
      await test.send(.gated)
      await test.finish()
    } message: {
      #"""
      finish(): an effect is still running:

        the effect of .gated, id "gated", waits at the gate "door"

      Hint: Open the gate: `gate.open()`. Or cancel it, if it is meant to run for ever.
      """#
    },
    WrongTest("two effects that run at the end") {
      let test = TestReactor(CounterReactor(clock: ManualClock()))
      await test.send(.later(2))
      await test.send(.gated)
      await test.finish()
    } message: {
      #"""
      finish(): 2 effects are still running:

        the effect of .later(2), id "later", sleeps until 2.0 seconds on a ManualClock that shows 0.0 \#
      seconds
        the effect of .gated, id "gated", waits at the gate "door"

      Hint: Advance the clock: `await clock.advance(by: …)`. Or cancel it, if it is meant to run for ever.
      """#
    },
    WrongTest("an effect that never ends") {
      let test = TestReactor(CounterReactor(), timeout: .milliseconds(30))
      await test.send(.never)
      await test.finish()
    } message: {
      #"""
      finish(): an effect is still running:

        the effect of .never

      Hint: Let its dependency answer. Or cancel it, if it is meant to run for ever.
      """#
    },
    WrongTest("an effect of a nested reactor at the end") {
      let gate = Gate("kennel")
      let test = TestReactor(
        HouseReactor(answer: {
          try await gate.wait()
          return "Rex"
        }))
      test.reactor.dog.action(.ask)
      await test.receive(action: .ask, from: DogReactor.self)
      await test.finish()
    } message: {
      #"""
      finish(): an effect is still running:

        the effect of .ask of DogReactor, waits at the gate "kennel"

      Hint: Open the gate: `gate.open()`. Or cancel it, if it is meant to run for ever.
      """#
    },
    WrongTest("a row after the end") {
      let test = TestReactor(CounterReactor())
      await test.finish()
      await test.send(.nop)
    } message: {
      #"""
      send(.nop): the test was over with `finish()`.

      Hint: Move `finish()` to the end.
      """#
    },
    WrongTest("two ends") {
      let test = TestReactor(CounterReactor())
      await test.finish()
      await test.finish()
    } message: {
      #"""
      finish(): the test was over with `finish()`.

      Hint: Move `finish()` to the end.
      """#
    },
    WrongTest("a reactor that is held") {
      let lifetimes = LifetimeTracker()
      let held = lifetimes.track(CounterReactor())
      await lifetimes.expectNoneAlive()
      withExtendedLifetime(held) {}
    } message: {
      #"""
      1 of the tracked objects is still there:

        CounterReactor, tracked at SwiftReactorTestingTests/WrongEndTests.swift:LINE

      Hint: Somebody holds it. Look for an effect or an observer that captures the reactor: use `[weak \#
      self]`, or only capture what is needed.
      """#
    },
    WrongTest("two objects that are held, one of them named") {
      let lifetimes = LifetimeTracker()
      let held = lifetimes.track(CounterReactor())
      let gate = lifetimes.track(Gate(), as: "the gate")
      await lifetimes.expectNoneAlive()
      withExtendedLifetime((held, gate)) {}
    } message: {
      #"""
      2 of the tracked objects are still there:

        CounterReactor, tracked at SwiftReactorTestingTests/WrongEndTests.swift:LINE
        the gate, tracked at SwiftReactorTestingTests/WrongEndTests.swift:LINE

      Hint: Somebody holds them. Look for an effect or an observer that captures the reactor: use `[weak \#
      self]`, or only capture what is needed.
      """#
    },
    WrongTest("a clock on which somebody sleeps for ever") {
      let clock = ManualClock()
      let stream = EventStream.interval(every: .seconds(1), clock: clock).sink { _ in }
      await clock.run(limit: 5)
      stream.cancel()
    } message: {
      #"""
      run(): after 5 sleeps somebody still sleeps on this clock, until 6.0 seconds.

      Hint: Something sleeps again and again. Use `advance(by:)`, or end it first.
      """#
    },
  ]
}
