// Where failures go: to whichever test library runs the test, or to a handler that a test has put in.

internal import SwiftReactor

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// Something that a test should have said, or said wrongly.
public struct TestFailure: Sendable, CustomStringConvertible {
  /// What is wrong, what was expected and what was found, and what to do about it.
  public let message: String
  /// The file of the line in the test that should have said so, as `Module/File.swift`.
  public let fileID: String
  /// The same file as a path.
  public let filePath: String
  /// The line.
  public let line: Int
  /// The column.
  public let column: Int

  /// The place and the message.
  public var description: String { "\(fileID):\(line): \(message)" }
}

/// Where the failures of this module go.
///
/// Nothing has to be set up: inside a test of Swift Testing they become issues, inside an `XCTestCase` they become
/// failures, each at the line of the test that is wrong.
public enum TestFailures {
  private struct Handler: Sendable {
    let take: @Sendable (TestFailure) -> Void
  }

  // In a box: with a bare function as its type, `withValue` crashes in optimised builds (Swift 6.3).
  @TaskLocal private static var handler: Handler?

  static var current: (@Sendable (TestFailure) -> Void)? { handler?.take }

  /// Hands the failures of everything that is made or called inside `operation` to `handler`, in place of the test
  /// library: to test a test, or to count failures.
  ///
  /// ```swift
  /// await TestFailures.withHandler({ print($0.message) }) {
  ///   let test = TestReactor(CounterReactor())
  ///   await test.send(.increment)
  /// }
  /// ```
  ///
  /// `handler` may be called from any thread, one call at a time for each ``TestReactor``.
  nonisolated(nonsending) public static func withHandler<Result>(
    _ handler: @escaping @Sendable (TestFailure) -> Void,
    _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $handler.withValue(Handler(take: handler), operation: operation)
  }

  /// Hands the failure to the test library that runs.
  static func report(_ failure: TestFailure, at place: TestPlace) {
    #if canImport(Testing)
      let location = SourceLocation(
        fileID: failure.fileID, filePath: failure.filePath, line: failure.line, column: failure.column)
      if Test.current != nil {
        Issue.record("\(failure.message)", sourceLocation: location)
        return
      }
    #endif
    // Outside of a Swift test, or in a task that does not know its test: one of the two libraries is running, and the
    // other one takes no notice.
    #if canImport(XCTest)
      XCTFail(failure.message, file: place.filePath, line: place.line)
    #endif
    #if canImport(Testing)
      Issue.record("\(failure.message)", sourceLocation: location)
    #endif
  }

  /// Does the running task know which test it belongs to?
  static var knowsTest: Bool {
    #if canImport(Testing)
      return Test.current != nil
    #else
      return false
    #endif
  }
}

/// A line of a test.
struct TestPlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  var name: String { "\(fileID):\(line)" }

  func failure(_ message: String) -> TestFailure {
    TestFailure(message: message, fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
  }
}

/// The way of the failures of one test. It remembers the handler that was there at its beginning, so that also tasks
/// that know nothing of the test find it.
final class FailureSink: @unchecked Sendable {
  // Safe to share: `late` is only touched under `lock`, the others are constants.
  private let handler: (@Sendable (TestFailure) -> Void)?
  private let hadTest: Bool
  private let lock = Lock()
  private var late: [(TestFailure, TestPlace)] = []

  init() {
    handler = TestFailures.current
    hadTest = TestFailures.knowsTest
  }

  func record(_ message: String, at place: TestPlace) {
    let failure = place.failure(message)
    if let handler = handler ?? TestFailures.current { return handler(failure) }
    if hadTest, !TestFailures.knowsTest {
      // The task of an effect: the issue would belong to no test. The next call of the test hands it over.
      lock.withLock { late.append((failure, place)) }
    } else {
      TestFailures.report(failure, at: place)
    }
  }

  /// Hands over what was recorded by tasks that know nothing of the test.
  func flush() {
    let failures = lock.withLock {
      defer { late = [] }
      return late
    }
    for (failure, place) in failures { TestFailures.report(failure, at: place) }
  }
}

/// The error of a dependency that a test does not expect to be used; see ``unexpectedCall(_:fileID:filePath:line:column:)``.
public struct UnexpectedCall: Error, CustomStringConvertible {
  /// What was called.
  public let name: String

  /// Says what was called.
  public var description: String { "unexpected call of \(name)" }
}

/// Records a failure: a dependency was used in a test that does not expect it. Write it where the dependency is made, and
/// the failure is reported there.
///
/// ```swift
/// extension SearchService {
///   static let failing = SearchService { _ in throw unexpectedCall("SearchService.titles") }
/// }
/// ```
///
/// **Threads.** From any thread and task; in an effect the failure is reported with the next call of the
/// ``TestReactor``, so that it belongs to the right test.
/// - Returns: An error to throw; a dependency that cannot throw returns some value instead.
@discardableResult
public func unexpectedCall(
  _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> UnexpectedCall {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let sink = TaskToken.current?.pool?.failures ?? FailureSink()
  sink.record(
    """
    \(name) was called, and the test does not expect it.

    Hint: Give the reactor a \(name) that answers, or find out why it is used.
    """, at: place)
  return UnexpectedCall(name: name)
}
