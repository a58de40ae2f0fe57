// Stops the program at a programmer's mistake, with a message that says what is wrong and what to do.
//
// `precondition` keeps its message to itself in release builds; these say it in every build.

/// Stops the program unless `condition` holds.
@usableFromInline
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { mistake(message()) }
}

/// Stops the program.
@usableFromInline
package func mistake(_ message: String) -> Never {
  fatalError("SwiftReactor: \(message)")
}
