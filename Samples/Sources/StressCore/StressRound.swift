// One round: senders start, everything is waited for and checked, and somebody watches that it moves.

internal import Dispatch
internal import Foundation

/// What came out of a round.
package struct RoundResult: Sendable {
  package var sent = 0
  package var seconds = 0.0
  package var faults = Faults()
  /// One line for each thing that is wrong.
  package var complaints: [String] = []

  package var isClean: Bool { faults.isClean && complaints.isEmpty }
}

package struct StressRound: Sendable {
  package var plan: StressPlan
  /// How many actions of one sender may be on their way.
  package var window = 1000
  /// Nothing moves for so long: the round hangs.
  package var patience = 30.0
  /// Called about ten times a second with the number of handled actions.
  package var progress: @Sendable (Int) -> Void = { _ in }

  package init(plan: StressPlan) { self.plan = plan }

  /// Runs on the calling thread, which must not be needed by the target.
  package func run(
    _ makeTarget: (_ handled: @escaping @Sendable (Token) -> Void) -> any StressTarget
  ) -> RoundResult {
    let paces = plan.counts.map { _ in Pace(window: window) }
    var target: (any StressTarget)? = makeTarget { token in
      if paces.indices.contains(token.sender) { paces[token.sender].handle() }
    }
    var result = RoundResult()
    let start = DispatchTime.now()
    for index in plan.counts.indices {
      guard let target else { break }
      let sender = Sender(index: index, plan: plan, pace: paces[index], target: target)
      if index == plan.queueSender { sender.startOnQueue() } else { sender.startOnThread() }
    }
    let isMoving = waitForEnd(paces)
    result.seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    result.sent = paces.reduce(0) { $0 + $1.standing.sent }
    if !isMoving {
      result.complaints.append(hang(paces))
      for pace in paces { pace.giveUp() }
    }
    if let books = target.flatMap(books) {
      // An action that fails in both books is one fault, so the worse of the two counts.
      result.faults = books.map(\.ledger.faults).max { $0.total < $1.total } ?? Faults()
      for book in books {
        result.complaints += book.ledger.complaints(naming: book.laneName).map { "\(book.name), \($0)" }
      }
    } else {
      result.complaints.append("the queue of the reactor does not answer")
    }
    weak let released = target
    target = nil
    if isMoving, !isGone({ released == nil }) { result.complaints.append("the reactor was not freed") }
    return result
  }

  /// False if nothing moved for too long.
  private func waitForEnd(_ paces: [Pace]) -> Bool {
    var handledBefore = -1
    var lastMove = DispatchTime.now()
    while true {
      let standings = paces.map(\.standing)
      if standings.allSatisfy(\.isDone) { return true }
      let handled = standings.reduce(0) { $0 + $1.handled }
      progress(handled)
      if handled != handledBefore {
        handledBefore = handled
        lastMove = .now()
      } else if Double(DispatchTime.now().uptimeNanoseconds - lastMove.uptimeNanoseconds) / 1e9 > patience {
        return false
      }
      // Short at first, so that a small round is not measured in steps of the clock.
      Thread.sleep(forTimeInterval: handled == 0 ? 0.001 : 0.01)
    }
  }

  private func hang(_ paces: [Pace]) -> String {
    let standings = paces.map(\.standing)
    let handled = standings.reduce(0) { $0 + $1.handled }
    let sent = standings.reduce(0) { $0 + $1.sent }
    let open = standings.indices.filter { !standings[$0].isDone }.map { index in
      let who = index == plan.queueSender ? "the sender on the queue" : "sender \(index + 1)"
      let standing = standings[index]
      let state = standing.isFinished ? "finished" : "still sending"
      return "\(who) (\(state), \(standing.sent - standing.handled) of \(standing.sent) on their way)"
    }
    return "nothing moved for \(Int(patience)) s: \(handled) of \(sent) sent actions were handled; waiting for "
      + open.joined(separator: ", ")
  }

  /// The books, read on the queue behind all that waits there; nil if the queue hangs.
  private func books(_ target: any StressTarget) -> [Book]? {
    let answer = BookAnswer()
    target.queue.async {
      answer.books = target.books()
      answer.isThere.signal()
    }
    return answer.isThere.wait(timeout: .now() + max(1, patience)) == .success ? answer.books : nil
  }

  /// What a queue or a thread still holds is let go in a moment.
  private func isGone(_ condition: () -> Bool) -> Bool {
    let deadline = DispatchTime.now() + 5
    while !condition() {
      if DispatchTime.now() > deadline { return false }
      Thread.sleep(forTimeInterval: 0.001)
    }
    return true
  }
}

private final class BookAnswer: @unchecked Sendable {
  // Safe to share: written before the semaphore is signalled, read after it was waited for.
  let isThere = DispatchSemaphore(value: 0)
  var books: [Book] = []
}

extension Faults {
  fileprivate var total: Int { lost + duplicated + reordered + unknown }
}
