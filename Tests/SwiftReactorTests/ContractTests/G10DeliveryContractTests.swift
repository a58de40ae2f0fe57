// G10 to G13: commit before delivery, one initial value and then changes, silence after cancel, and async faces that
// hold nothing.

import Dispatch
import Foundation
import SwiftReactor
import Testing

@Suite("G10 · Commit first, deliver after")
struct G10DeliveryContractTests {
  @Test("The value handed to an observer equals reactor.state read inside the callback")
  func equalsState() async {
    let reactor = CounterReactor.onOwnQueue()
    let faults = Recorder<String>()
    let calls = Shared(0)
    let tokens = reactor.onQueue { reactor in
      [
        reactor.observe(\.n) { [weak reactor] value in
          calls.increment()
          if value != reactor?.state.n { faults.append("n: given \(value)") }
        },
        reactor.observe(\.log.count) { [weak reactor] value in
          calls.increment()
          if value != reactor?.state.log.count { faults.append("log: given \(value)") }
        },
        reactor.$state.sink { [weak reactor] state in
          calls.increment()
          if state != reactor?.state { faults.append("state: given \(state.n)") }
        },
      ]
    }
    await race(3) { _ in
      for _ in 0..<100 {
        reactor.action(.incBoth)
        reactor.action(.incLater)
      }
    }
    await eventually("all is handled", of: reactor) { $0.n == 600 }
    await settle(reactor)
    #expect(faults.values == [])
    #expect(calls.value == 3 + 600 + 300 + 600)
    for token in tokens { token.cancel() }
  }

  @Test("Delivery order is commit order for every observer, and registration order within a commit")
  func order() {
    let reactor = CounterReactor.onOwnQueue()
    let calls = Recorder<String>()
    reactor.onQueue { reactor in
      let tokens = [
        reactor.observe(\.n) { [weak reactor] n in
          calls.append("first \(n)")
          if n == 1 { reactor?.action(.inc) }
        },
        reactor.$state.sink { calls.append("second \($0.n)") },
        reactor.observe(\.n) { calls.append("third \($0)") },
        reactor.$state.map(\.n).removeDuplicates().sink { calls.append("fourth \($0)") },
      ]
      calls.removeAll()
      reactor.action(.inc)
      #expect(
        calls.values == [
          "first 1", "second 1", "third 1", "fourth 1", "first 2", "second 2", "third 2", "fourth 2",
        ])
      for token in tokens { token.cancel() }
    }
  }
}

@Suite("G11 · Exactly one initial value, then changes")
struct G11InitialValueContractTests {
  @Test("observe hands over the current value once, then only values that differ")
  func onlyDifferent() {
    let reactor = CounterReactor.onOwnQueue(.init(n: 7))
    let seen = Recorder<Int>()
    reactor.onQueue { reactor in
      let token = reactor.observe(\.n) { seen.append($0) }
      #expect(seen.values == [7], "on the queue before observe returns")
      reactor.action(.setA(1))
      reactor.action(.answer([.setN(7)]))
      #expect(seen.values == [7])
      reactor.action(.inc)
      reactor.action(.answer([.setN(7), .setN(8)]))
      #expect(seen.values == [7, 8])
      token.cancel()
    }
  }

  @Test("A comparator of one's own decides what differs")
  func comparator() {
    let reactor = CounterReactor.onOwnQueue()
    let seen = Recorder<Int>()
    reactor.onQueue { reactor in
      let token = reactor.observe(\.n, by: { $0 / 10 == $1 / 10 }) { seen.append($0) }
      for value in [3, 9, 10, 19, 12, 25, 5] { reactor.action(.answer([.setN(value)])) }
      #expect(seen.values == [0, 10, 25, 5])
      token.cancel()
    }
  }

