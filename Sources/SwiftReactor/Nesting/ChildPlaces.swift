// The parts of a parent's state in which children live, and what a commit that changes who lives there has to do.

/// A part of a parent's state that one child, or the children of a collection, live in. The parent's node holds it; it
/// knows the parent's window, and never the parent.
protocol ChildPlaces: AnyObject {
  /// The way to that part, for messages.
  var path: AnyKeyPath { get }
  /// The bytes of the parent's state that belong to it.
  var range: Range<Int> { get }
  /// Cases of one enum may share their bytes; nothing else may.
  var sharesRange: Bool { get }
  /// Does a child live here, or may one come?
  var isInUse: Bool { get }
  /// Is a child's state here now?
  var isThereNow: Bool { get }
  /// The children that live here now.
  var members: [any TreeMember] { get }
  /// A commit of the parent, or of an ancestor, has brought or taken something.
  func check(_ commit: inout TreeCommit)
  /// The parent's window has moved.
  func move()
  /// The parent's state is gone.
  func leave(_ commit: inout TreeCommit)
  /// The parent is gone: its children are held by others, or by nobody.
  func letGo()
}

extension ChildPlaces {
  var sharesRange: Bool { false }
  var isThereNow: Bool { true }
  func check(_ commit: inout TreeCommit) {}
  func letGo() {}
}

/// A child at a stored property: it is there as long as its parent's state is. The parent holds given children weakly.
final class FixedPlace: ChildPlaces {
  let path: AnyKeyPath
  let range: Range<Int>
  private let parent: StateWindow
  // It outlives its reactor as long as there are children below it.
  private weak var child: TreeNode?

  init(_ child: TreeNode, in parent: StateWindow, at path: AnyKeyPath, range: Range<Int>) {
    self.child = child
    self.parent = parent
    self.path = path
    self.range = range
  }

  var isInUse: Bool { child != nil }
  var place: Place { parent.place.part(at: range.lowerBound) }
  var members: [any TreeMember] { child?.member.map { [$0] } ?? [] }

  func move() { child?.move(to: parent.currentTree, at: place) }
  func leave(_ commit: inout TreeCommit) { child?.leave(&commit) }
}

/// One commit in a tree while it is carried out: what came, what went, who may be told of it.
struct TreeCommit {
  private let lane: Lane
  /// False: nothing is delivered; children are nested or let go by a call.
  private let isDelivery: Bool
  private var isMarked = false
  /// The last observer that is told of this commit.
  private(set) var newest = Int.max
  /// Cancelling and releasing run code of the user, who must find everybody told.
  private var goodbyes: [() -> Void] = []

  init(on lane: Lane, isDelivery: Bool) {
    self.lane = lane
    self.isDelivery = isDelivery
  }

  /// Observers that register from here on, or did so after number `newest`, began with this commit and are not told of it.
  /// Called before code of the user runs that may observe.
  mutating func mark(newest: Int? = nil) {
    guard isDelivery, !isMarked else { return }
    (isMarked, self.newest) = lane.ask { ($0.beginTreeCommit(newest: newest), $0.newestOfTreeCommit ?? .max) }
  }

  /// Does something when everybody was told.
  mutating func afterwards(_ goodbye: @escaping () -> Void) {
    goodbyes.append(goodbye)
  }

  /// Everybody was told.
  mutating func end() {
    if isMarked { lane.ask { $0.endTreeCommit() } }
    for goodbye in goodbyes { goodbye() }
  }
}

/// What a parent can do about children of one type: makes them a part of its tree.
typealias Adopt<Child: Reactor> = (Child, Place, inout TreeCommit) -> Bool

/// Lets a closure know the places that hold it.
final class WeakPlaces: @unchecked Sendable {
  // Safe to share: set before anybody else knows it.
  weak var places: (any ChildPlaces)?
}
