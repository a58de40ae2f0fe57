// Records what tests see, from any thread.

import Foundation

/// A list that any thread may add to.
final class EventLog<Value: Sendable>: @unchecked Sendable {
  // Safe to share: only touched under `lock`.
  private let lock = NSLock()
  private var recorded: [Value] = []

  func append(_ value: Value) {
    lock.withLock { recorded.append(value) }
  }

  var values: [Value] { lock.withLock { recorded } }
  var count: Int { lock.withLock { recorded.count } }
}
