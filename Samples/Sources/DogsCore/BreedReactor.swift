// The reactor of one breed's screen: its sub-breeds, and the address of a picture that a second request brings.

package import Dispatch
package import SwiftReactor
package import TerminalScreen

/// A breed that is open, nested in the list at an optional: it is there while its state is.
///
/// Which breed it is, is decided by the state. When that changes, the reactor asks for the picture; when the state goes,
/// the reactor and its request go with it. A picture that comes for a screen that was left changes nothing, and one that
/// comes for the breed before it is not taken for this one's.
package final class BreedReactor: BaseReactor<BreedReactor.Action, BreedReactor.Mutation, BreedReactor.State>,
  @unchecked Sendable  // Safe to share: constants, and a subscription that is set once, in `init`.
{
  package enum Action: Sendable, Hashable {
    case move(ListCursor.Move)
    /// The state is about this breed now. Sent by the reactor itself.
    case follow(Breed)
  }

  package enum Mutation: Sendable, Hashable {
    case move(ListCursor.Move)
    case setPicture(Picture, of: Breed)
  }

  package enum Picture: Sendable, Hashable {
    case loading
    case at(String)
    case missing(PictureError)
  }

  package struct State: Sendable, Hashable {
    package let breed: Breed
    package internal(set) var picture = Picture.loading
    package internal(set) var cursor = ListCursor()
    package internal(set) var page: Int

    package init(_ breed: Breed, page: Int) {
      self.breed = breed
      self.page = page
    }

    mutating func fit(page: Int) {
      self.page = page
      cursor.fit(count: breed.subBreeds.count, page: page)
    }
  }

  private enum Effect { case picture }

  private let environment: DogsEnvironment
  private var following: EventSubscription?

  /// Its state is empty until it is nested; then it is that of the open breed.
  package init(environment: DogsEnvironment, queue: DispatchQueue = .main) {
    self.environment = environment
    super.init(initialState: State(Breed(name: ""), page: 1), queue: queue)
    following = observe(\.breed) { [weak self] breed in
      if !breed.name.isEmpty { self?.action(.follow(breed)) }
    }
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .move(let move):
      return [.move(move)]
    case .follow(let breed):
      // `.latest` by itself: the request for the breed before is cancelled.
      return Mutations.run { [environment] emit in
        do {
          emit(.setPicture(.at(try await environment.loadPicture(breed)), of: breed))
        } catch let error as PictureError {
          emit(.setPicture(.missing(error), of: breed))
        }
      }.effect(id: Effect.picture)
    }
  }

  package override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .move(let move):
      state.cursor.move(move, count: state.breed.subBreeds.count, page: state.page)
    case .setPicture(let picture, let breed):
      // The commit that opened another breed may come before the step that cancels the request.
      if state.breed == breed { state.picture = picture }
    }
  }
}
