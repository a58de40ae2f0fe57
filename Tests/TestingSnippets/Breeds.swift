// The code of the guide "A table, row by row": a list of dog breeds, and its tests.

import Dispatch
import SwiftReactor
import SwiftReactorTesting
import Testing

// snippet.reactor
struct BreedService: Sendable {
  var breeds: @Sendable (_ query: String) async throws -> [String]
}

final class BreedsReactor: BaseReactor<BreedsReactor.Action, BreedsReactor.Mutation, BreedsReactor.State>,
  @unchecked Sendable  // safe: its properties are constants
{
  enum Action { case load, type(String), leave }
  enum Mutation { case beginLoading, setBreeds([String]), setQuery(String) }
  struct State {
    var isLoading = false
    var query = ""
    var breeds: [String] = []
  }

  private let service: BreedService
  private let clock: any Clock<Duration>

  init(service: BreedService, clock: any Clock<Duration> = ContinuousClock()) {
    self.service = service
    self.clock = clock
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .load: [.beginLoading] + find("")
    case .type(let query): [.setQuery(query)] + find(query).debounced(id: "find", for: .milliseconds(300), clock: clock)
    case .leave: .cancel(id: "find")
    }
  }

  private func find(_ query: String) -> Mutations<Mutation> {
    .run { [service] emit in emit(.setBreeds(try await service.breeds(query))) }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .beginLoading: state.isLoading = true
    case .setQuery(let query): state.query = query
    case .setBreeds(let breeds):
      state.isLoading = false
      state.breeds = breeds
    }
  }
}
// snippet.end

// snippet.failing
extension BreedService {
  static let failing = BreedService { _ in throw unexpectedCall("BreedService.breeds") }
}
// snippet.end

@Suite("Snippets · Tables")
struct BreedsTests {
  @Test("A first table")
  func first() async {
    // snippet.first
    let test = TestReactor(BreedsReactor(service: BreedService { _ in ["Hound"] }))
    await test.send(.load) { $0.isLoading = true }
    await test.receive(.setBreeds(["Hound"])) {
      $0.isLoading = false
      $0.breeds = ["Hound"]
    }
    await test.finish()
    // snippet.end
  }

  @Test("Holding an effect at a gate")
  func gate() async {
    // snippet.gate
    let answered = Gate("answer")
    let service = BreedService { _ in
      try await answered.wait()
      return ["Hound"]
    }
    let test = TestReactor(BreedsReactor(service: service))
    await test.send(.load) { $0.isLoading = true }
    #expect(test.state.breeds == [])  // it loads as long as the test likes
    answered.open()
    await test.receive(.setBreeds(["Hound"])) {
      $0.isLoading = false
      $0.breeds = ["Hound"]
    }
    await test.finish()
    // snippet.end
  }

  @Test("Time that the test moves")
  func clock() async {
    // snippet.clock
    let clock = ManualClock()
    let test = TestReactor(BreedsReactor(service: BreedService { [$0] }, clock: clock))
    await test.send(.type("h")) { $0.query = "h" }
    await clock.advance(by: .milliseconds(200))
    await test.send(.type("ho")) { $0.query = "ho" }
    await clock.advance(by: .milliseconds(300))
    await test.receive(.setBreeds(["ho"])) { $0.breeds = ["ho"] }
    await test.finish()
    // snippet.end
  }

  @Test("What observers send is a row too")
  func observer() async {
    let test = TestReactor(BreedsReactor(service: BreedService { [$0] }, clock: ImmediateClock()))
    // snippet.observer
    let subscription = test.reactor.observe(\.breeds) { [weak reactor = test.reactor] breeds in
      if breeds == ["old"] { reactor?.action(.type("new")) }
    }
    await test.send(.type("old")) { $0.query = "old" }
    await test.receive(.setBreeds(["old"])) { $0.breeds = ["old"] }
    await test.receive(action: .type("new")) { $0.query = "new" }
    await test.receive(.setBreeds(["new"])) { $0.breeds = ["new"] }
    await test.finish()
    // snippet.end
    subscription.cancel()
  }

  @Test("Only what the test is about")
  func off() async {
    // snippet.off
    let test = TestReactor(
      BreedsReactor(service: BreedService { [$0] }, clock: ImmediateClock()), exhaustivity: .off)
    await test.send(.load)
    await test.send(.type("ho"))
    await test.receive(.setBreeds(["ho"])) { $0.breeds = ["ho"] }
    // snippet.end
    await test.finish()
  }

  @Test("A dependency that must not be used")
  func failing() async {
    // snippet.unused
    let test = TestReactor(BreedsReactor(service: .failing, clock: ManualClock()))
    await test.send(.type("ho")) { $0.query = "ho" }
    await test.send(.leave)  // the search is cancelled before its time
    await test.finish()
    // snippet.end
  }

  @Test("A stub for what shows a state")
  @MainActor
  func stub() async {
    // snippet.stub
    let stub = ReactorStub(BreedsReactor(service: .failing))
    let screen = BreedsScreen(reactor: stub.reactor)
    await stub.push { $0.breeds = ["Hound", "Bulldog"] }
    #expect(screen.title == "2 breeds")
    screen.tapReload()
    #expect(await stub.actions.count == 1)
    // snippet.end
  }

  @Test("A plain reactor, and waiting for rest")
  func plain() async {
    // snippet.plain
    await withTestScope {
      let lifetimes = LifetimeTracker()
      do {
        let reactor = lifetimes.track(BreedsReactor(service: BreedService { _ in ["Hound"] }))
        reactor.action(.load)
        await settle()
        #expect(reactor.breeds == ["Hound"])
      }
      await lifetimes.expectNoneAlive()
    }
    // snippet.end
  }

  @Test("Testing a test")
  func handler() async {
    // snippet.handler
    let (failures, failure) = AsyncStream<TestFailure>.makeStream()
    await TestFailures.withHandler({ failure.yield($0) }) {
      let test = TestReactor(BreedsReactor(service: .failing, clock: ManualClock()))
      await test.send(.type("ho")) { $0.query = "hu" }
      test.exhaustivity = .off
    }
    for await found in failures {
      #expect(found.message.hasPrefix("send(.type(\"ho\")): the state is not the expected one."))
      break
    }
    // snippet.end
  }
}

@MainActor
final class BreedsScreen {
  private let reactor: BreedsReactor

  init(reactor: BreedsReactor) { self.reactor = reactor }

  var title: String { "\(reactor.breeds.count) breeds" }
  func tapReload() { reactor.action(.load) }
}
