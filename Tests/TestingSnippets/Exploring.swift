// The code of the guide "Every order": two reactors with a bug that ordinary tests pass, how it is found, and mended.

import Dispatch
import SwiftReactor
import SwiftReactorTesting
import Testing

// snippet.titles
class TitlesReactor: BaseReactor<TitlesReactor.Action, TitlesReactor.Mutation, TitlesReactor.State>,
  @unchecked Sendable  // safe: its property is constant
{
  enum Action { case search(String) }
  enum Mutation { case setQuery(String), setTitles([String]) }
  struct State: Hashable {
    var query = ""
    var titles: [String] = []
  }

  private let titles: @Sendable (String) async throws -> [String]

  init(titles: @escaping @Sendable (String) async throws -> [String]) {
    self.titles = titles
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .search(let query): [.setQuery(query)] + find(query)
    }
  }

  func find(_ query: String) -> Mutations<Mutation> {
    .run { [titles] emit in emit(.setTitles(try await titles(query))) }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setQuery(let query):
      state.query = query
      state.titles = []
    case .setTitles(let titles):
      state.titles = titles
    }
  }
}
// snippet.end

// snippet.titles-mended
final class MendedTitlesReactor: TitlesReactor, @unchecked Sendable {  // safe: it adds nothing
  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .search(let query): [.setQuery(query)] + find(query).effect(id: "find", .latest)
    }
  }
}
// snippet.end

// snippet.card
class CardReactor: BaseReactor<CardReactor.Action, CardReactor.Mutation, CardReactor.State>,
  @unchecked Sendable  // safe: its properties are constants
{
  struct Card: Hashable {
    var seconds = 0
  }

  enum Action { case work, finish }
  enum Mutation { case tick, moveToDone(Card) }
  struct State: Hashable {
    /// The card is in one of the two columns.
    var doing: Card? = Card()
    var done: Card?
    /// All seconds that were worked.
    var total = 0
  }

  private let clock: any Clock<Duration>
  private let save: @Sendable (Card) async throws -> Void

  init(clock: any Clock<Duration>, save: @escaping @Sendable (Card) async throws -> Void) {
    self.clock = clock
    self.save = save
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .work:
      return Mutations(async: EventStream.interval(every: .seconds(1), clock: clock).map { _ in .tick })
    case .finish:
      guard let card = state.doing else { return .none }
      return .run { [save] emit in
        try await save(card)
        emit(.moveToDone(card))
      }
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .tick:
      state.doing?.seconds += 1
      state.done?.seconds += 1
      state.total += 1
    case .moveToDone(let card):
      state.doing = nil
      state.done = card
    }
  }
}
// snippet.end

// snippet.card-mended
final class MendedCardReactor: CardReactor, @unchecked Sendable {  // safe: it adds nothing
  override func reduce(into state: inout State, mutation: Mutation) {
    if case .moveToDone = mutation {
      // Taken and put in one step, as it is now, not as it was when it was saved.
      state.done = state.doing
      state.doing = nil
    } else {
      super.reduce(into: &state, mutation: mutation)
    }
  }
}
// snippet.end

@Suite("Snippets · Every order")
struct ExploringTests {
  @Test("The ordinary test of the titles passes, bug or no bug")
  func ordinaryTitles() async {
    // snippet.titles-ordinary
    let test = TestReactor(TitlesReactor(titles: { ["\($0) 1"] }))
    await test.send(.search("dog")) { $0.query = "dog" }
    await test.receive(.setTitles(["dog 1"])) { $0.titles = ["dog 1"] }
    await test.send(.search("cat")) {
      $0.query = "cat"
      $0.titles = []
    }
    await test.receive(.setTitles(["cat 1"])) { $0.titles = ["cat 1"] }
    await test.finish()
    // snippet.end
  }

