// B35, B37, B40, B41: failing streams, initial values, one-shot values and values that jump back.

import Dispatch
import Foundation
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Errors in async streams")
  struct ErrorBugTests {
    @Test("B35 · One failing stream does not end the whole action pipeline")
    func failingStream() async {
      let failures = Recorder<String>()
      let (reactor, _) = collectingReports {
        CounterReactor.onOwnQueue(
          hooks: .init(onFailure: { error, action in
            failures.append("\(error) / \(action.map { "\($0)" } ?? "nil")")
          }))
      }
      let other = Gate()
      reactor.action(.gated(other, id: "other"))
      reactor.action(
        .answer { _ in
          Answer(
            sync: .setText("loading"),
            async: EventStream { (emit: Emitter<CounterReactor.Mutation>) async throws in
              emit(.setA(1))
              throw StoryError(name: "offline")
            })
        })
      await eventually("the failure is known", on: reactor.queue) { failures.count == 1 }
      await settle(reactor)
      reactor.action(.inc)
      reactor.action(.answer { _ in Answer(sync: .setText("loaded"), async: .just(.setB(2))) })
      await settle(reactor)
      #expect(reactor.state.n == 1)
      #expect(reactor.state.text == "loaded")
      #expect(reactor.state.b == 2)
      #expect(reactor.state.a == 1, "the data of the first load is kept")
      #expect(failures.count == 1)
      #expect(failures.values[0].contains("offline"))
      #expect(failures.values[0].contains("answer"))
      other.open()
      await eventually("a concurrent effect was not disturbed", of: reactor) { $0.n == 2 }
      await eventually("no effect is left", on: reactor.queue) { reactor.effectCount == 0 }
    }

    @Test("B35 · Nor does a failing hook source or a failing async sequence")
    func failingSequence() async {
      let failures = Shared(0)
      let (reactor, _) = collectingReports {
        CounterReactor.onOwnQueue(hooks: .init(onFailure: { _, _ in failures.increment() }))
      }
      let sequence = AsyncThrowingStream<CounterReactor.Mutation, any Error> { continuation in
        continuation.yield(.inc)
        continuation.yield(.inc)
        continuation.finish(throwing: StoryError())
      }
      await reactor.perform(.answer { _ in Answer(async: EventStream(sequence)) })
      await eventually("the failure is known", on: reactor.queue) { failures.value == 1 }
      #expect(reactor.state.n == 2)
      reactor.onQueue { $0.action(.inc) }
      #expect(reactor.state.n == 3)
    }
  }
}

extension OneAtATime {
  @Suite("Bug reports · Initial value, duplicates, one-shot values")
  struct InitialValueBugTests {
    @Test("B37 · The initial state is delivered once")
    func once() async {
      let reactor = CounterReactor.onOwnQueue()
      let first = Recorder<Int>()
      let second = Recorder<Int>()
      let background = Recorder<Int>()
      let unchanged = Recorder<Int>()
      let tokens = Recorder<EventSubscription>()
      reactor.onQueue { reactor in
        tokens.append(reactor.$state.sink { first.append($0.n) })
        tokens.append(reactor.observe(\.b) { unchanged.append($0) })
      }
      await settle(reactor)
      #expect(first.values == [0])
      reactor.onQueue { reactor in
        for _ in 0..<3 { reactor.action(.inc) }
        tokens.append(reactor.$state.sink { second.append($0.n) })
      }
      await onThread { tokens.append(reactor.$state.sink { background.append($0.n) }) }
      await settle(reactor)
      #expect(first.values == [0, 1, 2, 3])
      #expect(second.values == [3])
      #expect(background.values == [3])
      #expect(unchanged.values == [0], "an observer of what never changes is called once in total")
    }

    @Test("B37 · Once too for a first observation from a background thread")
    func onceFromBackground() async {
      for _ in 0..<100 {
        let reactor = CounterReactor.onOwnQueue()
        let seen = Recorder<Int>()
        let token = await onThread { reactor.observe(\.n) { seen.append($0) } }
        await settle(reactor, rounds: 2)
        #expect(seen.values == [0])
        token.cancel()
      }
    }

