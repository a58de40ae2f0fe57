// A use of every public name, from nonisolated code, in Swift 6 mode with warnings as errors. Nothing here is run: that
// it compiles is the test.

import Dispatch
import Observation
import SwiftReactor

/// A reactor as a library's user writes it.
final class NamesReactor: BaseReactor<NamesReactor.Action, NamesReactor.Mutation, NamesReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  enum Action: Equatable, Sendable { case set(Int), load }
  enum Mutation: Equatable, Sendable { case set(Int), fail }
  struct Child: Equatable, Sendable { var n = 0 }
  struct State: Equatable, Sendable {
    var a = 0
    var text = ""
    var child: Child?
    var items = [1, 2, 3]
    @Pulse var alert: String?
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .set(let value): [.set(value)]
    case .load:
      Mutations(sync: .set(0))
        + .run(priority: .low) { emit in
          emit(.set(1))
          await emit.whenDrained(.set(2))
          emit.finish()
        }.effect(id: "load", .latest) + .cancel(id: 7)
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    if case .set(let value) = mutation { state.a = value }
  }

  override func reduce(state: State, mutation: Mutation) -> State { state }
  override func transform(action: EventStream<Action>) -> EventStream<Action> { action }
  override func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> { mutation }
  override func transform(state: EventStream<State>) -> EventStream<State> { state }

  override func effectFailed(_ error: any Error, action: Action?) {
    super.effectFailed(error, action: action)
  }
}

/// The protocol, for a class that is no BaseReactor: `Mutation` is the action by default.
final class PlainReactor: Reactor {
  enum Action: Sendable { case add(Int) }
  let core = ReactorCore<Action, Action, Int>(initialState: 0, queue: .main)

  init() { core.connect(self) }

  func reduce(into state: inout Int, mutation: Action) {
    if case .add(let value) = mutation { state += value }
  }
}

/// The same with all hooks, and with mutations of its own.
final class FullReactor: Reactor {
  enum Action: Sendable { case start }
  enum Mutation: Sendable { case started }
  struct State: Sendable { var isStarted = false }
  let core = ReactorCore<Action, Mutation, State>(initialState: State())

  init() { core.connect(self) }

  func mutate(action: Action) -> Mutations<Mutation> { .init(sync: .started) }
  func reduce(state: State, mutation: Mutation) -> State { State(isStarted: true) }
  func transform(action: EventStream<Action>) -> EventStream<Action> { action }
  func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> { mutation }
  func transform(state: EventStream<State>) -> EventStream<State> { state }
  func effectFailed(_ error: any Error, action: Action?) {}
}

/// Calls of a reactor, from nonisolated code.
func callEverything(_ reactor: NamesReactor) async {
  let atOnce: NamesReactor.State = reactor.state
  let byName: Int = reactor.a
  _ = (atOnce, byName)
  reactor.action(.set(1))
  reactor.action.send(.set(2))
  reactor.mutation.send(.set(3))
  await reactor.perform(.load)
  await reactor.action(.load, while: { $0.a == 0 })
  reactor.restore(.init(a: 4))
  let effects = reactor.effects
  _ = effects.first?.id
  _ = effects.first?.action
  _ = effects.first?.since
  reactor.cancelEffects()
  let queue: DispatchQueue = reactor.queue
  _ = queue
  let actions: EventStream<NamesReactor.Action> = reactor.action.stream
  let mutations: EventStream<NamesReactor.Mutation> = reactor.mutation.stream
  _ = (actions, mutations)

  let plain = PlainReactor()
  plain.core.send(.add(1), to: plain)
  _ = plain.core.state
  _ = plain.core.states
  _ = plain.core.queue
  _ = FullReactor().core.observe(\.isStarted) { _ in }
}

