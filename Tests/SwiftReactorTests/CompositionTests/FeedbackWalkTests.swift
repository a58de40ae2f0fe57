// Ten thousand random walks of a state, against a model: which effects run is a function of the states that were shown.

import Dispatch
import SwiftReactor
import Testing

/// What has to run: told by the states, in order of the commits.
private struct QueryModel {
  var running: Set<String> = []
  var last = QueryState()

  mutating func show(_ state: QueryState) {
    if last.one != state.one {
      if let old = last.one { running.remove("one \(old)") }
      if let new = state.one { running.insert("one \(new)") }
    }
    for gone in last.many.subtracting(state.many) { running.remove("many \(gone)") }
    for new in state.many.subtracting(last.many) { running.insert("many \(new)") }
    for gone in Set(last.list).subtracting(state.list) { running.remove("list \(gone)") }
    for new in Set(state.list).subtracting(last.list) { running.insert("list \(new)") }
    last = state
  }
}

@Suite("Feedback: random walks")
struct FeedbackWalkTests {
  private func query(_ random: inout SeededGenerator) -> QueryState.Mutation {
    let some = { (random: inout SeededGenerator) in (1...3).filter { _ in Bool.random(using: &random) } }
    switch Int.random(in: 0...4, using: &random) {
    case 0: return .one(Bool.random(using: &random) ? nil : Int.random(in: 1...3, using: &random))
    case 1: return .many(Set(some(&random)))
    case 2: return .list(some(&random).shuffled(using: &random))
    case 3: return .text("\(Int.random(in: 0...2, using: &random))")
    default:
      return .all(
        QueryState(one: Int.random(in: 1...3, using: &random), many: Set(some(&random)), list: some(&random)))
    }
  }

  @Test("10 000 walks: what runs is what the states have asked for, and nobody ever sees anything else")
  func walks() async {
    let first = UInt64.random(in: 0..<1 << 48)
    print("feedback walks from seed \(first)")
    let queue = DispatchQueue(label: "walks")
    await watched("feedback walks from seed \(first)", seconds: 900) {
      for seed in first..<first + 10_000 {
        if let failure = queue.sync(execute: { walk(seed, on: queue) }) {
          Issue.record("seed \(seed): \(failure)")
          return
        }
        if seed % 500 == 0 { await Task.yield() }
      }
    }
  }

  /// One walk: commits of every kind, effects that emit and that end by themselves.
  private func walk(_ seed: UInt64, on queue: DispatchQueue) -> String? {
    var random = SeededGenerator(seed: seed)
    let log = QueryLog()
    let reactor = QueryReactor(log, queue: queue)
    let parent = Bool.random(using: &random) ? FamilyOfQueries(reactor, queue: queue) : nil
    let model = Shared(QueryModel())
    let wrong = Shared<String?>(nil)
    let check: @Sendable (QueryState, String) -> Void = { state, place in
      let expected = model.withLock { model -> [String] in
        model.show(state)
        return model.running.sorted()
      }
      let known = reactor.effects.map { "\($0.id?.base ?? "")" }.sorted()
      if known != expected, wrong.value == nil { wrong.value = "\(place): \(known), not \(expected)" }
    }
    let token = reactor.$state.sink { check($0, "an observer sees") }
    defer { token.cancel() }
    for _ in 0..<Int.random(in: 3...9, using: &random) {
      let next = query(&random)
      switch Int.random(in: 0...7, using: &random) {
      case 0: reactor.action([next, query(&random)])
      case 1: reactor.mutation.send(next)
      case 2:
        var state = reactor.state
        state.apply(next)
        reactor.restore(state)
      case 3: if let effect = model.value.running.min() { log.emit(next, from: effect) }
      case 4:
        guard let effect = model.value.running.max() else { continue }
        model.withLock { _ = $0.running.remove(effect) }
        log.end(effect)
      case 5: parent?.action(next)
      case 6: reactor.action([next] + Mutations(async: .just(query(&random))))
      default: reactor.action([next])
      }
      check(reactor.state, "after a step there runs")
      let alive = Set(
        log.lines.values.reduce(into: [String]()) { alive, line in
          let name = String(line.drop { $0 != " " }.dropFirst())
          if line.hasPrefix("start") { alive.append(name) } else { alive.removeAll { $0 == name } }
        })
      let ended = alive.subtracting(model.value.running).filter { log.isRunning($0) }
      if !ended.isEmpty { return "still running: \(ended)" }
      if let wrong = wrong.value { return wrong }
    }
    return nil
  }
}

/// A parent whose mutations change the child's state.
private final class FamilyOfQueries: BaseReactor<QueryState.Mutation, QueryState.Mutation, FamilyOfQueries.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  struct State: Sendable { var child = QueryState() }

  init(_ child: QueryReactor, queue: DispatchQueue) {
    super.init(initialState: State(), queue: queue)
    nest(child, at: \.child)
  }

  override func mutate(action: QueryState.Mutation) -> Mutations<QueryState.Mutation> { [action] }
  override func reduce(into state: inout State, mutation: QueryState.Mutation) { state.child.apply(mutation) }
}
