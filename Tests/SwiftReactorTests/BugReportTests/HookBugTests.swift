// B39, B44, B45, B48, B50: hooks that run twice or too early, and observers that come and go during delivery.

import Dispatch
import SwiftReactor
import Testing

/// A subclass of which nothing is ready before its own initializer has run.
private final class LateReactor: BaseReactor<LateReactor.Action, LateReactor.Mutation, LateReactor.State>,
  @unchecked Sendable
{
  // Safe to share: what this class adds are constants of Sendable types.
  struct State: Sendable { var n = 0, b = 0 }
  enum Action: Sendable { case inc, incLater }
  enum Mutation: Sendable { case inc }

  let service: String
  let hookCalls: Recorder<String>

  init(service: String, hookCalls: Recorder<String>, queue: DispatchQueue) {
    self.service = service
    self.hookCalls = hookCalls
    super.init(initialState: State(), queue: queue)
    restore(State(n: 0, b: 77))
    action(.inc)
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .inc: [.inc]
    case .incLater: .run { emit in emit(.inc) }
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) { state.n += 1 }

  override func transform(action: EventStream<Action>) -> EventStream<Action> {
    hookCalls.append("action \(service)")
    return action
  }

  override func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> {
    hookCalls.append("mutation \(service)")
    return mutation
  }

  override func transform(state: EventStream<State>) -> EventStream<State> {
    hookCalls.append("state \(service)")
    return state
  }
}

extension OneAtATime {
  @Suite("Bug reports · Initialization and transform hooks")
  struct HookBugTests {
    @Test("B39 · A hook that uses its input twice does not run the business logic twice")
    func inputTwice() async {
      let mutates = Shared(0)
      let requests = Shared(0)
      let reactor = CounterReactor.onOwnQueue(
        hooks: .init(
          action: { actions in actions.merge(with: actions.filter { _ in false }) },
          mutation: { mutations in mutations.merge(with: mutations.filter { _ in false }) },
          onMutate: { _, _ in mutates.increment() }))
      reactor.onQueue { $0.action(.inc) }
      await reactor.perform(
        .answer { _ in
          Answer.run { emit in
            requests.increment()
            emit(.setA(1))
          }
        })
      await settle(reactor)
      #expect(reactor.state.n == 1)
      #expect(reactor.state.a == 1)
      #expect(mutates.value == 2)
      #expect(requests.value == 1)
    }

    @Test("B39 · A hook that really forwards each mutation twice: reduce twice, mutate still once")
    func forwardedTwice() async {
      let mutates = Shared(0)
      let reduces = Shared(0)
      let requests = Shared(0)
      let reactor = CounterReactor.onOwnQueue(
        hooks: .init(
          mutation: { mutations in mutations.merge(with: mutations) },
          onMutate: { _, _ in mutates.increment() },
          onReduce: { _, _ in reduces.increment() }))
      await reactor.perform(
        .answer { _ in
          Answer.run { emit in
            requests.increment()
            emit(.inc)
          }
        })
      await settle(reactor)
      #expect(mutates.value == 1)
      #expect(requests.value == 1)
      #expect(reduces.value == 2)
      #expect(reactor.state.n == 2)
    }

    @Test("B44 · Hooks run when the subclass is ready, early actions are kept, restored state is the base")
    func lateInitialization() async {
      let calls = Recorder<String>()
      let queue = DispatchQueue(label: "late")
      let reactor = await onThread { LateReactor(service: "ready", hookCalls: calls, queue: queue) }
      reactor.action(.inc)
      await reactor.perform(.incLater)
      await settle(reactor)
      #expect(
        calls.values.sorted() == ["action ready", "mutation ready", "state ready"], "each once, with the service")
      #expect(reactor.state.b == 77)
      #expect(reactor.state.n == 3, "the one sent in init, the early one and the later one")
    }

    @Test("B44 · The same when it is made on its queue")
    func lateInitializationOnQueue() async {
      let calls = Recorder<String>()
      let queue = DispatchQueue(label: "late")
      let reactor = queue.sync { LateReactor(service: "ready", hookCalls: calls, queue: queue) }
      #expect(reactor.state.n == 1)
      queue.sync { reactor.action(.inc) }
      await reactor.perform(.incLater)
      #expect(calls.count == 3)
      #expect(reactor.state.b == 77)
      #expect(reactor.state.n == 3)
    }

    @Test("B45 · Elements injected by hooks work on the current state")
    func injected() async {
      let reactor = CounterReactor.onOwnQueue(
        hooks: .init(
          action: { $0.prepend(.inc, .inc).merge(with: .just(.incLater)) },
          mutation: { $0.prepend(.inc) }))
      let seen = Recorder<Int>()
      let token = reactor.onQueue { reactor in
        let token = reactor.observe(\.n) { seen.append($0) }
        reactor.action(.inc)
        return token
      }
      await eventually("all five are counted", of: reactor) { $0.n == 5 }
      await settle(reactor)
      #expect(reactor.state.n == 5)
      let values = seen.values
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
      token.cancel()
    }

