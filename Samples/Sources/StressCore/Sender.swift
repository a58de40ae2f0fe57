// Those who send: threads, and one that works on the queue.

internal import Foundation
internal import SampleProgram

/// Keeps a sender from running away: only so many of its actions may be on their way.
package final class Pace: @unchecked Sendable {
  // Safe to share: everything that changes is guarded by the condition.
  private let condition = NSCondition()
  private let window: Int
  private var sent = 0
  private var handled = 0
  private var isFinished = false
  private var isGivenUp = false

  package struct Standing: Sendable, Hashable {
    package var sent = 0
    package var handled = 0
    /// Has sent all it has.
    package var isFinished = false

    package var isDone: Bool { isFinished && handled >= sent }
  }

  package init(window: Int) { self.window = window }

  package var standing: Standing {
    condition.withLock { Standing(sent: sent, handled: handled, isFinished: isFinished) }
  }

  /// Waits for room and takes it. False when the round was given up.
  func takeRoom() -> Bool {
    condition.withLock {
      while sent - handled >= window, !isGivenUp { condition.wait() }
      if !isGivenUp { sent += 1 }
      return !isGivenUp
    }
  }

  /// Takes room if there is some.
  func takeRoomIfThere() -> Bool {
    condition.withLock {
      guard sent - handled < window, !isGivenUp else { return false }
      sent += 1
      return true
    }
  }

  func handle() {
    condition.withLock {
      handled += 1
      // Not at every one: a sender that wakes up finds room for more than one action.
      if sent - handled == window / 2 { condition.signal() }
    }
  }

  func finish() { condition.withLock { isFinished = true } }

  func giveUp() {
    condition.withLock {
      isGivenUp = true
      condition.broadcast()
    }
  }

  var hasGivenUp: Bool { condition.withLock { isGivenUp } }
}

/// Sends the numbers of one sender.
struct Sender: Sendable {
  private static let batch = 64

  let index: Int
  let plan: StressPlan
  let pace: Pace
  let target: any StressTarget

  func startOnThread() {
    let thread = Thread { [self] in
      var random = SeededGenerator(seed: plan.seed &+ UInt64(index))
      for turn in 0..<plan.counts[index] {
        for number in plan.numbers(sender: index, turn: turn) {
          guard pace.takeRoom() else { return }
          target.send(Token(sender: index, number: number))
        }
        // Now and then somebody else has the word, at places that the seed decides.
        if random.next() & 0xFF == 0 { sched_yield() }
      }
      pace.finish()
    }
    thread.name = "sender \(index + 1)"
    thread.start()
  }

  func startOnQueue() {
    target.queue.async { [self] in send(from: 0, unsent: []) }
  }

  /// Some numbers, and then the queue's other work before the next ones.
  private func send(from start: Int, unsent: [Int]) {
    var turn = start
    var numbers = unsent
    for _ in 0..<Self.batch {
      while numbers.isEmpty, turn < plan.counts[index] {
        numbers = plan.numbers(sender: index, turn: turn)
        turn += 1
      }
      guard !numbers.isEmpty else {
        pace.finish()
        return
      }
      guard pace.takeRoomIfThere() else {
        if pace.hasGivenUp { return }
        let (turn, numbers) = (turn, numbers)
        target.queue.asyncAfter(deadline: .now() + .milliseconds(1)) { send(from: turn, unsent: numbers) }
        return
      }
      target.send(Token(sender: index, number: numbers.removeFirst()))
    }
    let (next, rest) = (turn, numbers)
    target.queue.async { send(from: next, unsent: rest) }
  }
}
