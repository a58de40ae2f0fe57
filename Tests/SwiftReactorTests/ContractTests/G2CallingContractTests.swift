// G2 to G5: now on the queue, next inside a turn, soon and in order from anywhere else; and what "on the queue" means.

import Dispatch
import Foundation
import SwiftReactor
import Testing

@Suite("G2 · On the queue: now")
struct G2CallingContractTests {
  @Test("An action sent on the queue is committed and delivered before the call returns")
  func committedAndDelivered() {
    let reactor = CounterReactor.onOwnQueue()
    let seen = Recorder<Int>()
    reactor.onQueue { reactor in
      let token = reactor.observe(\.n) { seen.append($0) }
      reactor.action(.inc)
      #expect(reactor.state.n == 1)
      #expect(seen.values == [0, 1])
      reactor.action.send(.inc)
      #expect(reactor.state.n == 2)
      reactor.mutation.send(.inc)
      #expect(reactor.state.n == 3)
      #expect(seen.values == [0, 1, 2, 3])
      token.cancel()
    }
  }

  @MainActor
  @Test("On the main queue too, also after the test was suspended and is served by another thread")
  func mainQueue() async {
    let reactor = CounterReactor()
    reactor.action(.inc)
    #expect(reactor.state.n == 1)
    for round in 2...200 {
      await Task.yield()
      reactor.action(.inc)
      #expect(reactor.state.n == round)
    }
  }

  @Test("It costs what waited before it, which is handled first, inside the same call")
  func handlesWhatWaited() async {
    let reactor = CounterReactor.onOwnQueue()
    await watched("an action on the queue behind a hundred that wait") {
      await onThread {
        reactor.onQueue { reactor in
          let sent = DispatchSemaphore(value: 0)
          let sender = Thread {
            for number in 0..<100 { reactor.action(.write(["bg\(number)"])) }
            sent.signal()
          }
          sender.start()
          sent.wait()
          #expect(reactor.state.log.isEmpty, "nothing was handled while the queue was busy")
          reactor.action(.write(["here"]))
          #expect(reactor.state.log == (0..<100).map { "bg\($0)" } + ["here"])
        }
      }
    }
  }

  @Test("An action without mutations returns as soon as mutate has answered")
  func noMutations() {
    let mutates = Shared(0)
    let reactor = CounterReactor.onOwnQueue(hooks: .init(onMutate: { _, _ in mutates.increment() }))
    reactor.onQueue { reactor in
      reactor.action(.nop)
      #expect(mutates.value == 1)
      #expect(reactor.state == .init())
    }
  }
}

