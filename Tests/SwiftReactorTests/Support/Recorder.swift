// What tests write down from any thread: values under a lock, lists of what was seen, marks of queues, lives of objects.

import Foundation
import SwiftReactor

/// A value behind a lock.
final class Shared<Value: Sendable>: @unchecked Sendable {
  // Safe to share: `stored` is only touched under `lock`.
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) {
    stored = value
  }

  var value: Value {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }

  @discardableResult
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&stored) }
  }
}

extension Shared where Value == Int {
  /// Adds one and returns the new value.
  @discardableResult
  func increment() -> Int {
    withLock {
      $0 += 1
      return $0
    }
  }
}

/// A list that grows.
final class Recorder<Element: Sendable>: Sendable {
  private let list = Shared<[Element]>([])

  /// A copy that shares no memory with the list: of a shared one ThreadSanitizer does not see that it was let go before
  /// the list is changed in place again.
  var values: [Element] { list.withLock { list in list.map { $0 } } }
  var count: Int { list.withLock { $0.count } }
  var last: Element? { list.withLock { $0.last } }

  func append(_ element: Element) {
    list.withLock { $0.append(element) }
  }

  func removeAll() {
    list.value = []
  }
}

/// Knows whether the code that asks runs on a certain queue, whatever thread serves it.
final class QueueMark: Sendable {
  private let key = DispatchSpecificKey<Int>()

  init(_ queue: DispatchQueue) {
    queue.setSpecific(key: key, value: 1)
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }
}

/// Counts the objects that are alive.
final class Lives: Sendable {
  private let alive = Shared(0)

  var count: Int { alive.value }

  /// An object that is counted as long as it lives.
  func make(onDeinit: @escaping @Sendable () -> Void = {}) -> Life {
    Life(self, onDeinit)
  }

  final class Life: Sendable {
    private let lives: Lives
    private let onDeinit: @Sendable () -> Void

    fileprivate init(_ lives: Lives, _ onDeinit: @escaping @Sendable () -> Void) {
      self.lives = lives
      self.onDeinit = onDeinit
      lives.alive.withLock { $0 += 1 }
    }

    deinit {
      lives.alive.withLock { $0 -= 1 }
      onDeinit()
    }
  }
}

/// Makes something whose reports go into a list instead of standard error.
func collectingReports<Made>(_ make: () -> Made) -> (Made, Recorder<ReactorReport>) {
  let reports = Recorder<ReactorReport>()
  let made = ReactorReports.withTestHandler({ reports.append($0) }) { make() }
  return (made, reports)
}
