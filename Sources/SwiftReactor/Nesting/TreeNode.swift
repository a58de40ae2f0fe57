// Relates: a reactor's place among its ancestors and children — who is told of a commit, and what is checked after it.
// Never: holds a reactor; a reactor that is gone stays in the tree as a node as long as there are children below it.
// Guarded by: the turn. All reactors of a tree belong to one lane.
//
// Who holds whom: a child's node holds its parent's node, which holds the parent's window and the places of its
// children; what it knows of their nodes is weak. Places hold the children that the parent made, as long as it lives.

/// A reactor's place in a tree of nested reactors.
@usableFromInline
final class TreeNode: @unchecked Sendable {
  // Safe to share: `output` is only touched under the window's lock, everything else in turns only, or before the
  // reactors' first use.

  let window: StateWindow
  private weak var core: (any TreeMember)?
  @exclusivity(unchecked) private(set) var parent: TreeNode?
  /// It was nested, if only once.
  private(set) var hasParent = false
  /// It was nested, and its state is gone.
  @exclusivity(unchecked) private(set) var isGone = false
  /// Gives the parent what a child puts out.
  var output: (@Sendable (any Sendable, AnyObject) -> Void)?

  /// The last observer that was registered on the lane when this was nested.
  var newestAtNesting = 0

  // What every commit asks: the accesses are the turn's, so they are not checked again.
  private var places: [any ChildPlaces] = []
  /// Those of the places whose children may come and go.
  @exclusivity(unchecked) private var changing: ContiguousArray<Watch> = []
  /// The children that have something to check, or have somebody below them who has.
  @exclusivity(unchecked) private var checked: [Link] = []
  /// The children that are watched, or have somebody below them who is.
  @exclusivity(unchecked) private var told: [Link] = []
  /// Has its reactor somebody to tell?
  @exclusivity(unchecked) private(set) var isWatched = false
  /// Is that so because of its feedback?
  private var isFed = false
  @exclusivity(unchecked) private var mayConcernOthers = false
  @exclusivity(unchecked) private var ancestorsAsked = UInt32.max
  @exclusivity(unchecked) private var isAncestorWatched = false
  /// The order in which the parent tells its children.
  private var order = 0
  private var lastOrder = 0

  /// Tells whether something has come or gone in a part of the state.
  private struct Watch {
    let offset: Int
    let hasChanged: (UnsafeRawPointer) -> Bool
    let places: any ChildPlaces
  }

  private struct Link {
    weak var node: TreeNode?
    let order: Int
  }

  init(of core: any TreeMember, in window: StateWindow) {
    self.core = core
    self.window = window
  }

  deinit {
    // It was not let go by its parent, so the parent has something to forget.
    parent?.core?.childIsLost()
  }

  /// The reactor, while it lives.
  var member: (any TreeMember)? { core }
  private var typeName: String { core?.typeName ?? "A reactor" }
  /// The reactors of the children that are there now.
  var members: [any TreeMember] { places.flatMap(\.members) }

  // MARK: Joining and leaving

  func join(_ parent: TreeNode) {
    hasParent = true
    self.parent = parent
    parent.lastOrder += 1
    order = parent.lastOrder
    if isOfInterest { parent.add(told: self) }
    if hasChecks { parent.add(checked: self) }
  }

  /// Reserves a part of the state for children. `hasChanged` tells whether one may have come or gone since it was asked
  /// last; nil if none does.
  func add(_ new: any ChildPlaces, hasChanged: ((UnsafeRawPointer) -> Bool)? = nil) {
    prune()
    for other in places where other.range.overlaps(new.range) && !(other.sharesRange && new.sharesRange) {
      mistake(
        """
        \(typeName): \(new.path) and \(other.path) overlap. Two nested reactors may not share a part of their parent's \
        state, nor one lie inside the other's.
        """)
    }
    places.append(new)
    guard let hasChanged else { return }
    let before = (isOfInterest, hasChecks)
    changing.append(Watch(offset: new.range.lowerBound, hasChanged: hasChanged, places: new))
    update(from: before)
  }

