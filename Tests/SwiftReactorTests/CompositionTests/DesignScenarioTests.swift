// Scenarios of other designs whose parts are spread over this framework: S1 (streams), S6 (modules apart), S9 (a store).

import Dispatch
import SwiftReactor
import Testing

/// S6: the news, with inputs and outputs.
private final class NewsModule: BaseReactor<NewsModule.Input, NewsModule.Input, NewsModule.State>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  enum Input: Sendable { case userChanged(String), load }
  struct State: Equatable, Sendable {
    var user = ""
    var step = "initial"
  }

  init(queue: DispatchQueue) { super.init(initialState: State(), queue: queue) }

  override func mutate(action: Input) -> Mutations<Input> {
    if case .load = action { output("loading") }
    return [action]
  }

  override func reduce(into state: inout State, mutation: Input) {
    switch mutation {
    case .userChanged(let user): state.user = user
    case .load: state.step = "loading"
    }
  }
}

/// S6: the app, which knows the news as inputs and outputs only; nested, it holds their state.
private final class AppModule: BaseReactor<AppModule.Action, AppModule.Action, AppModule.State>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  enum Action: Sendable { case user(String), step(String) }
  struct State: Equatable, Sendable {
    var user = ""
    var step = ""
    var news = NewsModule.State()
  }

  init(queue: DispatchQueue) { super.init(initialState: State(), queue: queue) }

  override func mutate(action: Action) -> Mutations<Action> { [action] }

  override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .user(let user): (state.user, state.news.user) = (user, user)
    case .step(let step): state.step = step
    }
  }

  override func received(output: any Sendable, from child: AnyObject) -> Action? {
    (output as? String).map { .step($0) }
  }
}

/// S9: a store of updates.
private final class Store: BaseReactor<Store.Message, Store.Change, Store.Model>, @unchecked Sendable {
  // Safe to share: adds constants.
  enum Message: Sendable { case increment, append(String), both(String) }
  enum Change: Sendable { case add(Int), text(String), told(String) }
  struct Model: Equatable, Sendable {
    var count = 0
    var text = ""
    var told: [String] = []
  }

  let gates: [String: Gate]

  init(_ gates: [String: Gate], queue: DispatchQueue) {
    self.gates = gates
    super.init(initialState: Model(), queue: queue)
  }

  private func tell(_ name: String) -> Mutations<Change> {
    .run { [gates] emit in
      await gates[name]?.wait()
      emit(.told(name))
    }
  }

  override func mutate(action: Message) -> Mutations<Change> {
    switch action {
    case .increment: [.add(1)]
    case .append(let text): [.text(text)] + tell("first")
    case .both(let text): [.add(1)] + tell("first") + [.text(text)] + tell("second")
    }
  }

  override func reduce(into state: inout Model, mutation: Change) {
    switch mutation {
    case .add(let number): state.count += number
    case .text(let text): state.text += text
    case .told(let name): state.told.append(name)
    }
  }
}

@Suite("Scenarios of other designs")
struct DesignScenarioTests {
  private let queue = DispatchQueue(label: "designs")

  @Test("S1 · Two observers of one source, one of which is let go; map over the same")
  func streams() {
    let source = EventSubject<Int>()
    let (first, second, added) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
    let one = source.stream.sink { first.append($0) }
    var two: EventSubscription? = source.stream.sink { second.append($0) }
    let three = source.stream.map { $0 + 1 }.sink { added.append($0) }
    #expect(first.values.isEmpty, "it starts without a value")
    for number in 1...5 {
      source.send(number)
      if number == 2 { two = nil }
    }
    #expect(first.values == [1, 2, 3, 4, 5] && second.values == [1, 2] && added.values == [2, 3, 4, 5, 6])
    withExtendedLifetime((one, two, three)) {}
  }

