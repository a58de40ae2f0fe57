// The reactors of the scenarios.

import Dispatch
import SwiftReactor
import SwiftReactorTesting

/// S2: a small machine with a side effect.
final class TitlesReactor: BaseReactor<TitlesReactor.Action, TitlesReactor.State, TitlesReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds a constant.
  enum State: Equatable, Sendable { case initial, loading, loaded([String]) }
  enum Action: Sendable { case load }

  let request: @Sendable () async throws -> [String]

  init(_ request: @escaping @Sendable () async throws -> [String]) {
    self.request = request
    super.init(initialState: .initial, queue: DispatchQueue(label: "titles"))
  }

  override func mutate(action: Action) -> Mutations<State> {
    Mutations(sync: .loading) + .run { [request] emit in emit(.loaded(try await request())) }
  }

  override func reduce(into state: inout State, mutation: State) { state = mutation }
}

/// S3: the request is not started by the action, but by the state that is loading.
final class FeedbackTitlesReactor: BaseReactor<FeedbackTitlesReactor.Action, TitlesReactor.State, TitlesReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  enum Action: Equatable, Sendable { case load, leave }

  init(_ answered: Gate) {
    super.init(initialState: .initial, queue: DispatchQueue(label: "feedback"))
    feedback(when: \.request) { request in
      .run { emit in
        try await answered.wait()
        emit(.loaded([request + "1", request + "2"]))
      }
    }
  }

  override func mutate(action: Action) -> Mutations<TitlesReactor.State> {
    switch action {
    case .load: [.loading]
    case .leave: [.initial]
    }
  }

  override func reduce(into state: inout TitlesReactor.State, mutation: TitlesReactor.State) { state = mutation }
}

extension TitlesReactor.State {
  /// What the state asks for.
  var request: String? { self == .loading ? "title" : nil }
}

/// S7: a calendar that asks for permission.
final class CalendarReactor: BaseReactor<CalendarReactor.Action, CalendarReactor.Mutation, CalendarReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds a constant.
  enum Permission: Equatable, Sendable { case unknown, authorised }
  enum Action: Equatable, Sendable { case addEvent, save, clear, dismissed }
  enum Mutation: Equatable, Sendable { case show(Bool), permission(Permission), result(String?), dismissed }

  struct State: Equatable, Sendable {
    var isCalendarShown = false
    var permission = Permission.unknown
    var result: String?
    var dismissals = 0
  }

  let permission: @Sendable () async -> Permission

  init(permission: @escaping @Sendable () async -> Permission) {
    self.permission = permission
    super.init(initialState: State(), queue: DispatchQueue(label: "calendar"))
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .addEvent: [.show(true)] + .run { [permission] emit in emit(.permission(await permission())) }
    case .save: [.show(false)] + .run { emit in emit(.result("saved")) }
    case .clear: [.result(nil)]
    case .dismissed: [.dismissed]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .show(let isShown): state.isCalendarShown = isShown
    case .permission(let permission): state.permission = permission
    case .result(let result): state.result = result
    case .dismissed: state.dismissals += 1
    }
  }
}

/// S8: a list of breeds and one that is open.
final class DogListReactor: BaseReactor<DogListReactor.Action, DogListReactor.Mutation, DogListReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds a constant.
  struct Service: Sendable {
    var breeds: @Sendable () async throws -> [String]
    var picture: @Sendable (String) async throws -> String

    /// Answers after a moment of no time.
    static var fake: Service {
      let clock = ImmediateClock()
      return Service(
        breeds: {
          try await clock.sleep(for: .seconds(1))
          return ["hound", "bulldog"]
        },
        picture: { $0 })
    }

    /// Fails the test that uses it.
    static let failing = Service(
      breeds: { throw unexpectedCall("breeds") }, picture: { _ in throw unexpectedCall("picture") })
  }

  struct Detail: Equatable, Sendable {
    var breed: String
    var picture: String?
  }

  struct State: Equatable, Sendable {
    var breeds: [String] = []
    var query = ""
    var detail: Detail?

    var isLoading: Bool { breeds.isEmpty }
    var visible: [String] {
      query.isEmpty ? breeds : breeds.filter { $0.lowercased().contains(query.lowercased()) }
    }
  }

  enum Action: Equatable, Sendable { case load, search(String), open(String), leave }
  enum Mutation: Equatable, Sendable { case breeds([String]), query(String), detail(String?), picture(String) }

  let service: Service

  init(_ service: Service) {
    self.service = service
    super.init(initialState: State(), queue: DispatchQueue(label: "dogs"))
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .load: .run { [service] emit in emit(.breeds(try await service.breeds())) }
    case .search(let query): [.query(query)]
    case .leave: [.detail(nil)] + .cancel(id: "picture")
    case .open(let breed):
      [.detail(breed)]
        + .run { [service] emit in emit(.picture(try await service.picture(breed))) }.effect(id: "picture")
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .breeds(let breeds): state.breeds = breeds.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    case .query(let query): state.query = query
    case .detail(let breed): state.detail = breed.map { Detail(breed: $0) }
    case .picture(let picture): state.detail?.picture = picture
    }
  }
}

/// S10: a search with an environment.
final class SearchReactor: BaseReactor<SearchReactor.Action, SearchReactor.Mutation, [String]>, @unchecked Sendable {
  // Safe to share: adds a constant.
  enum Action: Equatable, Sendable { case search(String) }
  enum Mutation: Equatable, Sendable { case setResults([String]) }

  let service: @Sendable (String) async throws -> [String]

  init(_ service: @escaping @Sendable (String) async throws -> [String]) {
    self.service = service
    super.init(initialState: [], queue: DispatchQueue(label: "search"))
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .search(let query):
      .run { [service] emit in
        do {
          emit(.setResults(try await service(query)))
        } catch {
          emit(.setResults([]))
        }
      }.effect(id: "search")
    }
  }

  override func reduce(into state: inout [String], mutation: Mutation) {
    switch mutation {
    case .setResults(let results): state = results
    }
  }
}
