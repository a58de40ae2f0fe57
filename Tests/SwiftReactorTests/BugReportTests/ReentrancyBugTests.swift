// B07, B08, B11: actions in the middle of actions, and long chains of them.

import Dispatch
import Foundation
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Re-entrancy and recursion")
  struct ReentrancyBugTests {
    @Test("B07 · An action from an observer is not executed in the middle of the running action")
    func notInTheMiddle() {
      let reactor = CounterReactor.onOwnQueue()
      let sent = Shared(false)
      reactor.onQueue { reactor in
        let token = reactor.$state.sink { [weak reactor] state in
          guard state.log.contains("enterA"), !sent.value else { return }
          sent.value = true
          reactor?.action(.write(["enterB", "exitB"]))
        }
        reactor.action(.write(["enterA", "exitA"]))
        #expect(reactor.state.log == ["enterA", "exitA", "enterB", "exitB"])
        token.cancel()
      }
    }

    @Test("B07 · Dismiss, and present from the observer of the dismissal: the presented route stays")
    func dismissThenPresent() {
      let reactor = CounterReactor.onOwnQueue(.init(text: "first"))
      reactor.onQueue { reactor in
        let token = reactor.observe(\.text) { [weak reactor] route in
          if route.isEmpty { reactor?.action(.setText("next")) }
        }
        reactor.action(.setText(""))
        #expect(reactor.state.text == "next")
        token.cancel()
      }
    }

    @Test("B07 · Streams that emit at once: nothing lost, each stream's own order kept")
    func streamVariant() {
      let reactor = CounterReactor.onOwnQueue()
      let sent = Shared(false)
      let stream: @Sendable (String) -> CounterReactor.Action = { name in
        .answer { _ in Answer(async: EventStream([.write("enter\(name)"), .write("exit\(name)")])) }
      }
      reactor.onQueue { reactor in
        let token = reactor.$state.sink { [weak reactor] state in
          guard state.log.contains("enterA"), !sent.value else { return }
          sent.value = true
          reactor?.action(stream("B"))
        }
        reactor.action(stream("A"))
        let log = reactor.state.log
        #expect(log.filter { $0.hasSuffix("A") } == ["enterA", "exitA"])
        #expect(log.filter { $0.hasSuffix("B") } == ["enterB", "exitB"])
        #expect(log.count == 4)
        token.cancel()
      }
    }

    @Test("B08 · The result of an action sent inside reduce is not thrown away")
    func sentInsideReduce() async {
      let target = Shared<CounterReactor?>(nil)
      let sent = Shared(false)
      let reactor = CounterReactor.onOwnQueue(
        hooks: .init(onReduce: { _, mutation in
          guard case .setA = mutation, !sent.value else { return }
          sent.value = true
          target.value?.action(.setB(5))
        }))
      target.value = reactor
      await watched("B08") {
        await onThread {
          reactor.onQueue { reactor in
            reactor.action(.setA(3))
            #expect(reactor.state.a == 3)
            #expect(reactor.state.b == 5)
          }
        }
      }
      target.value = nil
    }

    /// The four chains, each from a thread with little stack and on the main queue.
    private static let length = 100_000
    private static let littleStack = 512 * 1024

    private static func observerSends(_ reactor: CounterReactor) {
      let token = reactor.observe(\.n) { [weak reactor] n in
        if n > 0, n < length { reactor?.action(.inc) }
      }
      reactor.action(.inc)
      token.cancel()
    }

    private static func streamEmits(_ reactor: CounterReactor) {
      reactor.action(.answer { _ in Answer(async: EventStream(repeatElement(.inc, count: length))) })
    }

    private static func manySyncMutations(_ reactor: CounterReactor) {
      reactor.action(.answer { _ in Answer(sync: Array(repeating: .inc, count: length)) })
    }

    private static func feedingHook() -> (CounterReactor.Hooks, Shared<CounterReactor?>) {
      let target = Shared<CounterReactor?>(nil)
      let count = Shared(0)
      let hooks = CounterReactor.Hooks(mutation: { mutations in
        mutations.map { mutation in
          if count.increment() < length { target.value?.mutation.send(.inc) }
          return mutation
        }
      })
      return (hooks, target)
    }

    private static func subjectHook() -> CounterReactor.Hooks {
      let back = EventSubject<CounterReactor.Mutation>()
      let count = Shared(0)
      return CounterReactor.Hooks(mutation: { mutations in
        mutations.merge(with: back.stream).map { mutation in
          if count.increment() < length { back.send(.inc) }
          return mutation
        }
      })
    }

    private func expectChain(
      _ name: String, hooks: CounterReactor.Hooks = .init(), target: Shared<CounterReactor?>? = nil,
      _ chain: @escaping @Sendable (CounterReactor) -> Void
    ) async {
      let reactor = CounterReactor.onOwnQueue(hooks: hooks)
      target?.value = reactor
      let clock = ContinuousClock()
      let begin = clock.now
      await watched("B11, \(name)", seconds: 180) {
        await onThread(stackSize: Self.littleStack) { reactor.onQueue { chain($0) } }
      }
      #expect(reactor.state.n == Self.length)
      #expect(clock.now - begin < .seconds(10))
      target?.value = nil
    }

    @Test("B11 · An observer that sends until 100 000 does not overflow 512 KB of stack")
    func chainOfObserver() async {
      await expectChain("observer sends") { Self.observerSends($0) }
    }

    @Test("B11 · A stream that emits 100 000 mutations at subscription does not")
    func chainOfStream() async {
      await expectChain("stream emits") { Self.streamEmits($0) }
    }

    @Test("B11 · 100 000 sync mutations of one action do not")
    func chainOfSyncMutations() async {
      await expectChain("sync mutations") { Self.manySyncMutations($0) }
    }

    @Test("B11 · A hook that feeds the next one back until 100 000 does not")
    func chainOfHook() async {
      let (hooks, target) = Self.feedingHook()
      await expectChain("hook feeds back", hooks: hooks, target: target) { $0.action(.inc) }
      await expectChain("hook feeds a subject", hooks: Self.subjectHook()) { $0.action(.inc) }
    }

    @Test("B11 · All four on the main queue")
    @MainActor
    func chainsOnMain() {
      let dog = Watchdog("B11 on the main queue", seconds: 100)
      let (hooks, target) = Self.feedingHook()
      let chains: [(String, CounterReactor, (CounterReactor) -> Void)] = [
        ("observer", CounterReactor(), Self.observerSends),
        ("stream", CounterReactor(), Self.streamEmits),
        ("sync", CounterReactor(), Self.manySyncMutations),
        ("hook", CounterReactor(hooks: hooks), { $0.action(.inc) }),
      ]
      target.value = chains[3].1
      for (name, reactor, chain) in chains {
        chain(reactor)
        #expect(reactor.state.n == Self.length, "\(name)")
      }
      target.value = nil
      dog.finish()
    }
  }
}
