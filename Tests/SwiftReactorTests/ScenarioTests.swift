// Scenarios of the designs that this framework takes in, written with its own parts: S2, S11 (an action that is a
// stream), S12.

import Dispatch
import Foundation
import SwiftReactor
import Testing

/// S2: a small machine with a side effect.
private final class TitlesReactor: BaseReactor<TitlesReactor.Action, TitlesReactor.State, TitlesReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds constants of Sendable types.
  enum State: Equatable, Sendable { case initial, loading, loaded([String]) }
  enum Action: Sendable { case load }

  let request: EventStream<[String]>

  init(request: EventStream<[String]>, queue: DispatchQueue) {
    self.request = request
    super.init(initialState: .initial, queue: queue)
  }

  override func mutate(action: Action) -> Mutations<State> {
    Mutations(sync: .loading, async: request.map { .loaded($0) }).effect(id: "load")
  }

  override func reduce(into state: inout State, mutation: State) { state = mutation }
}

/// S11: two reducers, one after the other, each handling its own action.
private final class AppReactor: BaseReactor<AppReactor.Action, AppReactor.Action, AppReactor.State>, @unchecked Sendable
{
  // Safe to share: adds no stored property.
  enum Loaded: Equatable, Sendable { case none, loaded(String) }
  struct State: Sendable {
    var user = Loaded.none
    var contacts = Loaded.none
  }
  enum Action: Sendable { case loadUser(String), loadContacts(String) }

  override func mutate(action: Action) -> Mutations<Action> { [action] }

  override func reduce(into state: inout State, mutation: Action) {
    Self.reduceUser(&state.user, mutation)
    Self.reduceContacts(&state.contacts, mutation)
  }

  private static func reduceUser(_ user: inout Loaded, _ action: Action) {
    if case .loadUser(let name) = action { user = .loaded(name) }
  }

  private static func reduceContacts(_ contacts: inout Loaded, _ action: Action) {
    if case .loadContacts(let name) = action { contacts = .loaded(name) }
  }
}

/// S12: the original example.
private final class ExampleReactor: BaseReactor<ExampleReactor.Action, ExampleReactor.Mutation, ExampleReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds a constant of a Sendable type.
  struct State: Equatable, Sendable {
    var text = ""
    var isOn = false
    var flipsBack = false
    var background = 0
  }
  enum Action: Sendable { case type(String), flip(Bool), flipForAWhile, nextBackground }
  enum Mutation: Sendable { case text(String), isOn(Bool), flipsBack(Bool), background(Int) }

  let clock: SteppedClock

  init(clock: SteppedClock, queue: DispatchQueue) {
    self.clock = clock
    super.init(initialState: State(), queue: queue)
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .type(let text): [.text(text)]
    case .flip(let isOn): [.isOn(isOn)]
    case .flipForAWhile:
      Mutations(
        sync: .flipsBack(true), async: EventStream.just(.flipsBack(false)).delay(for: .seconds(2), clock: clock)
      ).effect(id: "flip")
    case .nextBackground: [.background(state.background + 1)]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .text(let text): state.text = text
    case .isOn(let isOn): state.isOn = isOn
    case .flipsBack(let flipsBack): state.flipsBack = flipsBack
    case .background(let number): state.background = number
    }
  }

  override func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> {
    mutation.prepend(.text("hello"))
  }

  override func transform(action: EventStream<Action>) -> EventStream<Action> {
    action.prepend(.flipForAWhile)
  }
}

@Suite("Scenarios")
struct ScenarioTests {
  private let queue = DispatchQueue(label: "scenario")

