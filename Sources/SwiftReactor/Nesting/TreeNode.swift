// Relates: a reactor's place among its ancestors and children — who is told of a commit, and what is checked after it.
// Never: holds a reactor; a parent that is gone stays in the tree as a node, because its state does.
// Guarded by: the turn. All reactors of a tree belong to one lane.

/// Something that has to look at the state after a commit of an ancestor: children that may have come or gone.
protocol TreeCheck: AnyObject {
  func check()
}

/// A reactor's place in a tree of nested reactors.
@usableFromInline
final class TreeNode: TreeCheck, @unchecked Sendable {
  // Safe to share: everything is used in turns only, or before the reactors' first use.

  private(set) var parent: TreeNode?
  /// The order in which the parent tells its children.
  private var order = 0
  private var lastOrder = 0
  /// Has its reactor somebody to tell?
  private(set) var isWatched = false
  /// The children that are watched, or have somebody below them who is.
  private var told: [TreeNode] = []
  /// What has to be checked after a commit of this reactor.
  private var checks: [any TreeCheck] = []
  private let tell: () -> Void

  init(tell: @escaping () -> Void) {
    self.tell = tell
  }

  // MARK: Joining and leaving

  func join(_ parent: TreeNode) {
    self.parent = parent
    parent.lastOrder += 1
    order = parent.lastOrder
    if isOfInterest { parent.add(told: self) }
    if !checks.isEmpty { parent.add(check: self) }
  }

  /// The state of this reactor is gone: nobody above has anything to do with it any more.
  func leave() {
    guard let parent else { return }
    parent.remove(told: self)
    parent.remove(check: self)
    self.parent = nil
  }

  /// Is this node the other one, or below it?
  func isInside(_ other: TreeNode) -> Bool {
    var node: TreeNode? = self
    while let current = node {
      if current === other { return true }
      node = current.parent
    }
    return false
  }

  // MARK: Telling

  func setWatched(_ isWatched: Bool) {
    guard isWatched != self.isWatched else { return }
    let before = isOfInterest
    self.isWatched = isWatched
    update(from: before)
  }

  /// Tells the ancestors, upwards, then the children.
  @usableFromInline
  func tellOthers() {
    var ancestor = parent
    while let current = ancestor {
      if current.isWatched { current.tell() }
      ancestor = current.parent
    }
    if !told.isEmpty { tellChildren() }
  }

  private func tellChildren() {
    for child in told where child.parent === self {
      if child.isWatched { child.tell() }
      child.tellChildren()
    }
  }

  private var isOfInterest: Bool { isWatched || !told.isEmpty }

  private func update(from before: Bool) {
    guard before != isOfInterest, let parent else { return }
    if isOfInterest { parent.add(told: self) } else { parent.remove(told: self) }
  }

  private func add(told child: TreeNode) {
    let before = isOfInterest
    let index = told.firstIndex { $0.order > child.order } ?? told.count
    told.insert(child, at: index)
    update(from: before)
  }

  private func remove(told child: TreeNode) {
    guard let index = told.firstIndex(where: { $0 === child }) else { return }
    let before = isOfInterest
    told.remove(at: index)
    update(from: before)
  }

  // MARK: Checking

  /// Looks at everything that may have come or gone.
  @usableFromInline
  func check() {
    for check in checks { check.check() }
  }

  @usableFromInline var hasChecks: Bool { !checks.isEmpty }

  func add(check: any TreeCheck) {
    checks.append(check)
    if checks.count == 1 { parent?.add(check: self) }
  }

  private func remove(check: any TreeCheck) {
    guard let index = checks.firstIndex(where: { $0 === check }) else { return }
    checks.remove(at: index)
    if checks.isEmpty { parent?.remove(check: self) }
  }
}
