// The reactors that are explored in these tests.

import Dispatch
import SwiftReactor
import SwiftReactorTesting

/// Keeps what came, in order. Its effects wait at gates, each with the name of what it answers.
final class OrderReactor: BaseReactor<OrderReactor.Action, OrderReactor.Mutation, OrderReactor.State>,
  @unchecked Sendable
{
  // Safe to share: its properties are constants.
  struct State: Hashable, Sendable {
    var names: [String] = []
  }

  enum Action: Equatable, Sendable {
    case add(String)
    /// Several sync mutations: one commit.
    case addAll([String])
    /// An effect for each that answers at its gate.
    case ask([String])
    /// An answer at the gate "ask", of which only the newest counts.
    case askLatest(String)
    /// An effect that has something to say at once.
    case say(String)
    /// An effect that adds a name after so many seconds.
    case later(String, Int)
    case cancel
    /// Anything else: the test's own effect.
    case run(Work)
  }

  enum Mutation: Equatable, Sendable { case add(String) }

  /// An effect of a test, with a name.
  struct Work: Equatable, Sendable {
    let name: String
    let body: @Sendable (OrderReactor, Emitter<Mutation>) async throws -> Void

    static func == (lhs: Work, rhs: Work) -> Bool { lhs.name == rhs.name }
  }

  private let gates: [String: Gate]
  private let clock: any Clock<Duration>

  init(gates names: [String] = [], clock: any Clock<Duration> = ManualClock(), queue: DispatchQueue = .main) {
    gates = Dictionary(uniqueKeysWithValues: names.map { ($0, Gate($0)) })
    self.clock = clock
    super.init(initialState: State(), queue: queue)
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .add(let name): [.add(name)]
    case .addAll(let names): Mutations(sync: names.map { .add($0) })
    case .ask(let names): names.reduce(.none) { $0 + answer($1, at: $1).effect(id: $1, .concurrent) }
    case .askLatest(let name): answer(name, at: "ask").effect(id: "ask", .latest)
    case .say(let name): .run { emit in emit(.add(name)) }
    case .later(let name, let seconds):
      .run { [clock] emit in
        try await clock.sleep(for: .seconds(seconds))
        emit(.add(name))
      }.effect(id: "later", .concurrent)
    case .cancel: .cancel(id: "ask")
    case .run(let work):
      .run { [weak self] emit in
        guard let self else { return }
        try await work.body(self, emit)
      }
    }
  }

  private func answer(_ name: String, at gate: String) -> Mutations<Mutation> {
    .run { [gates] emit in
      try await gates[gate]?.wait()
      emit(.add(name))
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let name): state.names.append(name)
    }
  }
}

extension OrderReactor.Action {
  static func run(
    _ name: String, _ body: @escaping @Sendable (OrderReactor, Emitter<OrderReactor.Mutation>) async throws -> Void
  ) -> Self {
    .run(OrderReactor.Work(name: name, body: body))
  }
}
