// Reactors with states of many kinds, and a reactor with a nested one.

import Dispatch
import SwiftReactor

/// A state with everything that a failure has to show. The action is the new state.
final class ShapeReactor: BaseReactor<ShapeReactor.Shape, ShapeReactor.Shape, ShapeReactor.Shape>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  struct Point: Hashable, Sendable {
    var x = 0
    var y = 0
  }

  enum Screen: Equatable, Sendable {
    case list
    case detail(name: String, page: Int)
    case failed(String)
  }

  /// Two tokens are equal if they are the same object.
  final class Token: Equatable, Sendable {
    let name: String
    init(_ name: String) { self.name = name }
    static func == (lhs: Token, rhs: Token) -> Bool { lhs === rhs }
  }

  struct Shape: Equatable, Sendable {
    var screen = Screen.list
    var origin = Point()
    var points: [Point] = []
    var numbers: [Int] = []
    var tags: Set<String> = []
    var ages: [String: Int] = [:]
    var note: String?
    var token: Token?
    @Pulse var alert: String?
  }

  init(_ shape: Shape = Shape()) {
    super.init(initialState: shape, queue: DispatchQueue(label: "shape"))
  }

  override func mutate(action: Shape) -> Mutations<Shape> { [action] }
  override func reduce(into state: inout Shape, mutation: Shape) { state = mutation }
}

/// A dog with a name, nested in a house.
final class DogReactor: BaseReactor<DogReactor.Action, DogReactor.Mutation, DogReactor.State>, @unchecked Sendable {
  // Safe to share: adds a constant.
  struct State: Equatable, Sendable { var name = "" }
  enum Action: Equatable, Sendable { case rename(String), ask }
  enum Mutation: Equatable, Sendable { case setName(String) }

  let answer: @Sendable () async throws -> String

  init(queue: DispatchQueue, answer: @escaping @Sendable () async throws -> String = { "Rex" }) {
    self.answer = answer
    super.init(initialState: State(), queue: queue)
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .rename(let name): [.setName(name)]
    case .ask: .run { [answer] emit in emit(.setName(try await answer())) }
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setName(let name): state.name = name
    }
  }
}

/// A house with a dog, and now and then a guest.
final class HouseReactor: BaseReactor<HouseReactor.Action, HouseReactor.Action, HouseReactor.State>, @unchecked Sendable
{
  // Safe to share: what it adds is set in `init` and never changed.
  struct State: Equatable, Sendable {
    var dog = DogReactor.State()
    var guest: DogReactor.State?
    var doors = 0
  }

  enum Action: Equatable, Sendable { case addDoor, invite(String), sayGoodbye }

  let dog: DogReactor
  private(set) var guest: OptionalChild<DogReactor>!

  init(answer: @escaping @Sendable () async throws -> String = { "Rex" }) {
    let queue = DispatchQueue(label: "house")
    dog = DogReactor(queue: queue, answer: answer)
    super.init(initialState: State(), queue: queue)
    nest(dog, at: \.dog)
    guest = nest(at: \.guest) { DogReactor(queue: queue, answer: answer) }
  }

  override func mutate(action: Action) -> Mutations<Action> { [action] }

  override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .addDoor: state.doors += 1
    case .invite(let name): state.guest = .init(name: name)
    case .sayGoodbye: state.guest = nil
    }
  }
}
