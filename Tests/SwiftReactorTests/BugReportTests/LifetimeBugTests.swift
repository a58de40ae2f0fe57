// B27, B28: what outlives its owner, and what is never forgotten.

import Dispatch
import Foundation
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Lifetime and leaks")
  struct LifetimeBugTests {
    /// The sources of a reactor's endless effects, and what became of them.
    private struct Sources: Sendable {
      let subject = EventSubject<CounterReactor.Mutation>()
      let cancels = Recorder<String>()
      let begun = Recorder<String>()

      func start(on reactor: CounterReactor) {
        let (cancels, begun, subject) = (cancels, begun, subject)
        // A stream that never ends.
        reactor.action(
          .answer { _ in
            Answer(
              async: EventStream<CounterReactor.Mutation> { emit in
                let inner = subject.stream.sink { emit($0) }
                begun.append("push")
                return EventSubscription {
                  inner.cancel()
                  cancels.append("push")
                }
              }
            ).effect(id: "push")
          })
        // The loop over an async sequence.
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        tick.onTermination = { if case .cancelled = $0 { cancels.append("sequence") } }
        tick.yield()
        reactor.action(
          .answer { _ in
            Answer.run { emit in
              for await _ in ticks {
                emit(.inc)
                begun.append("sequence")
              }
            }
          })
        // An action that sends itself again and again.
        reactor.action(.answer(Self.repeating(cancels, begun)))
      }

      private static func repeating(
        _ cancels: Recorder<String>, _ begun: Recorder<String>
      ) -> @Sendable (CounterReactor) -> Answer {
        { reactor in
          Answer.run { [action = reactor.action] _ in
            begun.append("repeating")
            let gate = Gate()
            await withTaskCancellationHandler {
              // Two turns, then it waits, so that the test knows that it repeats and in which state it is left.
              if begun.values.filter({ $0 == "repeating" }).count < 3 {
                action.send(.answer(repeating(cancels, begun)))
              } else {
                await gate.wait()
              }
            } onCancel: {
              cancels.append("repeating")
              gate.open()
            }
          }
        }
      }
    }

    private func expectFreed(droppedOn drop: @escaping @Sendable (Shared<CounterReactor?>) -> Void) async {
      let sources = Sources()
      let calls = Shared(0)
      let queue = DispatchQueue(label: "counter")
      let held = Shared<CounterReactor?>(
        CounterReactor(queue: queue, hooks: .init(onReduce: { _, _ in calls.increment() })))
      weak let observed = held.value
      if let reactor = held.value { sources.start(on: reactor) }
      await eventually("all three effects run", on: queue) {
        let begun = sources.begun.values
        return begun.contains("push") && begun.contains("sequence") && begun.filter { $0 == "repeating" }.count == 3
      }
      await settle(queue)
      await onThread { drop(held) }
      #expect(observed == nil, "freed immediately")
      await eventually("each effect's cancel handler has run", on: queue) { sources.cancels.count >= 3 }
      await settle(queue)
      #expect(sources.cancels.values.sorted() == ["push", "repeating", "sequence"], "each exactly once")
      let before = calls.value
      sources.subject.send(.inc)
      await settle(queue)
      #expect(calls.value == before, "what the sources emit now reaches nobody")
    }

    @Test("B27 · Running effects do not keep the reactor alive, dropped on its queue")
    func droppedOnQueue() async {
      await expectFreed { held in
        guard let queue = held.value?.queue else { return }
        queue.sync { held.value = nil }
      }
    }

    @Test("B27 · Nor dropped on a background thread")
    func droppedInBackground() async {
      await expectFreed { held in held.value = nil }
    }

    @Test("B28 · Finished effects are forgotten: 10 000 of three kinds leave nothing")
    func finishedEffects() async {
      let lives = Lives()
      let reactor = CounterReactor.onOwnQueue()
      await watched("B28", seconds: 180) {
        for index in 0..<10_000 {
          reactor.action(
            .answer { [life = lives.make()] _ in
              switch index % 3 {
              case 0: Answer(async: EventStream.just(.inc).map { value in withExtendedLifetime(life) { value } })
              case 1: Answer.run { emit in withExtendedLifetime(life) { emit(.inc) } }.effect(id: index)
              default: Answer(async: EventStream.empty.map { value in withExtendedLifetime(life) { value } })
              }
            })
        }
        await eventually("all have ended", on: reactor.queue, within: .seconds(150)) {
          reactor.state.n == 3334 + 3333 && reactor.effects.isEmpty
        }
        await eventually("all objects are freed", on: reactor.queue) { lives.count == 0 }
      }
    }

    @Test("B28, B53 · Memory: a second 10 000 effects add nothing, and consumers that never ask pile up nothing")
    func memoryProgram() async throws {
      let run = try await Program.run("MemoryProgram", seconds: 90)
      #expect(run.status == 0, "\(run)")
      #expect(!run.output.contains("wrong"), "\(run)")
      #if os(Linux)
        // The allocator's own account, three times: the last line of each is the total.
        let inUse = run.errors.components(separatedBy: "Total").dropFirst().compactMap { part in
          part.split(separator: "\n").first { $0.hasPrefix("in use bytes") }?
            .split(separator: " ").last.flatMap { Int($0) }
        }
        try #require(inUse.count == 3, "\(run)")
        // What is kept of each effect shows in every round; how far the runtime's pools grow depends on the machine's load.
        let growth = min(inUse[1] - inUse[0], inUse[2] - inUse[1])
        #expect(
          growth < 120_000, "twelve bytes an effect: not even the smallest allocation is kept of each")
      #endif
      let consumers = try #require(
        run.output.split(separator: "\n").first { $0.hasPrefix("consumers ") }?
          .split(separator: " ").last.flatMap { Int($0) }, "\(run)")
      #expect(consumers < 20 << 20)
    }
  }
}
