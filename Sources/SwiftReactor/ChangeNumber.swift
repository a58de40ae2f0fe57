// Numbers values that are copied freely, so that a change can be told from every other one: the assignments of a `Pulse`,
// the keys of a `Keyed`.

/// Numbers of changes. They only grow, for the whole program and not for one value: two values that were made apart never
/// have the same number by chance, and a later change never has a smaller one. 0 is none.
@usableFromInline
enum ChangeNumber {
  private static let lock = Lock()
  // Safe: only touched under `lock`.
  nonisolated(unsafe) private static var last: UInt64 = 0

  @usableFromInline
  static func next() -> UInt64 {
    lock.withLock {
      last += 1
      return last
    }
  }
}