  /// Another case of the same enum must not be there at the same time: it would be the same case.
  func refuseSameCase(as place: any ChildPlaces) {
    guard place.sharesRange else { return }
    for other in places
    where other !== place && other.sharesRange && other.range == place.range && other.isThereNow {
      mistake(
        """
        \(typeName): two nested reactors may not share one case of an enum. Two at \(place.path) are at the case that \
        the state is in now.
        """)
    }
  }

  /// The state of this reactor is gone, and so are its children's.
  func leave(_ commit: inout TreeCommit) {
    if isGone { return }
    isGone = true
    for place in places { place.leave(&commit) }
    if let parent {
      parent.remove(told: self)
      parent.remove(checked: self)
    }
    parent = nil
    let old = window.lock.withLock {
      defer { output = nil }
      return output
    }
    window.leave()
    mayConcernOthers = false
    core?.stateIsGone(&commit)
    withExtendedLifetime(old) {}
  }

  /// The window has a new place, and so have those of its children.
  func move(to tree: StateTree, at place: Place) {
    window.move(to: tree, at: place)
    tree.watchChanges &+= 1
    if isFed { tree.hasFeedback = true }
    for place in places { place.move() }
  }

  /// The reactor is gone. Its state is not.
  func close() {
    for place in places { place.letGo() }
  }

  /// Forgets children that nobody holds any more.
  func prune() {
    places.removeAll { !$0.isInUse }
    let before = (isOfInterest, hasChecks)
    told.removeAll { $0.node == nil }
    checked.removeAll { $0.node == nil }
    update(from: before)
  }

  /// Is this node the other one, or below it?
  func isInside(_ other: TreeNode) -> Bool {
    self === other || parent?.isInside(other) == true
  }

  // MARK: Telling

  func setWatched(_ isWatched: Bool, isFed: Bool) {
    self.isFed = isFed
    if isFed { window.tree.hasFeedback = true }
    guard isWatched != self.isWatched else { return }
    let before = (isOfInterest, hasChecks)
    self.isWatched = isWatched
    window.tree.watchChanges &+= 1
    update(from: before)
  }

  /// Is there somebody above to tell?
  var hasWatchedAncestor: Bool {
    // Asked again only when somebody in this tree has begun or ceased to be watched.
    let changes = window.tree.watchChanges
    if ancestorsAsked == changes { return isAncestorWatched }
    ancestorsAsked = changes
    isAncestorWatched = parent.map { $0.isWatched || $0.hasWatchedAncestor } ?? false
    return isAncestorWatched
  }

  /// Is a commit of this reactor nobody else's business, and can it bring or take nothing?
  var isAlone: Bool { !mayConcernOthers && !hasWatchedAncestor }

  /// Is there somebody below to tell?
  var hasTold: Bool { !told.isEmpty }

  /// Tells this reactor and its ancestors, upwards.
  func tellUpwards() {
    // What lies above is asked for before anybody is told: an observer may let this child go.
    let parent = parent
    if isWatched { core?.tellObservers() }
    parent?.tellUpwards()
  }

  /// `newest` is the last observer that is told of this commit. A child that was nested since then began with it and hears
  /// by itself of the state that it found: if its paths were compared here, that would be a change nobody is told of.
  func tellChildren(upTo newest: Int) {
    for link in told {
      guard let child = link.node, child.parent === self, child.newestAtNesting <= newest else { continue }
      if child.isWatched { child.core?.tellObservers() }
      child.tellChildren(upTo: newest)
    }
  }

  // MARK: Feedback

  /// Has somebody in this tree feedback?
  var isFeedbackNear: Bool { window.tree.hasFeedback }

  /// Was the reactor used that this one is nested in?
  var hasUsedParent: Bool { parent?.core?.isUsed ?? false }

