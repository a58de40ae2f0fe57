// G4 and G5: sending from elsewhere, waiting with perform, and what "on the queue" is asked of.

import Dispatch
import Foundation
import SwiftReactor
import Testing

@Suite("G4 · From anywhere else: soon, in order")
struct G4SendingContractTests {
  @Test("The action is handed over and the call returns at once")
  func returnsAtOnce() async {
    let reactor = CounterReactor.onOwnQueue()
    await watched("sending while the queue is occupied") {
      await onThread {
        reactor.onQueue { reactor in
          let sent = DispatchSemaphore(value: 0)
          let sender = Thread {
            reactor.action(.inc)
            sent.signal()
          }
          sender.start()
          sent.wait()  // the queue is ours all the time: a call that waited for it would never come back
          #expect(reactor.state.n == 0)
        }
      }
    }
    await eventually("it is handled when the queue is free", of: reactor) { $0.n == 1 }
  }

  @Test("Actions of one sender keep their order, also when it sends some from elsewhere and the next on the queue")
  func orderOfOneSender() async {
    let reactor = CounterReactor.onOwnQueue()
    await watched("one sender, off the queue and on it") {
      await onThread {
        for block in 0..<50 {
          for number in 0..<10 { reactor.action(.write(["\(block * 11 + number)"])) }
          reactor.onQueue { $0.action(.write(["\(block * 11 + 10)"])) }
        }
      }
    }
    #expect(reactor.state.log == (0..<550).map(String.init))
  }

  @Test("Nothing is lost, nothing is handled twice, and each of many senders keeps its order")
  func manySenders() async {
    let reactor = CounterReactor.onOwnQueue()
    await watched("four senders") {
      await race(4) { sender in
        for number in 0..<500 { reactor.action(.write(["\(sender) \(number)"])) }
      }
      await eventually("all are handled", of: reactor) { $0.log.count == 2000 }
    }
    await settle(reactor)
    for sender in 0..<4 {
      let own = reactor.state.log.filter { $0.hasPrefix("\(sender) ") }
      #expect(own == (0..<500).map { "\(sender) \($0)" })
    }
  }

  @Test("perform on the queue commits before it suspends")
  @MainActor
  func performCommitsFirst() async {
    let reactor = CounterReactor()
    let gate = Gate()
    let seen = Shared(-1)
    // This block can only run once the test is suspended; a perform that was handed over would come behind it.
    DispatchQueue.main.async {
      seen.value = reactor.state.n
      gate.open()
    }
    await reactor.perform(
      .answer(
        Mutations(
          sync: .inc,
          async: .init { (emit: Emitter<CounterReactor.Mutation>) in
            await gate.wait()
            emit(.setA(1))
          })))
    #expect(seen.value == 1)
    #expect(reactor.state.a == 1)
  }

  @Test("perform returns when everything that its effects emitted is committed")
  func performWaits() async {
    let reactor = CounterReactor.onOwnQueue()
    for round in 1...100 {
      await reactor.perform(
        .answer(
          .run { emit in
            for _ in 0..<5 {
              emit(.inc)
              await Task.yield()
            }
          }
            + .run { emit in
              await Task.yield()
              emit(.setA(round))
            }))
      let state = reactor.state
      #expect(state.n == round * 5)
      #expect(state.a == round)
    }
  }

