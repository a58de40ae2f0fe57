// Finds what should be gone and is not.

internal import SwiftReactor

/// Watches objects without holding them, and says which of them are still there.
///
/// ```swift
/// let lifetimes = LifetimeTracker()
/// do {
///   let reactor = lifetimes.track(CounterReactor())
///   reactor.action(.incrementLater)
/// }
/// await lifetimes.expectNoneAlive()
/// ```
///
/// **Threads.** All calls may be made from any thread.
public final class LifetimeTracker: @unchecked Sendable {
  // Safe to share: `entries` is only touched under `lock`.
  private struct Entry {
    weak var object: AnyObject?
    let name: String
    let place: TestPlace
  }

  private let lock = Lock()
  private var entries: [Entry] = []

  /// Makes a tracker that watches nothing yet.
  public init() {}

  /// Watches `object`, and returns it. Failures call it by `name`; by default that is the name of its type.
  @discardableResult
  public func track<Object: AnyObject>(
    _ object: Object, as name: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Object {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let entry = Entry(object: object, name: name ?? "\(type(of: object))", place: place)
    lock.withLock { entries.append(entry) }
    return object
  }

  /// The names of those that are still there, in the order in which they were watched.
  public var alive: [String] { living.map(\.name) }

  private var living: [(name: String, place: TestPlace)] {
    lock.withLock { entries.filter { $0.object != nil }.map { ($0.name, $0.place) } }
  }

  /// Waits for rest (``settle()``) and records a failure if any of the objects is still there.
  public nonisolated(nonsending) func expectNoneAlive(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await settle()
    let living = living
    guard !living.isEmpty else { return }
    let list = living.map { "  \($0.name), tracked at \($0.place.name)" }.joined(separator: "\n")
    FailureSink().record(
      """
      \(living.count) of the tracked objects \(living.count == 1 ? "is" : "are") still there:

      \(list)

      Hint: Somebody holds \(living.count == 1 ? "it" : "them"). Look for an effect or an observer that captures the \
      reactor: use `[weak self]`, or only capture what is needed.
      """, at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
