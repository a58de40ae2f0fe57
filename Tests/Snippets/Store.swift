// The code of the guides "A store of updates", "A search with surroundings" and "Several reducers, streams of actions".

import SwiftReactor
import Testing

// snippet.store
final class StoreReactor: BaseReactor<StoreReactor.Message, StoreReactor.Change, StoreReactor.Model>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Message { case increment, rename(String), both(String) }
  enum Change { case add(Int), name(String), saved }
  struct Model: Equatable {
    var count = 0
    var name = ""
    var saves = 0
  }

  init() { super.init(initialState: Model()) }

  private var increment: Mutations<Change> { [.add(1)] }

  private func rename(_ name: String) -> Mutations<Change> {
    [.name(name)] + .run { emit in emit(.saved) }
  }

  override func mutate(action: Message) -> Mutations<Change> {
    switch action {
    case .increment: increment
    case .rename(let name): rename(name)
    // Two updates, one after the other: one commit with both changes, and both effects.
    case .both(let name): increment + rename(name) + .run { emit in emit(.saved) }
    }
  }

  override func reduce(into state: inout Model, mutation: Change) {
    switch mutation {
    case .add(let number): state.count += number
    case .name(let name): state.name = name
    case .saved: state.saves += 1
    }
  }
}
// snippet.end

// snippet.search
final class AnswersReactor: BaseReactor<AnswersReactor.Action, AnswersReactor.Mutation, [String]>,
  @unchecked Sendable  // safe: its only property is a constant
{
  enum Action { case search(String) }
  enum Mutation { case setResults([String]) }

  struct Environment: Sendable {
    var find: @Sendable (String) async throws -> [String]
  }

  private let environment: Environment

  init(environment: Environment) {
    self.environment = environment
    super.init(initialState: [])
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .search(let query):
      .run { [environment] emit in
        let results = try? await environment.find(query)
        emit(.setResults(results ?? []))
      }.effect(id: "search")  // a newer search replaces the one that is under way
    }
  }

  override func reduce(into state: inout [String], mutation: Mutation) {
    switch mutation {
    case .setResults(let results): state = results
    }
  }
}
// snippet.end

// snippet.contacts
final class ContactsReactor: BaseReactor<ContactsReactor.Action, ContactsReactor.Action, ContactsReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Loaded: Equatable { case none, loaded(String) }
  enum Action { case loadUser(String), loadContacts(String) }
  struct State {
    var user = Loaded.none
    var contacts = Loaded.none
  }

  init() {
    let user: Reduce<State, Action> = Reduce<Loaded, String> { $0 = .loaded($1) }.pullback(state: \.user) { action in
      if case .loadUser(let name) = action { name } else { nil }
    }
    let contacts: Reduce<State, Action> = Reduce<Loaded, String> { $0 = .loaded($1) }
      .pullback(state: \.contacts) { action in
        if case .loadContacts(let names) = action { names } else { nil }
      }
    super.init(initialState: State(), reduce: .combine(user, contacts))
  }

  override func mutate(action: Action) -> Mutations<Action> { [action] }
}
// snippet.end

@MainActor @Suite("Snippets · Store")
struct StoreSnippetTests {
  @Test("S9 · A new model and no effect; two updates with both changes and both effects; equal models are not told")
  func store() async {
    // snippet.storeUse
    let store = StoreReactor()
    var models: [StoreReactor.Model] = []
    let subscription = store.observe(\.self) { models.append($0) }  // only models that differ
    store.action(.increment)
    #expect(store.count == 1 && store.effects.isEmpty)
    await store.perform(.both("Emma"))
    #expect(store.state == .init(count: 2, name: "Emma", saves: 2))
    #expect(store.effects.isEmpty)  // an effect is kept until it is over, and forgotten then
    store.restore(store.state)
    #expect(models.map(\.count) == [0, 1, 2, 2, 2])
    #expect(models.map(\.saves) == [0, 0, 0, 1, 2])
    // snippet.end
    subscription.cancel()
  }

  @Test("S10 · A newer search wins; a service that fails gives an empty list")
  func search() async {
    // snippet.searchUse
    let reactor = AnswersReactor(
      environment: .init { query in
        if query == "" { throw LibraryIsClosed() }
        if query == "slow" { try? await Task.sleep(for: .seconds(3600)) }
        return ["\(query) 1", "\(query) 2"]
      })
    reactor.action(.search("slow"))
    await reactor.perform(.search("quick"))
    #expect(reactor.state == ["quick 1", "quick 2"])
    #expect(reactor.effects.isEmpty)  // the slow one is over: its answer cannot come any more
    await reactor.perform(.search(""))
    #expect(reactor.state == [])
    // snippet.end
  }

  @Test("S11 · An observer of the user hears of the user only; a stream of actions is as if they had been sent then")
  func contacts() {
    // snippet.contactsUse
    let reactor = ContactsReactor()
    var users: [ContactsReactor.Loaded] = []
    let subscription = reactor.observe(\.user) { users.append($0) }
    reactor.action(.loadContacts("Emma, Jane"))
    #expect(users == [.none])

    // An action that is a stream of actions: `reactor.action` is a function, too.
    let later = EventSubject<ContactsReactor.Action>()
    let dispatch = later.stream.sink(reactor.action)
    later.send(.loadUser("user 1"))
    later.send(.loadUser("user 1"))
    #expect(users == [.none, .loaded("user 1")])
    // snippet.end
    dispatch.cancel()
    subscription.cancel()
  }
}
