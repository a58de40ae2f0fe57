// A door for effects: closed until a test opens it, so that a test decides what happens first instead of sleeping.

import Foundation

/// Holds tasks until it is opened. Once open it stays open.
final class Gate: @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`.
  private let lock = NSLock()
  private var opened = false
  private var lastTicket = 0
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

  init(open: Bool = false) {
    opened = open
  }

  var isOpen: Bool { lock.withLock { opened } }

  /// How many tasks stand in front of it.
  var waiters: Int { lock.withLock { waiting.count } }

  func open() {
    let released = lock.withLock {
      opened = true
      defer { waiting = [:] }
      return waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    for continuation in released { continuation.resume() }
  }

  /// Returns when the gate is open. Cancelling the task changes nothing: this is the stubborn effect of the tests, the
  /// one whose value comes late.
  func wait() async {
    await withCheckedContinuation { continuation in
      _ = enqueue(continuation)
    }
  }

  /// Returns when the gate is open, and throws as soon as the task is cancelled: the well-behaved effect.
  func waitOrThrow() async throws {
    let ticket = lock.withLock {
      lastTicket += 1
      return lastTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        _ = enqueue(continuation, ticket: ticket)
        if Task.isCancelled { release(ticket) }
      }
    } onCancel: {
      release(ticket)
    }
    try Task.checkCancellation()
  }

  private func enqueue(_ continuation: CheckedContinuation<Void, Never>, ticket: Int? = nil) -> Int {
    let (number, passes) = lock.withLock {
      if ticket == nil { lastTicket += 1 }
      let number = ticket ?? lastTicket
      if !opened { waiting[number] = continuation }
      return (number, opened)
    }
    if passes { continuation.resume() }
    return number
  }

  private func release(_ ticket: Int) {
    let continuation = lock.withLock { waiting.removeValue(forKey: ticket) }
    continuation?.resume()
  }
}
