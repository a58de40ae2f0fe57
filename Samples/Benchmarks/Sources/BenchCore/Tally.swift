// What observers do here: as little as can be seen from outside.

/// A sum that observers add to on one thread.
final class Tally: @unchecked Sendable {
  // Safe to share: only the thread that measures uses it.
  private let sum = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() { sum.initialize(to: 0) }

  deinit { sum.deallocate() }

  @inline(__always)
  func add(_ number: Int) { sum.pointee &+= number }

  /// The last value an observer has seen, to be compared with.
  final class Last: @unchecked Sendable {
    // Safe to share: only the thread that measures uses it.
    @exclusivity(unchecked) private var value: Int

    init(_ value: Int) { self.value = value }

    @inline(__always)
    func changes(to new: Int) -> Bool {
      if new == value { return false }
      value = new
      return true
    }
  }
}