  @Test("S1 · Nine values from two threads at once: each observer gets each once, never two at a time")
  func manySenders() async {
    let source = EventSubject<Int>()
    let inside = Shared(0)
    let overlaps = Shared(0)
    // The last value of the one sender is being handed on while the other sends all of its values. Then nobody sends any
    // more, and what was left has to come all the same.
    let (isInside, hasSent) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let seen = (0..<3).map { _ in Recorder<Int>() }
    let tokens = seen.enumerated().map { index, list in
      source.stream.sink { number in
        if inside.increment() != 1 { overlaps.increment() }
        if number == 4, index == 1 {
          isInside.signal()
          hasSent.wait()
        }
        list.append(number)
        inside.withLock { $0 -= 1 }
      }
    }
    await watched("two senders, the one inside the other's delivery") {
      async let left: Void = onThread { for number in 1...4 { source.send(number) } }
      async let right: Void = onThread {
        isInside.wait()
        for number in 5...9 { source.send(number) }
        hasSent.signal()
      }
      _ = await (left, right)
    }
    await eventually("everything has come", on: queue) { seen.allSatisfy { $0.count == 9 } }
    for list in seen { #expect(list.values.sorted() == Array(1...9) && list.values == seen[0].values) }
    #expect(overlaps.value == 0)
    tokens.forEach { $0.cancel() }
  }

  @Test("S6 · Two modules apart: the app feeds the one and listens to the other")
  func apart() {
    let app = AppModule(queue: queue)
    let news = NewsModule(queue: queue)
    let steps = news.$state.map(\.step).removeDuplicates()
    queue.sync {
      let glue = [app.observe(\.user) { news.action(.userChanged($0)) }, steps.sink { app.action(.step($0)) }]
      #expect(app.step == "initial")
      app.action(.user("user 1"))
      news.action(.load)
      #expect(news.state == .init(user: "user 1", step: "loading") && app.step == "loading")
      #expect(app.state.news == .init(user: "user 1", step: "initial"), "two states, kept equal by hand")
      glue.forEach { $0.cancel() }
      app.action(.user("user 2"))
      #expect(news.user == "user 1")
    }
  }

  @Test("S6 · As a nested reactor, without the copying; what is no state is an output")
  func nested() {
    let app = AppModule(queue: queue)
    let news = NewsModule(queue: queue)
    queue.sync {
      app.nest(news, at: \.news)
      let (inApp, inNews) = (Recorder<String>(), Recorder<String>())
      let tokens = [app.observe(\.news.user) { inApp.append($0) }, news.observe(\.user) { inNews.append($0) }]
      app.action(.user("user 1"))
      #expect(inNews.values == ["", "user 1"], "who looks at the news hears of what the app does")
      news.action(.userChanged("user 2"))
      #expect(inApp.values == ["", "user 1", "user 2"], "and who looks at the app of what the news do")
      news.action(.load)
      #expect(news.user == "user 2")
      #expect(app.state.news == .init(user: "user 2", step: "loading") && app.step == "loading")
      tokens.forEach { $0.cancel() }
    }
  }

  @Test(
    "S9 · Increment gives a new model and no effect; two updates give both changes, in one commit, and both effects")
  func updates() async {
    let gates = ["first": Gate(), "second": Gate()]
    let store = Store(gates, queue: queue)
    let models = Recorder<Store.Model>()
    let token = queue.sync { store.observe(\.self) { models.append($0) } }
    queue.sync {
      store.action(.increment)
      #expect(store.state == .init(count: 1) && store.effects.isEmpty)
      store.action(.both("a"))
      #expect(models.values == [.init(), .init(count: 1), .init(count: 2, text: "a")])
      #expect(store.effects.count == 2, "both are kept")
    }
    gates["second"]?.open()
    await eventually("the second is over and forgotten", on: queue) { store.effects.count == 1 }
    gates["first"]?.open()
    await eventually("so is the first", on: queue) { store.effects.isEmpty }
    #expect(store.told == ["second", "first"])
    token.cancel()
  }

  @Test("S9 · A model that is equal to the old one publishes nothing when filtered")
  func equalModels() {
    let store = Store([:], queue: queue)
    let (filtered, all) = (Recorder<Store.Model>(), Recorder<Store.Model>())
    queue.sync {
      let tokens = [
        store.$state.removeDuplicates().sink { filtered.append($0) }, store.$state.sink { all.append($0) },
      ]
      store.restore(store.state)
      store.mutation.send(.add(0))
      tokens.forEach { $0.cancel() }
    }
    #expect(filtered.count == 1 && all.count == 3)
  }
}
