// Stories of the first user: what somebody found who knew only the README and the contract.

import Dispatch
import SwiftReactor
import Testing

private final class Pair: BaseReactor<Pair.Action, Pair.Action, Pair.State>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  enum Action: Sendable { case show, hide }
  struct State: Sendable { var child: Row? }
  struct Row: Sendable { var id = 1 }

  init(queue: DispatchQueue) { super.init(initialState: State(), queue: queue) }

  override func mutate(action: Action) -> Mutations<Action> { [action] }
  override func reduce(into state: inout State, mutation: Action) {
    state.child = mutation == .show ? Row() : nil
  }
}

private final class FailingRow: BaseReactor<Int, Int, Pair.Row>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  struct Failure: Error {}

  init(queue: DispatchQueue) { super.init(initialState: Pair.Row(), queue: queue) }

  override func mutate(action: Int) -> Mutations<Int> { .run { _ in throw Failure() } }
}

/// Is let go in the step of its action: by `mutate`, or by who is told of the commit.
private final class Leaving: BaseReactor<Leaving.Moment, Int, Int>, @unchecked Sendable {
  // Safe to share: constants that are safe to share.
  enum Moment: CaseIterable, Sendable { case mutate, observer }
  let log: Recorder<String>
  let holder: Shared<Leaving?>

  init(queue: DispatchQueue, log: Recorder<String>, holder: Shared<Leaving?>) {
    self.log = log
    self.holder = holder
    super.init(initialState: 0, queue: queue)
  }

  deinit { log.append("gone") }

  override func mutate(action: Moment) -> Mutations<Int> {
    if action == .mutate { holder.value = nil }
    return Mutations(sync: 1, async: .just(2)) + Mutations(async: EventStream([3, 4])).effect(id: "more")
  }

  override func reduce(into state: inout Int, mutation: Int) {
    log.append("\(mutation)")
    state += mutation
  }
}

/// Follows streams, and notes what they say.
private final class Following: BaseReactor<EventStream<Int>, Int, Int>, @unchecked Sendable {
  // Safe to share: a constant that is safe to share.
  let log: Recorder<String>

  init(queue: DispatchQueue, log: Recorder<String>) {
    self.log = log
    super.init(initialState: 0, queue: queue)
  }

  deinit { log.append("gone") }

  override func mutate(action: EventStream<Int>) -> Mutations<Int> { Mutations(async: action) }
  override func reduce(into state: inout Int, mutation: Int) { log.append("\(mutation)") }
}

@Suite("Bug reports · The first user")
struct FirstUserBugTests {
  @Test(
    "A reactor that is let go in a step ends with that step, whichever way its action came",
    arguments: Leaving.Moment.allCases, [true, false])
  private func letGoInAStep(_ moment: Leaving.Moment, isSentElsewhere: Bool) {
    let queue = DispatchQueue(label: "leaving")
    let log = Recorder<String>()
    let holder = Shared<Leaving?>(nil)
    holder.value = Leaving(queue: queue, log: log, holder: holder)
    let entrance = holder.value!.action
    let subscription = holder.value!.observe(\.self) { if $0 > 0, moment == .observer { holder.value = nil } }
    queue.sync {}
    if isSentElsewhere {
      // The call has returned before the step begins.
      queue.suspend()
      entrance.send(moment)
      queue.resume()
    } else {
      queue.sync { entrance.send(moment) }
    }
    queue.sync {}
    #expect(log.values == ["1", "gone"], "values of a reactor that has gone were reduced")
    subscription.cancel()
  }

  @Test("A reactor that the end of an effect lets go has no further step, though others follow it already")
  func letGoByAnEnd() {
    let queue = DispatchQueue(label: "following")
    let log = Recorder<String>()
    let emitters = Shared<[Emitter<Int>]>([])
    let entrance = queue.sync {
      let made = Following(queue: queue, log: log)
      // The code of the first stream keeps the reactor until the stream has ended.
      for keeper in [made, nil] {
        made.action.send(
          EventStream<Int> { emit in
            withExtendedLifetime(keeper) { emitters.value.append(emit) }
            return EventSubscription {}
          })
      }
      return made.action
    }
    queue.sync {
      // One turn, in which all of this waits.
      entrance.send(
        EventStream<Int> { emit in
          emitters.value[0](1)
          emitters.value[0].finish()
          emitters.value.removeFirst()
          emitters.value[0](2)
          emitters.value[0](3)
          return EventSubscription {}
        })
    }
    #expect(log.values == ["1", "gone"], "values of a reactor that has gone were reduced")
  }

  @Test("A queued effect waits for the queued one before it, also when another one under the id ends")
  func mixedPolicies() async {
    let reactor = CounterReactor.onOwnQueue()
    let gates = (1...3).map { _ in Gate() }
    let begun = Recorder<Int>()
    func effect(_ number: Int, _ policy: EffectPolicy) -> CounterReactor.Action {
      .answer { _ in
        Mutations<CounterReactor.Mutation>.run { _ in
          begun.append(number)
          await gates[number].wait()
        }.effect(id: "one", policy)
      }
    }
    reactor.onQueue { reactor in
      reactor.action(effect(0, .queued))
      reactor.action(effect(1, .queued))
      reactor.action(effect(2, .concurrent))
    }
    await eventually("the two that may run have begun", on: reactor.queue) { begun.count == 2 }
    gates[2].open()
    await eventually("the concurrent one has ended", on: reactor.queue) { reactor.effects.count == 2 }
    #expect(Set(begun.values) == [0, 2], "the second queued one waits for the first")
    gates[0].open()
    await eventually("then it begins", on: reactor.queue) { begun.values.last == 1 }
    gates[1].open()
    await eventually("all have ended", on: reactor.queue) { reactor.effects.isEmpty }
  }

  @Test("A state that is restored before first use is there at once, also from elsewhere")
  func restoredElsewhere() async {
    for _ in 0..<100 {
      let reactor = CounterReactor.onOwnQueue()
      var state = reactor.state
      state.n = 5
      reactor.restore(state)
      #expect(reactor.state.n == 5)
      reactor.action(.inc)
      await settle(reactor)
      #expect(reactor.state.n == 6)
    }
  }

  @Test("What was sent before restore is handled before it")
  func restoredAfterAnAction() async {
    let reactor = CounterReactor.onOwnQueue()
    var state = reactor.state
    state.n = 5
    reactor.queue.suspend()
    reactor.action(.inc)
    reactor.restore(state)
    reactor.action(.inc)
    reactor.queue.resume()
    await settle(reactor)
    #expect(reactor.state.n == 6)
  }

  @Test("A child that its parent makes reports where its parent reports")
  func childReports() async {
    let queue = DispatchQueue(label: "parent and child")
    let (parent, reports) = collectingReports { Pair(queue: queue) }
    let child = queue.sync { parent.nest(at: \.child) { FailingRow(queue: queue) } }
    parent.action(.show)
    await settle(parent)
    child.reactor?.action(1)
    await eventually("the child's failure is reported", on: queue) { reports.count == 1 }
    let gone = child.reactor
    parent.action(.hide)
    await settle(parent)
    gone?.action(2)
    await eventually("and its late action", on: queue) { reports.count == 2 }
    #expect(reports.values.map(\.kind) == [.effectFailed, .lateArrival])
  }
}
