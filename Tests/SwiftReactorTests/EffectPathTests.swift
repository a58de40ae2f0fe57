// What an effect has to say may take short ways past the machine: a value that is there at once and has nothing to wait
// for, and the end of a task right behind its last value. They have to end in the same as the long ones.

import Dispatch
import Testing

@testable import SwiftReactor

@Suite("The short and the long way of an effect")
struct EffectPathTests {
  /// A reactor with effects that have their values at once, by chance, and an observer that sends more in between.
  private final class Story: @unchecked Sendable {
    // Safe to share: everything happens on the reactor's queue, or before something is sent there.
    let reactor = CounterReactor.onOwnQueue()
    private(set) var calls: [String] = []
    private var generator: SeededGenerator
    private var subscription: EventSubscription?

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
    }

    /// Actions on the queue take the short way in; those from elsewhere wait for their turn, and so do their effects.
    func play(actions: Int, takesLongWay: Bool, isObserved: Bool) {
      if isObserved {
        subscription = reactor.onQueue { reactor in
          reactor.$state.sink { [weak self] state in self?.hear(state) }
        }
      }
      for _ in 0..<actions {
        let action = CounterReactor.Action.answer { [weak self] reactor in self?.answer(reactor) ?? .none }
        if takesLongWay {
          reactor.action(action)
          reactor.onQueue { _ in }
        } else {
          reactor.onQueue { $0.action(action) }
        }
        calls.append("after: \(reactor.state.n) \(reactor.state.a) \(reactor.effectCount)")
      }
      subscription?.cancel()
    }

    private func hear(_ state: CounterReactor.State) {
      calls.append("told: \(state.n) \(state.a) \(reactor.effectCount)")
      if Int.random(in: 0..<6, using: &generator) == 0 { reactor.action(.incLater) }
      if Int.random(in: 0..<12, using: &generator) == 0 { reactor.action(.setB(state.n)) }
    }

    private func answer(_ reactor: CounterReactor) -> Answer {
      calls.append("mutate: \(reactor.state.n) \(reactor.state.a) \(reactor.effectCount)")
      let later = Answer(async: .just(.inc))
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: return .none
      case 1: return [.inc]
      case 2: return Answer(sync: .setA(reactor.state.n), async: .just(.inc))
      case 3: return later + later
      case 4: return later.effect(id: 1)
      case 5: return later.effect(id: 1) + .cancel(id: 1)
      case 6: return .cancel(id: 1) + later
      case 7: return Answer(async: EventStream([.inc, .inc]))
      case 8:
        // What is sent comes behind the value that was there at once.
        reactor.action(.setA(reactor.state.a + 1))
        return later
      case 9:
        let change: @Sendable (inout CounterReactor.State) -> Void = { [weak reactor] state in
          state.n += 1
          reactor?.action(.setA(state.n))
        }
        return Answer(async: .just(.change(change)))
      default: return later
      }
    }
  }

  @Test(
    "Values that are there at once, by chance: both ways show the same states in the same order",
    arguments: [true, false])
  func sameStates(isObserved: Bool) {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("effect ways: seed \(seed)")
    for round in 0..<40 {
      let short = Story(seed: seed &+ UInt64(round))
      let long = Story(seed: seed &+ UInt64(round))
      short.play(actions: 60, takesLongWay: false, isObserved: isObserved)
      long.play(actions: 60, takesLongWay: true, isObserved: isObserved)
      #expect(short.reactor.state.n > 0)
      #expect(short.calls == long.calls, "seed \(seed), round \(round)")
    }
  }
}
