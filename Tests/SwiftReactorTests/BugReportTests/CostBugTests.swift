// B53, B54, B56, B58, B60: what piles up, what is copied, what nobody drains, and what runs off the queue.

import Dispatch
import Foundation
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Memory, back-pressure, cost")
  struct CostBugTests {
    /// A state that is counted while anybody holds it.
    private final class HeavyReactor: BaseReactor<Int, Int, HeavyReactor.State>, @unchecked Sendable {
      // Safe to share: adds a constant of a Sendable type.
      struct State: Sendable {
        var n = 0
        var life: Lives.Life?
      }
      let lives = Lives()

      override func mutate(action: Int) -> Mutations<Int> { [action] }
      override func reduce(into state: inout State, mutation: Int) {
        state.n += mutation
        state.life = lives.make()
      }
    }

    @Test("B53 · A consumer that never asks piles up nothing, and gets the newest state when it resumes")
    func consumerThatNeverAsks() async {
      let reactor = HeavyReactor(initialState: .init(), queue: DispatchQueue(label: "heavy"))
      var states = reactor.states.makeAsyncIterator()
      #expect(await states.next()?.n == 0)
      reactor.queue.sync {
        for index in 0..<100_000 {
          reactor.action(1)
          if index % 10_000 == 0 { #expect(reactor.lives.count <= 3) }
        }
      }
      #expect(reactor.lives.count <= 3, "the current state, and at most what is on its way")
      #expect(await states.next()?.n == 100_000)
    }

    @Test("B53 · A hundred consumers started and cancelled leave no registration, without a further commit")
    func cancelledConsumers() async {
      let lives = Lives()
      let reactor = CounterReactor.onOwnQueue()
      await watched("B53, a hundred consumers") {
        let tasks = (0..<100).map { _ in
          Task {
            let life = lives.make()
            for await _ in reactor.values(of: \.n).map({ n in withExtendedLifetime(life) { n } }) {}
          }
        }
        await eventually("all have begun") { lives.count == 100 }
        await settle(reactor, rounds: 3)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await eventually("nothing of them is left") { lives.count == 0 }
      }
    }

    @Test("B53 · A slow consumer does not slow the senders and ends with the final state")
    func slowConsumer() async {
      let reactor = CounterReactor.onOwnQueue()
      let taken = Recorder<Int>()
      let gates = (0..<4).map { _ in Gate() }
      let consumer = Task {
        for await n in reactor.values(of: \.n) {
          taken.append(n)
          if n == 1000 { return }
          await gates[min(taken.count - 1, 3)].wait()
        }
      }
      await eventually("the consumer holds its first value") { gates[0].waiters == 1 }
      await watched("B53, a slow consumer") {
        reactor.onQueue { reactor in for _ in 0..<500 { reactor.action(.inc) } }
        gates[0].open()
        await eventually("it takes the newest") { taken.last == 500 }
        reactor.onQueue { reactor in for _ in 0..<500 { reactor.action(.inc) } }
        for gate in gates { gate.open() }
        await consumer.value
      }
      #expect(taken.values == [0, 500, 1000])
    }

    @Test("B54 · Two async consumers do not split the values between them")
    func twoConsumers() async {
      await watched("B54") {
        let reactor = Shared<CounterReactor?>(.onOwnQueue())
        let lists = [Recorder<Int>(), Recorder<Int>()]
        let sequence = reactor.value!.states
        let tasks = lists.map { list in
          Task { for await state in sequence { list.append(state.n) } }
        }
        await eventually("both have the first value") { lists.allSatisfy { $0.last == 0 } }
        for number in 1...100 {
          reactor.value?.onQueue { $0.action(.inc) }
          await eventually("both have value \(number)") { lists.allSatisfy { $0.last == number } }
        }
        reactor.value = nil
        let clock = ContinuousClock()
        let begin = clock.now
        for task in tasks { await task.value }
        #expect(clock.now - begin < .seconds(1))
        for list in lists { #expect(list.values == Array(0...100)) }
      }
    }

    @Test("B56 · A big state is not copied by every mutation", arguments: [1000, 1_000_000])
    func notCopied(size: Int) {
      let addresses = Shared<Set<UInt>>([])
      let reactor = CounterReactor.onOwnQueue(.init(items: Array(repeating: 0, count: size)))
      let token = reactor.onQueue { $0.observe(\.n) { _ in } }
      reactor.onQueue { reactor in
        for index in 0..<300 {
          reactor.action(
            .answer { _ in
              [
                .change { state in
                  state.items.withUnsafeMutableBufferPointer { items in
                    items[index] += 1
                    let address = UInt(bitPattern: items.baseAddress)
                    addresses.withLock { _ = $0.insert(address) }
                  }
                }
              ]
            })
        }
      }
      #expect(addresses.value.count == 1, "a copy would live at another address")
      #expect(reactor.state.items.prefix(300).allSatisfy { $0 == 1 })
      token.cancel()
    }
  }
}

extension OneAtATime {
  @Suite("Bug reports · Tests and main-thread delivery")
  struct HarnessBugTests {
    @Test("B58 · An async test without a run loop sees what a background sender did")
    func asyncTest() async {
      for _ in 0..<50 {
        let reactor = CounterReactor()
        await onThread { reactor.action(.inc) }
        await settle(reactor, rounds: 1)
        #expect(reactor.state.n == 1)
      }
    }

    @Test("B58 · A test that blocks for its sender comes back, and sees the change after the queue was drained")
    @MainActor
    func blockingTest() async {
      for round in 1...50 {
        let reactor = CounterReactor()
        let sent = DispatchSemaphore(value: 0)
        let thread = Thread {
          reactor.action(.inc)
          sent.signal()
        }
        thread.start()
        #expect(sent.wait(timeout: .now() + 20) == .success, "round \(round): the sender waits for the main queue")
        // Not after exactly one hop: another thread of the program may be about to schedule the drain for both.
        await eventually("round \(round): drained") { reactor.state.n == 1 }
      }
    }

    @Test(
      "B58 · Sent on main, there at once, a million times", arguments: [1, 10, 100, 1000, 10_000, 100_000, 1_000_000])
    @MainActor
    func thereAtOnce(times: Int) {
      let dog = Watchdog("B58 with \(times) actions", seconds: 180)
      let reactor = TickReactor(initialState: 0)
      var wrong = 0
      for number in 1...times {
        reactor.action(())
        if reactor.state != number { wrong += 1 }
      }
      #expect(wrong == 0)
      dog.finish()
    }

    @Test("B60 · State, reduce and callbacks run on the queue, wherever the values come from")
    func onTheQueue() async {
      let sources = (0..<4).map { DispatchQueue(label: "source \($0)") }
      let detour = DispatchQueue(label: "detour")
      for round in 0..<200 {
        let queue = DispatchQueue(label: "counter")
        let mark = QueueMark(queue)
        let off = Recorder<String>()
        let check: @Sendable (String) -> Void = { if !mark.isCurrent { off.append($0) } }
        let reactor = CounterReactor(
          queue: queue,
          hooks: .init(
            mutation: { mutations in
              // Every mutation takes a detour over a private queue.
              mutations.flatMap { mutation in
                EventStream<CounterReactor.Mutation> { emit in
                  detour.async {
                    emit(mutation)
                    emit.finish()
                  }
                  return EventSubscription {}
                }
              }
            },
            state: {
              $0.map { state in
                check("transform(state:)")
                return state
              }
            },
            onReduce: { _, _ in check("reduce") }))
        let token = await onThread { reactor.observe(\.n) { _ in check("observer") } }
        for source in sources {
          reactor.action(
            .answer { _ in
              Answer(
                async: EventStream<CounterReactor.Mutation> { emit in
                  source.async {
                    for _ in 0..<5 { emit(.inc) }
                    emit.finish()
                  }
                  return EventSubscription {}
                })
            })
        }
        await eventually("round \(round): all are reduced", of: reactor) { $0.n == 20 }
        #expect(off.values == [], "round \(round)")
        token.cancel()
      }
    }

    @Test("B60 · An observer closure formed in main actor code runs there, without a trap")
    @MainActor
    func mainActorClosure() async {
      let reactor = CounterReactor()
      let label = Label()
      let token = reactor.observe(\.n) { label.show("\($0)") }
      await race(2) { _ in
        for _ in 0..<50 {
          reactor.action(.inc)
          reactor.action(.incLater)
        }
      }
      await eventually("all are shown") { label.text == "200" }
      token.cancel()
    }

    /// Stands for a view: main actor code with a state that is not Sendable.
    @MainActor
    private final class Label {
      private(set) var text = ""
      func show(_ text: String) {
        MainActor.assertIsolated()
        self.text = text
      }
    }
  }
}

/// The smallest reactor.
private final class TickReactor: BaseReactor<Void, Void, Int>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  override func mutate(action: Void) -> Mutations<Void> { [()] }
  override func reduce(into state: inout Int, mutation: Void) { state += 1 }
}
