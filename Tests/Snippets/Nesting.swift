// The code of the article "Nesting".

import Dispatch
import SwiftReactor
import Testing

// snippet.card
final class CardReactor: BaseReactor<CardReactor.Action, CardReactor.Mutation, CardReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case rename(String), archive }
  enum Mutation { case title(String) }
  struct State: Equatable { var title = "" }
  enum Output { case archived }

  init() { super.init(initialState: State()) }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .rename(let title):
      return [.title(title)]
    case .archive:
      output(Output.archived)
      return .none
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .title(let title): state.title = title
    }
  }
}
// snippet.end

// snippet.board
final class BoardReactor: BaseReactor<BoardReactor.Action, BoardReactor.Mutation, BoardReactor.State>,
  @unchecked Sendable  // safe: its stored properties are set in init, or on the queue
{
  enum Action { case add(Int, title: String), remove(Int), edit(String?), setHeader(String) }
  enum Mutation { case add(Int, CardReactor.State), remove(Int), edit(CardReactor.State?), setHeader(String) }

  struct State {
    var header = CardReactor.State()
    var draft: CardReactor.State?
    var cards = Keyed<Int, CardReactor.State>()
    var archived = 0
  }

  let header = CardReactor()
  private(set) lazy var draft = nest(at: \.draft) { CardReactor() }
  private(set) lazy var cards = children(at: \.cards) { _ in CardReactor() }

  init() {
    super.init(initialState: State())
    nest(header, at: \.header)
    _ = (draft, cards)
  }
  // snippet.end

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .add(let id, let title): [.add(id, CardReactor.State(title: title))]
    case .remove(let id): [.remove(id)]
    case .edit(let title): [.edit(title.map { CardReactor.State(title: $0) })]
    case .setHeader(let title): [.setHeader(title)]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let id, let card): state.cards.append(card, id: id)
    case .remove(let id): state.cards.remove(id)
    case .edit(let card): state.draft = card
    case .setHeader(let title): state.header.title = title
    }
  }

  // snippet.received
  override func received(output: any Sendable, from child: AnyObject) -> Action? {
    guard case CardReactor.Output.archived = output else { return nil }
    return state.cards.ids.first { cards.reactor(for: $0) === child }.map { .remove($0) }
  }
  // snippet.end
}

@MainActor @Suite("Snippets · Nesting")
struct NestingSnippetTests {
  @Test("One state, two reactors")
  func window() {
    // snippet.window
    let board = BoardReactor()
    board.header.action(.rename("Today"))
    #expect(board.state.header.title == "Today")
    board.action(.setHeader("Tomorrow"))
    #expect(board.header.title == "Tomorrow")
    // snippet.end
  }

  @Test("Children that come and go")
  func comeAndGo() {
    let board = BoardReactor()
    // snippet.comeAndGo
    board.action(.edit("New"))
    let draft = board.draft.reactor  // made with the commit
    #expect(draft?.title == "New")
    board.action(.edit(nil))
    #expect(board.draft.reactor == nil)
    #expect(draft?.isAttached == false)

    board.action(.add(7, title: "Write"))
    board.cards.reactor(for: 7)?.action(.rename("Rewrite"))
    #expect(board.state.cards[id: 7]?.title == "Rewrite")
    // snippet.end
  }

  @Test("Outputs")
  func outputs() {
    let board = BoardReactor()
    // snippet.output
    board.action(.add(7, title: "Write"))
    board.cards.reactor(for: 7)?.action(.archive)
    #expect(board.state.cards.isEmpty)
    // snippet.end
  }
}