/// Answers of `mutate`, in all their forms.
func answerEverything() {
  typealias Answer = Mutations<NamesReactor.Mutation>
  var answer: Answer = [.set(1), .fail]
  answer = .none
  answer = Answer(sync: .set(1))
  answer = Answer(sync: .set(1), async: .just(.fail))
  answer = Answer(sync: [.set(1), .fail], async: .never)
  answer = Answer(async: .empty)
  answer.sync = [.fail]
  answer.async = .just(.fail)
  answer = answer + .run { emit in emit(.fail) }
  answer = answer.effect(id: 1)
  for policy in [EffectPolicy.latest, .first, .queued, .concurrent, .concurrent(max: 2)] {
    answer = answer.effect(id: "policy", policy)
  }
  answer = answer.debounced(id: 1, for: .seconds(1), clock: ContinuousClock())
  answer = answer.throttled(id: 1, for: .seconds(1), latest: true, clock: ContinuousClock())
  answer = answer + .cancel(id: 1)
  _ = (answer.sync, answer.async)
}

/// Observing, from nonisolated code (key paths are not Sendable, and need not be).
func observeEverything(_ reactor: NamesReactor) async -> Set<EventSubscription> {
  var subscriptions: Set<EventSubscription> = []
  reactor.observe(\.a) { print($0) }.store(in: &subscriptions)
  reactor.observe(\.child?.n) { print($0 as Any) }.store(in: &subscriptions)
  reactor.observe(\.items[0]) { print($0) }.store(in: &subscriptions)
  reactor.observe(\.self) { print($0) }.store(in: &subscriptions)
  reactor.observe(\.text, by: { $0.count == $1.count }) { print($0) }.store(in: &subscriptions)
  reactor.$state.sink { print($0) }.store(in: &subscriptions)
  reactor.$state.map(\.a).removeDuplicates().sink { print($0) }.store(in: &subscriptions)
  reactor.pulse(\.$alert) { print($0 as Any) }.store(in: &subscriptions)
  let kept = \NamesReactor.State.a
  reactor.observe(kept) { print($0) }.store(in: &subscriptions)
  for await state in reactor.states { print(state) }
  for await value in reactor.values(of: \.a) { print(value) }
  for await value in reactor.values(of: \.a, buffering: .newest(8)) { print(value) }
  for await state in reactor.$state.values { print(state) }
  for await state in reactor.$state.values(buffering: .newest(1)) { print(state) }
  let own = EventSubscription { print("cancelled") }
  own.cancel()
  return subscriptions
}

/// Bindings, from nonisolated code; tracked reads.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
func bindEverything(_ reactor: NamesReactor, _ plain: FullReactor) -> [EventSubscription] {
  let kept = \NamesReactor.State.text
  let binding: StateBinding<Int> = reactor.binding(\.a, action: NamesReactor.Action.set)
  binding.value = 1
  binding.set(binding.value + 1)
  let texts: StateBinding<String> = reactor.binding(kept) { .set($0.count) }
  let child = reactor.binding(\.child?.n, action: { .set($0 ?? 0) })
  let item = reactor.binding(\.items[0], mutation: NamesReactor.Mutation.set)
  let isStarted = plain.binding(\.isStarted) { _ in .start }
  withObservationTracking {
    print(reactor.a, reactor.text, reactor.state.text, binding.value, plain.state)
  } onChange: {
    print("changed")
  }
  let observable: any Observable = reactor
  _ = observable
  return [
    binding.observe { print($0) }, texts.observe { print($0) }, child.observe { print($0 as Any) },
    item.observe { print($0) }, isStarted.observe { print($0) },
  ]
}

