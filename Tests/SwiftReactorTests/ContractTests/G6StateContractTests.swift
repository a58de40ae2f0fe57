// G6 to G9: one state that is never torn, steps that are atomic, changes in place, one way for every mutation.

import Dispatch
import SwiftReactor
import Testing

@Suite("G6 · One state, read from any thread, never torn")
struct G6StateContractTests {
  @Test("What is read from any thread is a committed state")
  func neverTorn() async {
    let reactor = CounterReactor.onOwnQueue()
    let torn = Recorder<String>()
    let reader = await Companion.start { _ in
      let state = reactor.state
      if state.a != state.b || state.log.count != state.a || state.text != "\(state.a)" && state.a > 0 {
        torn.append("a \(state.a) b \(state.b) log \(state.log.count) text \(state.text)")
      }
    }
    await watched("a reader beside a writer") {
      await onThread {
        for number in 1...2000 {
          reactor.action(
            .answer { _ in [.setA(number), .setB(number), .write("x"), .setText("\(number)")] })
        }
      }
      await eventually("all is written", of: reactor) { $0.a == 2000 }
    }
    #expect(await reader.stop() > 0)
    #expect(torn.values == [])
  }

  @Test("mutate, observers, hooks and effects may read the state")
  func mayRead() async {
    let target = Shared<CounterReactor?>(nil)
    let reads = Recorder<String>()
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(
        mutation: {
          $0.map { mutation in
            reads.append("hook \(target.value?.state.n ?? -1)")
            return mutation
          }
        },
        onMutate: { reactor, _ in reads.append("mutate \(reactor.state.n)") }))
    target.value = reactor
    let token = reactor.onQueue { reactor in
      reactor.observe(\.n) { [weak reactor] _ in reads.append("observer \(reactor?.state.n ?? -1)") }
    }
    let effect = Gate()
    reactor.action(
      .answer { reactor in
        Mutations(
          sync: .inc,
          async: .init { [weak reactor] (_: Emitter<CounterReactor.Mutation>) async in
            reads.append("effect \(reactor?.state.n ?? -1)")
            effect.open()
          })
      })
    await watched("reading the state from everywhere") { await effect.wait() }
    #expect(reads.values == ["observer 0", "mutate 0", "hook 0", "observer 1", "effect 1"])
    token.cancel()
    target.value = nil
  }

  @Test("Reading a state inside reduce(into:mutation:) stops the program and says to use the parameter")
  func readInReduceInto() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let dog = Watchdog("reading the state inside reduce(into:mutation:)", seconds: 180)
      let reactor = SelfishReactor(initialState: 0, queue: DispatchQueue(label: "selfish"))
      reactor.queue.sync { reactor.action(.readOwn) }
      dog.finish()
    }
    Self.expectParameterMessage(result, of: Int.self)
  }

  @Test("Inside reduce(state:mutation:) too")
  func readInReduceState() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let dog = Watchdog("reading the state inside reduce(state:mutation:)", seconds: 180)
      let reactor = ByValueReactor(initialState: 0, queue: DispatchQueue(label: "selfish"))
      reactor.queue.sync { reactor.action(.readOwn) }
      dog.finish()
    }
    Self.expectParameterMessage(result, of: Int.self)
  }

  @Test("Reading the state of any other reactor inside reduce stops the program as well")
  func readOtherInReduce() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let dog = Watchdog("reading another reactor's state inside reduce", seconds: 180)
      let other = CounterReactor(queue: DispatchQueue(label: "other"))
      let reactor = CounterReactor(
        queue: DispatchQueue(label: "selfish"), hooks: .init(onReduce: { _, _ in _ = other.state }))
      reactor.queue.sync { reactor.action(.inc) }
      dog.finish()
    }
    Self.expectParameterMessage(result, of: CounterReactor.State.self)
  }

  private static func expectParameterMessage(_ result: ExitTest.Result?, of state: Any.Type) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("`state` (\(state))"), "the message says whose: \(text)")
    #expect(text.contains("reduce"), "the message says where: \(text)")
    #expect(text.contains("parameter"), "the message says what to do: \(text)")
    #expect(!text.contains("HANG"), "it stops, it does not hang")
  }

  @Test("The engine calls reduce(into:), whose default calls reduce(state:)")
  func defaultCallsByValue() {
    let reactor = ByValueReactor(initialState: 1, queue: DispatchQueue(label: "by value"))
    reactor.queue.sync {
      reactor.action(.double)
      #expect(reactor.state == 2)
      reactor.action(.double)
      #expect(reactor.state == 4)
    }
  }

  @Test("The default of reduce(state:) returns the state unchanged")
  func defaultIsUnchanged() {
    let reactor = BaseReactor<Int, Int, String>(initialState: "as it was", queue: DispatchQueue(label: "default"))
    reactor.queue.sync {
      reactor.mutation.send(1)
      #expect(reactor.state == "as it was")
      #expect(reactor.reduce(state: "given", mutation: 1) == "given")
    }
  }
}

