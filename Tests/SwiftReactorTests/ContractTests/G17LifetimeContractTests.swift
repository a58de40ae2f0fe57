// G17: what keeps a reactor alive, and what does not.

import Dispatch
import Foundation
import SwiftReactor
import Testing

@Suite("G17 · Effects do not keep the reactor alive")
struct G17LifetimeContractTests {
  /// Makes a reactor, lets `use` do something with it, lets go of it and tells whether it was freed at once.
  private func freedAtOnce(_ use: (CounterReactor) async -> Void) async -> Bool {
    weak var observed: CounterReactor?
    do {
      let reactor = CounterReactor.onOwnQueue()
      observed = reactor
      await use(reactor)
    }
    return observed == nil
  }

  @Test("Running effects do not: freed at once, and the effects are cancelled")
  func runningEffects() async {
    let cancelled = Gate()
    let begun = Gate()
    let freed = await freedAtOnce { reactor in
      reactor.action(
        .answer { _ in
          Answer.run { _ in
            begun.open()
            await withTaskCancellationHandler {
              await cancelled.wait()
            } onCancel: {
              cancelled.open()
            }
          }.effect(id: "endless")
        })
      await begun.wait()
      await settle(reactor)
    }
    #expect(freed)
    await watched("the end of the effect of a reactor that is gone") { await cancelled.wait() }
  }

  @Test("Effects that wait for their turn do not")
  func waitingEffects() async {
    let gate = Gate()
    let freed = await freedAtOnce { reactor in
      for _ in 0..<5 { reactor.action(.gated(gate, id: "q", .queued)) }
      await eventually("one runs", on: reactor.queue) { gate.waiters == 1 }
      await settle(reactor)
    }
    #expect(freed)
    gate.open()
  }

  @Test("Streams, subjects and async sequences do not")
  func streamsAndSubjects() async {
    let kept = Shared<(EventSubject<CounterReactor.Action>, EventStream<CounterReactor.State>, EventSubscription)?>(nil)
    let states = Shared<StateSequence<CounterReactor.State>?>(nil)
    let freed = await freedAtOnce { reactor in
      reactor.onQueue { $0.action(.inc) }
      kept.value = (reactor.action, reactor.$state, reactor.observe(\.n) { _ in })
      states.value = reactor.states
      await settle(reactor)
    }
    #expect(freed)
    // All of them are still there, and quiet.
    kept.value?.0.send(.inc)
    let values = Recorder<Int>()
    kept.value?.1.sink { values.append($0.n) }.cancel()
    kept.value?.2.cancel()
    #expect(values.count == 0)
  }

  @Test("Values of effects that wait do not")
  func waitingValues() async {
    let source = EventSubject<CounterReactor.Mutation>()
    weak var observed: CounterReactor?
    let queue = DispatchQueue(label: "counter")
    let occupied = Gate()
    let free = DispatchSemaphore(value: 0)
    do {
      let reactor = CounterReactor(queue: queue)
      observed = reactor
      queue.sync { reactor.action(.answer { _ in Answer(async: source.stream) }) }
      queue.async {
        occupied.open()
        free.wait()
      }
      await occupied.wait()
      source.send(.inc)
    }
    #expect(observed == nil)
    free.signal()
    await settle(queue)
  }

  @Test("An emitter kept after the end of its stream keeps nothing of the effect", arguments: ["ends", "cancelled"])
  func keptEmitter(_ how: String) async {
    let reactor = CounterReactor.onOwnQueue()
    let lives = Lives()
    let emitter = Shared<Emitter<CounterReactor.Mutation>?>(nil)
    reactor.action(
      .answer { [life = lives.make()] _ in
        Answer(
          async: EventStream<CounterReactor.Mutation> { emit in
            withExtendedLifetime(life) { emitter.value = emit }
            return EventSubscription {}
          }.map { mutation in withExtendedLifetime(life) { mutation } }
        ).effect(id: "source")
      })
    await settle(reactor)
    #expect(lives.count == 1)
    emitter.value?(.inc)
    if how == "ends" { emitter.value?.finish() } else { reactor.cancelEffects() }
    await eventually("it is freed", on: reactor.queue) { lives.count == 0 }
    emitter.value?(.inc)
    await emitter.value?.whenDrained(.inc)
    await settle(reactor)
    #expect(reactor.state.n <= 1 && reactor.effects.isEmpty)
  }

