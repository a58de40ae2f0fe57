// The code of the guides "A small machine with a side effect" and "Effects that the state asks for".

import SwiftReactor
import Testing

// snippet.machine
final class TitlesReactor: BaseReactor<TitlesReactor.Action, TitlesReactor.State, TitlesReactor.State>,
  @unchecked Sendable  // safe: its only property is a constant
{
  enum Action { case load }
  enum State: Equatable { case initial, loading, loaded([String]) }

  private let titles: @Sendable () async throws -> [String]

  init(titles: @escaping @Sendable () async throws -> [String]) {
    self.titles = titles
    super.init(initialState: .initial)
  }

  override func mutate(action: Action) -> Mutations<State> {
    [.loading] + .run { [titles] emit in emit(.loaded(try await titles())) }.effect(id: "load")
  }

  // The mutation is the next state.
  override func reduce(into state: inout State, mutation: State) { state = mutation }
}
// snippet.end

// snippet.feedback
final class AskingReactor: BaseReactor<AskingReactor.Action, AskingReactor.State, AskingReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case load, leave }
  enum State: Equatable {
    case initial, loading, loaded([String])

    /// What the state asks for; nil if it asks for nothing.
    var request: String? { self == .loading ? "title" : nil }
  }

  init(titles: @escaping @Sendable (String) async throws -> [String]) {
    super.init(initialState: .initial)
    feedback(when: \.request) { request in
      .run { emit in emit(.loaded(try await titles(request))) }
    }
  }

  override func mutate(action: Action) -> Mutations<State> {
    switch action {
    case .load: [.loading]
    case .leave: [.initial]
    }
  }

  override func reduce(into state: inout State, mutation: State) { state = mutation }
}
// snippet.end

@MainActor @Suite("Snippets · Titles")
struct TitlesSnippetTests {
  @Test("S2 · Initial, loading, loaded")
  func machine() async {
    // snippet.machineUse
    let reactor = TitlesReactor { ["title1", "title2"] }
    var states: [TitlesReactor.State] = []
    let subscription = reactor.observe(\.self) { states.append($0) }
    await reactor.perform(.load)
    #expect(states == [.initial, .loading, .loaded(["title1", "title2"])])
    // snippet.end
    subscription.cancel()
  }

  @Test("S3 · The same, driven by the state")
  func feedback() async {
    // snippet.feedbackUse
    let reactor = AskingReactor { ["\($0)1", "\($0)2"] }
    var states: [AskingReactor.State] = []
    let subscription = reactor.observe(\.self) { states.append($0) }
    await reactor.perform(.load)  // waits for what the state asks for, too
    #expect(states == [.initial, .loading, .loaded(["title1", "title2"])])
    // snippet.end
    subscription.cancel()
  }

  @Test("S3 · Leaving ends the request, a restored state starts it")
  func leaving() async {
    // snippet.leaving
    let reactor = AskingReactor { request in
      try await Task.sleep(for: .seconds(3600))
      return [request]
    }
    reactor.action(.load)
    #expect(reactor.effects.map { $0.query as? String } == ["title"])
    reactor.action(.leave)
    #expect(reactor.effects.isEmpty)
    reactor.restore(.loading)
    #expect(reactor.effects.count == 1)
    // snippet.end
    reactor.cancelEffects()
  }
}