  @Test("$state hands over the current state, then every commit; removeDuplicates and observe(\\.self) filter")
  func everyCommit() {
    let reactor = CounterReactor.onOwnQueue(.init(n: 1))
    let all = Recorder<Int>()
    let distinct = Recorder<Int>()
    let whole = Recorder<Int>()
    reactor.onQueue { reactor in
      let tokens = [
        reactor.$state.sink { all.append($0.n) },
        reactor.$state.removeDuplicates().sink { distinct.append($0.n) },
        reactor.observe(\.self) { whole.append($0.n) },
      ]
      reactor.action(.answer([.setN(1)]))
      reactor.action(.inc)
      reactor.action(.answer([.setN(2)]))
      #expect(all.values == [1, 1, 2, 2])
      #expect(distinct.values == [1, 2])
      #expect(whole.values == [1, 2])
      for token in tokens { token.cancel() }
    }
  }

  @Test("In a turn the initial value is the state being delivered")
  func insideTurn() {
    let reactor = CounterReactor.onOwnQueue()
    let seen = Recorder<Int>()
    let tokens = Recorder<EventSubscription>()
    reactor.onQueue { reactor in
      tokens.append(
        reactor.observe(\.n) { [weak reactor] n in
          guard n == 1, let reactor else { return }
          reactor.action(.inc)
          tokens.append(reactor.observe(\.n) { seen.append($0) })
          seen.append(-1)
        })
      reactor.action(.inc)
    }
    #expect(seen.values == [1, -1, 2], "before observe returned, and not the state that waits to come")
  }

  @Test("In mutate it is the state that mutate reads")
  func insideMutate() {
    let reactor = CounterReactor.onOwnQueue(.init(n: 5))
    let seen = Recorder<Int>()
    let tokens = Recorder<EventSubscription>()
    reactor.onQueue { reactor in
      reactor.action(
        .answer { reactor in
          tokens.append(reactor.observe(\.n) { seen.append($0) })
          seen.append(-1)
          return [.inc]
        })
    }
    #expect(seen.values == [5, -1, 6])
  }

  @Test("From elsewhere it comes on the queue")
  func fromElsewhere() async {
    let queue = DispatchQueue(label: "counter")
    let mark = QueueMark(queue)
    let reactor = CounterReactor(.init(n: 3), queue: queue)
    let seen = Recorder<String>()
    let token = await onThread { reactor.observe(\.n) { seen.append("\($0) \(mark.isCurrent)") } }
    let all = await onThread { reactor.$state.sink { seen.append("\($0.n) \(mark.isCurrent)") } }
    await eventually("both initial values came", on: queue) { seen.count == 2 }
    await settle(reactor)
    #expect(seen.values == ["3 true", "3 true"])
    token.cancel()
    all.cancel()
  }

  @Test("Between the initial value and the first change nothing is missed or repeated, whichever thread subscribes")
  func nothingMissed() async {
    for round in 0..<100 {
      let reactor = CounterReactor.onOwnQueue()
      let seen = Recorder<Int>()
      let every = Recorder<Int>()
      let tokens = Recorder<EventSubscription>()
      await race(3) { index in
        if index == 0 {
          for _ in 0..<20 { reactor.action(.inc) }
        } else if index == 1 {
          tokens.append(reactor.observe(\.n) { seen.append($0) })
        } else {
          tokens.append(reactor.$state.sink { every.append($0.n) })
        }
      }
      await eventually("all changes came", on: reactor.queue) { seen.last == 20 && every.last == 20 }
      for list in [seen.values, every.values] {
        #expect(list == Array((list.first ?? 0)...20), "round \(round): without gaps, each once")
      }
    }
  }
}

