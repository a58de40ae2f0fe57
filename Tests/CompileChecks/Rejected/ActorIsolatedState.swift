// rejected: main actor-isolated property 'title' can not be mutated from a nonisolated context
// `mutate` runs on the reactor's queue, which need not be the main one.

import SwiftReactor

@MainActor
final class Title { var title = "" }

final class TitleReactor: BaseReactor<Int, Int, Int>, @unchecked Sendable {
  let title: Title

  init(_ title: Title) {
    self.title = title
    super.init(initialState: 0)
  }

  override func mutate(action: Int) -> Mutations<Int> {
    title.title = "\(action)"
    return [action]
  }
}
