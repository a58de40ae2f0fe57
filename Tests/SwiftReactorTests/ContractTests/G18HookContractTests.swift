// G18: hooks run once, on first use; what is injected comes in a fixed order; restoring.

import Dispatch
import SwiftReactor
import Testing

@Suite("G18 · Each transform hook is called exactly once")
struct G18HookContractTests {
  private func counting(_ calls: Recorder<String>) -> CounterReactor.Hooks {
    CounterReactor.Hooks(
      action: {
        calls.append("action")
        return $0
      },
      mutation: {
        calls.append("mutation")
        return $0
      },
      state: {
        calls.append("state")
        return $0
      })
  }

  @Test("On first use: the first action, mutation or observation")
  func onFirstUse() {
    let uses: [(String, (CounterReactor) -> Void)] = [
      ("an action", { $0.action(.inc) }),
      ("an action through the subject", { $0.action.send(.inc) }),
      ("a mutation", { $0.mutation.send(.inc) }),
      ("an observation", { $0.observe(\.n) { _ in }.cancel() }),
      ("a sink of $state", { $0.$state.sink { _ in }.cancel() }),
    ]
    for (name, use) in uses {
      let calls = Recorder<String>()
      let reactor = CounterReactor.onOwnQueue(hooks: counting(calls))
      #expect(calls.count == 0, "never from the initializer")
      reactor.onQueue { use($0) }
      #expect(calls.values.sorted() == ["action", "mutation", "state"], "\(name)")
      reactor.onQueue { reactor in for (_, use) in uses { use(reactor) } }
      #expect(calls.count == 3, "once, whatever comes after \(name)")
    }
  }

  @Test("Once, also when many threads use it first at the same moment")
  func onceUnderRace() async {
    for _ in 0..<100 {
      let calls = Recorder<String>()
      let reactor = CounterReactor.onOwnQueue(hooks: counting(calls))
      await race(3) { index in
        switch index {
        case 0: reactor.action(.inc)
        case 1: reactor.observe(\.n) { _ in }.cancel()
        default: reactor.mutation.send(.inc)
        }
      }
      await eventually("both are handled", of: reactor) { $0.n == 2 }
      #expect(calls.values.sorted() == ["action", "mutation", "state"])
    }
  }

  @Test("Reading state never runs user code")
  func readingRunsNothing() {
    let calls = Recorder<String>()
    let reactor = CounterReactor.onOwnQueue(.init(n: 4), hooks: counting(calls))
    #expect(reactor.state.n == 4)
    reactor.onQueue { #expect($0.state.n == 4) }
    #expect(calls.count == 0)
  }

  @Test("At the start: what the mutation hook injects, then what the action hook injects, then the action")
  func orderAtStart() {
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(
        action: { $0.prepend(.write(["action hook 1"]), .write(["action hook 2"])) },
        mutation: { $0.prepend(.write("mutation hook")) }))
    reactor.onQueue { reactor in
      reactor.action(.write(["action"]))
      #expect(reactor.state.log == ["mutation hook", "action hook 1", "action hook 2", "action"])
    }
  }

  @Test("A first observation on the queue starts first: its initial value includes what the hooks injected at once")
  func observationStarts() {
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(action: { $0.prepend(.inc) }, mutation: { $0.prepend(.inc) }))
    let seen = Recorder<Int>()
    reactor.onQueue { reactor in
      #expect(reactor.state.n == 0)
      let token = reactor.observe(\.n) { seen.append($0) }
      #expect(seen.values == [2])
      token.cancel()
    }
  }

  @Test("A first observation from elsewhere is handed over, and starts on the queue")
  func observationFromElsewhere() async {
    let queue = DispatchQueue(label: "counter")
    let mark = QueueMark(queue)
    let places = Recorder<Bool>()
    let reactor = CounterReactor(
      queue: queue,
      hooks: .init(mutation: {
        places.append(mark.isCurrent)
        return $0.prepend(.inc)
      }))
    let seen = Recorder<Int>()
    let token = await onThread { reactor.observe(\.n) { seen.append($0) } }
    await eventually("it has started", on: queue) { seen.last == 1 }
    await settle(reactor)
    #expect(places.values == [true])
    #expect(seen.values == [1])
    token.cancel()
  }

  @Test("A first observation inside a reduce starts after that step")
  func observationInsideReduce() {
    let queue = DispatchQueue(label: "counter")
    let trace = Recorder<String>()
    let tokens = Recorder<EventSubscription>()
    let second = CounterReactor(
      queue: queue,
      hooks: .init(mutation: {
        trace.append("second starts")
        return $0
      }))
    let first = CounterReactor(
      queue: queue,
      hooks: .init(onReduce: { _, _ in
        tokens.append(second.observe(\.n) { trace.append("second \($0)") })
        trace.append("reduce of first ends")
      }))
    queue.sync {
      tokens.append(first.observe(\.n) { if $0 > 0 { trace.append("first \($0)") } })
      first.action(.inc)
    }
    #expect(trace.values.first == "reduce of first ends")
    #expect(trace.values.suffix(2) == ["second starts", "second 0"])
    #expect(trace.values.contains("first 1"))
  }

  @Test("A hook that uses its input twice does not run mutate twice")
  func inputUsedTwice() {
    let mutates = Shared(0)
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(
        action: { actions in actions.merge(with: actions.filter { _ in false }) },
        mutation: { mutations in mutations.merge(with: mutations) },
        onMutate: { _, _ in mutates.increment() }))
    reactor.onQueue { $0.action(.inc) }
    #expect(mutates.value == 1)
    #expect(reactor.state.n == 2, "each mutation was really handed on twice")
  }

  @Test("restore before first use replaces the initial state and starts nothing")
  func restoreBeforeUse() {
    let calls = Recorder<String>()
    let reactor = CounterReactor.onOwnQueue(hooks: counting(calls))
    reactor.onQueue { reactor in
      reactor.restore(.init(n: 5, text: "restored"))
      #expect(reactor.state.n == 5)
      #expect(calls.count == 0)
      let seen = Recorder<Int>()
      let token = reactor.observe(\.n) { seen.append($0) }
      #expect(seen.values == [5])
      reactor.action(.inc)
      #expect(reactor.state == .init(n: 6, text: "restored"))
      token.cancel()
    }
  }

  @Test("Later it is an arrival like any other, the new base, and cancels no effects")
  func restoreLater() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    let commits = Recorder<Int>()
    let token = reactor.onQueue { reactor in
      let token = reactor.$state.sink { [weak reactor] state in
        commits.append(state.n)
        if state.n == 1 {
          reactor?.restore(.init(n: 100))
          reactor?.action(.inc)
          #expect(reactor?.state.n == 1, "inside a turn: next")
        }
      }
      reactor.action(.gated(gate, id: "e"))
      reactor.action(.inc)
      return token
    }
    #expect(commits.values == [0, 1, 100, 101])
    #expect(reactor.effectCount == 1)
    gate.open()
    await eventually("the effect arrives on the new base", of: reactor) { $0.n == 102 }
    token.cancel()
  }

  @Test("restore from elsewhere keeps the order of its sender")
  func restoreFromElsewhere() async {
    let reactor = CounterReactor.onOwnQueue()
    await onThread {
      reactor.action(.inc)
      reactor.restore(.init(n: 10))
      reactor.action(.inc)
    }
    await eventually("all three are handled in order", of: reactor) { $0.n == 11 }
  }
}
