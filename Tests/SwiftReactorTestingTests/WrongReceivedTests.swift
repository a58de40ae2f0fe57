// Wrong tests, and what they are told: things that were received wrongly.

import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Wrong tests: received")
struct WrongReceivedTests {
  @Test("They fail with the right message", arguments: tests)
  func message(test: WrongTest) async throws { try await test.check() }

  static let tests: [WrongTest] = [
    WrongTest("a wrong payload") {
      let test = TestReactor(CounterReactor())
      await test.send(.just(3))
      await test.receive(.add(4)) { $0.count = 4 }
    } message: {
      #"""
      receive(.add(4)): something else came.

      - mutation .add(4)
      + mutation .add(3), from the effect of .just(3)

      (- expected, + received)
      Hint: If it is right that this comes, write `await test.receive(.add(3))`.
      """#
    },
    WrongTest("a wrong order") {
      let test = TestReactor(CounterReactor())
      await test.send(.many([1, 2]))
      await test.receive(.add(2)) { $0.count = 2 }
      await test.receive(.add(2)) { $0.count = 3 }
    } message: {
      #"""
      receive(.add(2)): something else came.

      - mutation .add(2)
      + mutation .add(1), from the effect of .many([1, 2])

      (- expected, + received)
      Hint: What is expected comes next: is the order right?
      """#
    },
    WrongTest("one that comes much later") {
      let test = TestReactor(CounterReactor())
      await test.send(.many([1, 2, 3, 4]))
      await test.receive(.add(4)) { $0.count = 4 }
      await test.skipReceived()
    } message: {
      #"""
      receive(.add(4)): something else came.

      - mutation .add(4)
      + mutation .add(1), from the effect of .many([1, 2, 3, 4])

      (- expected, + received)
      Hint: What is expected comes 3 later: is the order right?
      """#
    },
    WrongTest("an action where a mutation is expected") {
      let test = TestReactor(CounterReactor())
      await test.send(.next)
      await test.receive(.add(1)) { $0.count = 1 }
    } message: {
      #"""
      receive(.add(1)): something else came.

      - mutation .add(1)
      + action .increment, from the effect of .next

      (- expected, + received)
      Hint: If it is right that this comes, write `await test.receive(action: .increment)`.
      """#
    },
    WrongTest("a mutation where an action is expected") {
      let test = TestReactor(CounterReactor())
      await test.send(.just(1))
      await test.receive(action: .increment) { $0.count = 1 }
    } message: {
      #"""
      receive(action: .increment): something else came.

      - action .increment
      + mutation .add(1), from the effect of .just(1)

      (- expected, + received)
      Hint: If it is right that this comes, write `await test.receive(.add(1))`.
      """#
    },
    WrongTest("the mutation of a nested reactor as one of its parent") {
      let test = TestReactor(HouseReactor())
      test.reactor.dog.action(.rename("Fido"))
      await test.receive(.addDoor) { $0.doors = 1 }
    } message: {
      #"""
      receive(.addDoor): something else came.

      - mutation .addDoor
      + DogReactor: action .rename("Fido"), sent from outside of the test reactor

      (- expected, + received)
      Hint: If it is right that this comes, write `await test.receive(action: .rename("Fido"), from: \#
      DogReactor.self)`.
      """#
    },
    WrongTest("a mutation that nothing has set off") {
      let test = TestReactor(CounterReactor())
      await test.send(.increment) { $0.count = 1 }
      await test.receive(.add(1)) { $0.count = 2 }
    } message: {
      #"""
      receive(.add(1)): nothing came.

      No effect is running.

      Hint: Leave this row out, or find out why nothing was set off.
      """#
    },
    WrongTest("anything, and nothing comes") {
      let test = TestReactor(CounterReactor())
      await test.receive { $0.count = 1 }
    } message: {
      #"""
      receive(): nothing came.

      No effect is running.

      Hint: Leave this row out, or find out why nothing was set off.
      """#
    },
    WrongTest("a clock that is not advanced") {
      let test = TestReactor(CounterReactor(clock: ManualClock()), exhaustivity: .on)
      await test.send(.later(2))
      await test.receive(.add(1)) { $0.count = 1 }
      test.exhaustivity = .off
    } message: {
      #"""
      receive(.add(1)): nothing came.

      Running:

        the effect of .later(2), id "later", sleeps until 2.0 seconds on a ManualClock that shows 0.0 \#
      seconds

      Hint: Advance the clock: `await clock.advance(by: …)`.
      """#
    },
    WrongTest("a clock that is not advanced far enough") {
      let clock = ManualClock()
      let test = TestReactor(CounterReactor(clock: clock))
      await test.send(.later(2))
      await clock.advance(by: .milliseconds(1500))
      await test.receive(.add(1)) { $0.count = 1 }
      test.exhaustivity = .off
    } message: {
      #"""
      receive(.add(1)): nothing came.

      Running:

        the effect of .later(2), id "later", sleeps until 2.0 seconds on a ManualClock that shows 1.5 \#
      seconds

      Hint: Advance the clock: `await clock.advance(by: …)`.
      """#
    },
    WrongTest("a gate that is not opened") {
      let test = TestReactor(CounterReactor())
      await test.send(.gated)
      await test.receive(.add(1)) { $0.count = 1 }
      test.exhaustivity = .off
    } message: {
      #"""
      receive(.add(1)): nothing came.

      Running:

        the effect of .gated, id "gated", waits at the gate "door"

      Hint: Open the gate: `gate.open()`.
      """#
    },
    WrongTest("an effect that waits for another one") {
      let test = TestReactor(CounterReactor(gate: Gate()))
      await test.send(.gated)
      await test.send(.gated)
      await test.receive(.add(1)) { $0.count = 1 }
      test.exhaustivity = .off
    } message: {
      #"""
      receive(.add(1)): nothing came.

      Running:

        the effect of .gated, id "gated", waits at a gate
        the effect of .gated, id "gated", waits for another one with its id

      Hint: Open the gate: `gate.open()`.
      """#
    },
    WrongTest("an effect that failed") {
      let test = TestReactor(CounterReactor())
      await test.send(.fail)
      await test.receive(.add(1)) { $0.count = 1 }
    } message: {
      #"""
      receive(.add(1)): nothing came.

        An effect of .fail ended with an error: no connection

      No effect is running.

      Hint: Catch the error in the effect, and turn it into a mutation.
      """#
    },
    WrongTest("an effect that was cancelled") {
      let clock = ManualClock()
      let test = TestReactor(CounterReactor(clock: clock))
      await test.send(.later(2))
      await test.send(.cancel)
      await clock.advance(by: .seconds(2))
      await test.receive(.add(1)) { $0.count = 1 }
    } message: {
      #"""
      receive(.add(1)): nothing came.

      No effect is running.

      Hint: Leave this row out, or find out why nothing was set off.
      """#
    },
    WrongTest("an effect that never answers") {
      let test = TestReactor(CounterReactor(), timeout: .milliseconds(30))
      await test.send(.never)
      await test.receive(.add(1)) { $0.count = 1 }
      test.exhaustivity = .off
    } message: {
      #"""
      receive(.add(1)): nothing came in 0.03 seconds.

      Running:

        the effect of .never

      Hint: Let its dependency answer.
      """#
    },
    WrongTest("without exhaustivity, something else only") {
      let test = TestReactor(CounterReactor(), exhaustivity: .off)
      await test.send(.many([1, 2]))
      await test.receive(.add(3))
    } message: {
      #"""
      receive(.add(3)): nothing came but this:

        mutation .add(1), from the effect of .many([1, 2])
        mutation .add(2), from the effect of .many([1, 2])

      No effect is running.

      Hint: Leave this row out, or find out why nothing was set off.
      """#
    },
    WrongTest("an action that a hook drops") {
      let test = TestReactor(CounterReactor(drops: { $0 == .increment }))
      await test.send(.increment) { $0.count = 1 }
    } message: {
      #"""
      send(.increment): the action did not reach `mutate`.

      Hint: `transform(action:)` has dropped it or holds it back. Leave the closure out, and receive what \#
      comes of it.
      """#
    },
    WrongTest("a dependency that is not expected") {
      let test = TestReactor(HouseReactor(answer: { throw unexpectedCall("DogService.name") }))
      test.reactor.dog.action(.ask)
      await test.receive(action: .ask, from: DogReactor.self)
    } message: {
      #"""
      DogService.name was called, and the test does not expect it.

      Hint: Give the reactor a DogService.name that answers, or find out why it is used.
      """#
    },
  ]
}