  @Test("An accepted action does, until it is handled")
  func acceptedAction() async {
    await accepted("action") { $0.action(.inc) }
  }

  @Test("An accepted mutation of mutation.send does, until it is handled")
  func acceptedMutation() async {
    await accepted("mutation") { $0.mutation.send(.inc) }
  }

  private func accepted(_ what: String, send: @escaping @Sendable (CounterReactor) -> Void) async {
    let reduces = Shared(0)
    let freed = Gate()
    let queue = DispatchQueue(label: "counter")
    let occupied = Gate()
    let free = DispatchSemaphore(value: 0)
    queue.async {
      occupied.open()
      free.wait()
    }
    await occupied.wait()
    await onThread {
      let reactor = CounterReactor(
        queue: queue, hooks: .init(onReduce: { _, _ in reduces.increment() }, onDeinit: { freed.open() }))
      send(reactor)
    }
    #expect(!freed.isOpen, "an accepted \(what) holds its reactor")
    free.signal()
    await watched("the end of a reactor after its last \(what)") { await freed.wait() }
    #expect(reduces.value == 1)
  }

  @Test("When the last reference goes inside a step, the reactor is freed at the end of that step")
  func insideStep() {
    let freed = Shared(false)
    let trace = Recorder<String>()
    let queue = DispatchQueue(label: "counter")
    let held = Shared<CounterReactor?>(CounterReactor(queue: queue, hooks: .init(onDeinit: { freed.value = true })))
    let tokens = Recorder<EventSubscription>()
    queue.sync {
      tokens.append(
        held.value!.observe(\.n) { n in
          guard n == 1 else { return }
          held.value = nil
          trace.append("first \(n)")
        })
      tokens.append(held.value!.observe(\.n) { trace.append("second \($0)") })
      trace.removeAll()
      weak let reactor = held.value
      reactor?.action(.inc)
    }
    #expect(freed.value)
    #expect(trace.values == ["first 1", "second 1"], "the step that was running ended properly")
  }

  @Test("A finished effect leaves nothing behind")
  func finishedEffects() async {
    let lives = Lives()
    let reactor = CounterReactor.onOwnQueue()
    for index in 0..<60 {
      await reactor.perform(
        .answer { [life = lives.make()] _ in
          switch index % 4 {
          case 0: Answer.run { emit in withExtendedLifetime(life) { emit(.inc) } }
          case 1:
            Answer(async: EventStream.just(.inc).map { value in withExtendedLifetime(life) { value } }).effect(
              id: index)
          case 2: Answer(async: EventStream.empty.map { value in withExtendedLifetime(life) { value } })
          default: Answer.run { _ in withExtendedLifetime(life) {} }.effect(id: "same", .queued)
          }
        })
    }
    #expect(reactor.effects.isEmpty)
    await eventually("all that the effects held is released", on: reactor.queue) { lives.count == 0 }
  }

  @Test("Dropped on a thread of its own while it is being sent to, a reactor goes without a trace")
  func droppedWhileSending() async {
    let lives = Lives()
    for _ in 0..<100 {
      let shared = Shared<CounterReactor?>(nil)
      do {
        let life = lives.make()
        shared.value = .onOwnQueue(hooks: .init(onDeinit: { withExtendedLifetime(life) {} }))
      }
      let action = shared.value!.action
      await race(2) { index in
        if index == 0 {
          for _ in 0..<20 { action.send(.incLater) }
        } else {
          shared.value = nil
        }
      }
    }
    await eventually("all reactors are gone") { lives.count == 0 }
  }
}
