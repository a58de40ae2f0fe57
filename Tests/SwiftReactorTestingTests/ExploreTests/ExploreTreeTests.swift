// Nested reactors, and reactors that share no queue, in every order.

import Dispatch
import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Explore · Trees", .serialized)
struct ExploreTreeTests {
  @Test(
    "A child's answer and its removal, in every order: what comes late is dropped, and the whole agrees with itself")
  func removal() async {
    let seen = Collected<HouseState>()
    let ends = Collected<[Int]>()
    let exploration = await explore(
      reactor: { House() },
      scenario: Scenario(
        after: [.call("ask") { house in for id in [1, 2] { house.lamps.reactor(for: id)?.action(.ask) } }],
        .sender("user", .send(.remove(1)), .send(.add(1))), .sender("other", .send(.renew(2)).elsewhere)),
      invariant: { state in
        seen.insert(state)
        return state.lamps.ids.allSatisfy { state.lamps[id: $0] != nil }
      },
      atEnd: { state in
        ends.insert(state.lamps.ids.map { state.lamps[id: $0]?.answers ?? -1 })
        return true
      })
    #expect(exploration.isComplete && exploration.failure == nil)
    // Lamp 2 comes first after lamp 1 was put back. That one is always new; lamp 2 keeps its state when it gets another
    // reactor, whose predecessor may have had its answer before.
    #expect(ends.set == [[0, 0], [1, 0]])
    #expect(seen.set.contains { $0.lamps[id: 1]?.answers == 1 })
  }

  @Test("The steps of children are in the trace with their names, and their actions in scripts that lead there again")
  func trace() async {
    let scenario = Scenario<House>(
      .sender("user", .send(.ask, to: \.door), .send(.ask, to: \.cellar.reactor), .send(.dig)),
      .sender("other", .send(.ask, to: \.cellar.reactor)))
    let found = await explored(scenario)
    #expect(
      found.script == """
        let script = scenario.script(
          .send(.ask, to: \\House.door),
          .send(.dig),
          .step(1, of: "other"),  // send .ask to a nested Optional<Lamp>
          .answer("lamp"),
          .answer("lamp"),
          .turn
        )
        """)
    #expect(found.failure?.contains("\n  .turn\n    Lamp: mutation .answered, of .ask\n") == true)
    let script = scenario.script(
      .send(.ask, to: \House.door),
      .send(.dig),
      .step(1, of: "other"),
      .answer("lamp"),
      .answer("lamp"),
      .turn
    )
    #expect(await explored(script).script == found.script)
  }

  private func explored(_ scenario: Scenario<House>) async -> Exploration {
    await TestFailures.withHandler({ _ in }) {
      await explore(
        reactor: { House() }, scenario: scenario,
        invariant: { $0.door.answers == 0 || $0.cellar == nil || $0.cellar?.answers == 0 })
    }
  }

  @Test("A timer of a child that still runs at the end of an order is ended with it")
  func timers() async {
    let ends = Collected<Int>()
    let exploration = await explore(
      reactor: { House() },
      scenario: Scenario(after: [.send(.wait, to: \.door)], .sender("time", .advance(by: .seconds(2)))),
      invariant: { _ in true },
      atEnd: { state in
        ends.insert(state.door.answers)
        return true
      })
    #expect(exploration.isComplete && exploration.failure == nil)
    #expect(ends.set == [2])
  }

  /// The bell was made first, so its queue is the first one.
  @Test("What a child makes wrong is shown as it was, whatever else its turn commits")
  func violatingCommit() async {
    let scenario = Scenario<House>(
      .sender("far", .call("twice") { for _ in 1...2 { $0.door.action(.answer) } }.elsewhere))
    let exploration = await TestFailures.withHandler({ _ in }) {
      await explore(reactor: { House() }, scenario: scenario, invariant: { $0.door.answers != 1 })
    }
    #expect(exploration.failure?.contains("answers: 1") == true)
    #expect(exploration.failure?.contains("answers: 2") == false, "\(exploration.failure ?? "nothing")")
  }

  @Test("Reactors of two queues have turns of their own")
  func queues() async {
    let exploration = await TestFailures.withHandler({ _ in }) {
      await explore(
        reactor: {
          let bell = Bell(queue: DispatchQueue(label: "bell"))
          return House(bell: bell)
        }, scenario: Scenario(.sender("user", .send(.ring))), invariant: { $0.rings == 0 })
    }
    #expect(
      exploration.script == """
        let script = Scenario<House>.script(
          .send(.ring),
          .turn,
          .turn(2)
        )
        """)
  }
}

private typealias HouseState = House.State

/// Lamps under ids, a door that is always there, and a cellar once it was dug.
private final class House: BaseReactor<House.Action, House.Mutation, House.State>, @unchecked Sendable {
  // Safe to share: what is no constant is set once, in `init`.
  struct State: Hashable {
    var lamps: Keyed<Int, Lamp.State> = {
      var lamps = Keyed<Int, Lamp.State>()
      for id in [1, 2] { lamps.append(Lamp.State(), id: id) }
      return lamps
    }()
    var door = Lamp.State()
    var cellar: Lamp.State?
    var rings = 0
  }

  enum Action: Equatable { case remove(Int), add(Int), renew(Int), dig, ring, rang }
  enum Mutation: Equatable { case remove(Int), add(Int), dig, rang }

  private(set) var lamps: KeyedChildren<Int, Lamp>!
  private(set) var cellar: OptionalChild<Lamp>!
  let door: Lamp
  private let bell: Bell?

  init(bell: Bell? = nil) {
    let gate = Gate("lamp")
    self.bell = bell
    door = Lamp(gate)
    super.init(initialState: State())
    lamps = children(at: \.lamps) { _ in Lamp(gate) }
    cellar = nest(at: \.cellar) { Lamp(gate) }
    nest(door, at: \.door)
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .remove(let id): return [.remove(id)]
    case .add(let id): return [.add(id)]
    case .renew(let id):
      lamps.renew(id: id)
      return .none
    case .dig: return [.dig]
    case .ring:
      bell?.action(.ring { [weak self] in self?.action(.rang) })
      return .none
    case .rang: return [.rang]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .remove(let id): _ = state.lamps.remove(id)
    case .add(let id): state.lamps.append(Lamp.State(), id: id)
    case .dig: state.cellar = Lamp.State()
    case .rang: state.rings += 1
    }
  }
}

private final class Lamp: BaseReactor<Lamp.Action, Lamp.Mutation, Lamp.State>, @unchecked Sendable {
  // Safe to share: its properties are constants.
  struct State: Hashable { var answers = 0 }
  enum Action: Equatable { case ask, answer, wait }
  enum Mutation: Equatable { case answered }

  private let gate: Gate
  private let clock = ManualClock()

  init(_ gate: Gate) {
    self.gate = gate
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .ask:
      .run { [gate] emit in
        try await gate.wait()
        emit(.answered)
      }
    case .answer: [.answered]
    case .wait: Mutations(async: EventStream.interval(every: .seconds(1), clock: clock).map { _ in .answered })
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) { state.answers += 1 }
}

/// Tells whoever rings, on its own queue.
private final class Bell: BaseReactor<Bell.Action, Never, Int>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  enum Action { case ring(@Sendable () -> Void) }

  init(queue: DispatchQueue) {
    super.init(initialState: 0, queue: queue)
  }

  override func mutate(action: Action) -> Mutations<Never> {
    if case .ring(let tell) = action { tell() }
    return .none
  }
}
