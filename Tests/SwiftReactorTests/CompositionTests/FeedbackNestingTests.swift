// Feedback of nested reactors: a commit anywhere in the tree counts for everybody whose state it changes.

import Dispatch
import SwiftReactor
import Testing

/// A parent with a fixed child and one that comes and goes; its own query is made of the children's states.
private final class Household: BaseReactor<Household.Mutation, Household.Mutation, Household.State>,
  @unchecked Sendable
{
  // Safe to share: its stored properties are set in init, or on the queue.
  enum Mutation: Sendable { case fixed(QueryState.Mutation), optional(QueryState?), change(QueryState.Mutation) }
  struct State: Sendable {
    var fixed = QueryState()
    var optional: QueryState?
    var asked: Int? { fixed.one.map { $0 * 10 } }
  }

  let log: QueryLog
  let fixed: QueryReactor
  private(set) lazy var optional = nest(at: \.optional) { [log, queue] in QueryReactor(log, queue: queue) }

  init(_ log: QueryLog, queue: DispatchQueue) {
    self.log = log
    fixed = QueryReactor(log, queue: queue)
    super.init(initialState: State(), queue: queue)
    nest(fixed, at: \.fixed)
    feedback(when: \.asked) { Mutations(async: log.effect("parent \($0)").map { .fixed($0) }) }
    queue.sync { _ = optional }
  }

  override func mutate(action: Mutation) -> Mutations<Mutation> { [action] }
  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .fixed(let mutation): state.fixed.apply(mutation)
    case .optional(let optional): state.optional = optional
    case .change(let mutation): state.optional?.apply(mutation)
    }
  }
}

@Suite("Feedback of nested reactors")
struct FeedbackNestingTests {
  private let queue = DispatchQueue(label: "household")
  private let log = QueryLog()

  @Test("A child's commit starts what its parent's state asks for, a parent's what its child's does")
  func bothWays() {
    let house = Household(log, queue: queue)
    queue.sync {
      house.fixed.action([.one(1)])
      #expect(log.takeLines() == ["start one 1", "start parent 10"])
      house.action(.fixed(.one(2)))
      #expect(log.takeLines() == ["end parent 10", "start parent 20", "end one 1", "start one 2"])
      log.emit(.append(7), from: "parent 20")
      #expect(house.fixed.state.numbers == [7])
      house.restore(.init())
      #expect(log.takeLines() == ["end parent 20", "end one 2"])
    }
  }

  @Test("Whoever is told first of the commit finds all effects known")
  func knownBeforeDelivery() {
    let house = Household(log, queue: queue)
    let seen = Recorder<String>()
    queue.sync {
      house.fixed.action([.text("in use")])
      let here = house.fixed.observe(\.one) { one in
        if one != nil { seen.append("child \(house.fixed.known) \(house.effects.count)") }
      }
      let there = house.observe(\.fixed.one) { one in
        if one != nil { seen.append("parent \(house.fixed.known) \(house.effects.count)") }
      }
      house.fixed.action([.one(1)])
      house.action(.fixed(.one(2)))
      #expect(
        seen.values == [
          "child [\"1\"] 1", "parent [\"1\"] 1", "parent [\"2\"] 1", "child [\"2\"] 1",
        ])
      here.cancel()
      there.cancel()
    }
  }

  @Test("A child that comes with a query is started for it; when it goes its effects end with it")
  func comeAndGo() {
    let house = Household(log, queue: queue)
    queue.sync {
      house.action(.optional(QueryState(one: 5)))
      #expect(log.takeLines() == ["start one 5"])
      house.action(.change(.one(6)))
      #expect(log.takeLines() == ["end one 5", "start one 6"])
      let child = house.optional.reactor
      house.action(.optional(nil))
      #expect(log.takeLines() == ["end one 6"])
      house.action(.optional(QueryState(one: 7)))
      #expect(log.takeLines() == ["start one 7"])
      #expect(child?.isAttached == false && child?.effects.isEmpty == true)
    }
  }

  @Test("Nested in a state with another query, it follows that one")
  func nestedInUse() {
    let child = QueryReactor(log, queue: queue)
    let house = Household(log, queue: queue)
    queue.sync {
      house.action(.optional(nil))
      child.action([.one(1)])
      _ = log.takeLines()
      let parent = SecondHousehold(QueryState(one: 2), queue: queue)
      parent.action(.text("in use"))
      parent.nest(child, at: \.self)
      #expect(log.takeLines() == ["end one 1", "start one 2"])
      parent.action(.one(3))
      #expect(log.takeLines() == ["end one 2", "start one 3"])
    }
  }

  @Test("As long as nobody has used the parent, nothing begins; with its first use all of it does")
  func firstUse() {
    let house = Household(log, queue: queue)
    house.restore(.init(fixed: QueryState(one: 1)))
    queue.sync {
      #expect(log.takeLines() == [])
      house.action(.optional(nil))
      #expect(log.takeLines() == ["start parent 10", "start one 1"])
    }
  }
}

private final class SecondHousehold: BaseReactor<QueryState.Mutation, QueryState.Mutation, QueryState>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  init(_ state: QueryState, queue: DispatchQueue) { super.init(initialState: state, queue: queue) }
  override func mutate(action: QueryState.Mutation) -> Mutations<QueryState.Mutation> { [action] }
  override func reduce(into state: inout QueryState, mutation: QueryState.Mutation) { state.apply(mutation) }
}
