// The two screens of the dogs in every order: pictures that come late, for the screen that asked and for no other.

import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import DogsCore

@Suite("The breed's screen in every order", .serialized)
struct BreedExploredTests {
  private static let breeds = [Breed(name: "hound", subBreeds: ["afghan"]), Breed(name: "otterhound")]

  /// A list that is there; each breed's picture comes when it likes, cancelled or not.
  private static func dogs() -> DogsReactor {
    let pictures = [Gate("picture of hound"), Gate("picture of otterhound")]
    var environment = DogsEnvironment.failing { Issue.record("unexpected call of \($0)") }
    environment.loadPicture = { breed in
      await pictures[breed == breeds[0] ? 0 : 1].waitStubbornly()
      return "picture of \(breed.name)"
    }
    let dogs = DogsReactor(environment: environment)
    var state = DogsReactor.State()
    state.loading = .done
    state.breeds = breeds
    state.visible = breeds
    dogs.restore(state)
    return dogs
  }

  /// A picture is that of its breed.
  private func isRight(_ state: DogsReactor.State) -> Bool {
    guard let detail = state.detail, detail.picture != .loading else { return true }
    return detail.picture == .at("picture of \(detail.breed.name)")
  }

  @Test("Whenever the pictures come, each is shown for its own breed, and what is open in the end has one")
  func pictures() async {
    let exploration = await explore(
      reactor: { Self.dogs() },
      scenario: Scenario<DogsReactor>(
        .sender("user", .send(.open("hound")), .send(.open("otterhound"))),
        .sender("other", .send(.back), .send(.open("hound"))).elsewhere),
      invariant: { isRight($0) }, atEnd: { state in state.detail?.picture != .loading })
    #expect(exploration.failure == nil && exploration.isComplete)
  }
}
