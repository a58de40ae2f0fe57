// Stubs, lifetimes, nesting, and many tables side by side.

import Dispatch
import SwiftReactor
import Testing

@testable import SwiftReactorTesting

@Suite("Stubs and lifetimes")
struct StubTests {
  @Test("A stub records actions, pushes states, and runs nothing")
  func stub() async {
    let stub = ReactorStub(CounterReactor())
    let texts = TextList()
    let token = stub.reactor.observe(\.text) { texts.append($0) }
    stub.reactor.action(.increment)
    stub.reactor.action.send(.gated)
    stub.reactor.mutation.send(.add(3))
    await stub.reactor.perform(.later(5))
    #expect(await stub.actions == [.increment, .gated, .later(5)])
    #expect(stub.reactor.count == 0 && stub.reactor.effects.isEmpty)
    await stub.push(.init(count: 2, text: "a"))
    await stub.push { $0.text += "b" }
    #expect(stub.reactor.state == .init(count: 2, text: "ab"))
    #expect(texts.texts == ["", "a", "ab"])
    token.cancel()
  }

  @Test("A stub of a reactor with hooks does not call them")
  func stubWithHooks() async {
    let stub = ReactorStub(CounterReactor(drops: { _ in true }))
    stub.reactor.action(.increment)
    #expect(await stub.actions == [.increment])
  }

  @Test("What was let go is not there, and a table lets its reactor go")
  func lifetimes() async {
    let lifetimes = LifetimeTracker()
    do {
      let test = TestReactor(lifetimes.track(CounterReactor(clock: ManualClock())), exhaustivity: .off)
      await test.send(.later(1))
      await test.finish()
      #expect(lifetimes.alive == ["CounterReactor"])
    }
    await lifetimes.expectNoneAlive()
    #expect(lifetimes.alive == [])
  }
}

@Suite("Nested reactors in a table")
struct NestedTableTests {
  @Test("The table of the root shows whose action and mutation it was, in the state of the whole")
  func nested() async {
    let test = TestReactor(HouseReactor())
    await test.send(.addDoor) { $0.doors = 1 }
    test.reactor.dog.action(.rename("Fido"))
    await test.receive(action: .rename("Fido"), from: DogReactor.self) { $0.dog.name = "Fido" }
    test.reactor.dog.action(.ask)
    await test.receive(action: .ask, from: DogReactor.self)
    await test.receive(.setName("Rex"), from: DogReactor.self) { $0.dog.name = "Rex" }
    await test.finish()
  }

  @Test("A child that comes later is seen too, its effects are counted, and with its state they go")
  func comesAndGoes() async {
    let gate = Gate()
    let test = TestReactor(
      HouseReactor(answer: {
        try await gate.wait()
        return "Emma"
      }))
    await test.send(.invite("Bello")) { $0.guest = .init(name: "Bello") }
    test.reactor.guest.reactor?.action(.ask)
    await test.receive(action: .ask, from: DogReactor.self)
    gate.letThrough()
    await test.receive(.setName("Emma"), from: DogReactor.self) { $0.guest?.name = "Emma" }
    test.reactor.guest.reactor?.action(.ask)
    await test.receive(action: .ask, from: DogReactor.self)
    await test.send(.sayGoodbye) { $0.guest = nil }
    await test.finish()
  }
}

@Suite("Side by side")
struct SideBySideTests {
  @Test("A hundred tables at once: nothing of one reaches another")
  func parallel() async {
    await withTaskGroup(of: Void.self) { group in
      for number in 1...100 {
        group.addTask {
          let clock = ManualClock()
          let failures = await failures {
            let test = TestReactor(CounterReactor(clock: clock, queue: number.isMultiple(of: 3) ? .main : nil))
            await test.send(.later(number))
            await clock.advance(by: .seconds(number))
            await test.receive(.add(1)) { $0.count = 1 }
            await test.send(.many(Array(1...number)))
            for step in 1...number { await test.receive(.add(step)) { $0.count += step } }
            await test.send(.increment) { $0.count = -number }
            await test.finish()
          }
          #expect(failures.count == 1)
          #expect(failures.first?.message.contains("-   count: -\(number),") == true)
        }
      }
    }
  }

  @Test("What runs and runs is a failure, not a hang", arguments: [false, true])
  func noRest(usesExecutor: Bool) async {
    let failures = await failures {
      let place = TestPlace(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
      let pool = TestPool(usesExecutor: usesExecutor, patience: .seconds(1))
      let test = TestReactor(pool: pool, .on, .seconds(5), place) { CounterReactor() }
      await test.send(.endless)
      test.exhaustivity = .off
      test.reactor.cancelEffects()
    }
    // On a busy machine the pool without an executor may have lost its patience before.
    let message = """
      send(.endless): after 1.0 seconds there is still no rest, something runs and runs.

      Running:

        the effect of .endless

      Hint: Look for a loop without an end, or something that repeats on an ImmediateClock.
      """
    #expect(failures.contains { $0.message == message })
  }

  @Test("Without task executors the same tests have the same results", arguments: [false, true])
  func withoutExecutors(usesExecutor: Bool) async {
    let clock = ManualClock()
    let gate = Gate()
    let place = TestPlace(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
    let test = TestReactor(pool: TestPool(usesExecutor: usesExecutor), .on, .seconds(60), place) {
      CounterReactor(clock: clock, gate: gate)
    }
    await test.send(.later(1))
    await test.send(.gated)
    await clock.advance(by: .seconds(1))
    await test.receive(.add(1)) { $0.count = 1 }
    gate.open()
    await test.receive(.add(1)) { $0.count = 2 }
    await test.send(.actor)
    await test.receive(.add(2)) { $0.count = 4 }
    await test.send(.real)
    await test.receive(.add(1)) { $0.count = 5 }
    await test.finish()
  }
}
