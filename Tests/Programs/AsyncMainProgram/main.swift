// A program with an async main: after an await the main actor is served by another thread. It is the main queue all the
// same, and an action must be committed when the call returns.

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
let task = Task { @MainActor in
  await Task.detached {}.value
  var seen: [Int] = []
  let token = reactor.observe(\.self) { seen.append($0) }
  reactor.action(1)
  guard reactor.state == 1 else { fail("n == \(reactor.state) when the call returned") }
  guard seen == [0, 1] else { fail("delivered when the call returned: \(seen)") }
  print("n == \(reactor.state)")
  await reactor.perform(1)
  guard reactor.state == 2 else { fail("perform: n == \(reactor.state)") }
  token.cancel()
}
await task.value
fflush(nil)