    @Test("B45 · The same with the hooks' sources on background queues")
    func injectedFromBackground() async {
      for _ in 0..<100 {
        let later: @Sendable (Int) -> EventStream<Int> = { count in
          EventStream<Int> { emit in
            DispatchQueue(label: "source").async {
              for number in 0..<count { emit(number) }
              emit.finish()
            }
            return EventSubscription {}
          }
        }
        let reactor = CounterReactor.onOwnQueue(
          hooks: .init(
            action: { actions in
              actions.merge(with: later(2).map { _ in .inc }).merge(with: later(1).map { _ in .incLater })
            },
            mutation: { mutations in mutations.merge(with: later(1).map { _ in .inc }) }))
        let seen = Recorder<Int>()
        let token = reactor.observe(\.n) { seen.append($0) }
        reactor.action(.inc)
        await eventually("all five are counted", of: reactor) { $0.n == 5 }
        await settle(reactor, rounds: 2)
        let values = seen.values
        #expect(reactor.state.n == 5)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "\(values)")
        token.cancel()
      }
    }
  }
}

extension OneAtATime {
  @Suite("Bug reports · Subscribing and unsubscribing during delivery")
  struct SubscriptionBugTests {
    @Test("B48 · Unsubscribing inside the callback does not skip the next observer", arguments: 0..<3)
    func unsubscribeInside(position: Int) {
      let reactor = CounterReactor.onOwnQueue()
      let counts = (0..<3).map { _ in Shared(0) }
      let own = Shared<EventSubscription?>(nil)
      reactor.onQueue { reactor in
        var tokens: [EventSubscription] = []
        for index in 0..<3 {
          if index == position {
            own.value = reactor.$state.dropFirst(1).sink { _ in
              counts[index].increment()
              own.value?.cancel()
            }
          } else {
            tokens.append(reactor.$state.dropFirst(1).sink { _ in counts[index].increment() })
          }
        }
        reactor.action(.inc)
        reactor.action(.inc)
        for token in tokens { token.cancel() }
      }
      for index in 0..<3 { #expect(counts[index].value == (index == position ? 1 : 2)) }
    }

    @Test("B48 · The same for observers of key paths, and for one cancelled from another's callback", arguments: 0..<3)
    func unsubscribeFromOther(position: Int) {
      let reactor = CounterReactor.onOwnQueue()
      let seen = (0..<3).map { _ in Recorder<Int>() }
      let tokens = Shared<[EventSubscription]>([])
      reactor.onQueue { reactor in
        for index in 0..<3 {
          let token = reactor.observe(\.n) { n in
            seen[index].append(n)
            if index == position, n == 1 { tokens.value[(index + 1) % 3].cancel() }
          }
          tokens.withLock { $0.append(token) }
        }
        reactor.action(.inc)
        reactor.action(.inc)
      }
      let cancelled = (position + 1) % 3
      for index in 0..<3 {
        // The one that is cancelled by the last was called in that delivery already, by registration order.
        let expected = index != cancelled ? [0, 1, 2] : cancelled < position ? [0, 1] : [0]
        #expect(seen[index].values == expected)
      }
    }

    @Test("B50 · An observer added inside a callback starts with the state being delivered and stays")
    func addedInside() {
      let reactor = CounterReactor.onOwnQueue()
      let log = Recorder<Int>()
      let inner = Shared<EventSubscription?>(nil)
      reactor.onQueue { reactor in
        let token = reactor.$state.sink { [weak reactor] state in
          guard state.n == 1, inner.value == nil else { return }
          inner.value = reactor?.observe(\.n) { log.append($0) }
        }
        reactor.action(.inc)
        reactor.action(.inc)
        #expect(log.values == [1, 2])
        token.cancel()
        inner.value?.cancel()
      }
    }

    @Test("B50 · The same for an observer of every commit")
    func addedInsideEveryCommit() {
      let reactor = CounterReactor.onOwnQueue()
      let log = Recorder<Int>()
      let inner = Shared<EventSubscription?>(nil)
      reactor.onQueue { reactor in
        let token = reactor.observe(\.n) { [weak reactor] n in
          guard n == 1, inner.value == nil else { return }
          inner.value = reactor?.$state.sink { log.append($0.n) }
        }
        reactor.action(.inc)
        reactor.action(.inc)
        #expect(log.values == [1, 2])
        token.cancel()
        inner.value?.cancel()
      }
    }
  }
}
