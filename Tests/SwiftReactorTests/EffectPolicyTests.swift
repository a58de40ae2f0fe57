// Effects under one id: which of them run, wait, give way or are dropped, and what rate limits hold back.

import Dispatch
import SwiftReactor
import Testing

@Suite("Effect policies")
struct EffectPolicyTests {
  /// Effects that tell when they begin, and end when the test opens their gate.
  private final class Script: Sendable {
    let begun = Recorder<Int>()
    let gates: [Gate]

    init(_ count: Int = 6) {
      gates = (0..<count).map { _ in Gate() }
    }

    /// Effect `number`: says that it begins, waits (however often it is cancelled), and writes its number.
    func effect(_ number: Int) -> Answer {
      Answer.run { [begun, gate = gates[number]] emit in
        begun.append(number)
        await gate.wait()
        emit(.write("\(number)"))
      }
    }

    func action(_ number: Int, id: some Hashable & Sendable = "id", _ policy: EffectPolicy) -> CounterReactor.Action {
      .answer { [self] _ in Answer(sync: .inc) + effect(number).effect(id: id, policy) }
    }

    func openAll() {
      for gate in gates { gate.open() }
    }
  }

  /// Sends effects 0 ..< count under one id and policy, and waits until everything that can begin has begun.
  private func start(_ count: Int, _ policy: EffectPolicy, _ script: Script) async -> CounterReactor {
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { reactor in
      for number in 0..<count { reactor.action(script.action(number, policy)) }
      #expect(reactor.state.n == count, "policies cover only the async part: sync mutations are committed in the step")
    }
    await settle(reactor)
    return reactor
  }

  @Test(".latest: the newest replaces the one before")
  func latest() async {
    let script = Script()
    let reactor = await start(3, .latest, script)
    #expect(reactor.effectCount == 1)
    #expect(script.begun.last == 2)
    script.openAll()
    await eventually("the newest arrives", of: reactor) { !$0.log.isEmpty }
    await settle(reactor)
    #expect(reactor.state.log == ["2"])
    #expect(reactor.effectCount == 0)
  }

  @Test(".latest is what an id alone means")
  func latestIsDefault() async {
    let script = Script()
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { reactor in
      for number in 0..<2 { reactor.action(.answer { _ in script.effect(number).effect(id: "id") }) }
      #expect(reactor.effectCount == 1)
    }
    script.openAll()
    await eventually("the newest arrives", of: reactor) { $0.log == ["1"] }
  }

  @Test(".first: others are dropped while one runs, and can run when it has ended")
  func first() async {
    let script = Script()
    let reactor = await start(3, .first, script)
    #expect(reactor.effectCount == 1)
    #expect(script.begun.values == [0])
    script.gates[0].open()
    await eventually("the first arrives and ends", on: reactor.queue) {
      reactor.state.log == ["0"] && reactor.effectCount == 0
    }
    reactor.action(script.action(3, .first))
    script.openAll()
    await eventually("a later one runs", of: reactor) { $0.log == ["0", "3"] }
    await settle(reactor)
    #expect(script.begun.values == [0, 3])
  }

  @Test(".queued: one after the other, in order of the actions")
  func queued() async {
    let script = Script()
    let reactor = await start(4, .queued, script)
    #expect(script.begun.values == [0])
    #expect(reactor.effectCount == 4)
    // Opened from behind: the order is that of the actions all the same.
    for number in [3, 2, 1, 0] { script.gates[number].open() }
    await eventually("all have arrived", of: reactor) { $0.log.count == 4 }
    #expect(reactor.state.log == ["0", "1", "2", "3"])
    #expect(script.begun.values == [0, 1, 2, 3])
    await eventually("none is left", on: reactor.queue) { reactor.effectCount == 0 }
  }

  @Test(".queued: no two overlap, whatever the pool does")
  func queuedNeverOverlaps() async {
    let reactor = CounterReactor.onOwnQueue()
    let inside = Shared(0)
    let overlaps = Shared(0)
    let work: CounterReactor.Action = .answer { _ in
      Answer.run { emit in
        if inside.increment() != 1 { overlaps.increment() }
        await Task.yield()
        inside.withLock { $0 -= 1 }
        emit(.inc)
      }.effect(id: "work", .queued)
    }
    await race(2) { _ in for _ in 0..<200 { reactor.action(work) } }
    await eventually("all have run", of: reactor) { $0.n == 400 }
    #expect(overlaps.value == 0)
  }

  @Test(".concurrent: all run side by side, and the id cancels them all")
  func concurrent() async {
    let script = Script()
    let reactor = await start(3, .concurrent, script)
    #expect(script.begun.values.sorted() == [0, 1, 2])
    script.gates[1].open()
    await eventually("each ends for itself", of: reactor) { $0.log == ["1"] }
    reactor.onQueue { reactor in
      reactor.action(.answer(.cancel(id: "id")))
      #expect(reactor.effectCount == 0)
    }
    script.openAll()
    await settle(reactor)
    #expect(reactor.state.log == ["1"])
  }

