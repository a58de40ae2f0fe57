// B12, B14, B15, B18, B32: what comes before what.

import Dispatch
import Foundation
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Order of delivery")
  struct OrderBugTests {
    @Test(
      "B12 · With a nested send, later observers see old before new, and the store keeps the new", arguments: [0, 1])
    func nestedSend(senderPosition: Int) {
      let reactor = CounterReactor.onOwnQueue()
      let logs = [Recorder<Int>(), Recorder<Int>()]
      reactor.onQueue { reactor in
        let tokens = (0..<2).map { index in
          reactor.$state.sink { [weak reactor] state in
            logs[index].append(state.n)
            if index == senderPosition, state.n == 1 { reactor?.action(.inc) }
          }
        }
        reactor.action(.inc)
        #expect(reactor.state.n == 2)
        for token in tokens { token.cancel() }
      }
      #expect(logs[0].values == [0, 1, 2])
      #expect(logs[1].values == [0, 1, 2])
    }

    @Test("B14 · Distinct observation neither repeats nor contradicts when an observer corrects", arguments: [0, 1])
    func correction(correctorPosition: Int) {
      let reactor = CounterReactor.onOwnQueue()
      let out = Recorder<Int>()
      reactor.onQueue { reactor in
        let tokens = (0..<2).map { index in
          if index == correctorPosition {
            reactor.observe(\.a) { [weak reactor] a in
              if a > 42 { reactor?.action(.setA(42)) }
            }
          } else {
            reactor.observe(\.a) { out.append($0) }
          }
        }
        reactor.action(.setA(50))
        #expect(reactor.state.a == 42)
        for token in tokens { token.cancel() }
      }
      #expect(out.values == [0, 50, 42])
    }

    @Test("B15 · A value emitted on the queue does not overtake an earlier one from a background thread")
    func noOvertaking() async {
      for _ in 0..<100 {
        let reactor = CounterReactor.onOwnQueue()
        let source = EventSubject<CounterReactor.Mutation>()
        let observed = Recorder<Int>()
        await watched("B15") {
          let token = await onThread {
            reactor.onQueue { reactor in
              let token = reactor.observe(\.a) { observed.append($0) }
              reactor.action(.answer { _ in Answer(async: source.stream) })
              let emitted = DispatchSemaphore(value: 0)
              let thread = Thread {
                source.send(.setA(1))
                emitted.signal()
              }
              thread.start()
              emitted.wait()
              source.send(.setA(2))
              return token
            }
          }
          await settle(reactor, rounds: 2)
          token.cancel()
        }
        #expect(reactor.state.a == 2)
        #expect(observed.values == [0, 1, 2])
      }
    }

    @Test("B15 · Under stress each stream keeps its order and its count")
    func twoStreams() async {
      let reactor = CounterReactor.onOwnQueue()
      let sources = [EventSubject<CounterReactor.Mutation>(), EventSubject<CounterReactor.Mutation>()]
      reactor.onQueue { reactor in
        for source in sources { reactor.action(.answer { _ in Answer(async: source.stream) }) }
      }
      await watched("B15 under stress") {
        await race(2) { index in
          for number in 0..<500 {
            let mutation = CounterReactor.Mutation.write("\(index) \(number)")
            if index == 0 {
              sources[0].send(mutation)
            } else {
              reactor.onQueue { _ in sources[1].send(mutation) }
            }
          }
        }
        await eventually("all have arrived", of: reactor) { $0.log.count == 1000 }
      }
      for index in 0..<2 {
        #expect(reactor.state.log.filter { $0.hasPrefix("\(index) ") } == (0..<500).map { "\(index) \($0)" })
      }
    }

    @Test("B18 · No loading after loaded when the source answers at once")
    func answersAtOnce() async {
      let reactor = CounterReactor.onOwnQueue()
      let seen = Recorder<[Int]>()
      // `a` is loading, `b` the data.
      let token = reactor.onQueue { reactor in
        let token = reactor.$state.sink { seen.append([$0.a, $0.b]) }
        reactor.action(
          .answer { _ in
            Answer(
              sync: .setA(1),
              async: EventStream<CounterReactor.Mutation> { emit in
                emit(.setB(7))
                emit(.setA(0))
                emit.finish()
                return EventSubscription {}
              })
          })
        return token
      }
      await settle(reactor)
      #expect(seen.values == [[0, 0], [1, 0], [1, 7], [0, 7]])
      #expect(reactor.effectCount == 0)
      token.cancel()
    }

    @Test("B32 · An observer is never called before the reactor's own state has changed")
    func stateHasChanged() async {
      let bad = Shared(0)
      let calls = Shared(0)
      let target = Shared<CounterReactor?>(nil)
      let reactor = CounterReactor.onOwnQueue()
      target.value = reactor
      let token = reactor.onQueue { reactor in
        let token = reactor.$state.sink { state in
          calls.increment()
          if state.n != target.value?.state.n { bad.increment() }
        }
        reactor.action(.inc)
        reactor.action(.incLater)
        return token
      }
      await eventually("both are handled", of: reactor) { $0.n == 2 }
      await settle(reactor)
      #expect(calls.value == 3)
      #expect(bad.value == 0)
      token.cancel()
      target.value = nil
    }

    @Test("B32 · Nor is a reader on the stream of states")
    func stateHasChangedInStream() async {
      let bad = Shared(0)
      let calls = Shared(0)
      let target = Shared<CounterReactor?>(nil)
      let reactor = CounterReactor.onOwnQueue()
      target.value = reactor
      let token = reactor.onQueue { reactor in
        reactor.$state.map { state in
          calls.increment()
          if state.n != target.value?.state.n { bad.increment() }
          return state.n
        }.removeDuplicates().sink { _ in }
      }
      reactor.onQueue { $0.action(.inc) }
      await reactor.perform(.incLater)
      #expect(calls.value == 3)
      #expect(bad.value == 0)
      token.cancel()
      target.value = nil
    }
  }
}
