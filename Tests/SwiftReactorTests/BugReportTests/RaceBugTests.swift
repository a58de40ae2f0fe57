// B19, B21: senders, readers and subscribers at the same moment.

import Dispatch
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Lost updates and data races")
  struct RaceBugTests {
    /// `log.count == n` in every state that anybody can read.
    private func expectCounted(_ reactor: CounterReactor, mainSender: Bool, name: String) async {
      let torn = Shared(0)
      var readers: [Companion] = []
      for _ in 0..<3 {
        readers.append(
          await Companion.start { _ in
            let state = reactor.state
            if state.log.count != state.n { torn.increment() }
          })
      }
      await watched(name, seconds: 180) {
        async let senders: Void = race(8) { _ in
          for _ in 0..<500 { reactor.action(.incBoth) }
        }
        if mainSender {
          for _ in 0..<500 {
            await MainActor.run { reactor.action(.incBoth) }
          }
        }
        await senders
        let expected = mainSender ? 4500 : 4000
        await eventually("all are counted", of: reactor) { $0.n >= expected }
        await settle(reactor, rounds: 3)
        #expect(reactor.state.n == expected)
      }
      for reader in readers { #expect(await reader.stop() > 0) }
      #expect(torn.value == 0)
    }

    @Test("B19 · Concurrent senders and readers lose nothing and see nothing torn")
    func sendersAndReaders() async {
      await expectCounted(.onOwnQueue(), mainSender: false, name: "B19")
    }

    @Test("B19 · Nor do they with the main queue as the reactor's queue and a sender on it")
    func sendersAndReadersOnMain() async {
      await expectCounted(CounterReactor(), mainSender: true, name: "B19 with a main sender")
    }

    @Test("B21 · No update falls into the gap between reading the current value and registering")
    func noGap() async {
      await watched("B21", seconds: 180) {
        for round in 0..<300 {
          let reactor = CounterReactor.onOwnQueue()
          let all = Recorder<Int>()
          let tokens = Recorder<EventSubscription>()
          await race(2) { index in
            if index == 0 {
              tokens.append(reactor.observe(\.n) { all.append($0) })
            } else {
              reactor.onQueue { reactor in for _ in 0..<20 { reactor.action(.inc) } }
            }
          }
          await eventually("round \(round): the last value came", on: reactor.queue) { all.last == 20 }
          await hop(reactor.queue)
          let values = all.values
          #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "round \(round): \(values)")
          #expect(values == Array((values.first ?? 0)...20), "round \(round): nothing is missing")
        }
      }
    }
  }
}
