// Records what a test sees, from any thread.

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

/// A value that any thread may read and replace.
final class SharedValue<Value: Sendable>: @unchecked Sendable {
  // Safe to share: only touched under `lock`.
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
  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&stored) }
  }
}

/// Stops the program with the name of the test if that is not over in time: a hang must not look like patience.
final class HangWatchdog: Sendable {
  private let isOver = SharedValue(false)

  init(_ name: String, seconds: Double = 60) {
    let isOver = isOver
    let thread = Thread {
      let end = Date().addingTimeInterval(seconds)
      while Date() < end {
        Thread.sleep(forTimeInterval: 0.05)
        if isOver.value { return }
      }
      fatalError("HANG: \(name) is not over after \(seconds) seconds")
    }
    thread.start()
  }

  func end() {
    isOver.value = true
  }
}

/// Threads that start together, so that what they do overlaps.
enum RealThreads {
  /// The thread that asks.
  static var current: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  /// Runs `body` on `count` threads of their own and returns when all have ended. Does not block the pool.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    let ready = SharedValue(0)
    let left = SharedValue(count)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      for index in 0..<count {
        let thread = Thread {
          ready.change { $0 += 1 }
          while ready.value < count { sched_yield() }
          body(index)
          let isLast = left.change { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }
        thread.start()
      }
    }
  }

  /// Runs `body` on one thread with a stack of that size.
  static func run(stackSize: Int, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let thread = Thread {
        body()
        continuation.resume()
      }
      thread.stackSize = stackSize
      thread.start()
    }
  }
}

/// Random numbers that can be had again: print the seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