@Suite("G3 · Inside a turn: next")
struct G3TurnContractTests {
  @Test(
    "Sent from mutate, reduce, an observer, a hook or a deinit: queued, first in first out, before the call returns")
  func nextFirstInFirstOut() {
    let target = Shared<CounterReactor?>(nil)
    let lives = Lives()
    let onceInMutate = Shared(true)
    let onceInReduce = Shared(true)
    let onceInHook = Shared(true)
    let once: @Sendable (Shared<Bool>, String) -> Void = { flag, line in
      let first = flag.withLock { first in
        defer { first = false }
        return first
      }
      if first { target.value?.action(.write([line])) }
    }
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(
        mutation: {
          $0.map { mutation in
            once(onceInHook, "hook")
            return mutation
          }
        },
        onMutate: { _, action in if case .answer = action { once(onceInMutate, "mutate") } },
        onReduce: { _, mutation in if case .inc = mutation { once(onceInReduce, "reduce") } }
      ))
    target.value = reactor
    reactor.onQueue { reactor in
      let token = reactor.observe(\.n) { if $0 == 1 { target.value?.action(.write(["observer"])) } }
      let life = Shared<Lives.Life?>(lives.make { target.value?.action(.write(["deinit"])) })
      reactor.action(
        .answer { _ in
          life.value = nil
          return [.inc]
        })
      #expect(
        reactor.state.log == ["mutate", "deinit", "hook", "reduce", "observer"],
        "in the order in which they were sent, all before the outermost call returned")
      #expect(reactor.state.n == 1)
      token.cancel()
    }
    target.value = nil
  }

  @Test("Reading the state right after such a call shows the state before it")
  func stateBefore() {
    let reactor = CounterReactor.onOwnQueue()
    let read = Recorder<Int>()
    reactor.onQueue { reactor in
      let token = reactor.observe(\.n) { [weak reactor] n in
        guard n == 1, let reactor else { return }
        reactor.action(.setN(9))
        read.append(reactor.state.n)
      }
      reactor.action(.inc)
      #expect(read.values == [1])
      #expect(reactor.state.n == 9)
      token.cancel()
    }
  }

  @Test("Actions that an observer sends are never nested: each mutate begins after the step before it has ended")
  func neverNested() {
    let depth = Shared(0)
    let deepest = Shared(0)
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { reactor in
      let token = reactor.observe(\.n) { [weak reactor] n in
        let now = depth.increment()
        deepest.withLock { $0 = max($0, now) }
        if n > 0, n < 50 { reactor?.action(.inc) }
        depth.withLock { $0 -= 1 }
      }
      reactor.action(.inc)
      #expect(reactor.state.n == 50)
      token.cancel()
    }
    #expect(deepest.value == 1)
  }

  @Test("It holds across the reactors of one queue")
  func acrossReactors() {
    let queue = DispatchQueue(label: "shared")
    let first = CounterReactor(queue: queue)
    let second = CounterReactor(queue: queue)
    let trace = Recorder<String>()
    queue.sync {
      let tokens = [
        first.observe(\.n) { n in
          guard n > 0 else { return }
          trace.append("first \(n) begins")
          if n == 1 {
            second.action(.inc)
            trace.append("second is still \(second.state.n)")
            first.action(.inc)
          }
          trace.append("first \(n) ends")
        },
        second.observe(\.n) { if $0 > 0 { trace.append("second \($0)") } },
      ]
      first.action(.inc)
      #expect(
        trace.values == [
          "first 1 begins", "second is still 0", "first 1 ends", "second 1", "first 2 begins", "first 2 ends",
        ])
      for token in tokens { token.cancel() }
    }
  }

  @Test("Values that an async stream has at once are arrivals of the same turn, after the step that started it")
  func valuesAtOnce() {
    let reactor = CounterReactor.onOwnQueue()
    let commits = Recorder<[Int]>()
    reactor.onQueue { reactor in
      let token = reactor.$state.sink { commits.append([$0.a, $0.n]) }
      reactor.action(.answer(Mutations(sync: .setA(1), async: .just(.inc))))
      #expect(reactor.state.n == 1, "handled before the call returned")
      #expect(commits.values == [[0, 0], [1, 0], [1, 1]], "a commit of its own, after that of the step")
      reactor.action(.answer(Mutations(async: EventStream([.inc, .inc, .setA(5)]))))
      #expect(commits.values.dropFirst(3) == [[1, 2], [1, 3], [5, 3]])
      token.cancel()
    }
  }

  @Test("What waited from elsewhere does not overtake, and what was sent inside the turn comes in order of arrival")
  func orderOfArrival() async {
    let reactor = CounterReactor.onOwnQueue()
    await watched("arrivals from inside and from elsewhere in one turn") {
      await onThread {
        reactor.onQueue { reactor in
          let token = reactor.observe(\.n) { [weak reactor] n in
            guard n == 1, let reactor else { return }
            reactor.action(.write(["inside 1"]))
            let sent = DispatchSemaphore(value: 0)
            let sender = Thread {
              reactor.action(.write(["elsewhere"]))
              sent.signal()
            }
            sender.start()
            sent.wait()
            reactor.action(.write(["inside 2"]))
          }
          reactor.action(.inc)
          #expect(
            reactor.state.log == ["inside 1", "elsewhere", "inside 2"],
            "the one from elsewhere stood in front of the last of the turn and was handled on the way")
          token.cancel()
        }
      }
    }
  }

  @Test("mutate, reduce, hooks, the error hook and deliveries run on the queue, one at a time")
  func oneAtATime() async {
    let queue = DispatchQueue(label: "counter")
    let mark = QueueMark(queue)
    let inside = Shared(0)
    let faults = Recorder<String>()
    let errors = Shared(0)
    let visit: @Sendable (String) -> Void = { place in
      if !mark.isCurrent { faults.append("\(place) ran off the queue") }
      if inside.increment() != 1 { faults.append("\(place) ran while something else did") }
      sched_yield()
      inside.withLock { $0 -= 1 }
    }
    let (reactor, _) = collectingReports {
      CounterReactor(
        queue: queue,
        hooks: .init(
          action: {
            $0.map { action in
              visit("the action hook")
              return action
            }
          },
          mutation: {
            $0.map { mutation in
              visit("the mutation hook")
              return mutation
            }
          },
          state: {
            $0.map { state in
              visit("the state hook")
              return state
            }
          },
          onMutate: { _, _ in visit("mutate") },
          onReduce: { _, _ in visit("reduce") },
          onFailure: { _, _ in
            visit("the error hook")
            errors.increment()
          }))
    }
    let token = reactor.observe(\.n) { _ in visit("an observer") }
    await race(4) { _ in
      for _ in 0..<50 {
        reactor.action(.inc)
        reactor.action(.incLater)
        reactor.action(.answer(.run { _ in throw StoryError() }))
      }
    }
    await eventually("all is handled", of: reactor) { $0.n == 400 && errors.value == 200 }
    #expect(faults.values == [])
    token.cancel()
  }

  #if DEBUG
    @Test("A turn open for more than a second with arrivals waiting is reported once")
    func longTurn() async {
      let (reactor, reports) = collectingReports { CounterReactor.onOwnQueue() }
      await watched("a turn that takes more than a second") {
        await onThread {
          reactor.onQueue { reactor in
            let token = reactor.observe(\.n) { [weak reactor] n in
              guard n == 1, let reactor else { return }
              reactor.action(.setA(1))
              // The slow observer itself is what the guarantee speaks about: it keeps the turn open on purpose.
              Thread.sleep(forTimeInterval: 1.3)
            }
            reactor.action(.inc)
            token.cancel()
          }
        }
      }
      #expect(reactor.state.a == 1)
      await eventually("the long turn is reported", on: reactor.queue) { reports.count > 0 }
      await settle(reactor)
      #expect(reports.count == 1)
      #expect(reports.last?.reactor?.contains("CounterReactor") == true)
    }
  #endif

  @Test("More than 100 000 waiting arrivals are reported once, naming reactor and action")
  func backlog() async {
    let (reactor, reports) = collectingReports { CounterReactor.onOwnQueue() }
    await watched("a hundred thousand arrivals that wait", seconds: 180) {
      await onThread {
        reactor.onQueue { reactor in
          let sent = DispatchSemaphore(value: 0)
          let sender = Thread {
            for _ in 0..<100_000 { reactor.action(.nop) }
            sent.signal()
          }
          sender.start()
          sent.wait()
          #expect(reports.count == 0, "a hundred thousand are not more than a hundred thousand")
          let more = Thread {
            for _ in 0..<500 { reactor.action(.nop) }
            sent.signal()
          }
          more.start()
          sent.wait()
          reactor.action(.inc)
        }
      }
      await eventually("it is reported", on: reactor.queue) { reports.count > 0 }
      await settle(reactor)
    }
    #expect(reports.count == 1)
    #expect(reports.last?.reactor?.contains("CounterReactor") == true)
    #expect(reports.last?.action?.contains("nop") == true)
    #expect(reactor.state.n == 1)
  }
}
