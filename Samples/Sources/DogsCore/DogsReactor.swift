// The reactor behind both faces of the program. Everything the user can do is an action, everything that is shown is
// made from its state.

package import Dispatch
internal import Foundation
package import SwiftReactor
package import TerminalScreen

/// The list of breeds, its filter, and the breed that is open.
///
/// Loading comes as an asynchronous mutation, since it takes its time; filter and choice are synchronous ones: they are
/// in the state when the call that caused them returns.
///
/// ```swift
/// let dogs = DogsReactor(environment: .live(file: nil))
/// await dogs.perform(.load)
/// dogs.action(.filter("hou"))
/// dogs.state.visible.count   // 7
/// ```
package final class DogsReactor: BaseReactor<DogsReactor.Action, DogsReactor.Mutation, DogsReactor.State>,
  @unchecked Sendable  // Safe to share: its only property is constant; the state is the base class's.
{
  package enum Action: Sendable, Hashable {
    case load
    case filter(String)
    /// Opens a breed by its name, in upper or lower case. An unknown name does nothing.
    case open(String)
    /// Leaves the breed for the list.
    case back
    /// A key of the terminal, whose meaning depends on what is shown.
    case pressed(Key)
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
    case end
  }

  package enum Loading: Sendable, Hashable {
    case notBegun, running, done
    case failed(CatalogueError)
  }

  package struct State: Sendable, Hashable {
    package fileprivate(set) var loading = Loading.notBegun
    package fileprivate(set) var breeds: [Breed] = []
    package fileprivate(set) var query = ""
    /// The breeds that the query leaves. Kept, not computed, since every picture of the list needs them.
    package fileprivate(set) var visible: [Breed] = []
    package fileprivate(set) var listCursor = ListCursor()
    /// The open breed: then its screen is shown, otherwise the list.
    package fileprivate(set) var breed: Breed?
    package fileprivate(set) var breedCursor = ListCursor()
    package fileprivate(set) var layout = DogsLayout()
    /// The user wants to leave the program.
    package fileprivate(set) var isOver = false

    package init() {}

    /// There is nothing to show yet.
    package var isLoading: Bool { loading == .notBegun || loading == .running }

    package var failure: CatalogueError? {
      if case .failed(let error) = loading { error } else { nil }
    }

    /// The breed of a name, in upper or lower case.
    package func breed(named name: String) -> Breed? {
      breeds.first { $0.name == name } ?? breeds.first { $0.name.lowercased() == name.lowercased() }
    }
  }

  private let environment: DogsEnvironment

  /// Runs on the main queue, like the screens that show it; a test may give a queue of its own.
  package init(environment: DogsEnvironment, queue: DispatchQueue = .main) {
    self.environment = environment
    super.init(initialState: State(), queue: queue)
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .load:
      return state.loading == .running ? .none : [.loadingBegan] + loading()
    case .filter(let query):
      return state.breed == nil ? [.setQuery(query)] : [.leave, .setQuery(query)]
    case .open(let name):
      return state.breed(named: name).map { [.open($0)] } ?? .none
    case .back:
      return state.breed == nil ? .none : [.leave]
    case .pressed(let key):
      return Mutations(sync: DogsKeys.mutations(for: key, in: state))
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
      state.listCursor = ListCursor()
      state.filter()
    case .move(let move):
      state.moveCursor(move)
    case .open(let breed):
      state.breed = breed
      state.breedCursor = ListCursor()
    case .leave:
      state.breed = nil
    case .setLayout(let layout):
      state.layout = layout
      state.fitCursors()
    case .end:
      state.isOver = true
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
    fitCursors()
  }

  fileprivate mutating func moveCursor(_ move: ListCursor.Move) {
    if let breed {
      breedCursor.move(move, count: breed.subBreeds.count, page: layout.breedRows)
    } else {
      listCursor.move(move, count: visible.count, page: layout.listRows)
    }
  }

  fileprivate mutating func fitCursors() {
    listCursor.fit(count: visible.count, page: layout.listRows)
    if let breed { breedCursor.fit(count: breed.subBreeds.count, page: layout.breedRows) }
  }
}
