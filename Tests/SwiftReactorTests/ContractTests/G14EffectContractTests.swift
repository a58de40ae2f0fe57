// G14 to G17: effects are known before they start, silent after a cancel, alone with their errors, and never keep their
// reactor.

import Dispatch
import Foundation
import SwiftReactor
import Testing

typealias Answer = Mutations<CounterReactor.Mutation>

extension CounterReactor.Action {
  /// Starts an effect that waits at `gate`, however often it is cancelled, and then adds one.
  static func gated(_ gate: Gate, id: some Hashable & Sendable, _ policy: EffectPolicy = .latest) -> Self {
    .answer { _ in
      Answer.run { emit in
        await gate.wait()
        emit(.inc)
      }.effect(id: id, policy)
    }
  }
}

@Suite("G14 · Registered before it starts")
struct G14EffectContractTests {
  @Test("An effect with an id is known in the step that returned it: on the queue, before action returns")
  func knownAtOnce() {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    reactor.onQueue { reactor in
      reactor.action(.gated(gate, id: "load"))
      #expect(reactor.effects.count == 1)
      reactor.action(.answer(.cancel(id: "load")))
      #expect(reactor.effects.isEmpty)
    }
    gate.open()
  }

  @Test("A later cancel always wins, and so does a newer effect under .latest")
  func laterWins() async {
    for _ in 0..<100 {
      let reactor = CounterReactor.onOwnQueue()
      let bodies = Recorder<Int>()
      let body: @Sendable (Int) -> CounterReactor.Action = { number in
        .answer { _ in
          Answer.run { emit in
            bodies.append(number)
            emit(.setA(number))
          }.effect(id: "e")
        }
      }
      reactor.onQueue { reactor in
        reactor.action(body(1))
        reactor.action(.answer(.cancel(id: "e")))
        reactor.action(body(2))
        reactor.action(body(3))
      }
      await eventually("the last one arrives", of: reactor) { $0.a == 3 }
      await settle(reactor, rounds: 2)
      #expect(reactor.state.a == 3)
    }
  }

  @Test("In one result the order is left to right: start + cancel is nothing, cancel + start runs")
  func leftToRight() async {
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { reactor in
      reactor.action(.answer { _ in Answer.run { $0(.inc) }.effect(id: "e") + .cancel(id: "e") })
      #expect(reactor.effects.isEmpty)
    }
    await settle(reactor)
    #expect(reactor.state.n == 0)
    await reactor.perform(.answer { _ in Answer.cancel(id: "e") + Answer.run { $0(.inc) }.effect(id: "e") })
    #expect(reactor.state.n == 1)
  }

  @Test("Ids compare type and value")
  func idsCompareType() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    reactor.onQueue { reactor in
      reactor.action(.gated(gate, id: 1))
      reactor.action(.gated(gate, id: 1.0))
      reactor.action(.gated(gate, id: UInt8(1)))
      reactor.action(.gated(gate, id: "1"))
      reactor.action(.gated(gate, id: Int?.some(1)))
      #expect(reactor.effectCount == 5, "five ids, nobody replaced anybody")
      reactor.action(.answer(.cancel(id: 1.0)))
      #expect(reactor.effectCount == 4)
      reactor.action(.answer(.cancel(id: Float(1))))
      #expect(reactor.effectCount == 4)
      reactor.action(.answer(.cancel(id: 1)))
      #expect(reactor.effectCount == 3)
    }
    gate.open()
    await eventually("the three that were left arrive", of: reactor) { $0.n == 3 }
  }

  @Test("Ids belong to one reactor instance")
  func idsPerInstance() async {
    let queue = DispatchQueue(label: "shared")
    let first = CounterReactor(queue: queue)
    let second = CounterReactor(queue: queue)
    let gate = Gate()
    queue.sync {
      first.action(.gated(gate, id: "load"))
      second.action(.gated(gate, id: "load"))
      #expect(first.effectCount == 1)
      second.action(.answer(.cancel(id: "load")))
      #expect(first.effectCount == 1)
      #expect(second.effectCount == 0)
    }
    gate.open()
    await eventually("the first one's effect arrives", of: first) { $0.n == 1 }
    await settle(queue)
    #expect(second.state.n == 0)
  }

  private enum Local {
    @TaskLocal static var value = "outside"
  }

  @Test("Effect tasks are detached: no task-local values, no inherited priority; .run(priority:) sets one")
  func detached() async {
    let reactor = CounterReactor.onOwnQueue()
    let seen = Recorder<String>()
    let priorities = Recorder<TaskPriority>()
    await Task(priority: .high) {
      await Local.$value.withValue("inside") {
        await reactor.perform(
          .answer(
            .run { _ in
              seen.append(Local.value)
              priorities.append(Task.currentPriority)
            }))
      }
    }.value
    await reactor.perform(.answer(.run(priority: .low) { _ in priorities.append(Task.currentPriority) }))
    #expect(seen.values == ["outside"])
    #expect(priorities.values.first != .high)
    #expect(priorities.values.last == .low)
  }

  @Test("Every running effect is listed with its id, its action and the time since when it runs")
  func listed() throws {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    let before = ContinuousClock.now
    try reactor.onQueue { reactor in
      reactor.action(.gated(gate, id: "load"))
      let effect = try #require(reactor.effects.first)
      #expect(effect.id == AnyHashable("load"))
      #expect(String(describing: effect.action).contains("answer"))
      #expect(effect.since >= before && effect.since <= .now)
      reactor.cancelEffects()
      #expect(reactor.effects.isEmpty)
    }
    gate.open()
  }
}

