// The children of a reactor: fixed ones, those that come and go, and those of a collection.

/// One case of an enum, for ``BaseReactor/nest(at:case:_:)``.
///
/// ```swift
/// extension Case where Whole == Screen, Value == EditState {
///   static let edit = Case(embed: Screen.edit, extract: { if case .edit(let state) = $0 { state } else { nil } })
/// }
/// ```
public struct Case<Whole, Value>: Sendable {
  let embed: @Sendable (Value) -> Whole
  let extract: @Sendable (Whole) -> Value?

  /// Makes a case out of its two directions. Both run under the state's lock and must not wait for anything.
  public init(embed: @escaping @Sendable (Value) -> Whole, extract: @escaping @Sendable (Whole) -> Value?) {
    self.embed = embed
    self.extract = extract
  }
}

/// A child at a stored property: it is there as long as both reactors are.
final class FixedChild<Action: Sendable, Mutation: Sendable, State: Sendable>: ChildPlaces {
  let range: Range<Int>
  let sharesRange = false
  // The parent holds given children weakly.
  private weak var child: ReactorCore<Action, Mutation, State>?
  private let place: () -> (StateTree, Place<State>)?

  init(
    _ child: ReactorCore<Action, Mutation, State>, range: Range<Int>, place: @escaping () -> (StateTree, Place<State>)?
  ) {
    self.child = child
    self.range = range
    self.place = place
  }

  var isInUse: Bool { child != nil }
  var members: [any TreeMember] { child.map { [$0] } ?? [] }

  func move() {
    guard let child, let (tree, place) = place() else { return }
    child.storage.move(to: tree, at: place)
    child.moveChildren()
  }

  func leave() { child?.leaveTree() }
}

/// A child whose state comes and goes: an optional, or a case of an enum.
///
/// The child is made after the commit that brings its state, before anybody is told of it, and let go with the commit that
/// takes it away: its effects are cancelled then, and what arrives for it later is dropped.
public final class OptionalChild<Child: Reactor>: ChildPlaces, TreeCheck, @unchecked Sendable {
  // Safe to share: `child` is only touched under `lock`; the rest are constants.
  let range: Range<Int>
  let sharesRange: Bool
  private let lock = Lock()
  private var child: Child?
  private let make: @Sendable () -> Child
  private let isThere: () -> Bool
  private let place: () -> Place<Child.State>?
  private let adopt: (ReactorCore<Child.Action, Child.Mutation, Child.State>, Place<Child.State>) -> Void
  private let tree: () -> StateTree?

  init(
    range: Range<Int>, sharesRange: Bool, make: @escaping @Sendable () -> Child, isThere: @escaping () -> Bool,
    place: @escaping () -> Place<Child.State>?, tree: @escaping () -> StateTree?,
    adopt: @escaping (ReactorCore<Child.Action, Child.Mutation, Child.State>, Place<Child.State>) -> Void
  ) {
    self.range = range
    self.sharesRange = sharesRange
    self.make = make
    self.isThere = isThere
    self.place = place
    self.tree = tree
    self.adopt = adopt
  }

  /// The child, while its state is there. From any thread.
  public var reactor: Child? { lock.withLock { child } }

  var isInUse: Bool { true }
  var members: [any TreeMember] { reactor.map { [$0.core] } ?? [] }

  func check() {
    switch (isThere(), reactor) {
    case (true, nil):
      guard let place = place() else { return }
      let made = make()
      adopt(made.core, place)
      lock.withLock { child = made }
    case (false, .some):
      leave()
    default:
      break
    }
  }

  func move() {
    guard let child = reactor, let tree = tree(), let place = place() else { return }
    child.core.storage.move(to: tree, at: place)
    child.core.moveChildren()
  }

  func leave() {
    // Released after unlocking.
    let gone = lock.withLock {
      defer { child = nil }
      return child
    }
    gone?.core.leaveTree()
  }
}

/// The children of a collection, one per element, each made when it is first asked for.
///
/// A child is let go with the commit that takes its element away: its effects are cancelled then, and what arrives for it
/// later is dropped. An element is the same as long as its id is there at each commit, wherever it moves.
public final class KeyedChildren<ID: Hashable & Sendable, Child: Reactor>: ChildPlaces, TreeCheck, @unchecked Sendable {
  // Safe to share: `children` is only touched under `lock`; `keys` in turns; the rest are constants.
  let range: Range<Int>
  let sharesRange = false
  private let lock = Lock()
  private var children: [ID: (order: Int, child: Child)] = [:]
  private var lastOrder = 0
  private let make: @Sendable (ID) -> Child
  private let keys: any KeyObserver<ID>
  private let place: (ID) -> Place<Child.State>?
  private let adopt: (ReactorCore<Child.Action, Child.Mutation, Child.State>, Place<Child.State>) -> Void
  private let tree: () -> StateTree?
  private let requireQueue: () -> Void