/// Reads its own state where it must not.
private final class SelfishReactor: BaseReactor<SelfishReactor.Action, SelfishReactor.Action, Int>, @unchecked Sendable
{
  // Safe to share: adds no stored property.
  enum Action: Sendable { case readOwn }

  override func mutate(action: Action) -> Mutations<Action> { [action] }
  override func reduce(into state: inout Int, mutation: Action) { state = self.state + 1 }
}

/// Reduces by value.
private final class ByValueReactor: BaseReactor<ByValueReactor.Action, ByValueReactor.Action, Int>, @unchecked Sendable
{
  // Safe to share: adds no stored property.
  enum Action: Sendable { case double, readOwn }

  override func mutate(action: Action) -> Mutations<Action> { [action] }
  override func reduce(state: Int, mutation: Action) -> Int {
    switch mutation {
    case .double: state * 2
    case .readOwn: self.state
    }
  }
}

@Suite("G7 · A step is atomic")
struct G7StepContractTests {
  @Test("No other mutation comes between what mutate reads and the commit of its sync mutations")
  func noLostUpdate() async {
    let reactor = CounterReactor.onOwnQueue()
    await watched("read and write from four threads") {
      await race(4) { index in
        for _ in 0..<250 {
          if index == 0 {
            reactor.onQueue { $0.action(.answer { [.setN($0.state.n + 1)] }) }
          } else {
            reactor.action(.answer { [.setN($0.state.n + 1)] })
            reactor.action(.setALater(1))
          }
        }
      }
      await eventually("all is handled", on: reactor.queue) { reactor.state.n == 1000 && reactor.effectCount == 0 }
    }
    #expect(reactor.state.n == 1000)
  }

  @Test("All sync mutations of one action are one commit; each async mutation is a commit of its own")
  func commits() {
    let reactor = CounterReactor.onOwnQueue()
    let commits = Recorder<Int>()
    reactor.onQueue { reactor in
      let token = reactor.$state.sink { commits.append($0.n) }
      reactor.action(.answer([.inc, .inc, .inc]))
      #expect(commits.values == [0, 3])
      reactor.action(.answer(Mutations(async: EventStream([.inc, .inc]))))
      #expect(commits.values == [0, 3, 4, 5])
      token.cancel()
    }
  }

  @Test("An action without mutations is no commit")
  func noCommit() {
    let reactor = CounterReactor.onOwnQueue()
    let commits = Shared(0)
    reactor.onQueue { reactor in
      let token = reactor.$state.sink { _ in commits.increment() }
      reactor.action(.nop)
      reactor.action(.answer(Mutations(async: .empty)))
      #expect(commits.value == 1)
      token.cancel()
    }
  }

