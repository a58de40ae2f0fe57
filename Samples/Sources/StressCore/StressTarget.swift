// What is put under stress, seen from the side of the senders.

package import Dispatch

/// Something that takes numbered actions from any thread and keeps books about them.
///
/// To add a kind of stress: write a target, give it a case in ``StressKind``, and let that case make it.
package protocol StressTarget: AnyObject, Sendable {
  /// The serial queue on which everything is handled.
  var queue: DispatchQueue { get }
  /// Called from any thread, and on the queue.
  func send(_ token: Token)
  /// The books at the end. Called on the queue.
  func books() -> [Book]
}

/// Books with a name, and names for their lanes.
package struct Book: Sendable {
  package let name: String
  package let ledger: Ledger
  package let laneName: @Sendable (Int) -> String

  package init(name: String, ledger: Ledger, laneName: @escaping @Sendable (Int) -> String) {
    self.name = name
    self.ledger = ledger
    self.laneName = laneName
  }
}

/// A way to use a reactor.
package enum StressKind: String, Sendable, CaseIterable {
  /// Each action is one synchronous mutation.
  case sync
  /// Each action starts an effect, which emits one mutation.
  case async
  /// One half synchronous, the other half effects.
  case mixed
  /// Each action sends three more: from `mutate`, from `reduce` and from an observer.
  case reentrant
  /// One half to a parent, the other half to its children, whose states are parts of its own.
  case nested

  /// Makes the target. It calls `handled` on its queue whenever all that an action caused has happened.
  package func target(_ plan: StressPlan, handled: @escaping @Sendable (Token) -> Void) -> any StressTarget {
    let map = LaneMap(kind: self, plan: plan)
    return self == .nested ? NestedTarget(map, handled: handled) : ReactorTarget(map, handled: handled)
  }
}
