// Holds the payloads of what waits for one reactor, first in, first out, in memory of its own.
// Never: wraps an element, so that moving one in and out is all that it costs; keeps the memory of a flood.
// Guarded by: the lane's lock.

/// A queue with constant-time `append` and `popFirst` that cannot be copied. See ``Ring`` for one that can.
@usableFromInline
struct Inbox<Element>: ~Copyable {
  @usableFromInline var slots: UnsafeMutablePointer<Element>?
  /// A power of two, or 0.
  @usableFromInline var capacity: UInt32 = 0
  @usableFromInline var head: UInt32 = 0
  @usableFromInline var count: UInt32 = 0

  /// Memory beyond this many slots is given back when the inbox runs empty.
  @usableFromInline static var keptCapacity: UInt32 { 1024 }

  @inlinable
  init() {}

  @inlinable
  deinit {
    guard let slots else { return }
    for offset in 0..<count { (slots + Int((head &+ offset) & (capacity &- 1))).deinitialize(count: 1) }
    slots.deallocate()
  }

  var isEmpty: Bool { count == 0 }

  @inlinable
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (slots! + Int((head &+ count) & (capacity &- 1))).initialize(to: element)
    count &+= 1
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = (slots! + Int(head)).move()
    head = (head &+ 1) & (capacity &- 1)
    count &-= 1
    if count == 0, capacity > Self.keptCapacity { shrink() }
    return element
  }

  @inlinable
  mutating func grow() {
    let new = max(8, capacity * 2)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: Int(new))
    if let slots {
      let first = Int(capacity - head)
      larger.moveInitialize(from: slots + Int(head), count: first)
      (larger + first).moveInitialize(from: slots, count: Int(head))
      slots.deallocate()
    }
    slots = larger
    capacity = new
    head = 0
  }

  /// Gives the memory back if nothing waits.
  mutating func trim() {
    if isEmpty { shrink() }
  }

  @inlinable
  mutating func shrink() {
    slots?.deallocate()
    slots = nil
    capacity = 0
    head = 0
  }
}