  @Test(".concurrent(max:): beyond max effects wait, first in, first out")
  func concurrentMax() async {
    let script = Script()
    let reactor = await start(5, .concurrent(max: 2), script)
    #expect(script.begun.values.sorted() == [0, 1])
    #expect(reactor.effectCount == 5)
    script.gates[1].open()
    await eventually("the third begins when one has ended", on: reactor.queue) { script.begun.count == 3 }
    await settle(reactor)
    #expect(script.begun.values.last == 2)
    script.gates[2].open()
    await eventually("then the fourth", on: reactor.queue) { script.begun.values.last == 3 }
    script.openAll()
    await eventually("and so on", of: reactor) { $0.log.count == 5 }
    #expect(script.begun.values.suffix(3) == [2, 3, 4])
  }

  @Test("A cancel takes those that run and those that wait; what comes later begins at once")
  func cancelWaiting() async {
    let script = Script()
    let reactor = await start(3, .queued, script)
    reactor.onQueue { reactor in
      reactor.action(.answer(.cancel(id: "id")))
      #expect(reactor.effectCount == 0)
      reactor.action(script.action(4, .queued))
    }
    await eventually("the later one begins", on: reactor.queue) { script.begun.last == 4 }
    script.openAll()
    await eventually("and arrives", of: reactor) { !$0.log.isEmpty }
    await settle(reactor)
    #expect(script.begun.values == [0, 4])
    #expect(reactor.state.log == ["4"])
  }

  @Test("An error of one that runs lets the next one begin")
  func errorLetsNextBegin() async {
    let (reactor, reports) = collectingReports { CounterReactor.onOwnQueue() }
    reactor.onQueue { reactor in
      reactor.action(.answer { _ in Answer.run { _ in throw StoryError() }.effect(id: "id", .queued) })
      reactor.action(.answer { _ in Answer.run { $0(.inc) }.effect(id: "id", .queued) })
    }
    await eventually("the next one arrives", of: reactor) { $0.n == 1 }
    await settle(reactor)
    #expect(reports.count == 1)
    #expect(reactor.effectCount == 0)
  }

  @Test("Ids do not disturb each other")
  func independentIds() async {
    let script = Script()
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { reactor in
      reactor.action(script.action(0, id: "a", .queued))
      reactor.action(script.action(1, id: "b", .first))
      reactor.action(script.action(2, id: "c", .latest))
      reactor.action(script.action(3, id: "a", .queued))
    }
    await settle(reactor)
    #expect(script.begun.values.sorted() == [0, 1, 2])
    script.openAll()
    await eventually("all arrive", of: reactor) { $0.log.count == 4 }
  }

  @Test("On a sum a policy makes one effect of all parts without an id")
  func sums() async {
    let script = Script()
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { reactor in
      reactor.action(
        .answer { _ in
          (script.effect(0) + Answer(sync: .inc) + script.effect(1) + script.effect(2).effect(id: "own"))
            .effect(id: "sum")
        })
      #expect(reactor.state.n == 1)
      #expect(reactor.effectCount == 2, "the parts without an id are one effect, the one with an id stays its own")
    }
    await eventually("all parts begin", on: reactor.queue) { script.begun.count == 3 }
    reactor.onQueue { $0.action(.answer(.cancel(id: "own"))) }
    #expect(reactor.effectCount == 1)
    script.gates[1].open()
    await eventually("one part arrives", of: reactor) { $0.log == ["1"] }
    #expect(reactor.effectCount == 1, "the effect goes on until its last part has ended")
    reactor.onQueue { $0.action(.answer(.cancel(id: "sum"))) }
    #expect(reactor.effectCount == 0)
    script.openAll()
    await settle(reactor)
    #expect(reactor.state.log == ["1"])
  }

  @Test("Left to right in one result, for every mixture of starts and cancels")
  func leftToRight() async {
    for pattern in 0..<64 {
      // Three parts: start or cancel, under one of two ids.
      let parts = (0..<3).map { (pattern >> (2 * $0)) & 3 }
      let reactor = CounterReactor.onOwnQueue()
      let gate = Gate()
      var expected: Set<String> = []
      for (position, part) in parts.enumerated() {
        let id = part & 1
        expected = expected.filter { !$0.hasPrefix("\(id) ") }  // a newer one replaces, a cancel removes
        if part & 2 == 0 { expected.insert("\(id) \(position)") }
      }
      reactor.onQueue { reactor in
        reactor.action(
          .answer { _ in
            parts.enumerated().reduce(Answer.none) { sum, part in
              let id = part.element & 1
              let line = "\(id) \(part.offset)"
              return part.element & 2 == 0
                ? sum
                  + Answer.run { emit in
                    await gate.wait()
                    emit(.write(line))
                  }.effect(id: id)
                : sum + .cancel(id: id)
            }
          })
        #expect(reactor.effectCount == expected.count, "\(parts)")
      }
      gate.open()
      await eventually("what was started last arrives", of: reactor) { $0.log.count == expected.count }
      await hop(reactor.queue)
      #expect(Set(reactor.state.log) == expected, "\(parts)")
    }
  }

