// The children of a collection, one per element.

/// How the elements of a collection are found by their ids. The closures are formed where the types are known.
@usableFromInline
struct CollectionAccess<ID: Hashable & Sendable> {
  let size: Int
  /// Has a key come, gone or moved since this was asked last? In turns.
  let hasChanged: (UnsafeRawPointer) -> Bool
  /// Which of the ids are not there?
  let missing: (UnsafeRawPointer, [ID]) -> [ID]
  let contains: (UnsafeRawPointer, ID) -> Bool
  /// The way from the collection to an element.
  let step: (Place, ID) -> Step

  @usableFromInline
  init(
    size: Int, hasChanged: @escaping (UnsafeRawPointer) -> Bool,
    missing: @escaping (UnsafeRawPointer, [ID]) -> [ID], contains: @escaping (UnsafeRawPointer, ID) -> Bool,
    step: @escaping (Place, ID) -> Step
  ) {
    self.size = size
    self.hasChanged = hasChanged
    self.missing = missing
    self.contains = contains
    self.step = step
  }
}

/// Compares the ids of the elements of an array, where they lie.
@usableFromInline
struct ElementIDs<Element, ID: Hashable> {
  @usableFromInline let path: KeyPath<Element, ID>
  /// Nil: the id is computed.
  @usableFromInline let offset: Int?

  @usableFromInline
  init(_ path: KeyPath<Element, ID>) {
    self.path = path
    offset = MemoryLayout<Element>.offset(of: path)
  }

  @inlinable
  func has(_ id: ID, _ element: UnsafePointer<Element>) -> Bool {
    guard let offset else { return element.pointee[keyPath: path] == id }
    return (UnsafeRawPointer(element) + offset).assumingMemoryBound(to: ID.self).pointee == id
  }

  /// Are these the ids, in this order?
  @inlinable
  func are(_ ids: [ID], in elements: UnsafeBufferPointer<Element>) -> Bool {
    guard ids.count == elements.count else { return false }
    guard let base = elements.baseAddress else { return true }
    return ids.withUnsafeBufferPointer { ids in
      for index in 0..<ids.count where !has(ids[index], base + index) { return false }
      return true
    }
  }

  /// Looks outwards from where it was last: what comes and goes elsewhere moves an element a little.
  @inlinable
  func find(_ id: ID, in elements: [Element], near start: Int) -> Int? {
    elements.withUnsafeBufferPointer { elements in
      guard let base = elements.baseAddress else { return nil }
      var after = Swift.min(start, elements.count)
      var before = after - 1
      while before >= 0 || after < elements.count {
        if after < elements.count, has(id, base + after) { return after }
        if before >= 0, has(id, base + before) { return before }
        before -= 1
        after += 1
      }
      return nil
    }
  }
}

/// The children of a collection, one per element, each made when it is first asked for.
///
/// A child is let go with the commit that takes its element away: its effects are cancelled then, and what arrives for it
/// later is dropped. An element is the same as long as its id is there at each commit, wherever it moves.
public final class KeyedChildren<ID: Hashable & Sendable, Child: Reactor>: ChildPlaces, @unchecked Sendable {
  // Safe to share: `children`, `lastOrder` and `isOver` are only touched under `lock`; what `access` remembers only in
  // turns, or before the parent's first use; the rest are constants.
  let path: AnyKeyPath
  let range: Range<Int>
  private let parent: StateWindow
  private let access: CollectionAccess<ID>
  private let make: @Sendable (ID) -> Child
  private let adopt: Adopt<Child>
  private let requireQueue: () -> TreeCommit?

  private let lock = Lock()
  private var children: [ID: Entry] = [:]
  private var lastOrder = 0
  /// Nothing is made any more: the parent, or its state, is gone.
  private var isOver = false

  private struct Entry {
    let order: Int
    /// The parent keeps the children that it made, as long as it lives.
    var kept: Child?
    weak var known: Child?
  }

  init(
    in parent: StateWindow, at path: AnyKeyPath, offset: Int, _ access: CollectionAccess<ID>,
    make: @escaping @Sendable (ID) -> Child, adopt: @escaping Adopt<Child>, requireQueue: @escaping () -> TreeCommit?
  ) {
    self.path = path
    range = offset..<offset + access.size
    self.parent = parent
    self.access = access
    self.make = make
    self.adopt = adopt
    self.requireQueue = requireQueue
  }

  var members: [any TreeMember] {
    lock.withLock { children.values.sorted { $0.order < $1.order }.compactMap(\.known) }.map(\.core)
  }

  /// The child of an element, made at the first call; nil if there is no such element.
  ///
  /// A child that exists may be asked for from any thread. The first call for an element must be on the reactor's queue;
  /// from elsewhere, and inside a `reduce`, it stops the program with a message.
  public func reactor(for id: ID) -> Child! {
    if let known = lock.withLock({ children[id]?.known }) { return known }
    guard var commit = requireQueue() else { return nil }
    defer { commit.end() }
    return come(id, &commit)
  }

  /// Lets the child of an element go and keeps the element: the next ``reactor(for:)`` makes a new one. For an element that
  /// was replaced by another one with the same id. On the reactor's queue; the old child is gone when this returns.
  public func renew(id: ID) {
    guard var commit = requireQueue() else { return }
    remove([id], &commit)
    commit.end()
  }

  var isInUse: Bool { true }

  /// How many children there are.
  var count: Int { lock.withLock { children.count } }

  private func place(of id: ID) -> Place {
    Place(step: access.step(parent.place.part(at: range.lowerBound), id), offset: 0)
  }

  private func come(_ id: ID, _ commit: inout TreeCommit) -> Child? {
    let (isFirst, isOver) = lock.withLock { () -> (Bool, Bool) in (children.isEmpty, self.isOver) }
    guard !isOver, parent.look(at: range.lowerBound, { access.contains($0, id) }) == true else { return nil }
    // As long as there was no child nobody looked at the keys.
    if isFirst { _ = parent.look(at: range.lowerBound, access.hasChanged) }
    let made = make(id)
    guard adopt(made, place(of: id), &commit) else { return nil }
    lock.withLock {
      lastOrder += 1
      children[id] = Entry(order: lastOrder, kept: self.isOver ? nil : made, known: made)
    }
    return made
  }

  func check(_ commit: inout TreeCommit) {
    let ids = lock.withLock { Array(children.keys) }
    if ids.isEmpty { return }
    remove(parent.look(at: range.lowerBound) { access.missing($0, ids) } ?? [], &commit)
  }

  func move() {
    for (id, entry) in lock.withLock({ children }) {
      entry.known?.core.node.move(to: parent.currentTree, at: place(of: id))
    }
  }

  func leave(_ commit: inout TreeCommit) {
    let ids = lock.withLock {
      isOver = true
      return Array(children.keys)
    }
    remove(ids, &commit)
  }

  private func remove(_ ids: [ID], _ commit: inout TreeCommit) {
    if ids.isEmpty { return }
    // In the order in which they were made, not in one of a dictionary.
    let gone = lock.withLock { ids.compactMap { children.removeValue(forKey: $0) } }.sorted { $0.order < $1.order }
    for entry in gone { entry.known?.core.node.leave(&commit) }
    commit.afterwards { withExtendedLifetime(gone) {} }
  }

  func letGo() {
    // Released after unlocking, one after the other.
    let old = lock.withLock {
      isOver = true
      let old = children.values.sorted { $0.order < $1.order }.map(\.kept)
      for id in children.keys { children[id]?.kept = nil }
      return old
    }
    withExtendedLifetime(old) {}
  }
}
