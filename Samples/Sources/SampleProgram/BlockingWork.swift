// Work that blocks, for a task that waits for it.

internal import Dispatch

/// Work that blocks: reading a file may take for ever, if it is a pipe that nobody writes to. No thread that tasks share may
/// wait for it, and the main queue even less.
package enum BlockingWork {
  /// Runs `body` on a queue of its own.
  package static func run<Answer: Sendable>(
    _ name: String, _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: name).async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
