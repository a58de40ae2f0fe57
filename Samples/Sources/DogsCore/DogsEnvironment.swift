// What the dogs need from the world outside, as a struct of functions: the real thing, a fake and one that refuses.

internal import Foundation
internal import SampleProgram

/// Why there is no picture of a breed, as a few words.
package struct PictureError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Where the breeds and their pictures come from.
package struct DogsEnvironment: Sendable {
  /// Loads all breeds. Throws a ``CatalogueError``, or `CancellationError` when its task is cancelled.
  package var loadBreeds: @Sendable () async throws -> [Breed]
  /// Finds the address of a picture of a breed. Throws a ``PictureError``, or `CancellationError`.
  package var loadPicture: @Sendable (Breed) async throws -> String

  package init(
    loadBreeds: @escaping @Sendable () async throws -> [Breed],
    loadPicture: @escaping @Sendable (Breed) async throws -> String
  ) {
    self.loadBreeds = loadBreeds
    self.loadPicture = loadPicture
  }

  /// Reads a file, or the built-in list for nil, after a delay that makes the loading visible. A picture is found, after
  /// the same delay, by the address at which the public service answers with one: nothing is asked for over the network.
  package static func live(file: String?, delay: Duration = .zero) -> DogsEnvironment {
    DogsEnvironment {
      try await pause(delay, ContinuousClock())
      return try await BlockingWork.run("reading of breeds") {
        guard let path = file ?? Catalogue.builtIn?.path else {
          throw CatalogueError(file: "the built-in list", reason: .notBesideProgram)
        }
        return try Catalogue.breeds(inFile: path)
      }
    } loadPicture: { breed in
      try await pause(delay, ContinuousClock())
      return try address(of: breed)
    }
  }

  /// Answers with these breeds, and with made-up addresses, after a delay on a clock of the caller's.
  package static func fake(
    _ breeds: [Breed], delay: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) -> DogsEnvironment {
    DogsEnvironment {
      try await pause(delay, clock)
      return breeds
    } loadPicture: { breed in
      try await pause(delay, clock)
      return "picture of \(breed.name)"
    }
  }

  /// Answers every call with a failure, and tells of it: for tests that expect no call.
  package static func failing(_ unexpected: @escaping @Sendable (String) -> Void) -> DogsEnvironment {
    DogsEnvironment {
      unexpected("loadBreeds")
      throw CatalogueError(file: "nowhere", reason: .missing)
    } loadPicture: { breed in
      unexpected("loadPicture(\(breed.name))")
      throw PictureError("there are no pictures")
    }
  }

  /// The address at which the service answers with a picture: only names that it can have make one.
  package static func address(of breed: Breed) throws(PictureError) -> String {
    let name = breed.name.lowercased()
    guard !name.isEmpty, name.utf8.allSatisfy({ (97...122).contains($0) }) else {
      throw PictureError("the service knows no breed of such a name")
    }
    return "https://dog.ceo/api/breed/\(name)/images/random"
  }

  private static func pause(_ delay: Duration, _ clock: any Clock<Duration>) async throws {
    if delay > .zero { try await clock.sleep(for: delay) }
  }
}