  @Test("Waiting for another id, or for another effect under .concurrent, is no mistake")
  func waitingForOthers() async {
    let (reactor, reports) = collectingReports { CounterReactor.onOwnQueue() }
    await watched("an effect that waits for another") {
      let inner: CounterReactor.Action = .answer { _ in Answer.run { $0(.inc) }.effect(id: "inner", .queued) }
      await reactor.perform(
        .answer { reactor in
          Answer.run { [weak reactor] emit in
            await reactor?.perform(inner)
            emit(.setA(1))
          }.effect(id: "outer", .queued)
        })
    }
    #expect(reactor.state.n == 1)
    #expect(reactor.state.a == 1)
    #expect(reports.count == 0)
  }
}

@Suite("Rate limits of effects")
struct RateLimitTests {
  private func search(_ number: Int) -> Answer {
    Answer(sync: .inc) + Answer.run { $0(.write("\(number)")) }
  }

  /// Moves the clock when somebody sleeps on it, and lets everything run that this sets off.
  private func advance(_ clock: SteppedClock, by duration: Duration, _ reactor: CounterReactor) async {
    await settle(reactor, rounds: 6)
    clock.advance(by: duration)
    await settle(reactor, rounds: 6)
  }

  @Test("debounced: only the last one begins, when nothing came for a while; sync mutations are committed at once")
  func debounced() async {
    let clock = SteppedClock()
    let reactor = CounterReactor.onOwnQueue()
    for number in 0..<3 {
      reactor.onQueue { [self] reactor in
        reactor.action(.answer { [self] _ in search(number).debounced(id: "s", for: .seconds(1), clock: clock) })
        #expect(reactor.state.n == number + 1)
      }
      await advance(clock, by: .milliseconds(900), reactor)
      #expect(reactor.state.log == [])
    }
    await advance(clock, by: .milliseconds(99), reactor)
    #expect(reactor.state.log == [])
    await advance(clock, by: .milliseconds(1), reactor)
    #expect(reactor.state.log == ["2"])
    #expect(reactor.effectCount == 0)
    // A window that has ended has no influence on the next one.
    reactor.action(.answer { [self] _ in search(3).debounced(id: "s", for: .seconds(1), clock: clock) })
    await advance(clock, by: .seconds(1), reactor)
    #expect(reactor.state.log == ["2", "3"])
  }

  @Test("debounced: a cancel takes what waits, and a released reactor leaves nobody asleep")
  func debouncedCancel() async {
    let clock = SteppedClock()
    let reactor = Shared<CounterReactor?>(.onOwnQueue())
    let start: CounterReactor.Action = .answer { [self] _ in
      search(0).debounced(id: "s", for: .seconds(1), clock: clock)
    }
    reactor.value?.onQueue { reactor in
      reactor.action(start)
      reactor.action(.answer(.cancel(id: "s")))
      #expect(reactor.effectCount == 0)
    }
    if let reactor = reactor.value {
      await advance(clock, by: .seconds(2), reactor)
      #expect(reactor.state.log == [])
      reactor.action(start)
    }
    await eventually("it waits") { clock.sleeping == 1 }
    reactor.value = nil
    await eventually("nobody sleeps any more") { clock.sleeping == 0 }
  }

  @Test("throttled: the first at once, the newest of a window at its end", arguments: [true, false])
  func throttled(latest: Bool) async {
    let clock = SteppedClock()
    let reactor = CounterReactor.onOwnQueue()
    let send: (Int) -> Void = { [self] number in
      reactor.onQueue { reactor in
        reactor.action(
          .answer { [self] _ in
            search(number).throttled(id: "t", for: .seconds(1), latest: latest, clock: clock)
          })
      }
    }
    send(0)
    await advance(clock, by: .milliseconds(200), reactor)
    #expect(reactor.state.log == ["0"])
    for number in 1...3 {
      send(number)
      await advance(clock, by: .milliseconds(200), reactor)
    }
    #expect(reactor.state.n == 4, "sync mutations are committed in their steps")
    #expect(reactor.state.log == ["0"])
    await advance(clock, by: .milliseconds(200), reactor)
    #expect(reactor.state.log == (latest ? ["0", "3"] : ["0"]))
    // A quiet window later the first one begins at once again.
    await advance(clock, by: .seconds(2), reactor)
    send(4)
    await settle(reactor)
    #expect(reactor.state.log.last == "4")
  }

  @Test("throttled: ids have windows of their own, and a cancel forgets what is held back")
  func throttledCancel() async {
    let clock = SteppedClock()
    let reactor = CounterReactor.onOwnQueue()
    let send: (Int, String) -> Void = { [self] number, id in
      reactor.onQueue { reactor in
        reactor.action(
          .answer { [self] _ in search(number).throttled(id: id, for: .seconds(1), latest: true, clock: clock) })
      }
    }
    send(0, "a")
    send(1, "b")
    await settle(reactor)
    #expect(reactor.state.log.sorted() == ["0", "1"])
    send(2, "a")
    send(3, "b")
    reactor.onQueue { $0.action(.answer(.cancel(id: "a"))) }
    await advance(clock, by: .seconds(1), reactor)
    #expect(reactor.state.log.sorted() == ["0", "1", "3"])
  }
}
