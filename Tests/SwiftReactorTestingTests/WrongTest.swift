// Tests of tests: each wrong test has to fail with the message that a person can use.

import Foundation
import SwiftReactorTesting
import Testing

/// A test that is wrong, and what it should be told.
struct WrongTest: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let body: @Sendable () async throws -> Void
  let message: String

  init(_ name: String, body: @escaping @Sendable () async throws -> Void, message: () -> String) {
    testDescription = name
    self.body = body
    self.message = message()
  }

  /// The messages, without the numbers of lines.
  private func text(_ failures: [TestFailure]) -> String {
    failures.map(\.message).joined(separator: "\n=====\n")
      .replacing(/\.swift:[0-9]+/, with: ".swift:LINE")
  }

  /// Runs it and compares word for word.
  func check() async throws {
    let failures = try await failures(of: body)
    #expect(text(failures) == message, "\(testDescription)")
    #expect(failures.allSatisfy { $0.fileID.hasPrefix("SwiftReactorTestingTests/") && $0.line > 0 })
  }
}

/// The failures that `body` records.
func failures(of body: @Sendable () async throws -> Void) async rethrows -> [TestFailure] {
  let list = FailureList()
  try await TestFailures.withHandler({ list.append($0) }) { try await body() }
  return list.failures
}

final class FailureList: @unchecked Sendable {
  // Safe to share: `list` is only touched under `lock`.
  private let lock = NSLock()
  private var list: [TestFailure] = []

  var failures: [TestFailure] { lock.withLock { list } }

  func append(_ failure: TestFailure) {
    lock.withLock { list.append(failure) }
  }
}
