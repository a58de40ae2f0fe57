// Real threads against one reactor: everything counted, everything on the queue, nobody waits.

import Dispatch
import Foundation
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Stress")
  struct StressTests {
    enum Kind: String, CaseIterable, Sendable { case sync, async, mixed }

    private func action(_ kind: Kind, _ number: Int) -> CounterReactor.Action {
      switch kind {
      case .sync: .inc
      case .async: .incLater
      case .mixed: number.isMultiple(of: 2) ? .inc : .incLater
      }
    }

    /// A reactor that notes when its code runs elsewhere than on its queue.
    private func make(_ queue: DispatchQueue, off: Shared<Int>) -> CounterReactor {
      let mark = QueueMark(queue)
      return CounterReactor(
        queue: queue,
        hooks: .init(
          onMutate: { _, _ in if !mark.isCurrent { off.increment() } },
          onReduce: { _, _ in if !mark.isCurrent { off.increment() } }))
    }

    @Test(
      "10 000 concurrent actions are exactly counted, and every state is seen on the queue", arguments: Kind.allCases)
    func tenThousand(kind: Kind) async {
      let queue = DispatchQueue(label: "stress")
      let mark = QueueMark(queue)
      let off = Shared(0)
      let reactor = make(queue, off: off)
      let seen = Recorder<Int>()
      let token = reactor.observe(\.n) { n in
        if !mark.isCurrent { off.increment() }
        seen.append(n)
      }
      await watched("10 000 \(kind) actions", seconds: 180) {
        await race(8) { index in
          for number in 0..<1250 { reactor.action(action(kind, number)) }
        }
        await eventually("all are counted", of: reactor, within: .seconds(150)) { $0.n >= 10_000 }
        await settle(reactor, rounds: 3)
      }
      #expect(reactor.state.n == 10_000)
      #expect(seen.values == Array(0...10_000), "every state once and in order")
      #expect(off.value == 0)
      token.cancel()
    }

    @Test("The drain that a reactor keeps may be put into its queue by many threads at once, and while it runs there")
    func keptDrain() async {
      let reactor = make(DispatchQueue(label: "kept drain"), off: Shared(0))
      let senders = 4
      await watched("200 000 actions, each a drain of its own", seconds: 180) {
        await race(senders) { _ in
          // The queue mostly has nothing to do, so that nearly every action needs a drain, and meets one that ends.
          for number in 0..<50_000 {
            reactor.action(.inc)
            if number.isMultiple(of: 7) { reactor.queue.sync {} }
          }
        }
        await eventually("all are counted", of: reactor, within: .seconds(150)) { $0.n >= senders * 50_000 }
      }
      #expect(reactor.state.n == senders * 50_000)
    }

    @Test("10 000 on the main queue as the reactor's queue", arguments: Kind.allCases)
    @MainActor
    func tenThousandOnMain(kind: Kind) async {
      let off = Shared(0)
      let reactor = make(.main, off: off)
      await watched("10 000 \(kind) actions for the main queue", seconds: 180) {
        await race(8) { _ in
          for number in 0..<1250 { reactor.action(self.action(kind, number)) }
        }
        await eventually("all are counted", of: reactor, within: .seconds(150)) { $0.n >= 10_000 }
        await settle(reactor, rounds: 3)
      }
      #expect(reactor.state.n == 10_000)
      #expect(off.value == 0)
    }

    @Test("Senders on the queue and off it at once, readers, and observers that send")
    func everybodyAtOnce() async {
      let queue = DispatchQueue(label: "stress")
      let off = Shared(0)
      let reactor = make(queue, off: off)
      let torn = Shared(0)
      var readers: [Companion] = []
      for _ in 0..<2 {
        readers.append(
          await Companion.start { _ in
            let state = reactor.state
            if state.log.count != state.b { torn.increment() }
          })
      }
      // Every tenth count is answered with an action from the observer.
      let token = reactor.observe(\.n) { [weak reactor] n in
        if n > 0, n.isMultiple(of: 10) { reactor?.action(.answer { _ in [.write("\(n)"), .change { $0.b += 1 }] }) }
      }
      await watched("senders, readers and observers", seconds: 180) {
        await race(4) { index in
          for number in 0..<1000 {
            if index == 0 {
              let before = reactor.onQueue { reactor in
                let before = reactor.state.n
                reactor.action(.inc)
                return reactor.state.n - before
              }
              if before < 1 { off.increment() }
            } else {
              reactor.action(number.isMultiple(of: 3) ? .incLater : .inc)
            }
          }
        }
        await eventually("all are counted", of: reactor, within: .seconds(150)) { $0.n == 4000 && $0.b == 400 }
      }
      for reader in readers { #expect(await reader.stop() > 0) }
      #expect(torn.value == 0)
      #expect(off.value == 0)
      #expect(reactor.state.log == (1...400).map { "\($0 * 10)" })
      token.cancel()
    }

    @Test("Observers come and go from other threads while values are delivered")
    func cancelWhileDelivering() async {
      let queue = DispatchQueue(label: "stress")
      let off = Shared(0)
      let reactor = make(queue, off: off)
      let steady = Recorder<Int>()
      let token = reactor.onQueue { $0.observe(\.n) { steady.append($0) } }
      let faults = Recorder<String>()
      await watched("observers that come and go", seconds: 180) {
        await race(3) { index in
          if index == 0 {
            for _ in 0..<4000 { reactor.action(.inc) }
          } else {
            for round in 0..<800 {
              let seen = Recorder<Int>()
              let token = reactor.observe(\.n) { seen.append($0) }
              if round % 3 == 0 { _ = reactor.onQueue { $0.state.n } }
              token.cancel()
              let values = seen.values
              if !zip(values, values.dropFirst()).allSatisfy({ $0 + 1 == $1 }) { faults.append("\(values)") }
            }
          }
        }
        await eventually("all are counted", of: reactor) { $0.n == 4000 }
      }
      #expect(faults.values == [])
      #expect(steady.values == Array(0...4000))
      token.cancel()
    }

    @Test("Effects are started and cancelled from many threads: none is left, none is counted twice")
    func effectsFromManyThreads() async {
      let queue = DispatchQueue(label: "stress")
      let off = Shared(0)
      let reactor = make(queue, off: off)
      let ended = Shared(0)
      await watched("effects that are started and cancelled", seconds: 180) {
        await race(4) { index in
          for number in 0..<500 {
            let id = number % 7
            switch (number + index) % 4 {
            case 0: reactor.action(.answer(.cancel(id: id)))
            case 1: reactor.action(.answer { _ in Answer.run { $0(.inc) }.effect(id: id, .queued) })
            default:
              reactor.action(
                .answer { _ in
                  Answer.run { emit in
                    await Task.yield()
                    ended.increment()
                    emit(.setA(number))
                  }.effect(id: id)
                })
            }
          }
        }
        await eventually("none is left", on: queue, within: .seconds(150)) { reactor.effectCount == 0 }
        await settle(reactor)
      }
      #expect(reactor.effectCount == 0)
      #expect(reactor.state.n <= 500)
      #expect(off.value == 0)
    }

    @Test("A sender on the main queue comes back while two senders flood it")
    @MainActor
    func mainSenderUnderFlood() async {
      let off = Shared(0)
      let reactor = make(.main, off: off)
      let isDone = Shared(false)
      let dog = Watchdog("a main sender under flood", seconds: 180)
      let counts = Shared(0)
      // A flood that ends only after the calls: one that waited for its end would meet the watchdog. The backlog it makes
      // is paced so that memory stays small.
      async let flood: Void = race(2) { _ in
        while !isDone.value {
          for _ in 0..<1000 { reactor.action(.inc) }
          let sent = counts.withLock { count in
            count += 1000
            return count
          }
          while reactor.state.n + 20_000 < sent, !isDone.value { sched_yield() }
        }
      }
      await eventually("the flood has begun") { reactor.state.n > 0 }
      for call in 0..<3 {
        reactor.action(.setA(call))
        #expect(reactor.state.a == call, "handled when the call returned")
        await hop(.main)
      }
      isDone.value = true
      await flood
      await eventually("all are counted", within: .seconds(150)) { reactor.state.n == counts.value }
      #expect(off.value == 0)
      dog.finish()
    }

    @Test("Dropping reactors, subjects and subscriptions from many threads at once frees everything once")
    func droppingEverything() async {
      let lives = Lives()
      await watched("dropping from many threads", seconds: 180) {
        for _ in 0..<200 {
          let life = lives.make()
          let reactor = Shared<CounterReactor?>(.onOwnQueue(hooks: .init(onDeinit: { withExtendedLifetime(life) {} })))
          let token = Shared<EventSubscription?>(reactor.value!.observe(\.n) { _ in withExtendedLifetime(life) {} })
          let subject = Shared<EventSubject<CounterReactor.Action>?>(reactor.value!.action)
          await race(4) { index in
            switch index {
            case 0: for _ in 0..<10 { reactor.value?.action(.incLater) }
            case 1: token.value = nil
            case 2:
              subject.value?.send(.inc)
              subject.value = nil
            default: reactor.value = nil
            }
          }
        }
        await eventually("everything is freed") { lives.count == 0 }
      }
    }
  }
}
