// What effects do while they are explored: wait for reactors, make tasks below themselves, go through hooks and operators.

import Dispatch
import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Explore · Real effects", .serialized)
struct ExploreWaitTests {
  private func ends(
    gates: [String] = ["1", "2", "ask"], _ scenario: Scenario<OrderReactor>
  ) async -> Set<[String]> {
    let ends = Collected<[String]>()
    let exploration = await explore(
      reactor: { OrderReactor(gates: gates) }, scenario: scenario, invariant: { _ in true },
      atEnd: { state in
        ends.insert(state.names)
        return true
      })
    #expect(exploration.isComplete && exploration.failure == nil)
    return ends.set
  }

  @Test("An effect that waits in perform goes on when everything of its action is committed")
  func perform() async {
    let work = OrderReactor.Action.run("work") { reactor, emit in
      await reactor.perform(.ask(["1"]))
      emit(.add("after"))
    }
    let names = await ends(Scenario(.sender("a", .send(work)), .sender("b", .send(.add("b")))))
    #expect(names == [["b", "1", "after"], ["1", "b", "after"], ["1", "after", "b"]])
  }

  @Test("An effect that follows the states of a reactor waits for the explorer, not for something else")
  func states() async {
    let work = OrderReactor.Action.run("follow") { reactor, emit in
      for await count in reactor.values(of: \.names.count) where count >= 2 {
        emit(.add("two"))
        return
      }
    }
    let names = await ends(Scenario(.sender("a", .send(work)), .sender("b", .send(.add("1")), .send(.add("2")))))
    #expect(names == [["1", "2", "two"]])
  }

  @Test("An effect that never ends is no failure as long as it waits for a reactor, a gate or a clock")
  func endless() async {
    let work = OrderReactor.Action.run("follow") { reactor, _ in for await _ in reactor.states {} }
    let names = await ends(
      Scenario(.sender("a", .send(work), .send(.later("late", 1))), .sender("b", .send(.add("b")))))
    #expect(names == [["b"]])
  }

  @Test("Tasks below an effect, and actors, are in hold: their answers come in every order")
  func childTasks() async {
    actor Service {
      func answer(_ name: String, _ gate: Gate) async throws -> String {
        try await gate.wait()
        return name
      }
    }
    let names = Collected<[String]>()
    let exploration = await explore(
      reactor: {
        let (one, two, service) = (Gate("one"), Gate("two"), Service())
        let reactor = OrderReactor()
        reactor.action(
          .run("both") { _, emit in
            try await withThrowingTaskGroup(of: String.self) { group in
              group.addTask { try await service.answer("1", one) }
              group.addTask { try await service.answer("2", two) }
              for try await name in group { emit(.add(name)) }
            }
          })
        return reactor
      }, scenario: Scenario(), invariant: { _ in true },
      atEnd: { state in
        names.insert(state.names)
        return true
      })
    #expect(exploration.failure == nil)
    #expect(names.set == [["1", "2"], ["2", "1"]])
  }

  @Test("Values that a pacing emitter waits for are paced by the explorer")
  func whenDrained() async {
    let work = OrderReactor.Action.run("many") { _, emit in
      for number in 0..<(Emitter<OrderReactor.Mutation>.bound + 2) where !Task.isCancelled {
        await emit.whenDrained(.add("\(number)"))
      }
    }
    let names = await ends(Scenario(.sender("a", .send(work))))
    #expect(names.map(\.count) == [Emitter<OrderReactor.Mutation>.bound + 2])
  }

  @Test("An effect's action is sent from elsewhere, and its value from an observer is next")
  func sending() async {
    let work = OrderReactor.Action.run("send") { reactor, emit in
      reactor.action(.add("1"))
      emit(.add("2"))
    }
    let names = await ends(Scenario(.sender("a", .send(work)), .sender("b", .send(.add("b")))))
    #expect(names == [["1", "2", "b"], ["b", "1", "2"]])
  }

  @Test("Debounced and throttled effects, and hooks with clocks, follow the explorer's time")
  func timed() async {
    for kind in TimedReactor.Kind.allCases {
      let ends = Collected<[Int]>()
      let exploration = await explore(
        reactor: { TimedReactor(kind, clock: ManualClock()) },
        scenario: Scenario(
          .sender("user", .send(1), .send(2)), .sender("time", .advance(by: .seconds(1)), .advance(by: .seconds(1)))),
        invariant: { _ in true },
        atEnd: { state in
          ends.insert(state)
          return true
        })
      #expect(exploration.failure == nil)
      #expect(ends.set == kind.ends, "\(kind)")
    }
  }

  @Test("Whoever sleeps on a clock that was made elsewhere, a rate limit or a hook, is reported")
  func timedElsewhere() async {
    let clock = ManualClock()
    for kind in TimedReactor.Kind.allCases {
      let exploration = await TestFailures.withHandler({ _ in }) {
        await explore(
          reactor: { TimedReactor(kind, clock: clock) },
          scenario: Scenario(.sender("user", .send(1), .send(2)), .sender("time", .advance(by: .seconds(1)))),
          invariant: { _ in true })
      }
      #expect(exploration.failure?.contains("sleeps on a ManualClock that") == true, "\(kind)")
    }
  }

  @Test("Observers of the main actor are called on it")
  @MainActor
  func mainActor() async {
    let seen = Collected<[String]>()
    let subscriptions = Collected<EventSubscription>()
    await explore(
      reactor: {
        let reactor = OrderReactor(gates: ["1"])
        subscriptions.insert(
          reactor.observe(\.names) { @MainActor names in
            MainActor.assertIsolated()
            seen.insert(names)
          })
        return reactor
      }, scenario: Scenario(.sender("a", .send(.ask(["1"])))), invariant: { _ in true })
    #expect(seen.list == [[], ["1"]])
  }
}

/// Says numbers, timed in different ways.
private final class TimedReactor: BaseReactor<Int, Int, [Int]>, @unchecked Sendable {
  // Safe to share: its properties are constants.
  enum Kind: CaseIterable {
    case debounced, throttled, hook, interval

    /// What can come of 1 and 2 within two seconds.
    var ends: Set<[Int]> {
      switch self {
      case .debounced: [[1, 2], [2], [1], []]
      case .throttled: [[1, 2], [1]]
      case .hook: [[1, 2], [2], [1], []]
      case .interval: [[1, 1], [1, 2], [2, 2], [1], [2], []]
      }
    }
  }

  private let kind: Kind
  private let clock: any Clock<Duration>

  init(_ kind: Kind, clock: any Clock<Duration>) {
    self.kind = kind
    self.clock = clock
    super.init(initialState: [])
  }

  override func mutate(action: Int) -> Mutations<Int> {
    switch kind {
    case .debounced: Mutations(async: .just(action)).debounced(id: "say", for: .seconds(1), clock: clock)
    case .throttled: Mutations(async: .just(action)).throttled(id: "say", for: .seconds(1), clock: clock)
    case .hook: [action]
    case .interval:
      Mutations(async: EventStream.interval(every: .seconds(1), clock: clock).map { _ in action })
        .effect(id: "say", .latest)
    }
  }

  override func transform(mutation: EventStream<Int>) -> EventStream<Int> {
    kind == .hook ? mutation.debounce(for: .seconds(1), clock: clock) : mutation
  }

  override func reduce(into state: inout [Int], mutation: Int) { state.append(mutation) }
}
