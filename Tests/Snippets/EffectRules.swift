// The code of the article "Effects".

import SwiftReactor
import Testing

struct Server: Sendable {
  var search: @Sendable (String) async throws -> [String] = { [$0] }
  var save: @Sendable (String) async throws -> Void = { _ in }
  var upload: @Sendable (Int) async throws -> Void = { _ in }
}

final class DeskReactor: BaseReactor<DeskReactor.Action, DeskReactor.Mutation, DeskReactor.State>,
  @unchecked Sendable  // safe: its only property is a constant
{
  enum Action: Equatable { case search(String), save, upload(Int), thumbnail(Int), move(Int), stop, signIn, welcome }
  enum Mutation { case setResults([String]), setSaved(Bool), addUpload(Int), setPosition(Int), setNote(String) }
  struct State {
    var text = "draft"
    var results: [String] = []
    var isSaved = false
    var uploads: [Int] = []
    var position = 0
    var note = ""
  }

  private let server: Server

  init(server: Server = Server()) {
    self.server = server
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    // snippet.policies
    case .search(let text):  // a newer search cancels the older one
      .run { [server] emit in emit(.setResults(try await server.search(text))) }
        .effect(id: "search", .latest)
    case .save:  // a second tap, while it saves, does nothing
      .run { [server, text = state.text] emit in
        try await server.save(text)
        emit(.setSaved(true))
      }.effect(id: "save", .first)
    case .upload(let number):  // one after the other
      .run { [server] emit in
        try await server.upload(number)
        emit(.addUpload(number))
      }.effect(id: "uploads", .queued)
    case .thumbnail(let number):  // three at a time, the others wait
      .run { emit in emit(.addUpload(number)) }.effect(id: "thumbnails", .concurrent(max: 3))
    // snippet.end
    // snippet.throttle
    case .move(let position):
      [.setPosition(position)]  // at once, every time
        + .run { [server] emit in try await server.save("\(position)") }
        .throttled(id: "position", for: .seconds(1))  // at most once a second, the newest last
    // snippet.end
    // snippet.cancel
    case .stop:
      .cancel(id: "search") + .cancel(id: "uploads")
    // snippet.end
    // snippet.answer
    case .signIn:
      .run { [action = self.action] emit in
        emit(.setNote("signed in"))
        action.send(.welcome)  // an action of its own; `action` does not keep the reactor alive
      }
    // snippet.end
    case .welcome:
      [.setNote("welcome")]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setResults(let results): state.results = results
    case .setSaved(let isSaved): state.isSaved = isSaved
    case .addUpload(let number): state.uploads.append(number)
    case .setPosition(let position): state.position = position
    case .setNote(let note): state.note = note
    }
  }
}

@MainActor @Suite("Snippets · Effects")
struct EffectRulesTests {
  @Test("Queued effects keep their order, also if the first takes longest")
  func queued() async {
    let server = Server(upload: { number in if number == 1 { for _ in 0..<100 { await Task.yield() } } })
    let desk = DeskReactor(server: server)
    desk.action(.upload(1))
    desk.action(.upload(2))
    await desk.perform(.upload(3))
    #expect(desk.uploads == [1, 2, 3])
  }

  @Test("What runs is listed")
  func list() {
    let server = Server(search: { _ in
      try await Task.sleep(for: .seconds(3600)); return []
    })
    let desk = DeskReactor(server: server)
    // snippet.list
    desk.action(.search("Emma"))
    for effect in desk.effects {
      print(effect.id ?? "no id", effect.action.map { "\($0)" } ?? "", "since", effect.since)
    }
    // snippet.end
    #expect(desk.effects.map(\.action) == [.search("Emma")])
    // snippet.cancelAll
    desk.cancelEffects()
    #expect(desk.effects.isEmpty)
    // snippet.end
  }

  @Test("A throttled effect lets the first one through")
  func throttled() async {
    let desk = DeskReactor()
    await desk.perform(.move(3))
    #expect(desk.position == 3)
  }

  @Test("An effect answers with an action")
  func answer() async {
    let desk = DeskReactor()
    await desk.perform(.signIn)
    await desk.action(.stop, while: { $0.note != "welcome" })
    #expect(desk.note == "welcome")
  }

  @Test("perform waits, cancelling it cancels its effects only")
  func cancelledPerform() async {
    let server = Server(search: { _ in
      try await Task.sleep(for: .seconds(3600)); return []
    })
    let desk = DeskReactor(server: server)
    // snippet.perform
    let searching = Task { await desk.perform(.search("Emma")) }
    // … the user has left the screen
    searching.cancel()
    await searching.value
    #expect(desk.effects.isEmpty)
    // snippet.end
  }
}
