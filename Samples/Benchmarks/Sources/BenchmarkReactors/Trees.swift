// Reactors nested in each other.

package import SwiftReactor

/// A state with another one in it.
package struct Wrapped<Inner: Sendable>: Sendable {
  package var changes = 0
  package var inner: Inner
}

/// A parent of one child. It does nothing of its own.
package final class WrappingReactor<Inner: Sendable>: BaseReactor<CounterAction, Int, Wrapped<Inner>>,
  @unchecked Sendable
{
  // Safe to share: it has no properties.
  package override func mutate(action: CounterAction) -> Mutations<Int> {
    if case .add(let number) = action { [number] } else { .none }
  }

  package override func reduce(into state: inout Wrapped<Inner>, mutation: Int) {
    state.changes += mutation
  }
}

/// A counter so many levels below its root.
package struct NestedCounter {
  package let leaf: CounterReactor
  /// From the leaf's parent to the root; they are held here.
  package let ancestors: [AnyObject]

  package init(depth: Int) {
    leaf = CounterReactor()
    var ancestors: [AnyObject] = []
    Self.wrap(leaf, depth, &ancestors)
    self.ancestors = ancestors
  }

  private static func wrap<Inner>(
    _ child: BaseReactor<CounterAction, Int, Inner>, _ depth: Int, _ ancestors: inout [AnyObject]
  ) {
    if depth == 0 { return }
    let parent = WrappingReactor<Inner>(initialState: Wrapped(inner: child.state))
    parent.nest(child, at: \.inner)
    ancestors.append(parent)
    wrap(parent, depth - 1, &ancestors)
  }
}

package struct KeyedState: Sendable {
  package var changes = 0
  package var counters: Keyed<Int, CounterState>
}

/// A parent of a counter for each key.
package final class KeyedReactor: BaseReactor<CounterAction, Int, KeyedState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  package init(size: Int) {
    var counters = Keyed<Int, CounterState>()
    for key in 0..<size { counters.append(CounterState(), id: key) }
    super.init(initialState: KeyedState(counters: counters))
  }

  package override func mutate(action: CounterAction) -> Mutations<Int> {
    if case .add(let number) = action { [number] } else { .none }
  }

  package override func reduce(into state: inout KeyedState, mutation: Int) {
    state.changes += mutation
  }
}
