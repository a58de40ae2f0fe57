// A state with ten thousand stored properties, and a key path for each.

package import SwiftReactor

/// Ten of something.
package struct Ten<Value: Sendable>: Sendable {
  package var (a, b, c, d, e): (Value, Value, Value, Value, Value)
  package var (f, g, h, i, j): (Value, Value, Value, Value, Value)

  package init(_ value: Value) {
    (a, b, c, d, e) = (value, value, value, value, value)
    (f, g, h, i, j) = (value, value, value, value, value)
  }

  /// The paths to all ten.
  package static var paths: [KeyPath<Ten, Value>] {
    [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j]
  }
}

package struct WideState: Sendable {
  package var count = 0
  /// Nobody changes them.
  package var names = Ten(Ten(Ten(Ten(0))))

  package init() {}

  /// As many different paths into `names`; at most 10 000.
  package static func paths(_ count: Int) -> [KeyPath<WideState, Int>] {
    var paths: [KeyPath<WideState, Int>] = []
    for first in Ten<Ten<Ten<Ten<Int>>>>.paths {
      for second in Ten<Ten<Ten<Int>>>.paths {
        for third in Ten<Ten<Int>>.paths {
          for fourth in Ten<Int>.paths {
            if paths.count == count { return paths }
            paths.append(
              (\WideState.names).appending(path: first).appending(path: second).appending(path: third)
                .appending(path: fourth))
          }
        }
      }
    }
    return paths
  }
}

package final class WideReactor: BaseReactor<CounterAction, Int, WideState>, @unchecked Sendable {
  // Safe to share: it has no properties.
  package init() {
    super.init(initialState: WideState())
  }

  package override func mutate(action: CounterAction) -> Mutations<Int> {
    if case .add(let number) = action { [number] } else { .none }
  }

  package override func reduce(into state: inout WideState, mutation: Int) {
    state.count += mutation
  }
}
