import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import DogsCore
@testable import TerminalScreen

private let boxer = Breed(name: "boxer")
private let hound = Breed(name: "hound", subBreeds: ["afghan", "basset"])

/// Two screens as one table: the detail's state is a part of the list's.
@MainActor
@Suite("From the list to a breed and back", .timeLimit(.minutes(1)))
struct NavigationTests {
  /// A list that is there, and an environment that answers only when the test opens a gate.
  private func table(_ loadPicture: @escaping @Sendable (Breed) async throws -> String) async -> TestReactor<
    DogsReactor
  > {
    let test = TestReactor {
      var environment = DogsEnvironment.failing { Issue.record("unexpected call of \($0)") }
      environment.loadPicture = loadPicture
      let dogs = DogsReactor(environment: environment)
      var state = DogsReactor.State()
      state.loading = .done
      state.breeds = [boxer, hound]
      state.visible = state.breeds
      dogs.restore(state)
      return dogs
    }
    return test
  }

  @Test("Opening makes the breed's state, a second request brings its picture, leaving clears it")
  func openAndBack() async {
    let answered = Gate()
    let test = await table { breed in
      try await answered.wait()
      return "picture of \(breed.name)"
    }
    let page = test.state.layout.breedRows
    await test.send(.open("Hound")) { $0.detail = BreedReactor.State(hound, page: page) }
    await test.receive(action: .follow(hound), from: BreedReactor.self)
    answered.open()
    await test.receive(.setPicture(.at("picture of hound"), of: hound), from: BreedReactor.self) {
      $0.detail?.picture = .at("picture of hound")
    }
    await test.send(.back) { $0.detail = nil }
    await test.finish()
  }

  @Test("A late picture for a screen that was left changes nothing")
  func latePicture() async {
    let answered = Gate()
    let test = await table { _ in
      // Not to be woken by a cancellation: the answer really comes late.
      await answered.waitStubbornly()
      return "late"
    }
    let page = test.state.layout.breedRows
    await test.send(.open("hound")) { $0.detail = BreedReactor.State(hound, page: page) }
    await test.receive(action: .follow(hound), from: BreedReactor.self)
    await test.send(.back) { $0.detail = nil }
    #expect(test.reactor.detail.reactor == nil)
    answered.open()
    await test.settle()
    #expect(test.state.detail == nil)
    await test.finish()
  }

  @Test("A late picture of the breed before is not taken for this one's")
  func otherBreed() async {
    let first = Gate()
    let second = Gate()
    let test = await table { breed in
      await (breed == hound ? first : second).waitStubbornly()
      return "picture of \(breed.name)"
    }
    let page = test.state.layout.breedRows
    await test.send(.open("hound")) { $0.detail = BreedReactor.State(hound, page: page) }
    await test.receive(action: .follow(hound), from: BreedReactor.self)
    let child = test.reactor.detail.reactor
    await test.send(.open("boxer")) { $0.detail = BreedReactor.State(boxer, page: page) }
    await test.receive(action: .follow(boxer), from: BreedReactor.self)
    #expect(test.reactor.detail.reactor === child)
    first.open()
    await test.settle()
    second.open()
    await test.receive(.setPicture(.at("picture of boxer"), of: boxer), from: BreedReactor.self) {
      $0.detail?.picture = .at("picture of boxer")
    }
    await test.finish()
  }

  @Test("Without a picture the screen says why, and opening what is open asks for nothing")
  func noPicture() async {
    let test = await table { _ in throw PictureError("none") }
    let page = test.state.layout.breedRows
    await test.send(.open("boxer")) { $0.detail = BreedReactor.State(boxer, page: page) }
    await test.receive(action: .follow(boxer), from: BreedReactor.self)
    await test.receive(.setPicture(.missing(PictureError("none")), of: boxer), from: BreedReactor.self) {
      $0.detail?.picture = .missing(PictureError("none"))
    }
    await test.send(.open("boxer"))
    await test.finish()
  }

  @Test("Keys in one piece open, move, leave and open again: each meets the screen that the one before left")
  func keys() async {
    let dogs = DogsReactor(environment: .fake([boxer, hound]))
    await dogs.perform(.load)
    for key in [Key.down, .enter, .down, .escape, .up, .enter, .escape, .enter] { #expect(dogs.press(key)) }
    #expect(dogs.state.detail?.breed == boxer)
    #expect(dogs.state.detail?.cursor.selected == 0)
    #expect(dogs.detail.reactor?.isAttached == true)
  }

  @Test("The three forms of the environment: a fake answers, a failing one tells, the live one makes addresses")
  func environments() async throws {
    let fake = DogsEnvironment.fake([boxer], delay: .seconds(1), clock: ImmediateClock())
    #expect(try await fake.loadBreeds() == [boxer])
    #expect(try await fake.loadPicture(boxer) == "picture of boxer")
    let (calls, call) = AsyncStream.makeStream(of: String.self)
    let failing = DogsEnvironment.failing { call.yield($0) }
    await #expect(throws: CatalogueError.self) { try await failing.loadBreeds() }
    await #expect(throws: PictureError.self) { try await failing.loadPicture(boxer) }
    call.finish()
    var told: [String] = []
    for await name in calls { told.append(name) }
    #expect(told == ["loadBreeds", "loadPicture(boxer)"])
    let live = DogsEnvironment.live(file: nil)
    #expect(try await live.loadBreeds().count == 106)
    #expect(try await live.loadPicture(Breed(name: "boxer")) == "https://dog.ceo/api/breed/boxer/images/random")
    await #expect(throws: PictureError("the service knows no breed of such a name")) {
      try await live.loadPicture(Breed(name: "柴犬"))
    }
  }
}
