// B01, B02, B03, B05: calls that wait for each other.

import Dispatch
import Foundation
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Deadlock and lock discipline")
  struct DeadlockBugTests {
    @Test("B01 · An action sent from a state observer does not lock the reactor against itself")
    func sendFromObserver() async {
      await watched("B01, every commit") {
        let seen = Recorder<Int>()
        let reactor = CounterReactor.onOwnQueue()
        await onThread {
          reactor.onQueue { reactor in
            let token = reactor.$state.sink { [weak reactor] state in
              seen.append(state.n)
              if state.n == 1 { reactor?.action(.inc) }
            }
            reactor.action(.inc)
            #expect(reactor.state.n == 2)
            token.cancel()
          }
        }
        #expect(seen.values == [0, 1, 2])
      }
    }

    @Test("B01 · The same with an observer of a key path")
    func sendFromKeyPathObserver() async {
      await watched("B01, key path") {
        let seen = Recorder<Int>()
        let reactor = CounterReactor.onOwnQueue()
        await onThread {
          reactor.onQueue { reactor in
            let token = reactor.observe(\.n) { [weak reactor] n in
              seen.append(n)
              if n == 1 { reactor?.action(.inc) }
            }
            reactor.action(.inc)
            #expect(reactor.state.n == 2)
            token.cancel()
          }
        }
        #expect(seen.values == [0, 1, 2])
      }
    }

    @Test("B01 · The same from a hook's map step")
    func sendFromHook() async {
      await watched("B01, hook") {
        let target = Shared<CounterReactor?>(nil)
        let sent = Shared(false)
        let reactor = CounterReactor.onOwnQueue(
          hooks: .init(mutation: { mutations in
            mutations.map { mutation in
              if !sent.value {
                sent.value = true
                target.value?.action(.inc)
              }
              return mutation
            }
          }))
        target.value = reactor
        let seen = Recorder<Int>()
        await onThread {
          reactor.onQueue { reactor in
            let token = reactor.observe(\.n) { seen.append($0) }
            reactor.action(.inc)
            #expect(reactor.state.n == 2)
            token.cancel()
          }
        }
        #expect(seen.values == [0, 1, 2])
        target.value = nil
      }
    }

    @Test("B01 · The same on the main queue")
    @MainActor
    func sendFromObserverOnMain() {
      let dog = Watchdog("B01, main", seconds: 180)
      let seen = Recorder<Int>()
      let reactor = CounterReactor()
      let token = reactor.observe(\.n) { [weak reactor] n in
        seen.append(n)
        if n == 1 { reactor?.action(.inc) }
      }
      reactor.action(.inc)
      #expect(reactor.state.n == 2)
      #expect(seen.values == [0, 1, 2])
      token.cancel()
      dog.finish()
    }

    @Test(
      "B02 · A background sender and a main sender do not wait for each other",
      arguments: [(1, false), (1, true), (2, false)])
    @MainActor
    func backgroundAndMain(senders: Int, later: Bool) async {
      await watched("B02 with \(senders) background senders") {
        let reactor = CounterReactor()
        async let background: Void = race(senders) { _ in
          for _ in 0..<2000 { reactor.action(later ? .incLater : .inc) }
        }
        for _ in 0..<2000 {
          reactor.action(.inc)
          await hop(.main)
        }
        await background
        let expected = 2000 * (senders + 1)
        await eventually("all \(expected) are counted") { reactor.state.n == expected }
        await settle(reactor, rounds: 3)
        #expect(reactor.state.n == expected)
      }
    }

    @Test(
      "B03 · Observers are called without a framework lock: the user's own lock closes no circle (reading, observing)")
    func usersLockAroundReads() async {
      let lock = NSLock()
      let recorded = Shared(0)
      let reactor = CounterReactor.onOwnQueue()
      let token = reactor.onQueue { reactor in
        reactor.$state.sink { _ in
          lock.lock()
          recorded.increment()
          lock.unlock()
        }
      }
      await watched("B03 part 1") {
        await race(2) { index in
          if index == 0 {
            for _ in 0..<2000 {
              lock.lock()
              _ = reactor.state
              reactor.observe(\.n) { _ in }.cancel()
              lock.unlock()
            }
          } else {
            for _ in 0..<2000 { reactor.onQueue { $0.action(.inc) } }
          }
        }
      }
      #expect(reactor.state.n == 2000)
      #expect(recorded.value == 2001)
      token.cancel()
    }

    @Test("B03 · The same for sending under the user's lock")
    func usersLockAroundSends() async {
      let lock = NSLock()
      let reactor = CounterReactor.onOwnQueue()
      let token = reactor.onQueue { reactor in
        reactor.$state.sink { _ in
          lock.lock()
          lock.unlock()
        }
      }
      await watched("B03 part 2") {
        await race(2) { index in
          for _ in 0..<200 {
            if index == 0 {
              lock.lock()
              reactor.action(.inc)
              lock.unlock()
            } else {
              reactor.onQueue { $0.action(.inc) }
            }
          }
        }
        await eventually("all 400 are counted", of: reactor) { $0.n == 400 }
      }
      token.cancel()
    }

    @Test("B03 · The same for streams and subjects")
    func usersLockAroundSubjects() async {
      let lock = NSLock()
      let reactor = CounterReactor.onOwnQueue()
      let source = EventSubject<CounterReactor.Mutation>()
      let token = reactor.onQueue { reactor in
        reactor.action(.answer { _ in Answer(async: source.stream) })
        return reactor.$state.sink { _ in
          lock.lock()
          lock.unlock()
        }
      }
      await watched("B03 with a subject") {
        await race(2) { index in
          for _ in 0..<500 {
            if index == 0 {
              lock.lock()
              source.send(.inc)
              lock.unlock()
            } else {
              reactor.onQueue { _ in source.send(.inc) }
            }
          }
        }
        await eventually("all 1000 are counted", of: reactor) { $0.n == 1000 }
      }
      token.cancel()
    }

    @Test("B05 · On the queue under dispatchMain(), where the thread is no main thread")
    func dispatchMainProgram() async throws {
      let run = try await Program.run("DispatchMainProgram")
      #expect(run.status == 0, "\(run)")
      #expect(run.output.contains("n == 1"), "\(run)")
    }

    @Test("B05 · On the main actor after an await in an async main")
    func asyncMainProgram() async throws {
      let run = try await Program.run("AsyncMainProgram")
      #expect(run.status == 0, "\(run)")
      #expect(run.output.contains("n == 1"), "\(run)")
    }
  }
}