@Suite("G12 · After cancel() on the queue returned, that callback is not called again")
struct G12CancelContractTests {
  @Test("Not called again, not even in the delivery that is running")
  func silenceAfterCancel() {
    let reactor = CounterReactor.onOwnQueue()
    let calls = Recorder<String>()
    let later = Shared<EventSubscription?>(nil)
    reactor.onQueue { reactor in
      let first = reactor.observe(\.n) { n in
        calls.append("first \(n)")
        if n == 1 { later.value?.cancel() }
      }
      later.value = reactor.observe(\.n) { calls.append("second \($0)") }
      let third = reactor.observe(\.n) { calls.append("third \($0)") }
      reactor.action(.inc)
      reactor.action(.inc)
      #expect(
        calls.values == [
          "first 0", "second 0", "third 0", "first 1", "third 1", "first 2", "third 2",
        ])
      first.cancel()
      third.cancel()
      reactor.action(.inc)
      #expect(calls.count == 7)
    }
  }

  @Test("Nor after a cancel that another thread's cancel meets")
  func cancelledByTwoThreads() async {
    let reactor = CounterReactor.onOwnQueue()
    let current = Shared<EventSubscription?>(nil)
    let isDone = Shared(false)
    await watched("a subscription that two threads cancel") {
      async let other: Void = onThread {
        while !isDone.value {
          let subscription = current.value
          subscription?.cancel()
          sched_yield()
        }
      }
      for _ in 0..<2000 {
        let calls = Shared(0)
        let called = reactor.onQueue { reactor in
          let subscription = reactor.observe(\.n) { _ in calls.withLock { $0 += 1 } }
          current.value = subscription
          subscription.cancel()
          let before = calls.value
          reactor.action(.inc)
          return calls.value - before
        }
        #expect(called == 0)
      }
      isDone.value = true
      await other
    }
  }

  @Test("From elsewhere none begins afterwards")
  func fromElsewhere() async {
    for _ in 0..<100 {
      let reactor = CounterReactor.onOwnQueue()
      let calls = Recorder<Int>()
      let token = reactor.onQueue { $0.observe(\.n) { calls.append($0) } }
      reactor.onQueue { reactor in
        // The queue is ours: what is sent and cancelled meanwhile is decided before any of it can be delivered.
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
          reactor.action(.inc)
          token.cancel()
          reactor.action(.inc)
          done.signal()
        }
        thread.start()
        done.wait()
      }
      await eventually("both actions are handled", of: reactor) { $0.n == 2 }
      #expect(calls.values == [0])
    }
  }

  @Test("Cancelling while the calls come from another thread: the last call ends, and then there is silence")
  func whileDelivering() async {
    for _ in 0..<50 {
      let reactor = CounterReactor.onOwnQueue()
      let calls = Shared(0)
      let token = reactor.observe(\.n) { _ in calls.increment() }
      await race(2) { index in
        if index == 0 {
          for _ in 0..<50 { reactor.action(.inc) }
        } else {
          token.cancel()
        }
      }
      let afterCancel = await onThread { reactor.onQueue { _ in calls.value } }
      for _ in 0..<5 { reactor.onQueue { $0.action(.inc) } }
      await settle(reactor, rounds: 2)
      #expect(calls.value == afterCancel)
    }
  }

  @Test("Observers may add and cancel observers, themselves too: nobody else is skipped or called twice")
  func addAndCancelInside() {
    for position in 0..<4 {
      let reactor = CounterReactor.onOwnQueue()
      let steady = (0..<3).map { _ in Recorder<Int>() }
      let added = Recorder<Int>()
      let own = Recorder<Int>()
      let tokens = Recorder<EventSubscription>()
      let itself = Shared<EventSubscription?>(nil)
      reactor.onQueue { reactor in
        for index in 0..<4 {
          if index == position {
            itself.value = reactor.observe(\.n) { [weak reactor] n in
              own.append(n)
              guard n == 1, let reactor else { return }
              itself.value?.cancel()
              tokens.append(reactor.observe(\.n) { added.append($0) })
            }
          }
          if index < 3 { tokens.append(reactor.observe(\.n) { steady[index].append($0) }) }
        }
        for _ in 0..<3 { reactor.action(.inc) }
      }
      #expect(own.values == [0, 1])
      #expect(added.values == [1, 2, 3])
      for list in steady { #expect(list.values == [0, 1, 2, 3], "with the changing one at \(position)") }
    }
  }

  @Test("Letting a subscription go cancels it, and cancelling twice is nothing")
  func lettingGo() {
    let reactor = CounterReactor.onOwnQueue()
    let calls = Recorder<Int>()
    reactor.onQueue { reactor in
      var subscriptions: Set<EventSubscription> = []
      reactor.observe(\.n) { calls.append($0) }.store(in: &subscriptions)
      reactor.action(.inc)
      subscriptions.removeAll()
      reactor.action(.inc)
      let token = reactor.observe(\.n) { calls.append($0) }
      token.cancel()
      token.cancel()
      reactor.action(.inc)
    }
    #expect(calls.values == [0, 1, 2])
  }
}

