// Real threads with a deadline: a test that hangs says so by name and ends the process, instead of standing still.

import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Ends the process with a message unless `finish()` is called in time. The clock runs on a thread of its own, so it
/// also runs while the pool or a queue is blocked.
final class Watchdog: Sendable {
  private let done = DispatchSemaphore(value: 0)

  init(_ name: String, seconds: Double) {
    let done = self.done
    let thread = Thread {
      guard done.wait(timeout: .now() + seconds) == .timedOut else { return }
      let line = "HANG: \(name) did not end within \(seconds) s\n"
      FileHandle.standardError.write(Data(line.utf8))
      fatalError(line)
    }
    thread.name = "watchdog"
    thread.start()
  }

  func finish() {
    done.signal()
  }
}

/// Runs `body` under a watchdog.
func watched<Result>(
  _ name: String, seconds: Double = 180, _ body: () async throws -> Result
) async rethrows -> Result {
  let dog = Watchdog(name, seconds: seconds)
  defer { dog.finish() }
  return try await body()
}

/// Runs `body` on a thread of its own and waits for it without blocking the pool.
/// - Parameter stackSize: in bytes; the deep chains run on 512 KB.
func onThread<Result: Sendable>(
  stackSize: Int? = nil, _ body: @escaping @Sendable () -> Result
) async -> Result {
  // The result goes through a lock, not through the continuation, whose hand-over ThreadSanitizer does not see.
  let result = Shared<Result?>(nil)
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    let thread = Thread {
      result.value = body()
      continuation.resume()
    }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }
  return result.value!
}

/// Runs `body(0)` … `body(count - 1)` on that many threads, which start together: each spins until all are there.
func race(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  let start = Rendezvous(count)
  await withTaskGroup(of: Void.self) { group in
    for index in 0..<count {
      group.addTask {
        await onThread {
          start.arrive()
          body(index)
        }
      }
    }
  }
}

/// Threads that meet here go on at the same moment.
final class Rendezvous: Sendable {
  private let missing: Shared<Int>

  init(_ count: Int) {
    missing = Shared(count)
  }

  func arrive() {
    missing.withLock { $0 -= 1 }
    while missing.value > 0 { sched_yield() }
  }
}

/// A thread that runs beside the test until it is told to stop: the flood and the readers of the stress tests.
final class Companion: Sendable {
  private let stopped = Shared(false)
  private let ended: Task<Int, Never>

  /// Returns when the thread runs.
  /// - Parameter turn: Called again and again; the number of calls is the result of `stop()`.
  static func start(_ turn: @escaping @Sendable (Int) -> Void) async -> Companion {
    let begun = Gate()
    let companion = Companion(begun, turn)
    await begun.wait()
    return companion
  }

  private init(_ begun: Gate, _ turn: @escaping @Sendable (Int) -> Void) {
    let stopped = self.stopped
    ended = Task.detached {
      await onThread {
        var turns = 0
        repeat {
          turn(turns)
          turns += 1
          if turns == 1 { begun.open() }
        } while !stopped.value
        return turns
      }
    }
  }

  func stop() async -> Int {
    stopped.value = true
    return await ended.value
  }
}
