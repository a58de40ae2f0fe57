// When a view binds: exactly once for each reactor that is set, not before it has loaded, and never to nothing.

package import SwiftReactor

/// Decides when `bind(reactor:)` is due. It is the same on every platform, so that it can be tested on every platform.
package struct BindingRound: Sendable {
  /// The view has loaded; before, nothing is bound.
  private var isReady: Bool
  /// A reactor is set and not bound yet.
  private var isDue = false

  /// - Parameter isReady: May a reactor be bound at once?
  package init(isReady: Bool) {
    self.isReady = isReady
  }

  /// A reactor was set, or nil. What was bound before is over, whichever it is.
  ///
  /// - Returns: Whether to bind now.
  package mutating func didSet(isNil: Bool, _ subscriptions: inout Set<EventSubscription>) -> Bool {
    subscriptions.removeAll()
    isDue = !isNil
    return takeTurn()
  }

  /// The view has loaded.
  ///
  /// - Returns: Whether to bind now.
  package mutating func didLoad() -> Bool {
    isReady = true
    return takeTurn()
  }

  private mutating func takeTurn() -> Bool {
    guard isReady, isDue else { return false }
    isDue = false
    return true
  }
}
