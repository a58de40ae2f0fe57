// The reactors of the dogs in every order: loading, filtering, opening and leaving, and the spinner that turns meanwhile.

import SwiftReactor
import SwiftReactorTesting
import TerminalScreen
import Testing

@testable import DogsCore
@testable import SampleProgram

@Suite("The dogs in every order", .serialized)
struct DogsExploredTests {
  private static let breeds = [
    Breed(name: "affenpinscher"), Breed(name: "hound", subBreeds: ["afghan", "basset"]), Breed(name: "otterhound"),
  ]

  /// Dogs whose first loadings fail, at any time; the others answer, at any time.
  private static func dogs(failures: Int = 0) -> DogsReactor {
    let (answer, failure) = (Gate("breeds"), Gate("failure"))
    let count = Count()
    let load: @Sendable () async throws -> [Breed] = {
      if count.next() > failures {
        try await answer.wait()
        return breeds
      }
      try await failure.wait()
      throw CatalogueError(file: "breeds", reason: .missing)
    }
    let picture = Gate("picture")
    return DogsReactor(
      environment: DogsEnvironment(loadBreeds: load) { breed in
        try await picture.wait()
        return breed.name
      })
  }

  /// What is true of everything that is ever shown.
  private func isRight(_ state: DogsReactor.State) -> Bool {
    let visible = state.breeds.filter { state.query.isEmpty || $0.name.contains(state.query) }
    return state.visible == visible && (state.detail.map { state.breeds.contains($0.breed) } ?? true)
      && (state.loading != .done || !state.breeds.isEmpty)
  }

  @Test("While the breeds are loaded anything may be done; the list is always what the query leaves")
  func loading() async {
    let ends = Ends()
    let exploration = await explore(
      reactor: { Self.dogs() },
      scenario: Scenario(
        .sender("user", .send(.load), .send(.filter("hound")), .send(.open("hound"))),
        .sender("other", .send(.back).elsewhere)),
      invariant: { isRight($0) },
      atEnd: { state in
        ends.add(state.detail?.breed.name)
        return state.loading == .done && state.query == "hound" && state.visible.count == 2
      })
    #expect(exploration.failure == nil && exploration.isComplete)
    // Opened before or after the breeds were there, and left or not.
    #expect(ends.names == [nil, "hound"])
  }

  @Test("A failure that comes while a second loading has begun is told, and the breeds come all the same")
  func failing() async {
    let exploration = await explore(
      reactor: { Self.dogs(failures: 1) },
      scenario: Scenario(
        after: [.send(.load)], .sender("user", .send(.load), .send(.filter("h"))),
        .sender("other", .send(.load).elsewhere)),
      invariant: { state in state.failure == nil || state.breeds.isEmpty },
      atEnd: { $0.loading == .done || $0.failure != nil })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("The spinner does not turn once more after it was stopped, whenever that is")
  func spinner() async {
    let size = TerminalSize(columns: 80, rows: 24)
    var stepsWhenStopped: Int?
    let exploration = await explore(
      reactor: { WindowReactor(size: size, clock: SwiftReactorTesting.ManualClock()) },
      scenario: Scenario(
        // The repainting says in the state that the spinner was stopped.
        .sender("user", .send(.spin(true)), .send(.spin(false)), .send(.repaint(size)), .send(.resize(size))),
        .sender("time", .advance(by: .milliseconds(300)))),
      invariant: { state in
        if state.paintings == 0 {
          stepsWhenStopped = nil
        } else if stepsWhenStopped == nil {
          stepsWhenStopped = state.step
        }
        return state.step <= 3 && state.step == stepsWhenStopped ?? state.step
      })
    #expect(exploration.failure == nil && exploration.isComplete)
  }
}

/// How the orders of one exploration have ended.
private final class Ends: @unchecked Sendable {
  // Safe to share: touched by the exploration while the test waits, and then by the test.
  private(set) var names: Set<String?> = []

  func add(_ name: String?) { names.insert(name) }
}

/// Counts the calls of one run.
private final class Count: @unchecked Sendable {
  // Safe to share: the effects of an exploration run on its thread.
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