@Suite("G13 · Async faces do not pile up")
struct G13AsyncContractTests {
  @Test("A sequence of states holds no value: it reads the newest when asked")
  func newestWhenAsked() async {
    let reactor = CounterReactor.onOwnQueue()
    var states = reactor.states.makeAsyncIterator()
    #expect(await states.next()?.n == 0)
    for _ in 0..<1000 { reactor.onQueue { $0.action(.inc) } }
    #expect(await states.next()?.n == 1000)
  }

  @Test("values(of:) hands over the current value and then only values that differ")
  func valuesThatDiffer() async {
    let reactor = CounterReactor.onOwnQueue()
    var values = reactor.values(of: \.a).makeAsyncIterator()
    #expect(await values.next() == 0)
    for _ in 0..<10 { reactor.onQueue { $0.action(.inc) } }
    let next = Task {
      var values = values
      return await values.next()
    }
    await settle(reactor)
    reactor.onQueue { $0.action(.setA(5)) }
    await watched("the next value that differs") {
      #expect(await next.value == 5)
    }
  }

  @Test("A slow consumer delays nobody")
  func slowConsumer() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    let last = Shared(-1)
    let consumer = Task {
      for await state in reactor.states {
        last.value = state.n
        await gate.wait()
        if state.n == 500 { return }
      }
    }
    await eventually("the consumer is busy with the first state") { gate.waiters == 1 }
    reactor.onQueue { reactor in
      for _ in 0..<500 { reactor.action(.inc) }
      #expect(reactor.state.n == 500)
    }
    #expect(last.value == 0)
    gate.open()
    await watched("a slow consumer that goes on") { await consumer.value }
    #expect(last.value == 500)
  }

  @Test("Each consumer gets its own values")
  func eachItsOwn() async {
    let reactor = CounterReactor.onOwnQueue()
    var first = reactor.values(of: \.n).makeAsyncIterator()
    var second = reactor.values(of: \.n).makeAsyncIterator()
    for number in 0..<50 {
      #expect(await first.next() == number)
      #expect(await second.next() == number)
      reactor.onQueue { $0.action(.inc) }
    }
  }

  @Test("A cancelled consumer ends and leaves nothing")
  func cancelledConsumer() async {
    let lives = Lives()
    let reactor = CounterReactor.onOwnQueue()
    await watched("twenty consumers that are cancelled") {
      let tasks = (0..<20).map { _ in
        Task {
          let life = lives.make()
          for await _ in reactor.states { withExtendedLifetime(life) {} }
        }
      }
      await eventually("all have begun") { lives.count == 20 }
      await settle(reactor)
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
      await eventually("all are let go") { lives.count == 0 }
    }
  }

  @Test("Sequences end when the reactor goes, and do not keep it")
  func endsWithReactor() async {
    await watched("a loop over the states of a reactor that goes") {
      let gone = Shared(false)
      let loops = Recorder<Int>()
      let tasks: [Task<Void, Never>]
      do {
        let reactor = CounterReactor.onOwnQueue(hooks: .init(onDeinit: { gone.value = true }))
        let states = reactor.states
        let values = reactor.values(of: \.n)
        tasks = [
          Task { for await state in states { loops.append(state.n) } },
          Task { for await n in values { loops.append(n) } },
        ]
        await eventually("both have begun", on: reactor.queue) { loops.count == 2 }
      }
      for task in tasks { await task.value }
      #expect(gone.value)
    }
  }
}