@Suite("G15 · After a cancel on the queue, nothing")
struct G15CancelContractTests {
  /// An effect whose values come from `source`, whoever emits there.
  private func fed(by source: EventSubject<CounterReactor.Mutation>, id: String = "fed") -> CounterReactor.Action {
    .answer { _ in Answer(async: source.stream).effect(id: id) }
  }

  /// Has another thread emit, and comes back when its values wait in front of the queue that we are on.
  private func emitElsewhere(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      done.signal()
    }
    thread.start()
    done.wait()
  }

  @Test("No value of a cancelled effect is reduced, not even one that waits")
  func waitingValues() async {
    let reactor = CounterReactor.onOwnQueue()
    let source = EventSubject<CounterReactor.Mutation>()
    await watched("values of an effect that wait while it is cancelled") {
      await onThread { [self] in
        reactor.onQueue { reactor in
          reactor.action(fed(by: source))
          source.send(.inc)
          #expect(reactor.state.n == 1)
          emitElsewhere { for _ in 0..<10 { source.send(.inc) } }
          #expect(reactor.state.n == 1, "they wait")
          // The cancel is an action and comes behind them; cancelEffects is a call and comes now.
          reactor.cancelEffects()
          reactor.action(.setA(1))
          #expect(reactor.state.n == 1)
        }
      }
    }
    source.send(.inc)
    await settle(reactor)
    #expect(reactor.state.n == 1)
    #expect(reactor.state.a == 1)
  }

  @Test("Nor one that waits behind the action that cancels")
  func behindTheCancel() async {
    let reactor = CounterReactor.onOwnQueue()
    let source = EventSubject<CounterReactor.Mutation>()
    await watched("values that wait behind the cancelling action") {
      await onThread { [self] in
        reactor.onQueue { reactor in
          reactor.action(fed(by: source))
          emitElsewhere {
            source.send(.inc)
            reactor.action(.answer(.cancel(id: "fed")))
            source.send(.inc)
          }
          reactor.action(.setA(1))
          #expect(reactor.state.n == 1, "what came before the cancel counts, what came behind it does not")
        }
      }
    }
  }

  @Test("From elsewhere: the step that is running may end, then nothing")
  func cancelElsewhere() async {
    for _ in 0..<50 {
      let reactor = CounterReactor.onOwnQueue()
      let source = EventSubject<CounterReactor.Mutation>()
      reactor.onQueue { $0.action(fed(by: source)) }
      await race(2) { index in
        if index == 0 {
          for _ in 0..<50 { source.send(.inc) }
        } else {
          reactor.cancelEffects()
        }
      }
      let n = reactor.onQueue { $0.state.n }
      source.send(.inc)
      await settle(reactor, rounds: 2)
      #expect(reactor.state.n == n)
    }
  }

  @Test("No value of a released reactor is reduced")
  func releasedReactor() async {
    let reduces = Shared(0)
    let source = EventSubject<CounterReactor.Mutation>()
    let queue = DispatchQueue(label: "counter")
    let held = Shared<CounterReactor?>(
      CounterReactor(queue: queue, hooks: .init(onReduce: { _, _ in reduces.increment() })))
    await watched("values that wait while their reactor goes") {
      await onThread { [self] in
        queue.sync {
          held.value?.action(fed(by: source))
          emitElsewhere { for _ in 0..<10 { source.send(.inc) } }
          held.value = nil
        }
      }
    }
    source.send(.inc)
    await settle(queue)
    #expect(reduces.value == 0)
  }

  @Test("An error thrown afterwards is not reported")
  func lateError() async {
    let failures = Shared(0)
    let (reactor, reports) = collectingReports {
      CounterReactor.onOwnQueue(hooks: .init(onFailure: { _, _ in failures.increment() }))
    }
    let gate = Gate()
    let ended = Gate()
    reactor.action(
      .answer { _ in
        Answer.run { _ in
          await gate.wait()
          defer { ended.open() }
          throw StoryError()
        }.effect(id: "fails")
      })
    await eventually("the effect stands at its gate") { gate.waiters == 1 }
    reactor.onQueue { $0.action(.answer(.cancel(id: "fails"))) }
    gate.open()
    await ended.wait()
    await settle(reactor)
    #expect(failures.value == 0)
    #expect(reports.count == 0)
  }

  @Test("What a hook holds back belongs to the hook: cancelling an effect does not reach it, release does")
  func heldByHook() async {
    let held = Recorder<CounterReactor.Mutation>()
    let outlet = EventSubject<CounterReactor.Mutation>()
    let reduces = Shared(0)
    let reactor = Shared<CounterReactor?>(
      CounterReactor.onOwnQueue(
        hooks: .init(
          mutation: { mutations in
            mutations.filter {
              held.append($0)
              return false
            }.merge(with: outlet.stream)
          }, onReduce: { _, _ in reduces.increment() })))
    await reactor.value?.perform(.answer { _ in Answer.run { $0(.inc) }.effect(id: "e") })
    #expect(held.count == 1)
    reactor.value?.onQueue { $0.action(.answer(.cancel(id: "e"))) }
    outlet.send(held.values[0])
    if let reactor = reactor.value { await eventually("it arrives", of: reactor) { $0.n == 1 } }
    reactor.value = nil
    outlet.send(.inc)
    await hopThroughPool()
    #expect(reduces.value == 1)
  }

  @Test("A cancelled push source is told, once")
  func pushSourceIsTold() async {
    let reactor = CounterReactor.onOwnQueue()
    let cancels = Shared(0)
    let start: CounterReactor.Action = .answer { _ in
      Answer(
        async: EventStream<CounterReactor.Mutation> { emit in
          emit(.inc)
          return EventSubscription { cancels.increment() }
        }
      ).effect(id: "push")
    }
    reactor.onQueue { reactor in
      reactor.action(start)
      #expect(reactor.state.n == 1)
      #expect(cancels.value == 0)
      reactor.action(.answer(.cancel(id: "push")))
      reactor.action(.answer(.cancel(id: "push")))
    }
    await eventually("its source is told", on: reactor.queue) { cancels.value == 1 }
    await settle(reactor)
    #expect(cancels.value == 1)
  }
}

