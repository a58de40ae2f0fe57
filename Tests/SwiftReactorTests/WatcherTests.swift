// What a watcher sees: every step with what set it off, and the lives of effects.

import Dispatch
import Testing

@testable import SwiftReactor

@Suite("Watchers")
struct WatcherTests {
  @Test("Without a watcher an action goes its plain way, with one it does not")
  func plain() {
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { $0.action(.inc) }
    #expect(reactor.core.isPlain && !reactor.core.isTraced)
    reactor.core.attach(StepLog<CounterReactor.State>())
    reactor.onQueue { _ in }
    #expect(!reactor.core.isPlain && reactor.core.isTraced)
  }

  @Test("Each step comes with its mutations, the state before and after, and what set it off")
  func sources() async {
    let log = StepLog<CounterReactor.State>()
    let other = CounterReactor(queue: .main)
    let reactor = CounterReactor(queue: .main)
    reactor.core.attach(log)
    await hop(.main)
    await onMain {
      reactor.action(.inc)
      reactor.mutation.send(.setA(2))
      let token = reactor.observe(\.n) { n in if n == 2 { reactor.action(.setB(2)) } }
      reactor.action(.inc)
      token.cancel()
      let far = other.observe(\.n) { n in if n == 1 { reactor.action(.setB(3)) } }
      other.action(.inc)
      far.cancel()
      reactor.action(
        .answer {
          $0.action(.setB(4)); return .none
        })
      reactor.action(.answer([.change { _ in reactor.action(.setB(5)) }]))
      reactor.action(.answer(Mutations(async: .just(.setB(6)))))
      reactor.restore(.init(n: 9))
    }
    await reactor.perform(.setA(7))
    reactor.action(.answer { reactor in .run { [action = reactor.action] _ in action.send(.setB(8)) } })
    await eventually("the effect's action is there", of: reactor) { $0.b == 8 }
    #expect(
      log.steps == [
        "1 outside 0→1", "1 outside 1→1", "1 outside 1→2", "1 observer of inc 2→2", "1 otherReactor 2→2",
        "0 outside 2→2", "1 mutate of answer 2→2", "1 outside 2→2", "1 reduce of answer 2→2", "0 outside 2→2",
        "1 effect of answer 2→2", "0 restore 2→9", "1 outside 9→9", "0 outside 9→9", "1 effect of answer 9→9",
      ])
    #expect(log.actionCount == 12, "mutate is announced for actions only")
  }

  @Test("What a hook injects or hands on later comes from the hook; what it multiplies is one step")
  func hooks() async {
    let log = StepLog<CounterReactor.State>()
    let later = EventSubject<CounterReactor.Mutation>()
    let reactor = CounterReactor(
      queue: .main,
      hooks: .init(
        action: { $0.flatMap { EventStream([$0, $0]) } },
        mutation: { $0.merge(with: later.stream.prepend(.setA(1))) }))
    reactor.core.attach(log)
    await onMain {
      reactor.action(.inc)
      later.send(.setA(2))
    }
    #expect(log.steps == ["1 hook 0→0", "2 outside 0→2", "1 hook 2→2"])
  }

  @Test("Effects are seen from their start to their end, however that comes")
  func effects() async {
    let log = StepLog<CounterReactor.State>()
    let reactor = CounterReactor(queue: .main, hooks: .init(onFailure: { _, _ in }))
    reactor.core.attach(log)
    let never = Gate()
    let start: @Sendable (String) -> CounterReactor.Action = { id in
      .answer(Mutations.run { _ in await never.wait() }.effect(id: id))
    }
    await onMain {
      reactor.action(start("a"))
      reactor.action(start("a"))
      reactor.action(.answer(.cancel(id: "a")))
    }
    await reactor.perform(.answer(Mutations.run { _ in throw StoryError() }.effect(id: "b")))
    await onMain { reactor.action(start("c")) }
    reactor.cancelEffects()
    await settle(reactor, rounds: 2)
    #expect(
      log.events == [
        "a started", "a cancelled", "a started", "a cancelled", "b started", "b failed", "b ended", "c started",
        "c cancelled",
      ])
    never.open()
  }

  private func onMain(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.main.async {
        body()
        continuation.resume()
      }
    }
  }
}

/// Writes down what a watcher is told.
private struct StepLog<State: Sendable>: StepWatcher {
  private let list = Recorder<String>()
  private let effects = Recorder<String>()
  private let actions = Recorder<String>()

  var steps: [String] { list.values }
  var events: [String] { effects.values }
  var actionCount: Int { actions.values.count }

  func willMutate(_ action: any Sendable, of reactor: String, from source: StepSource) {
    actions.append("\(reactor) \(source.kind)")
  }

  func didStep(_ step: WatchedStep<State>) {
    let cause = step.source.action.map { " of \("\($0)".prefix { $0.isLetter })" } ?? ""
    list.append("\(step.mutations.count) \(step.source.kind)\(cause) \(number(step.before))→\(number(step.after))")
  }

  func effectDid(_ event: EffectEvent, _ effect: WatchedEffect) {
    let word = "\(event)".prefix { $0.isLetter }
    effects.append("\(effect.id.map { "\($0)" } ?? "none") \(word)")
  }

  private func number(_ state: State) -> Int { (state as? CounterReactor.State)?.n ?? -1 }
}
