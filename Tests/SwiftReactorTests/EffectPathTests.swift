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
      if Int.random(in: 0..<6, using: &generator) == 0 { reactor.action(.answer(Answer(async: .just(.inc)))) }
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
      let isSame = short.calls == long.calls
      #expect(isSame, "seed \(seed), round \(round)")
    }
  }

  /// Hands on two values in the step that starts it. Its end comes with the last of them, or when both were handled.
  private static func source(_ number: Int, on queue: DispatchQueue, endsApart: Bool) -> EventStream<
    CounterReactor.Mutation
  > {
    EventStream { emit in
      emit(.write("\(number)a"))
      emit(.write("\(number)b"))
      if endsApart { queue.async { emit.finish() } } else { emit.finish() }
      return EventSubscription {}
    }
  }

  @Test(
    "An end right behind the last value, and one that comes when that was handled: the same follows",
    arguments: [true, false])
  func sameEnds(endsApart: Bool) async {
    let reactor = CounterReactor.onOwnQueue()
    let ended = Recorder<Int>()
    func answer(_ number: Int) -> CounterReactor.Action {
      .answer { reactor in Answer(async: Self.source(number, on: reactor.queue, endsApart: endsApart)) }
    }
    func queued(_ number: Int) -> CounterReactor.Action {
      .answer { reactor in
        Answer(async: Self.source(number, on: reactor.queue, endsApart: endsApart)).effect(id: "id", .queued)
      }
    }
    await reactor.perform(answer(0))
    #expect(reactor.state.log == ["0a", "0b"])
    #expect(reactor.effectCount == 0, "a finished effect leaves nothing behind")
    await withTaskGroup { group in
      reactor.onQueue { reactor in
        for number in 1...3 { reactor.action(queued(number)) }
      }
      group.addTask {
        await reactor.perform(queued(4))
        ended.append(4)
      }
    }
    #expect(ended.values == [4])
    #expect(reactor.state.log == (0...4).flatMap { ["\($0)a", "\($0)b"] })
    #expect(reactor.effectCount == 0)
    reactor.action(answer(5))
    await eventually("the last one has ended", of: reactor) { $0.log.count == 12 }
    await settle(reactor)
    #expect(reactor.effectCount == 0)
  }

  @Test("An effect is listed until its last value was handled, although its end waits no longer than that value")
  func listedUntilItsEnd() {
    let reactor = CounterReactor.onOwnQueue()
    let listed = Recorder<Int>()
    reactor.onQueue { reactor in
      let subscription = reactor.$state.sink { [weak reactor] _ in listed.append(reactor?.effectCount ?? -1) }
      reactor.action(.answer { Answer(async: Self.source(0, on: $0.queue, endsApart: false)) })
      subscription.cancel()
    }
    #expect(listed.values == [0, 1, 1])
    #expect(reactor.effectCount == 0)
  }
}
