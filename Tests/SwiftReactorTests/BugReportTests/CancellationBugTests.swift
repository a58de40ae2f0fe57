// B30: a cancel that comes directly after the start.

import Dispatch
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Cancellation")
  struct CancellationBugTests {
    private static let rounds = 1000

    /// Runs rounds with random load on the pool, so that effect tasks start now early and now late.
    private func underLoad(_ name: String, _ round: (CounterReactor) async -> Void) async {
      let seed = UInt64.random(in: 0 ... .max)
      var random = SeededGenerator(seed: seed)
      await watched("B30 \(name), seed \(seed)", seconds: 180) {
        for _ in 0..<Self.rounds {
          for _ in 0..<Int.random(in: 0...4, using: &random) {
            let spins = Int.random(in: 0...400, using: &random)
            Task.detached { for _ in 0..<spins { _ = Shared(0).value } }
          }
          await round(.onOwnQueue())
        }
      }
    }

    @Test("B30 · start, cancel in the same turn: the effect is cancelled")
    func startCancel() async {
      let wrong = Recorder<String>()
      await underLoad("start, cancel") { reactor in
        let gate = Gate()
        reactor.onQueue { reactor in
          reactor.action(.gated(gate, id: "E"))
          reactor.action(.answer(.cancel(id: "E")))
        }
        gate.open()
        await settle(reactor, rounds: 1)
        if reactor.state.n != 0 || reactor.effectCount != 0 {
          wrong.append("n \(reactor.state.n), a \(reactor.state.a), effects \(reactor.effectCount)")
        }
      }
      #expect(wrong.values == [])
    }

    @Test("B30 · start, cancel, start again: only the second body's change arrives")
    func startCancelStart() async {
      let wrong = Recorder<String>()
      await underLoad("start, cancel, start") { reactor in
        // Without the gate a first body that is fast may emit before it is cancelled, which is in order.
        let gate = Gate()
        let start: @Sendable (Int) -> CounterReactor.Action = { number in
          .answer { _ in
            Answer.run { emit in
              await gate.wait()
              emit(.setA(number))
              emit(.inc)
            }.effect(id: "E")
          }
        }
        reactor.onQueue { reactor in
          reactor.action(start(1))
          reactor.action(.answer(.cancel(id: "E")))
          reactor.action(start(2))
        }
        gate.open()
        await eventually("the second arrives", of: reactor) { $0.n > 0 }
        await settle(reactor, rounds: 1)
        if reactor.state.n != 1 || reactor.state.a != 2 {
          wrong.append("n \(reactor.state.n), a \(reactor.state.a), effects \(reactor.effectCount)")
        }
      }
      #expect(wrong.values == [])
    }

    @Test("B30 · start twice in one turn with cancel in flight: once, and the first body sees cancellation")
    func startTwice() async {
      let wrong = Recorder<String>()
      await underLoad("start twice") { reactor in
        let sawCancel = Recorder<Bool>()
        let gate = Gate()
        reactor.onQueue { reactor in
          reactor.action(
            .answer { _ in
              Answer.run { emit in
                await gate.wait()
                sawCancel.append(Task.isCancelled)
                emit(.inc)
              }.effect(id: "E")
            })
          reactor.action(.answer { _ in Answer.run { $0(.inc) }.effect(id: "E") })
        }
        gate.open()
        await eventually("the second arrives", of: reactor) { $0.n > 0 }
        await settle(reactor, rounds: 1)
        // A body that never began saw its cancellation in the strongest way.
        if reactor.state.n != 1 || sawCancel.values.contains(false) {
          wrong.append("n \(reactor.state.n), a \(reactor.state.a), effects \(reactor.effectCount)")
        }
      }
      #expect(wrong.values == [])
    }

    @Test("B30 · In one mutate result: start, cancel is nothing; cancel, start runs")
    func oneResult() async {
      let wrong = Recorder<String>()
      await underLoad("one result") { reactor in
        reactor.onQueue { reactor in
          reactor.action(.answer { _ in Answer.run { $0(.setA(1)) }.effect(id: "E") + .cancel(id: "E") })
          reactor.action(.answer { _ in Answer.cancel(id: "F") + Answer.run { $0(.inc) }.effect(id: "F") })
        }
        await eventually("the second arrives", of: reactor) { $0.n == 1 }
        await settle(reactor, rounds: 1)
        if reactor.state.a != 0 || reactor.state.n != 1 {
          wrong.append("n \(reactor.state.n), a \(reactor.state.a), effects \(reactor.effectCount)")
        }
      }
      #expect(wrong.values == [])
    }

    @Test("B30 · An effect begun inside an already cancelled task: no trap, no change")
    func alreadyCancelled() async {
      let wrong = Recorder<String>()
      await underLoad("already cancelled") { reactor in
        let task = Task {
          while !Task.isCancelled { await Task.yield() }
          await reactor.perform(.incLater)
        }
        task.cancel()
        await task.value
        await settle(reactor, rounds: 1)
        if reactor.state.n != 0 || reactor.effectCount != 0 {
          wrong.append("n \(reactor.state.n), a \(reactor.state.a), effects \(reactor.effectCount)")
        }
      }
      #expect(wrong.values == [])
    }
  }
}
