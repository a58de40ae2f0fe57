// Threads that send, and how the thread that measures waits for the queue.

internal import Foundation

/// Threads that wait for work and do it together.
final class Senders: @unchecked Sendable {
  // Safe to share: `work` is set before the threads are let go, and read by them after that.
  /// One for each, so that nobody does the work of two.
  private let go: [DispatchSemaphore]
  private let done = DispatchSemaphore(value: 0)
  private let count: Int
  private var work: (@Sendable (_ sender: Int) -> Void)?

  init(_ count: Int) {
    self.count = count
    go = (0..<count).map { _ in DispatchSemaphore(value: 0) }
    for (sender, go) in go.enumerated() {
      let thread = Thread { [done, weak self] in
        while true {
          go.wait()
          guard let work = self?.work else { return }
          work(sender)
          done.signal()
        }
      }
      thread.stackSize = 1 << 19
      thread.start()
    }
  }

  deinit {
    // They see that this is gone.
    for go in go { go.signal() }
  }

  /// Lets every thread run `work` once.
  func begin(_ work: @escaping @Sendable (_ sender: Int) -> Void) {
    self.work = work
    for go in go { go.signal() }
  }

  /// Waits until all have.
  func finish() {
    for _ in 0..<count { done.wait() }
  }

  /// How many of so many actions are a sender's.
  func share(of actions: Int, for sender: Int) -> Int {
    actions / count + (sender < actions % count ? 1 : 0)
  }

  /// A thread that sleeps for ever. With a second thread the locks of the system do what they do in a real program.
  static func startSecondThread() {
    let thread = Thread { while true { sleep(1_000_000) } }
    thread.start()
  }
}

/// The queue on which what is measured happens.
enum Serving: CaseIterable {
  case mainQueue
  case privateQueue

  var name: String { self == .mainQueue ? "main queue" : "private queue" }

  func makeQueue() -> DispatchQueue { self == .mainQueue ? .main : DispatchQueue(label: "benchmark") }

  /// Lets the queue work until `isDone`. On the main thread.
  func wait(until isDone: () -> Bool) {
    while !isDone() {
      switch self {
      case .mainQueue: _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
      // Asleep: whoever asked the queue would be in its way.
      case .privateQueue: usleep(20)
      }
    }
  }
}
