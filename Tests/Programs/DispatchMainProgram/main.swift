// A program under dispatchMain(): its main queue is served by whatever thread is free, never by the main thread. On the
// queue an action must be committed when the call returns, without a trap and without a hang.

import Dispatch
import Foundation
import SwiftReactor

final class ProgramReactor: BaseReactor<Int, Int, Int>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  override func mutate(action: Int) -> Mutations<Int> { [action] }
  override func reduce(into state: inout Int, mutation: Int) { state += mutation }
}

func fail(_ what: String) -> Never {
  print("failed: \(what)")
  fflush(nil)
  exit(1)
}

Thread.detachNewThread {
  Thread.sleep(forTimeInterval: 5)
  fail("HANG")
}

let reactor = ProgramReactor(initialState: 0)

// From the main thread before dispatchMain(), which is not the queue's business yet, one may already observe.
let seen = DispatchQueue(label: "seen")
nonisolated(unsafe) var values: [Int] = []  // safe: only touched inside `seen`

DispatchQueue.main.async {
  let token = reactor.observe(\.self) { value in seen.sync { values.append(value) } }
  reactor.action(1)
  guard reactor.state == 1 else { fail("n == \(reactor.state) when the call returned") }
  guard seen.sync(execute: { values }) == [0, 1] else { fail("not delivered when the call returned") }
  print("n == \(reactor.state), main thread: \(Thread.isMainThread)")

  Thread.detachNewThread {
    reactor.action(1)
    DispatchQueue.main.async {
      guard reactor.state == 2 else { fail("an action from a thread: n == \(reactor.state)") }
      token.cancel()
      fflush(nil)
      exit(0)
    }
  }
}

dispatchMain()
