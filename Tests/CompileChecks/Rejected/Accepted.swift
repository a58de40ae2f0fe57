// accepted
// The counterpart: the same shapes with values that may cross. If this one is rejected, so are the others for a reason
// that has nothing to do with them.

import SwiftReactor

final class Box: Sendable { let value = 0 }

final class BoxReactor: BaseReactor<BoxReactor.Action, Int, Int>, @unchecked Sendable {
  enum Action: Sendable { case set(Box) }
}

func observe(_ reactor: BaseReactor<Int, Int, Int>, _ box: Box) -> EventSubscription {
  reactor.observe(\.self) { print(box.value + $0) }
}

func load(_ box: Box) -> Mutations<Int> {
  .run { emit in emit(box.value) }
}