  init(
    range: Range<Int>, keys: any KeyObserver<ID>, make: @escaping @Sendable (ID) -> Child,
    place: @escaping (ID) -> Place<Child.State>?, tree: @escaping () -> StateTree?,
    adopt: @escaping (ReactorCore<Child.Action, Child.Mutation, Child.State>, Place<Child.State>) -> Void,
    requireQueue: @escaping () -> Void
  ) {
    self.range = range
    self.keys = keys
    self.make = make
    self.place = place
    self.tree = tree
    self.adopt = adopt
    self.requireQueue = requireQueue
  }

  /// The child of an element, made at the first call; nil if there is no such element.
  ///
  /// A child that exists may be asked for from any thread. The first call for an element must be on the reactor's queue;
  /// from elsewhere it stops the program with a message.
  public func reactor(for id: ID) -> Child! {
    if let known = lock.withLock({ children[id]?.child }) { return known }
    requireQueue()
    guard keys.contains(id), let place = place(id) else { return nil }
    // As long as there was no child nobody looked at the keys.
    if lock.withLock({ children.isEmpty }) { _ = keys.changed() }
    let made = make(id)
    adopt(made.core, place)
    lock.withLock {
      lastOrder += 1
      children[id] = (lastOrder, made)
    }
    return made
  }

  /// Lets the child of an element go and keeps the element: the next ``reactor(for:)`` makes a new one. For an element that
  /// was replaced by another one with the same id. On the reactor's queue.
  public func renew(id: ID) {
    requireQueue()
    remove([id])
  }

  var isInUse: Bool { true }
  var members: [any TreeMember] {
    lock.withLock { children.values.sorted { $0.order < $1.order }.map(\.child) }.map { $0.core }
  }

  func check() {
    let isEmpty = lock.withLock { children.isEmpty }
    guard !isEmpty, let isThere = keys.changed() else { return }
    remove(lock.withLock { children.keys.filter { !isThere($0) } })
  }

  func move() {
    guard let tree = tree() else { return }
    for (id, (_, child)) in lock.withLock({ children }) {
      guard let place = place(id) else { continue }
      child.core.storage.move(to: tree, at: place)
      child.core.moveChildren()
    }
  }

  func leave() { remove(lock.withLock { Array(children.keys) }) }

  private func remove(_ ids: [ID]) {
    // Released after unlocking, and let go in the order in which they were made, not in one of a dictionary.
    let gone = lock.withLock { ids.compactMap { children.removeValue(forKey: $0) } }
    for (_, child) in gone.sorted(by: { $0.order < $1.order }) { child.core.leaveTree() }
  }
}

/// Sees which keys of a collection are there. In a turn.
protocol KeyObserver<ID>: AnyObject {
  associatedtype ID: Hashable & Sendable
  func contains(_ id: ID) -> Bool
  /// Asks whether an id is there; nil if no key has changed since the last time.
  func changed() -> ((ID) -> Bool)?
}

/// The keys of a plain array: compared one by one, which is a few nanoseconds each.
final class ArrayKeys<ID: Hashable & Sendable, Element: Sendable>: KeyObserver {
  private let visit: (([Element]) -> Void) -> Void
  private let idOf: (Element) -> ID
  /// Same ids in the same order?
  private let isSame: ([Element], [ID]) -> Bool
  private var last: [ID] = []

  init(
    visit: @escaping (([Element]) -> Void) -> Void, idOf: @escaping (Element) -> ID,
    isSame: @escaping ([Element], [ID]) -> Bool
  ) {
    self.visit = visit
    self.idOf = idOf
    self.isSame = isSame
  }

  func contains(_ id: ID) -> Bool {
    var isThere = false
    visit { elements in isThere = elements.contains { idOf($0) == id } }
    return isThere
  }

  func changed() -> ((ID) -> Bool)? {
    var ids: [ID]?
    visit { elements in
      if !isSame(elements, last) { ids = elements.map(idOf) }
    }
    guard let ids else { return nil }
    last = ids
    let set = Set(ids)
    return { set.contains($0) }
  }
}

/// The keys of a keyed collection, which counts their changes itself.
final class CollectionKeys<ID: Hashable & Sendable, Element: Sendable>: KeyObserver {
  private let visit: ((borrowing Keyed<ID, Element>) -> Void) -> Void
  private var version: UInt64 = 0

  init(visit: @escaping ((borrowing Keyed<ID, Element>) -> Void) -> Void) {
    self.visit = visit
  }

  func contains(_ id: ID) -> Bool {
    var isThere = false
    visit { isThere = $0.contains(id) }
    return isThere
  }

  func changed() -> ((ID) -> Bool)? {
    var keys: Set<ID>?
    visit { collection in
      if collection.version != version {
        version = collection.version
        keys = Set(collection.ids)
      }
    }
    return keys.map { keys in { keys.contains($0) } }
  }
}