  /// Lets the feedback of this reactor, its ancestors and its children look at the state.
  func followFeedback(_ commit: inout TreeCommit) {
    var node: TreeNode? = self
    while let next = node {
      if next.isFed { next.core?.followFeedback(&commit) }
      node = next.parent
    }
    followFeedbackOfChildren(upTo: commit.newest, &commit)
  }

  func followFeedbackOfChildren(upTo newest: Int, _ commit: inout TreeCommit) {
    for link in told {
      guard let child = link.node, child.parent === self, child.newestAtNesting <= newest else { continue }
      if child.isFed { child.core?.followFeedback(&commit) }
      child.followFeedbackOfChildren(upTo: newest, &commit)
    }
  }

  func startMembersForFeedback() {
    for member in members { member.startForFeedback() }
  }

  var isOfInterest: Bool { isWatched || !told.isEmpty }

  private func update(from before: (isOfInterest: Bool, hasChecks: Bool)) {
    mayConcernOthers = hasChecks || hasTold
    guard let parent else { return }
    if before.isOfInterest != isOfInterest {
      if isOfInterest { parent.add(told: self) } else { parent.remove(told: self) }
    }
    if before.hasChecks != hasChecks {
      if hasChecks { parent.add(checked: self) } else { parent.remove(checked: self) }
    }
  }

  private func add(told child: TreeNode) {
    let before = (isOfInterest, hasChecks)
    told.insert(Link(node: child, order: child.order), at: Self.index(of: child, in: told))
    update(from: before)
  }

  private func remove(told child: TreeNode) {
    let before = (isOfInterest, hasChecks)
    Self.remove(child, from: &told)
    update(from: before)
  }

  // MARK: Checking

  /// May something have come or gone with a commit of this reactor, or of an ancestor?
  var hasChecks: Bool { !changing.isEmpty || !checked.isEmpty }

  /// Must more be done about a commit than to look at this reactor's own places?
  var concernsOthers: Bool { !checked.isEmpty || !told.isEmpty || hasWatchedAncestor }

  /// Looks at everything that may have come or gone.
  func check(_ commit: inout TreeCommit) {
    check(from: firstChange(at: window.storedAddress), &commit)
  }

  /// The same, if the first of the places in which something has changed is known.
  func check(from first: Int?, _ commit: inout TreeCommit) {
    var next = first
    while let index = next, !isGone {
      changing[index].places.check(&commit)
      next = firstChange(from: index + 1, at: window.storedAddress)
    }
    if checked.isEmpty { return }
    for link in checked {
      if let child = link.node, child.parent === self { child.check(&commit) }
    }
  }

  /// The next of the places in which something has changed. No code that could nest anything runs in between.
  ///
  /// - Parameter state: Where the reactor's state is stored; nil if it has to be looked for.
  func firstChange(from start: Int = 0, at state: UnsafeMutableRawPointer?) -> Int? {
    changing.withUnsafeBufferPointer { changing in
      var index = start
      while index < changing.count {
        let hasChanged =
          state.map { changing[index].hasChanged($0 + changing[index].offset) }
          ?? window.look(at: changing[index].offset, changing[index].hasChanged) ?? false
        if hasChanged { return index }
        index &+= 1
      }
      return nil
    }
  }

  private func add(checked child: TreeNode) {
    let before = (isOfInterest, hasChecks)
    checked.insert(Link(node: child, order: child.order), at: Self.index(of: child, in: checked))
    update(from: before)
  }

  private func remove(checked child: TreeNode) {
    let before = (isOfInterest, hasChecks)
    Self.remove(child, from: &checked)
    update(from: before)
  }

  // MARK: Lists of children

  /// Where a child is in a list, or belongs.
  private static func index(of child: TreeNode, in list: [Link]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].order < child.order { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func remove(_ child: TreeNode, from list: inout [Link]) {
    let index = index(of: child, in: list)
    if index < list.count, list[index].order == child.order { list.remove(at: index) }
  }
}
