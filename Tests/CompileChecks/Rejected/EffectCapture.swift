// rejected: capture of 'box' with non-Sendable type 'Box'
// An effect runs in a task of its own: it cannot capture what another thread may touch.

import SwiftReactor

final class Box { var value = 0 }

func load(_ box: Box) -> Mutations<Int> {
  .run { emit in emit(box.value) }
}
