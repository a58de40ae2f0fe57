// The reactor behind both faces of the program. Everything the user can do is an action, everything that is shown is
// made from its state.

package import Dispatch
internal import Foundation
package import SwiftReactor
package import TerminalScreen

/// The list of breeds, its filter, and the breed that is open.
///
/// Loading comes as an asynchronous mutation, since it takes its time; filter and choice are synchronous ones: they are
/// in the state when the call that caused them returns. The open breed has a reactor of its own, nested at an optional:
/// opening makes its state and with it the reactor, leaving takes both away.
///
/// ```swift
/// let dogs = DogsReactor(environment: .live(file: nil))
/// await dogs.perform(.load)
/// dogs.action(.filter("hou"))
/// dogs.state.visible.count   // 7
/// dogs.action(.open("hound"))
/// dogs.detail.reactor?.state.breed.name   // "hound"
/// ```
package final class DogsReactor: BaseReactor<DogsReactor.Action, DogsReactor.Mutation, DogsReactor.State>,
  @unchecked Sendable  // Safe to share: what is no constant is set once, in `init`.
{
  package enum Action: Sendable, Hashable {
    case load
    case filter(String)
    /// Moves the cursor of the list.
    case move(ListCursor.Move)
    /// Opens a breed by its name, in upper or lower case. An unknown name does nothing.
    case open(String)
    /// Leaves the breed for the list.
    case back
    /// So many rows of a list are in sight now.
    case laidOut(DogsLayout)
  }

  package enum Mutation: Sendable, Hashable {
    case loadingBegan
    case loaded([Breed])
    case loadingFailed(CatalogueError)
    case setQuery(String)
    case move(ListCursor.Move)
    case open(Breed)
    case leave
    case setLayout(DogsLayout)
  }

  package enum Loading: Sendable, Hashable {
    case notBegun, running, done
    case failed(CatalogueError)
  }

  package struct State: Sendable, Hashable {
    package internal(set) var loading = Loading.notBegun
    package internal(set) var breeds: [Breed] = []
    package internal(set) var query = ""
    /// The breeds that the query leaves. Kept, not computed, since every picture of the list needs them.
    package internal(set) var visible: [Breed] = []
    package internal(set) var cursor = ListCursor()
    /// The open breed: then its screen is shown, otherwise the list.
    package internal(set) var detail: BreedReactor.State?
    package internal(set) var layout = DogsLayout()

    package init() {}

    /// There is nothing to show yet.
    package var isLoading: Bool { loading == .notBegun || loading == .running }

    package var failure: CatalogueError? {
      if case .failed(let error) = loading { error } else { nil }
    }

    /// The breed that the cursor is on.
    package var chosen: Breed? {
      visible.indices.contains(cursor.selected) ? visible[cursor.selected] : nil
    }

    /// The breed of a name, in upper or lower case.
    package func breed(named name: String) -> Breed? {
      breeds.first { $0.name == name } ?? breeds.first { $0.name.lowercased() == name.lowercased() }
    }
  }

  /// The reactor of the open breed, while one is open.
  package private(set) var detail: OptionalChild<BreedReactor>!
  private let environment: DogsEnvironment

  /// Runs on the main queue, like the screens that show it; a test may give a queue of its own.
  package init(environment: DogsEnvironment, queue: DispatchQueue = .main) {
    self.environment = environment
    super.init(initialState: State(), queue: queue)
    detail = nest(at: \.detail) { BreedReactor(environment: environment, queue: queue) }
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .load:
      return state.loading == .running ? .none : [.loadingBegan] + loading()
    case .filter(let query):
      return state.detail == nil ? [.setQuery(query)] : [.leave, .setQuery(query)]
    case .move(let move):
      return [.move(move)]
    case .open(let name):
      return state.breed(named: name).map { [.open($0)] } ?? .none
    case .back:
      return state.detail == nil ? .none : [.leave]
    case .laidOut(let layout):
      return [.setLayout(layout)]
    }
  }

  package override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .loadingBegan:
      state.loading = .running
    case .loaded(let breeds):
      state.loading = .done
      state.breeds = breeds
      state.filter()
    case .loadingFailed(let error):
      state.loading = .failed(error)
    case .setQuery(let query):
      state.query = query
      state.cursor = ListCursor()
      state.filter()
    case .move(let move):
      state.cursor.move(move, count: state.visible.count, page: state.layout.listRows)
    case .open(let breed):
      // Opening what is open keeps its picture.
      if state.detail?.breed != breed { state.detail = BreedReactor.State(breed, page: state.layout.breedRows) }
    case .leave:
      state.detail = nil
    case .setLayout(let layout):
      state.layout = layout
      state.cursor.fit(count: state.visible.count, page: layout.listRows)
      state.detail?.fit(page: layout.breedRows)
    }
  }

  private func loading() -> Mutations<Mutation> {
    .run { [environment] emit in
      do {
        emit(.loaded(try await environment.loadBreeds()))
      } catch let error as CatalogueError {
        emit(.loadingFailed(error))
      }
    }
  }
}

extension DogsReactor.State {
  fileprivate mutating func filter() {
    let query = query.lowercased()
    visible = query.isEmpty ? breeds : breeds.filter { $0.name.lowercased().contains(query) }
    cursor.fit(count: visible.count, page: layout.listRows)
  }
}