  @Test("A mutation that changes nothing is a commit all the same")
  func equalCommit() {
    let reactor = CounterReactor.onOwnQueue()
    let commits = Shared(0)
    reactor.onQueue { reactor in
      let token = reactor.$state.sink { _ in commits.increment() }
      reactor.action(.setA(0))
      #expect(commits.value == 2)
      token.cancel()
    }
  }

  @Test("What a hook drops while an input is pushed through it is missing from the commit")
  func dropped() {
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(mutation: { $0.filter { if case .setA = $0 { false } else { true } } }))
    let commits = Recorder<[Int]>()
    reactor.onQueue { reactor in
      let token = reactor.$state.sink { commits.append([$0.n, $0.a, $0.b]) }
      reactor.action(.answer([.inc, .setA(5), .setB(6)]))
      #expect(commits.values == [[0, 0, 0], [1, 0, 6]])
      token.cancel()
    }
  }

  @Test("What a hook multiplies while an input is pushed through it is in the commit")
  func multiplied() {
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(mutation: { mutations in mutations.flatMap { EventStream([$0, $0, .setB(1)]) } }))
    let commits = Recorder<[Int]>()
    reactor.onQueue { reactor in
      let token = reactor.$state.sink { commits.append([$0.n, $0.a, $0.b]) }
      reactor.action(.answer([.inc, .setA(5)]))
      #expect(commits.values == [[0, 0, 0], [2, 5, 1]])
      token.cancel()
    }
  }

  @Test("An action hook that drops, multiplies or replaces: each action it hands on is a step")
  func actionHook() {
    let mutates = Shared(0)
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(
        action: { actions in
          actions.flatMap { action -> EventStream<CounterReactor.Action> in
            switch action {
            case .nop: .empty
            case .inc: EventStream([.inc, .inc])
            default: .just(action)
            }
          }
        }, onMutate: { _, _ in mutates.increment() }))
    reactor.onQueue { reactor in
      reactor.action(.nop)
      #expect(mutates.value == 0)
      reactor.action(.inc)
      #expect(mutates.value == 2)
      #expect(reactor.state.n == 2)
      reactor.action(.setA(1))
      #expect(reactor.state.a == 1)
    }
  }

  @Test("What a hook hands on at any other time is an arrival of its own, with a commit of its own and no action")
  func handedOnLater() {
    let held = EventSubject<CounterReactor.Mutation>()
    let mutates = Shared(0)
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(
        mutation: { mutations in
          mutations.filter { if case .setA = $0 { false } else { true } }.merge(with: held.stream)
        }, onMutate: { _, _ in mutates.increment() }))
    let commits = Recorder<[Int]>()
    reactor.onQueue { reactor in
      let token = reactor.$state.sink { commits.append([$0.n, $0.a]) }
      reactor.action(.answer([.inc, .setA(5)]))
      #expect(commits.values == [[0, 0], [1, 0]])
      held.send(.setA(5))
      #expect(commits.values == [[0, 0], [1, 0], [1, 5]], "on the queue outside a turn: now")
      #expect(mutates.value == 1)
      token.cancel()
    }
  }

  @Test("perform of an action that its hook held back or dropped returns with that step")
  func performOfHeldBack() async {
    let held = EventSubject<CounterReactor.Action>()
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(action: { actions in
        actions.filter { if case .inc = $0 { false } else { true } }.merge(with: held.stream)
      }))
    await watched("perform of an action that the hook holds back") {
      await reactor.perform(.inc)
    }
    #expect(reactor.state.n == 0)
    held.send(.setN(9))
    await eventually("what the hook hands on later is handled", of: reactor) { $0.n == 9 }
  }

  @Test("The input of a hook never completes")
  func inputNeverCompletes() async {
    let after = Shared(0)
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(mutation: { mutations in
        mutations.append(.change { _ in after.increment() })
      }))
    await reactor.perform(.inc)
    await reactor.perform(.incLater)
    await settle(reactor)
    #expect(reactor.state.n == 2)
    #expect(after.value == 0)
  }
}