    @Test("B40 · A one-shot value does not fire again with unrelated changes or for a new observer")
    func pulseOnce() {
      let reactor = CounterReactor.onOwnQueue()
      let first = Recorder<String?>()
      let second = Recorder<String?>()
      reactor.onQueue { reactor in
        let one = reactor.pulse(\.$alert) { first.append($0) }
        first.removeAll()
        reactor.action(.alert("hi"))
        reactor.action(.inc)
        reactor.action(.setA(1))
        #expect(first.values == ["hi"])
        one.cancel()
        let two = reactor.pulse(\.$alert) { second.append($0) }
        reactor.action(.inc)
        #expect(second.values == [], "delivered already: not again for whoever comes later")
        reactor.action(.alert("hi"))
        reactor.action(.alert("hi"))
        #expect(second.values == ["hi", "hi"], "each assignment is delivered, equal or not")
        two.cancel()
      }
      #expect(first.values == ["hi"])
    }

    @Test("B40 · Two assignments in one commit are one delivery")
    func twoInOneCommit() {
      let reactor = CounterReactor.onOwnQueue()
      let seen = Recorder<String?>()
      reactor.onQueue { reactor in
        let token = reactor.pulse(\.$alert) { seen.append($0) }
        seen.removeAll()
        reactor.action(.answer { _ in [.alert("a"), .alert("b")] })
        #expect(seen.values == ["b"])
        token.cancel()
      }
    }

    @Test("B40 · Posted while nobody listens: never twice to one observer")
    func pulseWithoutObserver() {
      let reactor = CounterReactor.onOwnQueue()
      let lists = [Recorder<String?>(), Recorder<String?>()]
      reactor.onQueue { reactor in
        reactor.action(.alert("unheard"))
        let tokens = lists.map { list in reactor.pulse(\.$alert) { list.append($0) } }
        reactor.action(.inc)
        reactor.action(.setA(3))
        for list in lists { #expect(list.values.filter { $0 == "unheard" }.count <= 1) }
        #expect(lists[0].values == lists[1].values || lists[0].count + lists[1].count == 1)
        for token in tokens { token.cancel() }
      }
    }

    @Test("B40 · Bookkeeping does not make states differ for distinct observers")
    func pulseEquality() {
      let reactor = CounterReactor.onOwnQueue()
      let states = Recorder<CounterReactor.State>()
      reactor.onQueue { reactor in
        reactor.action(.alert("hi"))
        let token = reactor.observe(\.self) { states.append($0) }
        let pulse = reactor.pulse(\.$alert) { _ in }
        reactor.action(.nop)
        reactor.action(.setA(0))
        #expect(states.count == 1, "that it has been delivered is no change of the state")
        pulse.cancel()
        token.cancel()
      }
    }

    @Test("B41 · A value does not jump back after typing")
    @MainActor
    func typing() async {
      let sets = Shared(0)
      let reactor = CounterReactor(
        hooks: .init(onMutate: { _, action in if case .setText = action { sets.increment() } }))
      let seen = Recorder<Int>()
      let token = reactor.observe(\.text) { seen.append($0.count) }
      let background = await Companion.start { _ in
        reactor.action(.incLater)
        // The pace of the background source, not a wait for anything.
        Thread.sleep(forTimeInterval: 0.001)
      }
      var text = ""
      for index in 0..<100 {
        text += String(UnicodeScalar(UInt8(97 + index % 26)))
        reactor.action(.setText(text))
        #expect(reactor.state.text == text, "the control reads back what it has just set")
        if index % 5 == 0 { await hop(.main) }
      }
      _ = await background.stop()
      await settle(reactor, rounds: 3)
      #expect(reactor.state.text == text)
      #expect(sets.value == 100, "one action per set")
      #expect(seen.values == Array(0...100), "the text never got shorter")
      token.cancel()
    }
  }
}