/// Streams: sources, operators, ends.
func streamEverything() {
  let subject = EventSubject<Int>()
  subject.send(1)
  let stream: EventStream<Int> = subject.stream
  let sources: [EventStream<Int>] = [
    .just(1), .empty, .never, EventStream([1, 2, 3]),
    EventStream(AsyncStream<Int> { $0.finish() }),
    EventStream { emit in
      await Task.yield()
      emit(1)
    },
    EventStream { emit in
      emit(1)
      return EventSubscription {}
    },
    stream.map { $0 + 1 }.compactMap { $0 > 1 ? $0 : nil }.filter { $0 > 2 }.removeDuplicates(),
    stream.removeDuplicates { $0 == $1 }.scan(0) { $0 + $1 }.prepend(0, 1).append(9),
    stream.merge(with: .just(2)).concat(.just(3)).flatMap { .just($0) },
    stream.map { EventStream.just($0) }.switchToLatest(),
    stream.withLatestFrom(.just("x")).map(\.count),
    stream.combineLatest(with: .just("x")).map { $0.0 },
    stream.prefix(3).dropFirst(1),
    stream.delay(for: .seconds(1), clock: ContinuousClock()),
    stream.debounce(for: .seconds(1), clock: ContinuousClock()),
    stream.throttle(for: .seconds(1), latest: true, clock: ContinuousClock()),
  ]
  for source in sources { source.sink { print($0) }.cancel() }
  subject.finish()
}

/// Reports.
func reportEverything() {
  ReactorReports.handler = { report in
    print(report.kind, report.reactor ?? "", report.action ?? "", report.message)
  }
  ReactorReports.withTestHandler({ print($0.message) }) {
    _ = NamesReactor(initialState: .init(), queue: DispatchQueue(label: "reports"))
  }
}

/// A parent: windows on its state.
final class ParentReactor: BaseReactor<ParentReactor.Action, ParentReactor.Action, ParentReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  enum Action: Sendable { case said(String) }
  enum Screen: Sendable { case list, edit(NamesReactor.State) }
  struct Element: Sendable, Identifiable { var id = 0 }
  struct State: Sendable {
    var names = NamesReactor.State()
    var detail: NamesReactor.State?
    var screen = Screen.list
    var array: [Element] = []
    var keyed = Keyed<Int, Element>()
  }

  override func received(output: any Sendable, from child: AnyObject) -> Action? {
    (output as? String).map(Action.said)
  }
}

final class ElementReactor: BaseReactor<Int, Int, ParentReactor.Element>, @unchecked Sendable {
  // Safe to share: adds no stored property.
}

/// Nesting, in all its forms.
func nestEverything(_ parent: ParentReactor) {
  let make: @Sendable () -> NamesReactor = { NamesReactor(initialState: .init()) }
  let child = make()
  parent.nest(child, at: \.names)
  let detail: OptionalChild<NamesReactor> = parent.nest(at: \.detail, make)
  _ = detail.reactor?.state
  let edit = Case<ParentReactor.Screen, NamesReactor.State>(
    embed: ParentReactor.Screen.edit, extract: { if case .edit(let state) = $0 { state } else { nil } })
  let editing: OptionalChild<NamesReactor> = parent.nest(at: \.screen, case: edit, make)
  _ = editing.reactor?.isAttached
  let inArray = parent.children(at: \.array, id: \.id) { ElementReactor(initialState: .init(id: $0)) }
  let inKeyed = parent.children(at: \.keyed) { ElementReactor(initialState: .init(id: $0)) }
  let named = parent.children(at: \.keyed, id: \.id) { ElementReactor(initialState: .init(id: $0)) }
  _ = inArray.reactor(for: 1)?.state
  inKeyed.renew(id: 1)
  named.renew(id: 1)
  child.output("saved")

  var keyed = Keyed<Int, ParentReactor.Element>([.init(id: 1)], id: \.id)
  keyed.append(.init(id: 2), id: 2)
  keyed.insert(.init(id: 3), id: 3, at: 0)
  keyed[id: 1]?.id = 1
  keyed.move(3, to: 1)
  _ = keyed.remove(2)
  _ = (keyed.count, keyed.isEmpty, keyed.ids, keyed.values, keyed.contains(1), keyed.index(of: 1))
}