  // snippet.titles-explored
  func exploreTitles(
    _ make: @escaping (@escaping @Sendable (String) async throws -> [String]) -> TitlesReactor,
    _ scenario: Scenario<TitlesReactor>
  ) async -> Exploration {
    await explore(
      reactor: {
        let (dog, cat) = (Gate("dog"), Gate("cat"))
        return make { query in
          try await (query == "dog" ? dog : cat).wait()
          return ["\(query) 1"]
        }
      },
      scenario: scenario,
      invariant: { state in state.titles.allSatisfy { $0.hasPrefix(state.query) } })
  }

  let searching = Scenario<TitlesReactor>(.sender("user", .send(.search("dog")), .send(.search("cat"))))
  // snippet.end

  @Test("An old answer that wins over a new one is found, the script shows it again, and the mended reactor passes")
  func titles() async {
    let found = await Failures.taken { await exploreTitles(TitlesReactor.init, searching) }
    #expect(found.failure != nil)
    #expect(
      found.script == """
        let script = Scenario<TitlesReactor>.script(
          .send(.search("dog")),
          .send(.search("cat")),
          .answer("dog"),
          .turn
        )
        """)
    // snippet.titles-script
    let script = Scenario<TitlesReactor>.script(
      .send(.search("dog")),
      .send(.search("cat")),
      .answer("dog"),
      .turn
    )
    // snippet.end
    let again = await Failures.taken { await exploreTitles(TitlesReactor.init, script) }
    #expect(again.failure?.hasPrefix("explore: the invariant does not hold.") == true)
    let mended = await exploreTitles(MendedTitlesReactor.init, searching)
    #expect(mended.isComplete && mended.orders > 1)
  }

  @Test("The ordinary test of the card passes, bug or no bug")
  func ordinaryCard() async {
    let (clock, saved) = (ManualClock(), Gate())
    let test = TestReactor(CardReactor(clock: clock, save: { _ in try await saved.wait() }), exhaustivity: .off)
    await test.send(.work)
    await clock.advance(by: .seconds(3))
    await test.send(.finish)
    saved.open()
    await test.receive {
      $0.doing = nil
      $0.done = .init(seconds: 3)
      $0.total = 3
    }
  }

  @Test("A total that is wrong when a card moves while it ticks is found, and an atomic step mends it")
  func card() async {
    // snippet.card-explored
    func exploreCard(
      _ make:
        @escaping (any Clock<Duration>, @escaping @Sendable (CardReactor.Card) async throws -> Void) -> CardReactor,
      _ scenario: Scenario<CardReactor>
    ) async -> Exploration {
      await explore(
        reactor: {
          let saved = Gate("saved")
          return make(ManualClock(), { _ in try await saved.wait() })
        },
        scenario: scenario,
        invariant: { state in (state.doing ?? state.done)?.seconds == state.total })
    }

    let moving = Scenario<CardReactor>(
      .sender("user", .send(.work), .send(.finish)), .sender("time", .advance(by: .seconds(2))))
    // snippet.end
    let found = await Failures.taken { await exploreCard(CardReactor.init, moving) }
    #expect(
      found.script == """
        let script = Scenario<CardReactor>.script(
          .send(.work),
          .send(.finish),
          .advance(by: .seconds(1)),
          .answer("saved"),
          .turn
        )
        """)
    let script = Scenario<CardReactor>.script(
      .send(.work),
      .send(.finish),
      .advance(by: .seconds(1)),
      .answer("saved"),
      .turn
    )
    let again = await Failures.taken { await exploreCard(CardReactor.init, script) }
    #expect(again.failure?.hasPrefix("explore: the invariant does not hold.") == true)
    let mended = await exploreCard(MendedCardReactor.init, moving)
    #expect(mended.isComplete && mended.orders > 1)
  }
}

/// Takes the failures that are meant to be, so that they are none of the test.
private enum Failures {
  static func taken<Result>(_ body: () async -> Result) async -> Result {
    await TestFailures.withHandler({ _ in }, body)
  }
}
