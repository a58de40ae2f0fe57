// G1: whatever user code is doing on the queue, a call from elsewhere comes back.

import Dispatch
import SwiftReactor
import Testing

@Suite("G1 · No call waits for another thread's user code")
struct G1LockContractTests {
  /// Holds the queue inside `reactor`'s user code: `enter` is what the user code calls.
  private final class Plug: Sendable {
    private let inside = DispatchSemaphore(value: 0)
    private let leave = DispatchSemaphore(value: 0)
    private let used = Shared(false)

    /// Called by user code: the first call stays inside until `pull()`.
    func enter() {
      let first = used.withLock { used in
        defer { used = true }
        return !used
      }
      guard first else { return }
      inside.signal()
      leave.wait()
    }

    func waitUntilInside() { inside.wait() }
    func pull() { leave.signal() }
  }

  /// Every call that another thread can make. Returning from this is the whole assertion.
  private static func everyCall(of reactor: CounterReactor) {
    var restored = reactor.state
    restored.text = "restored"
    reactor.restore(restored)
    reactor.action(.setB(1))
    reactor.action.send(.setB(2))
    reactor.mutation.send(.setB(3))
    reactor.observe(\.n) { _ in }.cancel()
    reactor.$state.sink { _ in }.cancel()
    _ = reactor.effects
    reactor.cancelEffects()
  }

  private func expectCallsReturn(
    whileIn place: String, make: (Plug) -> CounterReactor, occupy: @escaping @Sendable (CounterReactor, Plug) -> Void
  ) async {
    let plug = Plug()
    let reactor = make(plug)
    await watched("calls from elsewhere while the queue is inside \(place)") {
      await race(2) { index in
        if index == 0 {
          reactor.onQueue { occupy($0, plug) }
        } else {
          plug.waitUntilInside()
          Self.everyCall(of: reactor)
          plug.pull()
        }
      }
    }
    await settle(reactor)
    #expect(reactor.state.b == 3, "while in \(place): the calls from elsewhere were handled afterwards, in order")
    #expect(reactor.state.text == "restored")
  }

  @Test("No call waits while mutate runs")
  func mutate() async {
    await expectCallsReturn(whileIn: "mutate") { plug in
      .onOwnQueue(hooks: .init(onMutate: { _, action in if case .inc = action { plug.enter() } }))
    } occupy: { reactor, _ in
      reactor.action(.inc)
    }
  }

  @Test("No call waits while an observer runs")
  func observer() async {
    let tokens = Recorder<EventSubscription>()
    await expectCallsReturn(whileIn: "an observer") { _ in
      .onOwnQueue()
    } occupy: { reactor, plug in
      tokens.append(reactor.observe(\.n) { if $0 == 1 { plug.enter() } })
      reactor.action(.inc)
    }
  }

  @Test("No call waits while an observer of every commit runs")
  func stateSink() async {
    let tokens = Recorder<EventSubscription>()
    await expectCallsReturn(whileIn: "a sink of $state") { _ in
      .onOwnQueue()
    } occupy: { reactor, plug in
      tokens.append(reactor.$state.sink { if $0.n == 1 { plug.enter() } })
      reactor.action(.inc)
    }
  }

  @Test("No call waits while a hook runs")
  func hook() async {
    await expectCallsReturn(whileIn: "an operator of the mutation hook") { plug in
      .onOwnQueue(
        hooks: .init(mutation: { mutations in
          mutations.map { mutation in
            if case .inc = mutation { plug.enter() }
            return mutation
          }
        }))
    } occupy: { reactor, _ in
      reactor.action(.inc)
    }
  }

  @Test("No call waits while the start of an effect runs")
  func effectStart() async {
    await expectCallsReturn(whileIn: "the start of an effect") { _ in
      .onOwnQueue()
    } occupy: { reactor, plug in
      reactor.action(
        .answer(
          Mutations(
            async: EventStream<CounterReactor.Mutation> { _ in
              plug.enter()
              return EventSubscription {}
            }
          ).effect(id: "start")))
    }
  }

  @Test("No call waits while a value is released")
  func release() async {
    let lives = Lives()
    await expectCallsReturn(whileIn: "the deinit of what an action carries") { _ in
      .onOwnQueue()
    } occupy: { reactor, plug in
      let life = Shared<Lives.Life?>(lives.make { plug.enter() })
      reactor.action(
        .answer { [held = life.withLock { $0.take() }] _ in
          _ = held
          return [.inc]
        })
    }
    #expect(lives.count == 0)
  }

  @Test("No call waits while the error hook runs")
  func errorHook() async {
    let plug = Plug()
    let (reactor, _) = collectingReports {
      CounterReactor.onOwnQueue(hooks: .init(onFailure: { _, _ in plug.enter() }))
    }
    await watched("calls from elsewhere while the queue is inside the error hook") {
      reactor.action(.answer(.run { _ in throw StoryError() }))
      await onThread {
        plug.waitUntilInside()
        Self.everyCall(of: reactor)
        plug.pull()
      }
    }
    await eventually("the calls made meanwhile are handled", of: reactor) { $0.b == 3 && $0.text == "restored" }
  }

  @Test("Inside reduce one may send, observe and cancel; what that sets off is carried out after the step")
  func insideReduce() async {
    let target = Shared<CounterReactor?>(nil)
    let tokens = Recorder<EventSubscription>()
    let seen = Recorder<Int>()
    let cancelled = Recorder<Int>()
    let once = Shared(true)
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(onReduce: { _, mutation in
        guard case .setA = mutation, once.withLock({ $0.take() }), let reactor = target.value else { return }
        reactor.action(.setB(7))
        tokens.values[0].cancel()
        tokens.append(reactor.observe(\.a) { seen.append($0) })
        seen.append(-1)
      }))
    target.value = reactor
    await watched("sending, observing and cancelling inside reduce") {
      await onThread {
        reactor.onQueue { reactor in
          tokens.append(reactor.observe(\.b) { cancelled.append($0) })
          reactor.action(.setA(3))
          #expect(reactor.state.a == 3)
          #expect(reactor.state.b == 7)
        }
      }
    }
    #expect(seen.values == [-1, 3], "the initial value came after the step, not inside reduce")
    #expect(cancelled.values == [0], "the observer cancelled in reduce was not called again")
    target.value = nil
  }

  @Test("Actions, mutations and closures are released without a lock of the framework")
  func releaseMayCallBack() async {
    let target = Shared<CounterReactor?>(nil)
    let lives = Lives()
    let reactor = CounterReactor.onOwnQueue()
    target.value = reactor
    // The deinit of what was carried sends, reads and observes; under a lock of ours any of it would hang.
    let callBack: @Sendable () -> Void = {
      guard let reactor = target.value else { return }
      _ = reactor.state
      reactor.observe(\.n) { _ in }.cancel()
      reactor.action(.inc)
    }
    await watched("calls from the deinits of what actions, observers and effects carried") {
      for _ in 0..<50 {
        reactor.action(.answer { [life = lives.make(onDeinit: callBack)] _ in withExtendedLifetime(life) { .none } })
        reactor.observe(\.n) { [life = lives.make(onDeinit: callBack)] _ in _ = life }.cancel()
        reactor.action(
          .answer { [life = lives.make(onDeinit: callBack)] _ in
            .run { _ in withExtendedLifetime(life) {} }
          })
        await hop(reactor.queue)
      }
      await eventually("everything that was carried is released", on: reactor.queue) { lives.count == 0 }
      await settle(reactor)
    }
    #expect(reactor.state.n == 150)
    target.value = nil
  }
}

extension Bool {
  /// True the first time.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
