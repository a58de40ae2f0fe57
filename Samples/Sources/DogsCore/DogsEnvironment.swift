// What the dogs need from the world outside, as a struct of functions: the real thing, a fake and one that refuses.

internal import Dispatch
internal import Foundation

/// Where the breeds come from.
package struct DogsEnvironment: Sendable {
  /// Loads all breeds. Throws a ``CatalogueError``, or `CancellationError` when its task is cancelled.
  package var loadBreeds: @Sendable () async throws -> [Breed]

  package init(loadBreeds: @escaping @Sendable () async throws -> [Breed]) {
    self.loadBreeds = loadBreeds
  }

  /// Reads a file, or the built-in list for nil, after a delay that makes the loading visible.
  package static func live(file: String?, delay: Duration = .zero) -> DogsEnvironment {
    // Reading blocks, for ever if the file is a pipe that nobody writes to: a thread of its own pool, no task's.
    let queue = DispatchQueue(label: "reading of breeds")
    return DogsEnvironment {
      if delay > .zero { try await ContinuousClock().sleep(for: delay) }
      let result: Result<[Breed], any Error> = await withCheckedContinuation { continuation in
        queue.async {
          continuation.resume(
            returning: Result {
              guard let path = file ?? Catalogue.builtIn?.path else {
                throw CatalogueError(file: "the built-in list", reason: .notBesideProgram)
              }
              return try Catalogue.breeds(inFile: path)
            })
        }
      }
      return try result.get()
    }
  }

  /// Answers with these breeds after a delay on a clock of the caller's.
  package static func fake(
    _ breeds: [Breed], delay: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) -> DogsEnvironment {
    DogsEnvironment {
      if delay > .zero { try await clock.sleep(for: delay) }
      return breeds
    }
  }

  /// Answers every call with a failure, and tells of it: for tests that expect no call.
  package static func failing(_ unexpected: @escaping @Sendable (String) -> Void) -> DogsEnvironment {
    DogsEnvironment {
      unexpected("loadBreeds")
      throw CatalogueError(file: "nowhere", reason: .missing)
    }
  }
}
