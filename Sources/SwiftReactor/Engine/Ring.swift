// Holds what waits, first in, first out, without an allocation per element.
// Never: reorders, never keeps the memory of a flood once it is empty again.
// Guarded by: whoever owns it (a lane's lock, a gate's lock).

/// A queue with constant-time `append` and `popFirst`.
@usableFromInline
struct Ring<Element> {
  @usableFromInline var slots: ContiguousArray<Element?> = []
  @usableFromInline var head = 0
  @usableFromInline var count = 0

  /// Memory beyond this many slots is given back when the ring runs empty.
  @usableFromInline static var keptCapacity: Int { 1024 }

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { count == 0 }

  @inlinable
  var first: Element? { count == 0 ? nil : slots[head] }

  /// The element at a distance from the first one.
  @inlinable
  subscript(offset: Int) -> Element { slots[(head &+ offset) & (slots.count &- 1)]! }

  /// The last element, where it lies; there must be one.
  @inlinable
  var newest: Element {
    _read { yield slots[(head &+ count &- 1) & (slots.count &- 1)]! }
    _modify { yield &slots[(head &+ count &- 1) & (slots.count &- 1)]! }
  }

  @inlinable
  mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[(head &+ count) & (slots.count &- 1)] = element
    count &+= 1
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    var element: Element?
    swap(&element, &slots[head])
    head = (head &+ 1) & (slots.count &- 1)
    count &-= 1
    if count == 0, slots.count > Self.keptCapacity { shrink() }
    return element
  }

  @inlinable
  mutating func shrink() {
    slots = []
    head = 0
  }

  @inlinable
  mutating func grow() {
    var larger = ContiguousArray<Element?>()
    larger.reserveCapacity(max(8, slots.count * 2))
    for offset in 0..<count { larger.append(slots[(head + offset) & (slots.count - 1)]) }
    while larger.count < max(8, slots.count * 2) { larger.append(nil) }
    slots = larger
    head = 0
  }
}
