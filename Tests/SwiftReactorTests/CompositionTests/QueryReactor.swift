// A reactor whose effects are asked for by its state, and a record of what ran.

import Dispatch
import SwiftReactor

/// What the effects of the queries did, and the streams that they follow.
final class QueryLog: Sendable {
  typealias Mutation = QueryState.Mutation

  let lines = Recorder<String>()
  private let running = Shared<[String: EventSubject<Mutation>]>([:])

  /// The effect of a query: runs until it is cancelled or ended.
  func effect(_ name: String) -> EventStream<Mutation> {
    EventStream { [self] (emit: Emitter<Mutation>) -> EventSubscription in
      lines.append("start \(name)")
      let subject = EventSubject<Mutation>()
      running.withLock { $0[name] = subject }
      let feed = subject.stream.sink { emit($0) }
      ends.withLock { $0[name] = { emit.finish() } }
      return EventSubscription { [self] in
        feed.cancel()
        running.withLock { _ = $0.removeValue(forKey: name) }
        if ends.withLock({ $0.removeValue(forKey: name) != nil }) { lines.append("end \(name)") }
      }
    }
  }

  private let ends = Shared<[String: @Sendable () -> Void]>([:])

  /// The same under its name as an id.
  func named(_ name: String) -> Mutations<Mutation> {
    Mutations(async: effect(name)).effect(id: name, .concurrent)
  }

  func emit(_ mutation: Mutation, from name: String) {
    running.withLock { $0[name] }?.send(mutation)
  }

  /// The effect comes to its end by itself.
  func end(_ name: String) {
    ends.withLock { $0.removeValue(forKey: name) }?()
  }

  func isRunning(_ name: String) -> Bool {
    running.withLock { $0[name] != nil }
  }

  func takeLines() -> [String] {
    defer { lines.removeAll() }
    return lines.values
  }
}

/// What there is to ask for: one query, a set, a list.
struct QueryState: Equatable, Sendable {
  enum Mutation: Sendable {
    case one(Int?), many(Set<Int>), list([Int]), text(String), all(QueryState), append(Int)
  }

  var one: Int?
  var many: Set<Int> = []
  var list: [Int] = []
  var text = ""
  var numbers: [Int] = []

  mutating func apply(_ mutation: Mutation) {
    switch mutation {
    case .one(let query): one = query
    case .many(let queries): many = queries
    case .list(let queries): list = queries
    case .text(let text): self.text = text
    case .all(let state): self = state
    case .append(let number): numbers.append(number)
    }
  }
}

/// An action is the answer of `mutate`.
class QueryReactor: BaseReactor<Mutations<QueryState.Mutation>, QueryState.Mutation, QueryState>, @unchecked Sendable {
  // Safe to share: adds constants of Sendable types.
  let log: QueryLog
  let failures = Recorder<String>()

  init(_ log: QueryLog, _ state: QueryState = QueryState(), queue: DispatchQueue, hasFeedback: Bool = true) {
    self.log = log
    super.init(initialState: state, queue: queue)
    if hasFeedback { addFeedback() }
  }

  func addFeedback() {
    feedback(when: \.one) { [log] query in log.named("one \(query)") }
    feedback(when: \.many) { [log] query in log.named("many \(query)") }
    feedback(when: \.list) { [log] query in log.named("list \(query)") }
  }

  override func mutate(action: Mutations<QueryState.Mutation>) -> Mutations<QueryState.Mutation> { action }
  override func reduce(into state: inout QueryState, mutation: QueryState.Mutation) { state.apply(mutation) }

  override func effectFailed(_ error: any Error, action: Mutations<QueryState.Mutation>?) {
    failures.append("\(error), \(action == nil ? "no action" : "an action")")
  }

  /// The queries whose effects are known, as a text in an order.
  var known: [String] {
    effects.compactMap { $0.query.map { "\($0)" } }.sorted()
  }
}
