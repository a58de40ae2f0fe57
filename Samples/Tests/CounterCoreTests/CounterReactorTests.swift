import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import CounterCore

@MainActor
@Suite("The reactor of CounterApp")
struct CounterReactorTests {
  @Test("It counts in steps of the size that was typed")
  func steps() {
    let reactor = CounterReactor()
    reactor.action(.add)
    reactor.action(.setStep("12"))
    reactor.action(.add)
    reactor.action(.subtract)
    reactor.action(.add)
    #expect(reactor.count == 13)
    reactor.action(.setLoud(true))
    #expect(reactor.text == "13!")
  }

  @Test("A field is told to show the step again when something else was typed", arguments: ["", "0", "x", "1x"])
  func wrongSteps(typed: String) {
    let reactor = CounterReactor()
    let step = reactor.binding(\.step, action: CounterReactor.Action.setStep)
    var shown: [String] = []
    let subscription = step.observe { shown.append($0) }
    step.value = typed
    #expect(step.value == "1")
    #expect(shown == ["1", "1"])
    subscription.cancel()
  }

  @Test("Undoing comes after two seconds, unless it is kept")
  func undo() async {
    let clock = ManualClock()
    let reactor = CounterReactor(clock: clock)
    reactor.action(.add)
    reactor.action(.undoSoon)
    reactor.action(.keep)
    #expect(!reactor.isUndoing)
    await clock.advance(by: .seconds(3))
    await settle()
    #expect(reactor.count == 1)
    reactor.action(.undoSoon)
    await clock.advance(by: .seconds(2))
    await settle()
    #expect(reactor.count == 0)
    #expect(!reactor.isUndoing)
  }
}
