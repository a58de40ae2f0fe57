// rejected: capture of 'box' with non-Sendable type 'Box'
// An observer is called on the queue: from nonisolated code it cannot capture what another thread may touch.

import SwiftReactor

final class Box { var value = 0 }

func observe(_ reactor: BaseReactor<Int, Int, Int>, _ box: Box) -> EventSubscription {
  reactor.observe(\.self) { box.value = $0 }
}
