// Wrong tests, and what they are told: things that were not received.

import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Wrong tests: not received")
struct WrongMissingTests {
  @Test("They fail with the right message", arguments: tests)
  func message(test: WrongTest) async throws { try await test.check() }

  static let tests: [WrongTest] = [
    WrongTest("a mutation that is not received before the next row") {
      let test = TestReactor(CounterReactor())
      await test.send(.just(3))
      await test.send(.nop)
    } message: {
      #"""
      send(.nop): this was not received before:

        mutation .add(3), from the effect of .just(3)

      Hint: Write `await test.receive(.add(3))` before it, or `await test.skipReceived()` if it does not \#
      matter here.
      """#
    },
    WrongTest("a mutation that is not received at the end") {
      let test = TestReactor(CounterReactor())
      await test.send(.many([3]))
      await test.finish()
    } message: {
      #"""
      finish(): this was not received before:

        mutation .add(3), from the effect of .many([3])

      Hint: Write `await test.receive(.add(3))` before it, or `await test.skipReceived()` if it does not \#
      matter here.
      """#
    },
    WrongTest("several mutations that are not received") {
      let test = TestReactor(CounterReactor())
      await test.send(.many([1, 2]))
      await test.finish()
    } message: {
      #"""
      finish(): these were not received before:

        mutation .add(1), from the effect of .many([1, 2])
        mutation .add(2), from the effect of .many([1, 2])

      Hint: Write `await test.receive(.add(1))` before it, or `await test.skipReceived()` if it does not \#
      matter here.
      """#
    },
    WrongTest("an action that an observer sends") {
      let test = TestReactor(CounterReactor())
      let token = test.reactor.observe(\.count) { [reactor = test.reactor] count in
        if count == 1 { reactor.action(.text("one")) }
      }
      await test.send(.increment) { $0.count = 1 }
      await test.finish()
      token.cancel()
    } message: {
      #"""
      finish(): this was not received before:

        action .text("one"), sent by an observer of the step of .increment

      Hint: Write `await test.receive(action: .text("one"))` before it, or `await test.skipReceived()` if \#
      it does not matter here.
      """#
    },
    WrongTest("an action that an effect sends") {
      let test = TestReactor(CounterReactor())
      await test.send(.next)
      await test.finish()
    } message: {
      #"""
      finish(): this was not received before:

        action .increment, from the effect of .next

      Hint: Write `await test.receive(action: .increment)` before it, or `await test.skipReceived()` if \#
      it does not matter here.
      """#
    },
    WrongTest("an action from outside of the table") {
      let test = TestReactor(CounterReactor())
      test.reactor.action(.increment)
      await test.finish()
    } message: {
      #"""
      finish(): this was not received before:

        action .increment, sent from outside of the test reactor

      Hint: Write `await test.receive(action: .increment)` before it, or `await test.skipReceived()` if \#
      it does not matter here.
      """#
    },
    WrongTest("a mutation from outside of the table") {
      let test = TestReactor(CounterReactor())
      test.reactor.mutation.send(.text("a"))
      await test.finish()
    } message: {
      #"""
      finish(): this was not received before:

        mutation .text("a"), sent from outside of the test reactor

      Hint: Write `await test.receive(.text("a"))` before it, or `await test.skipReceived()` if it does \#
      not matter here.
      """#
    },
    WrongTest("a restored state") {
      let test = TestReactor(CounterReactor())
      test.reactor.restore(.init(count: 5))
      await test.finish()
    } message: {
      #"""
      finish(): this was not received before:

        a restored state, from `restore`

      Hint: Write `await test.receive { … }` before it, or `await test.skipReceived()` if it does not \#
      matter here.
      """#
    },
    WrongTest("a mutation of a nested reactor") {
      let test = TestReactor(HouseReactor())
      test.reactor.dog.action(.ask)
      await test.receive(action: .ask, from: DogReactor.self)
      await test.finish()
    } message: {
      #"""
      finish(): this was not received before:

        DogReactor: mutation .setName("Rex"), from the effect of .ask

      Hint: Write `await test.receive(.setName("Rex"), from: DogReactor.self)` before it, or `await \#
      test.skipReceived()` if it does not matter here.
      """#
    },
    WrongTest("an action of a nested reactor that comes and goes") {
      let test = TestReactor(HouseReactor())
      await test.send(.invite("Bello")) { $0.guest = .init(name: "Bello") }
      test.reactor.guest.reactor?.action(.rename("Fido"))
      await test.finish()
    } message: {
      #"""
      finish(): this was not received before:

        DogReactor: action .rename("Fido"), sent from outside of the test reactor

      Hint: Write `await test.receive(action: .rename("Fido"), from: DogReactor.self)` before it, or \#
      `await test.skipReceived()` if it does not matter here.
      """#
    },
    WrongTest("a test without an end that leaves a mutation") {
      let test = TestReactor(CounterReactor())
      await test.send(.many([1, 2]))
      await test.receive(.add(1)) { $0.count = 1 }
    } message: {
      #"""
      The test ended without `await test.finish()`, and this was left:

        mutation .add(2), from the effect of .many([1, 2])

      Hint: Say what is expected of it, and end the test with `await test.finish()`.
      """#
    },
    WrongTest("a test without an end that leaves an effect") {
      let test = TestReactor(CounterReactor(clock: ManualClock()))
      await test.send(.later(2))
    } message: {
      #"""
      The test ended without `await test.finish()`, and this was left:

        the effect of .later(2), id "later", sleeps until 2.0 seconds on a ManualClock that shows 0.0 \#
      seconds

      Hint: Say what is expected of it, and end the test with `await test.finish()`.
      """#
    },
    WrongTest("nothing to be skipped") {
      let test = TestReactor(CounterReactor())
      await test.send(.nop)
      await test.skipReceived()
    } message: {
      #"""
      skipReceived(): nothing has come that could be skipped.

      Hint: Leave it out.
      """#
    },
  ]
}