  @Test("S2 · A small machine with a side effect: initial, loading, loaded")
  func titles() async {
    let answer = Gate()
    let reactor = TitlesReactor(
      request: EventStream { (emit: Emitter<[String]>) async in
        await answer.wait()
        emit(["title1", "title2"])
      }, queue: queue)
    let seen = Recorder<TitlesReactor.State>()
    let token = reactor.observe(\.self) { seen.append($0) }
    reactor.action(.load)
    await eventually("it loads", of: reactor) { $0 == .loading }
    answer.open()
    await eventually("it is loaded", of: reactor) { $0 == .loaded(["title1", "title2"]) }
    #expect(seen.values == [.initial, .loading, .loaded(["title1", "title2"])])
    token.cancel()
  }

  @Test("S2 · An already answered request never ends in loading")
  func titlesAtOnce() {
    let reactor = TitlesReactor(request: .just(["title1", "title2"]), queue: queue)
    let seen = Recorder<TitlesReactor.State>()
    queue.sync {
      let token = reactor.observe(\.self) { seen.append($0) }
      reactor.action(.load)
      token.cancel()
    }
    #expect(seen.values == [.initial, .loading, .loaded(["title1", "title2"])])
  }

  @Test("S11 · Two reducers, and an action that is a stream: as if the action had been sent then")
  func streamOfActions() async {
    let reactor = AppReactor(initialState: .init(), queue: queue)
    let users = Recorder<AppReactor.Loaded>()
    let token = queue.sync { reactor.observe(\.user) { users.append($0) } }
    let later = EventSubject<AppReactor.Action>()
    let feed = later.stream.sink { reactor.action($0) }
    queue.sync { reactor.action(.loadContacts("contacts")) }
    #expect(users.values == [.none], "an observer of the user is not told when only contacts change")
    await onThread { later.send(.loadUser("user 1")) }
    await eventually("the user is loaded", of: reactor) { $0.user == .loaded("user 1") }
    queue.sync { reactor.action(.loadUser("user 1")) }
    #expect(users.values == [.none, .loaded("user 1")], "nor when it is replaced by an equal one")
    #expect(reactor.state.contacts == .loaded("contacts"))
    feed.cancel()
    token.cancel()
  }

  @Test("S12 · The original example: typing at once, a switch that flips back two seconds later, hooks at the start")
  func originalExample() async {
    let clock = SteppedClock()
    let reactor = ExampleReactor(clock: clock, queue: queue)
    let seen = Recorder<ExampleReactor.State>()
    let token = queue.sync { reactor.observe(\.self) { seen.append($0) } }
    #expect(seen.values.first?.text == "hello", "the first text comes from a hook")
    #expect(seen.values.first?.flipsBack == true, "and so does the asynchronous switch")
    await eventually("the switch waits for its time", on: queue) { clock.sleeping == 1 }
    queue.sync {
      reactor.action(.type("hello you"))
      #expect(reactor.state.text == "hello you")
      reactor.action(.flip(true))
      #expect(reactor.state.isOn)
      reactor.action(.nextBackground)
      #expect(reactor.state.background == 1)
    }
    clock.advance(by: .milliseconds(1999))
    await settle(queue)
    #expect(reactor.state.flipsBack)
    clock.advance(by: .milliseconds(1))
    await eventually("it flips back", of: reactor) { !$0.flipsBack }
    #expect(
      reactor.state == .init(text: "hello you", isOn: true, flipsBack: false, background: 1))
    token.cancel()
  }

  @Test("S12 · A thousand actions on the queue, counted when the loop ends")
  @MainActor
  func thousandOnMain() {
    let reactor = CounterReactor()
    for _ in 0..<1000 { reactor.action(.inc) }
    #expect(reactor.state.n == 1000)
  }

  @Test("S12 · Hooks that put in a mutation, an action and an async action before a first action end at five")
  func hooksEndAtFive() async {
    for _ in 0..<100 {
      let reactor = CounterReactor.onOwnQueue(
        hooks: .init(
          action: { $0.prepend(.incTwice, .incLater) },
          mutation: { $0.prepend(.inc) }))
      reactor.action(.inc)
      await eventually("one, two, one and one", of: reactor) { $0.n == 5 }
      await settle(reactor, rounds: 2)
      #expect(reactor.state.n == 5)
    }
  }
}
