// Where a nested state lies: a distance from the root of its tree, or a way to find it.
//
// A stored property is a distance, however deep; so is what is in an optional, as long as it is there. A case and an
// element are found each time, in place, without copying what lies around them. Nothing here knows the states' types:
// the closures that do are formed where the types are known, and so are specialised for them.

/// Where a state lies in its tree.
@usableFromInline
struct Place: @unchecked Sendable {
  // Safe to share: a step is constant; what it remembers about where it found something is only touched under the
  // tree's lock.

  /// Nil: the root.
  @usableFromInline let step: Step?
  /// The distance from what the step finds.
  @usableFromInline let offset: Int

  @usableFromInline
  init(step: Step?, offset: Int) {
    self.step = step
    self.offset = offset
  }

  static let root = Place(step: nil, offset: 0)
  /// The place of what has gone.
  static let nowhere = Place(step: Nowhere(), offset: 0)

  /// A stored part of what lies here.
  func part(at offset: Int) -> Place { Place(step: step, offset: self.offset + offset) }

  /// Always there, at the same distance from the root.
  var isStored: Bool { step == nil }

  /// The distance from the root, if it is the same whenever it is there.
  var distance: Int? {
    guard let step else { return offset }
    return step.distance.map { $0 + offset }
  }

  /// Is it there? For places that have a distance; needs no lock in a turn.
  func isThere(in base: UnsafeMutableRawPointer) -> Bool { step?.isThere(in: base) ?? true }

  /// Shows it; false if it is not there. Under the tree's lock.
  func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> Void) -> Bool {
    guard let step else {
      body(base + offset)
      return true
    }
    return step.visit(base) { body($0 + offset) }
  }

  /// Lets `change` change it in place; false if it is not there. Under the tree's lock.
  func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutableRawPointer) -> Void) -> Bool {
    guard let step else {
      change(base + offset)
      return true
    }
    return step.modify(base) { change($0 + offset) }
  }
}

/// One way of finding something.
@usableFromInline
class Step {
  @usableFromInline
  init() {}

  var distance: Int? { nil }
  func isThere(in base: UnsafeMutableRawPointer) -> Bool { false }
  func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> Void) -> Bool { false }
  func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutableRawPointer) -> Void) -> Bool { false }
}

/// What is in an optional. An optional keeps its payload, unchanged, at its own beginning, so it needs no searching.
final class OptionalStep: Step {
  private let optional: Place
  private let isSome: (UnsafeRawPointer) -> Bool

  init(_ optional: Place, isSome: @escaping (UnsafeRawPointer) -> Bool) {
    self.optional = optional
    self.isSome = isSome
  }

  override var distance: Int? { optional.distance }

  override func isThere(in base: UnsafeMutableRawPointer) -> Bool {
    guard let distance, optional.isThere(in: base) else { return false }
    return isSome(base + distance)
  }

  override func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> Void) -> Bool {
    var isThere = false
    _ = optional.visit(base) { optional in
      isThere = isSome(optional)
      if isThere { body(optional) }
    }
    return isThere
  }

  override func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutableRawPointer) -> Void) -> Bool {
    var isThere = false
    _ = optional.modify(base) { optional in
      isThere = isSome(optional)
      if isThere { change(optional) }
    }
    return isThere
  }
}

/// A case of an enum, or an element of a collection.
@usableFromInline
final class FoundStep: Step {
  /// Finds a part in the whole and shows it, or lets it be changed; false if it is not there.
  @usableFromInline typealias Access = (UnsafeMutableRawPointer, (UnsafeMutableRawPointer) -> Void) -> Bool

  private let whole: Place
  private let visitPart: Access
  private let modifyPart: Access

  @usableFromInline
  init(_ whole: Place, visit: @escaping Access, modify: @escaping Access) {
    self.whole = whole
    visitPart = visit
    modifyPart = modify
    super.init()
  }

  override func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> Void) -> Bool {
    var isThere = false
    _ = whole.visit(base) { isThere = visitPart($0, body) }
    return isThere
  }

  override func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutableRawPointer) -> Void) -> Bool {
    var isThere = false
    _ = whole.modify(base) { isThere = modifyPart($0, change) }
    return isThere
  }
}

/// What has gone: it is never there.
private final class Nowhere: Step {}

/// What a closure of this folder remembers from one call to the next.
@usableFromInline
final class Memo<Value> {
  // Not checked for exclusive access at each use: only touched under the tree's lock, or only in turns.
  @usableFromInline @exclusivity(unchecked) var value: Value

  @usableFromInline
  init(_ value: Value) {
    self.value = value
  }
}
