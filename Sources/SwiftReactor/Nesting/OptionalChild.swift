// A child whose state comes and goes: at an optional, or at one case of an enum.

/// One case of an enum, for ``BaseReactor/nest(at:case:_:)``.
///
/// ```swift
/// extension Case where Whole == Screen, Value == EditState {
///   static let edit = Case(embed: Screen.edit, extract: { if case .edit(let state) = $0 { state } else { nil } })
/// }
/// ```
public struct Case<Whole, Value>: Sendable {
  @usableFromInline let embed: @Sendable (Value) -> Whole
  @usableFromInline let extract: @Sendable (Whole) -> Value?

  /// Makes a case out of its two directions. Both run under the state's lock and must not wait for anything.
  public init(embed: @escaping @Sendable (Value) -> Whole, extract: @escaping @Sendable (Whole) -> Value?) {
    self.embed = embed
    self.extract = extract
  }
}

/// How the state of a child that comes and goes is found in a part of its parent's. The closures are formed where the
/// types are known.
@usableFromInline
struct PartAccess {
  let size: Int
  let sharesRange: Bool
  let isThere: (UnsafeRawPointer) -> Bool
  /// Has it come or gone since this was asked last? In turns.
  let hasChanged: (UnsafeRawPointer) -> Bool
  /// The way from the part to the child's state.
  let step: (Place) -> Step

  @usableFromInline
  init(
    size: Int, sharesRange: Bool, isThere: @escaping (UnsafeRawPointer) -> Bool,
    hasChanged: @escaping (UnsafeRawPointer) -> Bool, step: @escaping (Place) -> Step
  ) {
    self.size = size
    self.sharesRange = sharesRange
    self.isThere = isThere
    self.hasChanged = hasChanged
    self.step = step
  }
}

/// A child whose state comes and goes: an optional, or a case of an enum.
///
/// The child is made after the commit that brings its state, before anybody is told of it, and let go with the commit that
/// takes it away: its effects are cancelled then, and what arrives for it later is dropped.
public final class OptionalChild<Child: Reactor>: ChildPlaces, @unchecked Sendable {
  // Safe to share: `kept`, `known` and `isOver` are only touched under `lock`, `isPresent` in turns or before the
  // parent's first use; the rest are constants.
  let path: AnyKeyPath
  let range: Range<Int>
  private let parent: StateWindow
  let access: PartAccess
  private let make: @Sendable () -> Child
  private let adopt: Adopt<Child>

  private let lock = Lock()
  /// The parent keeps a child that it made, as long as it lives.
  private var kept: Child?
  private weak var known: Child?
  /// Nothing is made any more: the parent, or its state, is gone.
  private var isOver = false
  private var isPresent = false

  init(
    in parent: StateWindow, at path: AnyKeyPath, offset: Int, _ access: PartAccess,
    make: @escaping @Sendable () -> Child, adopt: @escaping Adopt<Child>
  ) {
    self.path = path
    range = offset..<offset + access.size
    self.parent = parent
    self.access = access
    self.make = make
    self.adopt = adopt
  }

  var members: [any TreeMember] { reactor.map { [$0.core] } ?? [] }

  /// The child, while its state is there. From any thread.
  public var reactor: Child? { lock.withLock { kept ?? known } }

  var sharesRange: Bool { access.sharesRange }
  var isInUse: Bool { true }
  var isThereNow: Bool { parent.look(at: range.lowerBound, access.isThere) ?? false }
  private var place: Place { Place(step: access.step(parent.place.part(at: range.lowerBound)), offset: 0) }

  func check(_ commit: inout TreeCommit) {
    let isThere = isThereNow
    if isThere == isPresent { return }
    if isThere { come(&commit) } else { leave(isOver: false, &commit) }
  }

  private func come(_ commit: inout TreeCommit) {
    if lock.withLock({ isOver }) { return }
    commit.mark()
    let made = make()
    guard adopt(made, place, &commit) else { return }
    isPresent = true
    lock.withLock {
      known = made
      if !isOver { kept = made }
    }
  }

  func move() {
    reactor?.core.node.move(to: parent.currentTree, at: place)
  }

  func leave(_ commit: inout TreeCommit) { leave(isOver: true, &commit) }

  private func leave(isOver: Bool, _ commit: inout TreeCommit) {
    isPresent = false
    let gone = lock.withLock {
      let gone = kept ?? known
      if isOver { self.isOver = true }
      kept = nil
      known = nil
      return gone
    }
    gone?.core.node.leave(&commit)
    commit.afterwards { withExtendedLifetime(gone) {} }
  }

  func letGo() {
    // Released after unlocking.
    let old = lock.withLock {
      isOver = true
      defer { kept = nil }
      return kept
    }
    withExtendedLifetime(old) {}
  }
}
