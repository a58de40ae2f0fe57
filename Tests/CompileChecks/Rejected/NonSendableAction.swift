// rejected: does not conform to the 'Sendable' protocol
// An action that carries what belongs to one isolation cannot be sent to a queue.

import SwiftReactor

final class Box { var value = 0 }

final class BoxReactor: BaseReactor<BoxReactor.Action, Int, Int>, @unchecked Sendable {
  enum Action { case set(Box) }
}
