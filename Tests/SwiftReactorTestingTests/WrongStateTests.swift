// Wrong tests, and what they are told: states that are not the expected ones.

import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Wrong tests: states")
struct WrongStateTests {
  @Test("They fail with the right message", arguments: tests)
  func message(test: WrongTest) async throws { try await test.check() }

  static let tests: [WrongTest] = [
    WrongTest("a wrong value in the closure") {
      let test = TestReactor(CounterReactor())
      await test.send(.increment) { $0.count = 2 }
    } message: {
      #"""
      send(.increment): the state is not the expected one.

        State(
      -   count: 2,
      +   count: 1,
          … 2 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("a change without a closure") {
      let test = TestReactor(CounterReactor())
      await test.send(.increment)
    } message: {
      #"""
      send(.increment): the state changed, and the test does not say how.

        State(
      -   count: 0,
      +   count: 1,
          … 2 unchanged
        )

      (- before, + after)
      Hint: Say it in a closure: `{ $0.count = … }`.
      """#
    },
    WrongTest("two changes without a closure") {
      let test = TestReactor(HouseReactor())
      await test.send(.invite("Rex")) { $0.guest = .init(name: "Rex") }
      test.reactor.restore(.init(doors: 4))
      await test.receive()
    } message: {
      #"""
      receive(): the state changed, and the test does not say how.

        State(
          … 1 unchanged
      -   guest: State(name: "Rex"),
      +   guest: nil,
      -   doors: 0
      +   doors: 4
        )

      (- before, + after)
      Hint: Say it in a closure: `{ $0.guest = …; $0.doors = … }`.
      """#
    },
    WrongTest("a closure that says a change where none is") {
      let test = TestReactor(CounterReactor())
      await test.send(.nop) { $0.count = 1 }
    } message: {
      #"""
      send(.nop): the state is not the expected one.

        State(
      -   count: 1,
      +   count: 0,
          … 2 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("a wrong text beside a right number") {
      let test = TestReactor(CounterReactor())
      await test.send(.text("one \"1\"")) { $0.text = "two" }
    } message: {
      #"""
      send(.text("one \"1\"")): the state is not the expected one.

        State(
          … 1 unchanged
      -   text: "two",
      +   text: "one \"1\"",
          … 1 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("a closure that throws") {
      let test = TestReactor(CounterReactor())
      await test.send(.increment) { _ in throw CounterReactor.Failure() }
    } message: {
      #"""
      send(.increment): the closure threw an error: no connection

      Hint: Catch it in the closure.
      """#
    },
    WrongTest("a wrong state of a received mutation") {
      let test = TestReactor(CounterReactor())
      await test.send(.just(3))
      await test.receive(.add(3)) { $0.count = 4 }
    } message: {
      #"""
      receive(.add(3)): the state is not the expected one.

        State(
      -   count: 4,
      +   count: 3,
          … 2 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("a received mutation whose change is not said") {
      let test = TestReactor(CounterReactor())
      await test.send(.just(3))
      await test.receive(.add(3))
    } message: {
      #"""
      receive(.add(3)): the state changed, and the test does not say how.

        State(
      -   count: 0,
      +   count: 3,
          … 2 unchanged
        )

      (- before, + after)
      Hint: Say it in a closure: `{ $0.count = … }`.
      """#
    },
    WrongTest("a wrong value without exhaustivity") {
      let test = TestReactor(CounterReactor(), exhaustivity: .off)
      await test.send(.increment) { $0.count = 2 }
    } message: {
      #"""
      send(.increment): the state is not the expected one.

        State(
      -   count: 2,
      +   count: 1,
          … 2 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("one element of a long array") {
      let test = TestReactor(CounterReactor())
      await test.send(.items(Array(0..<1000))) {
        $0.items = Array(0..<1000)
        $0.items[700] = -1
      }
    } message: {
      #"""
      send(.items([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,…): the state is not the expected one.

        State(
          … 2 unchanged
          items: [
            … 700 unchanged
      -     [700]: -1,
      +     [700]: 700,
            … 299 unchanged
          ]
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("a missing element of an array") {
      let test = TestReactor(CounterReactor())
      await test.send(.items([1, 2, 3, 4, 5])) { $0.items = [1, 2, 4, 5, 6] }
    } message: {
      #"""
      send(.items([1, 2, 3, 4, 5])): the state is not the expected one.

        State(
          … 2 unchanged
          items: [
            … 2 unchanged
      +     [2]: 3,
            … 2 unchanged
      -     [4]: 6
          ]
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("another case of an enum") {
      var shape = ShapeReactor.Shape()
      shape.screen = .failed("no connection")
      let test = TestReactor(ShapeReactor())
      await test.send(shape) { $0.screen = .detail(name: "Bulldog", page: 2) }
    } message: {
      #"""
      send(Shape(screen: .failed("no connection"), origin: Point(x: …): the state is not the expected one.

        Shape(
      -   screen: .detail(name: "Bulldog", page: 2),
      +   screen: .failed("no connection"),
          … 8 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("a nested struct and the payload of a case") {
      let test = TestReactor(ShapeReactor())
      var shape = ShapeReactor.Shape()
      shape.screen = .detail(name: "Bulldog", page: 3)
      shape.origin = .init(x: 1, y: 2)
      await test.send(shape) {
        $0.screen = .detail(name: "Bulldog", page: 2)
        $0.origin = .init(x: 1, y: 5)
      }
    } message: {
      #"""
      send(Shape(screen: .detail(name: "Bulldog", page: 3), origin: …): the state is not the expected one.

        Shape(
          screen: .detail(
            … 1 unchanged
      -     page: 2
      +     page: 3
          ),
          origin: Point(
            … 1 unchanged
      -     y: 5
      +     y: 2
          ),
          … 7 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("an element of an array of structs") {
      let test = TestReactor(ShapeReactor())
      var shape = ShapeReactor.Shape()
      shape.points = [.init(), .init(x: 1, y: 1), .init(x: 2, y: 2)]
      await test.send(shape) { $0.points = [.init(), .init(x: 1, y: 7), .init(x: 2, y: 2)] }
    } message: {
      #"""
      send(Shape(screen: .list, origin: Point(x: 0, y: 0), points: […): the state is not the expected one.

        Shape(
          … 2 unchanged
          points: [
            … 1 unchanged
            [1]: Point(
              … 1 unchanged
      -       y: 7
      +       y: 1
            ),
            … 1 unchanged
          ],
          … 6 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("sets and dictionaries, in a stable order") {
      let test = TestReactor(ShapeReactor())
      var shape = ShapeReactor.Shape()
      shape.tags = ["c", "a", "b"]
      shape.ages = ["Rex": 3, "Emma": 4, "Fido": 5]
      await test.send(shape) {
        $0.tags = ["d", "a", "b"]
        $0.ages = ["Rex": 3, "Emma": 5, "Bello": 1]
      }
    } message: {
      #"""
      send(Shape(screen: .list, origin: Point(x: 0, y: 0), points: […): the state is not the expected one.

        Shape(
          … 4 unchanged
          tags: Set([
            … 2 unchanged
      +     "c",
      -     "d"
          ]),
          ages: [
      -     "Bello": 1,
      -     "Emma": 5,
      +     "Emma": 4,
      +     "Fido": 5,
            … 1 unchanged
          ],
          … 3 unchanged
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("an optional and a pulse") {
      let test = TestReactor(ShapeReactor())
      var shape = ShapeReactor.Shape()
      shape.note = "here"
      shape.alert = "no connection"
      await test.send(shape) { $0.alert = "saved" }
    } message: {
      #"""
      send(Shape(screen: .list, origin: Point(x: 0, y: 0), points: […): the state is not the expected one.

        Shape(
          … 6 unchanged
      -   note: nil,
      +   note: "here",
          … 1 unchanged
      -   alert: "saved"
      +   alert: "no connection"
        )

      (- expected, + actual)
      Hint: Correct the closure, or what the reactor does.
      """#
    },
    WrongTest("two states that look the same") {
      let test = TestReactor(ShapeReactor())
      var shape = ShapeReactor.Shape()
      shape.token = .init("t")
      await test.send(shape) { $0.token = .init("t") }
    } message: {
      #"""
      send(Shape(screen: .list, origin: Point(x: 0, y: 0), points: […): the state is not the expected \#
      one, but both look the same:

        Shape(screen: .list, origin: Point(x: 0, y: 0), points: […

      Hint: They differ in something that is not shown, the identity of an object or a closure. Write an \#
      `==` that compares what matters.
      """#
    },
  ]
}
