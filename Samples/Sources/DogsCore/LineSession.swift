// The line mode: reads commands, sends actions, prints the screens.

internal import SwiftReactor

/// A conversation in lines. Commands are handled one after the other, the first of them when the list is there, so that
/// the same input always gives the same output.
@MainActor
package struct LineSession {
  private let dogs: DogsReactor
  private let nextLine: () async throws -> String?
  private let show: (String) throws -> Void

  /// `nextLine` answers nil at the end of the input, `show` writes text as it is. What they throw ends the session.
  package init(
    dogs: DogsReactor, nextLine: @escaping () async throws -> String?, show: @escaping (String) throws -> Void
  ) {
    self.dogs = dogs
    self.nextLine = nextLine
    self.show = show
  }

  /// Runs until the user quits or the input ends. Throws the ``CatalogueError`` if there is no list.
  package func run() async throws {
    try show(DogsLines.text(of: dogs.state))
    // Returns when the breeds, or the failure, are in the state.
    await dogs.perform(.load)
    if let failure = dogs.state.failure { throw failure }
    try show(DogsLines.text(of: dogs.state))
    while let line = try await nextLine() {
      let command = LineCommand(line)
      if command == .quit { return }
      try show(await answer(to: command))
    }
  }

  /// On the reactor's queue a synchronous action is in the state when the call returns. Only a picture is waited for.
  private func answer(to command: LineCommand) async -> String {
    switch command {
    case .filter(let query):
      dogs.action(.filter(query))
    case .open(let name):
      guard let breed = dogs.state.breed(named: name) else {
        return LineCommand.noBreed(name)
      }
      dogs.action(.open(breed.name))
      if let detail = dogs.detail.reactor {
        for await picture in detail.values(of: \.picture) where picture != .loading { break }
      }
    case .back:
      guard dogs.state.detail != nil else { return "this is the list already\n" }
      dogs.action(.back)
    case .help:
      return LineCommand.helpText
    case .mistake(let text):
      return text + "\n"
    case .nothing, .quit:
      return ""
    }
    return DogsLines.text(of: dogs.state)
  }
}
