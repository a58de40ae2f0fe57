// The machine's rules for effects that the state asks for: they belong to no call, and are cancelled by number.

import Testing

@testable import SwiftReactor

@Suite("Machine: effects that the state asks for")
struct StateEffectTests {
  private var machine = ReactorMachine()
  private let reactor: SlotKey

  init() {
    reactor = machine.admit()
  }

  @Test("A call waits for them; when it is cancelled it is over, and they go on")
  mutating func calls() {
    let call = machine.openCall(of: reactor, origin: .none)
    let own = machine.register(for: reactor, under: .none, rule: .latest, call: call).registered
    let asked = machine.register(for: reactor, under: .none, rule: .latest, call: call, isOfState: true).registered
    #expect(machine.didHandleAction(of: call).finishedCalls == [])
    let outcome = machine.cancel(call: call)
    #expect(outcome.cancelled == [own] && outcome.finishedCalls == [call])
    #expect(machine.effects.contains(asked))
    #expect(machine.effectEnded(asked).finishedCalls == [], "the call was told already")
  }

  @Test("A call that is not cancelled is over with the last of them")
  mutating func waiting() {
    let call = machine.openCall(of: reactor, origin: .none)
    let asked = machine.register(for: reactor, under: .none, rule: .latest, call: call, isOfState: true).registered
    #expect(machine.didHandleAction(of: call).finishedCalls == [])
    #expect(machine.effectEnded(asked).finishedCalls == [call])
  }

  @Test("Asked for in a call that was cancelled before, they run all the same")
  mutating func cancelledBefore() {
    let call = machine.openCall(of: reactor, origin: .none)
    _ = machine.cancel(call: call)
    let own = machine.register(for: reactor, under: .none, rule: .latest, call: call)
    let asked = machine.register(for: reactor, under: .none, rule: .latest, call: call, isOfState: true)
    #expect(own.registered.isNone && asked.started == [asked.registered])
    #expect(machine.didHandleAction(of: call).finishedCalls == [call])
    #expect(machine.effectEnded(asked.registered).finishedCalls == [])
  }

  @Test("Cancelled by number: those that are gone are passed over, those that waited start, empty ids are forgotten")
  mutating func byNumber() {
    let group = machine.makeGroup(for: reactor)
    let keys = (0..<3).map { _ in
      machine.register(
        for: reactor, under: group, rule: .concurrent(max: 1), call: .none, isOfState: true
      ).registered
    }
    let first = machine.cancel(effects: [keys[0], keys[0]])
    #expect(first.cancelled == [keys[0]] && first.started == [keys[1]])
    let rest = machine.cancel(effects: [keys[2], keys[1], .none])
    #expect(rest.cancelled == [keys[2], keys[1]] && rest.started == [] && rest.emptiedGroups == [group])
    #expect(machine.cancel(effects: keys) == ReactorMachine.Consequences())
  }
}
