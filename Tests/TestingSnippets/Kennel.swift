// The code of the guide "Dependencies in three forms": a list of breeds and one that is open.

import SwiftReactor
import SwiftReactorTesting
import Testing

// snippet.service
struct DogService: Sendable {
  var breeds: @Sendable () async throws -> [String]
  var picture: @Sendable (_ breed: String) async throws -> String
}

extension DogService {
  /// Answers after a while that takes no time.
  static var fake: DogService {
    let clock = ImmediateClock()
    return DogService(
      breeds: {
        try await clock.sleep(for: .seconds(1))
        return ["hound", "bulldog"]
      },
      picture: { breed in "https://dogs.example/\(breed).jpg" })
  }

  /// Fails the test that calls it.
  static let failing = DogService(
    breeds: { throw unexpectedCall("breeds") }, picture: { _ in throw unexpectedCall("picture") })
}
// snippet.end

// snippet.reactor
final class KennelReactor: BaseReactor<KennelReactor.Action, KennelReactor.Mutation, KennelReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case open(String), leave, search(String) }
  enum Mutation: Equatable { case breeds([String]), query(String), detail(String?), picture(String) }

  struct Detail: Equatable {
    var breed: String
    var picture: String?
  }

  struct State: Equatable {
    var breeds: [String] = []
    var query = ""
    var detail: Detail?

    // What the state asks for.
    var isLoading: Bool { breeds.isEmpty }
    var missingPicture: String? { detail.flatMap { $0.picture == nil ? $0.breed : nil } }

    // What the view shows.
    var visible: [String] {
      query.isEmpty ? breeds : breeds.filter { $0.lowercased().contains(query.lowercased()) }
    }
  }

  init(service: DogService) {
    super.init(initialState: State())
    feedback(when: { $0.isLoading ? true : nil }) { _ in
      .run { emit in emit(.breeds(try await service.breeds())) }
    }
    feedback(when: \.missingPicture) { breed in
      .run { emit in emit(.picture(try await service.picture(breed))) }
    }
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .open(let breed): [.detail(breed)]
    case .leave: [.detail(nil)]
    case .search(let query): [.query(query)]
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
// snippet.end

@Suite("Snippets · Kennel")
struct KennelSnippetTests {
  // snippet.loading
  @Test("S8 · Loading, then the breeds; filtered without regard to case")
  func loading() async {
    let test = TestReactor(KennelReactor(service: .fake))
    #expect(test.state.isLoading)
    await test.receive(.breeds(["hound", "bulldog"])) { $0.breeds = ["Hound", "Bulldog"] }
    await test.send(.search("HOU")) { $0.query = "HOU" }
    #expect(test.state.visible == ["Hound"])
    await test.finish()
  }
  // snippet.end

  // snippet.navigation
  @Test("S8 · Selecting a breed makes the detail, leaving clears it; a late picture changes nothing")
  func navigation() async {
    let answered = Gate("picture")
    var service = DogService.fake
    service.picture = { breed in
      await answered.waitStubbornly()  // it does not care whether anybody still waits
      return breed + ".jpg"
    }
    let test = TestReactor(KennelReactor(service: service))
    await test.receive(.breeds(["hound", "bulldog"])) { $0.breeds = ["Hound", "Bulldog"] }
    await test.send(.open("Hound")) { $0.detail = .init(breed: "Hound") }
    await test.send(.leave) { $0.detail = nil }
    await test.send(.open("Bulldog")) { $0.detail = .init(breed: "Bulldog") }
    answered.open()
    await test.receive(.picture("Bulldog.jpg")) { $0.detail?.picture = "Bulldog.jpg" }
    await test.finish()
  }
  // snippet.end

  // snippet.failing
  @Test("S8 · What a screen must not call, it does not call")
  func failing() async {
    let test = TestReactor {
      let reactor = KennelReactor(service: .failing)
      reactor.restore(.init(breeds: ["Hound"]))
      return reactor
    }
    await test.send(.search("x")) { $0.query = "x" }
    #expect(test.state.visible == [])
    await test.finish()
  }
  // snippet.end
}