@Suite("G16 · An error ends only its own effect")
struct G16ErrorContractTests {
  @Test("It reaches the error hook once, with the action that started the effect")
  func once() async {
    let failures = Recorder<String>()
    let (reactor, _) = collectingReports {
      CounterReactor.onOwnQueue(
        hooks: .init(onFailure: { error, action in
          failures.append("\(error) \(action.map { "\($0)" } ?? "nil")")
        }))
    }
    let other = Gate()
    reactor.action(.gated(other, id: "other"))
    await reactor.perform(.setA(1))
    await reactor.perform(
      .answer { _ in
        Answer.run { emit in
          emit(.inc)
          throw StoryError(name: "broken")
        }
      })
    await eventually("the hook is called", on: reactor.queue) { failures.count == 1 }
    #expect(failures.values[0].contains("broken"))
    #expect(failures.values[0].contains("answer"))
    #expect(reactor.state.n == 1, "what it had emitted stays")
    other.open()
    await eventually("the other effect is not disturbed", of: reactor) { $0.n == 2 }
    await settle(reactor)
    #expect(failures.count == 1)
    #expect(reactor.effectCount == 0)
  }

  @Test("Behind a hook the action is nil")
  func behindHook() async {
    let failures = Recorder<Bool>()
    let fails = EventStream<CounterReactor.Mutation> { (_: Emitter<CounterReactor.Mutation>) async throws in
      throw StoryError()
    }
    let (reactor, _) = collectingReports {
      CounterReactor.onOwnQueue(
        hooks: .init(
          mutation: { $0.merge(with: fails) },
          onFailure: { _, action in failures.append(action == nil) }))
    }
    reactor.onQueue { $0.action(.inc) }
    await eventually("the hook is called", on: reactor.queue) { failures.count == 1 }
    reactor.onQueue { $0.action(.inc) }
    #expect(reactor.state.n == 2)
    #expect(failures.values == [true])
  }

  @Test("The default hook reports it")
  func defaultReports() async {
    let (reactor, reports) = collectingReports { CounterReactor.onOwnQueue() }
    await reactor.perform(.answer { _ in Answer.run { _ in throw StoryError(name: "broken") } })
    await eventually("it is reported", on: reactor.queue) { reports.count == 1 }
    await settle(reactor)
    #expect(reports.count == 1)
    #expect(reports.last?.message.contains("broken") == true)
    #expect(reports.last?.reactor?.contains("CounterReactor") == true)
    #expect(reports.last?.action?.contains("answer") == true)
  }

  @Test("CancellationError is not reported")
  func cancellationError() async {
    let failures = Shared(0)
    let (reactor, reports) = collectingReports {
      CounterReactor.onOwnQueue(hooks: .init(onFailure: { _, _ in failures.increment() }))
    }
    await reactor.perform(
      .answer { _ in
        Answer.run { emit in
          emit(.inc)
          throw CancellationError()
        }
      })
    await settle(reactor)
    #expect(reactor.state.n == 1)
    #expect(failures.value == 0)
    #expect(reports.count == 0)
    #expect(reactor.effectCount == 0)
  }
}