  @Test("perform from elsewhere waits for the commit, and paces a fast sender")
  func performFromElsewhere() async {
    let reactor = CounterReactor.onOwnQueue()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            let before = reactor.state.n
            await reactor.perform(.inc)
            #expect(reactor.state.n > before)
          }
        }
      }
    }
    #expect(reactor.state.n == 400)
  }

  @Test("Dropped, replaced and cancelled effects count as ended at once")
  func endedAtOnce() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    let stubborn: @Sendable (EffectPolicy) -> CounterReactor.Action = { policy in
      .answer(
        .run { emit in
          await gate.wait()
          emit(.inc)
        }.effect(id: "e", policy))
    }
    await watched("perform of effects that are dropped, replaced or cancelled") {
      // Replaced: the first perform returns when the second effect starts.
      let replaced = Task { await reactor.perform(stubborn(.latest)) }
      await eventually("the first runs", on: reactor.queue) { reactor.effectCount == 1 }
      let cancelled = Task { await reactor.perform(stubborn(.latest)) }
      await replaced.value
      // Dropped: `.first` has one already.
      await reactor.perform(stubborn(.first))
      // Cancelled.
      reactor.action(.answer(.cancel(id: "e")))
      await cancelled.value
    }
    gate.open()
    await settle(reactor)
    #expect(reactor.state.n == 0)
    #expect(reactor.effectCount == 0)
  }

  @Test("Actions that effects send are new actions and not waited for")
  func actionsOfEffects() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    await watched("perform of an effect that sends an action") {
      await reactor.perform(
        .answer { reactor in
          .run { [action = reactor.action] emit in
            action.send(
              .answer(
                .run { emit in
                  await gate.wait()
                  emit(.setA(1))
                }))
            emit(.inc)
          }
        })
    }
    #expect(reactor.state.n == 1)
    #expect(reactor.state.a == 0, "perform returned although the effect of the action sent on is still at its gate")
    gate.open()
    await eventually("the action sent on ends too", of: reactor) { $0.a == 1 }
  }

  @Test("In a cancelled task the action is still sent and its effects are cancelled")
  func performInCancelledTask() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    await watched("perform in a cancelled task") {
      let start = Gate()
      let task = Task {
        await start.wait()
        #expect(Task.isCancelled)
        await reactor.perform(
          .answer(
            Mutations(
              sync: .inc,
              async: .init { (emit: Emitter<CounterReactor.Mutation>) in
                await gate.wait()
                emit(.setA(1))
              })))
      }
      task.cancel()
      start.open()
      await task.value
    }
    #expect(reactor.state.n == 1)
    gate.open()
    await settle(reactor)
    #expect(reactor.state.a == 0)
    #expect(reactor.effectCount == 0)
  }

  @Test("Cancelling a task that waits in perform cancels the effects of its action")
  func cancelWhilePerforming() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    await watched("cancelling a perform that waits") {
      let task = Task {
        await reactor.perform(
          .answer(
            .run { emit in
              await gate.wait()
              emit(.setA(1))
            }))
      }
      await eventually("the effect runs", on: reactor.queue) { gate.waiters == 1 }
      task.cancel()
      await task.value
    }
    gate.open()
    await settle(reactor)
    #expect(reactor.state.a == 0)
  }

  @Test("Waiting in an effect for its own id under .queued is a mistake and is reported")
  func queuedWaitsForItself() async {
    let (reactor, reports) = collectingReports { CounterReactor.onOwnQueue() }
    let inner: CounterReactor.Action = .answer(.run { emit in emit(.inc) }.effect(id: "q", .queued))
    await watched("an effect that waits for its own id under .queued") {
      reactor.action(
        .answer { reactor in
          .run { [weak reactor] _ in await reactor?.perform(inner) }.effect(id: "q", .queued)
        })
      await eventually("it is reported", on: reactor.queue) { reports.count > 0 }
      await settle(reactor)
      #expect(reports.count == 1)
      #expect(reports.last?.reactor?.contains("CounterReactor") == true)
      reactor.onQueue { $0.cancelEffects() }
      await settle(reactor)
    }
  }

  @Test("action(_:while:) returns once the condition no longer holds")
  func actionWhile() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    await watched("sending and waiting while a condition holds") {
      let refreshed = Task {
        await reactor.action(
          .answer(
            Mutations(
              sync: .setA(1),
              async: .init { (emit: Emitter<CounterReactor.Mutation>) in
                await gate.wait()
                emit(.setA(0))
              })), while: { $0.a == 1 })
        return reactor.state.a
      }
      await eventually("the action is handled", of: reactor) { $0.a == 1 }
      await settle(reactor)
      gate.open()
      #expect(await refreshed.value == 0)
      await reactor.action(.inc, while: { _ in false })
      #expect(reactor.state.n == 1)
    }
  }
}

@Suite("G5 · On the queue is asked of the queue, not of the thread")
struct G5QueueContractTests {
  @Test("Inside another queue's sync, on the same thread, is elsewhere")
  func otherQueuesSync() async {
    let reactor = CounterReactor.onOwnQueue()
    let other = DispatchQueue(label: "other")
    reactor.onQueue { reactor in
      let thread = pthread_self()
      other.sync {
        #expect(pthread_equal(thread, pthread_self()) != 0, "sync runs on the calling thread")
        reactor.action(.inc)
        #expect(reactor.state.n == 0)
      }
    }
    await eventually("it is handled in a later block of the queue", of: reactor) { $0.n == 1 }
  }

  @Test("The main queue's own thread inside another queue's sync is elsewhere")
  @MainActor
  func mainInsideSync() async {
    let reactor = CounterReactor()
    let other = DispatchQueue(label: "other")
    other.sync {
      reactor.action(.inc)
      #expect(reactor.state.n == 0)
    }
    await eventually("it is handled on the main queue", of: reactor) { $0.n == 1 }
  }

  @Test("Inside concurrentPerform is elsewhere")
  func concurrentPerform() async {
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { reactor in
      DispatchQueue.concurrentPerform(iterations: 8) { _ in reactor.action(.inc) }
      #expect(reactor.state.n == 0)
    }
    await eventually("all are handled in a later block", of: reactor) { $0.n == 8 }
  }

  @Test("Any thread that serves the queue is on it")
  func anyThread() async {
    let reactor = CounterReactor.onOwnQueue()
    for round in 1...20 {
      let n = await onThread {
        reactor.onQueue { reactor in
          reactor.action(.inc)
          return reactor.state.n
        }
      }
      #expect(n == round)
    }
  }

  @Test("A suspended main actor test is still on the main queue when it comes back")
  @MainActor
  func afterSuspension() async {
    let reactor = CounterReactor()
    await hopThroughPool()
    dispatchPrecondition(condition: .onQueue(.main))
    reactor.action(.inc)
    #expect(reactor.state.n == 1)
  }
}
