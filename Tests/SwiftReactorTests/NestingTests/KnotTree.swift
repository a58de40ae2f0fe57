// Random trees of nested reactors beside a plain value that knows nothing of reactors.

import Dispatch
import SwiftReactor

/// A state of any depth, with a place of every kind.
struct Knot: Equatable, Sendable {
  var id = 0
  var n = 0
  var leaf = Leaf()
  var guest: Leaf?
  var room = Room.empty
  var rows: [Knot] = []
  var cards = Keyed<Int, Knot>()

  /// The next state at a step; nil if it is not there.
  func part(_ step: Step) -> Part? {
    switch (step, room) {
    case (.leaf, _): .leaf(leaf)
    case (.guest, _): guest.map { .leaf($0) }
    case (.kitchen, .kitchen(let leaf)), (.study, .study(let leaf)): .leaf(leaf)
    case (.row(let id), _): rows.first { $0.id == id }.map { .knot($0) }
    case (.card(let id), _): cards[id: id].map { .knot($0) }
    default: nil
    }
  }

  func part(_ path: some Collection<Step>) -> Part? {
    guard let step = path.first else { return .knot(self) }
    guard let next = part(step) else { return nil }
    if path.count == 1 { return next }
    guard case .knot(let knot) = next else { return nil }
    return knot.part(path.dropFirst())
  }

  /// Changes what lies at a path.
  mutating func change(_ path: some Collection<Step>, knot: Change<Knot>, leaf change: Change<Leaf>) {
    guard let step = path.first else { return knot(&self) }
    let rest = path.dropFirst()
    switch (step, room) {
    case (.leaf, _): change(&leaf)
    case (.guest, _): change(&guest!)
    case (.kitchen, .kitchen(var leaf)):
      change(&leaf)
      room = .kitchen(leaf)
    case (.study, .study(var leaf)):
      change(&leaf)
      room = .study(leaf)
    case (.row(let id), _): rows[rows.firstIndex { $0.id == id }!].change(rest, knot: knot, leaf: change)
    case (.card(let id), _): cards[id: id]!.change(rest, knot: knot, leaf: change)
    default: break
    }
  }

  enum Step: Hashable, Sendable { case leaf, guest, kitchen, study, row(Int), card(Int) }
  enum Part: Equatable, Sendable { case knot(Knot), leaf(Leaf) }

  static func random(depth: Int, id: Int = 0, _ chance: inout SeededGenerator) -> Knot {
    var knot = Knot(id: id, n: Int.random(in: 0..<100, using: &chance))
    if Bool.random(using: &chance) { knot.guest = Leaf(n: Int.random(in: 0..<100, using: &chance)) }
    knot.room = [.empty, .kitchen(Leaf(n: 1)), .study(Leaf(n: 2))].randomElement(using: &chance)!
    guard depth > 0 else { return knot }
    for id in 0..<Int.random(in: 0..<3, using: &chance) {
      knot.rows.append(.random(depth: depth - 1, id: id, &chance))
      knot.cards.append(.random(depth: depth - 1, id: id, &chance), id: id)
    }
    return knot
  }
}

/// The reactors of a tree as far as anybody has asked for them, and what is expected of each.
final class KnotTree {
  enum Node {
    case knot(Cell<Knot>, Places)
    case leaf(Cell<Leaf>)
  }

  /// The places of one knot's children.
  struct Places: Sendable {
    let leaf: Cell<Leaf>
    let guest, kitchen, study: OptionalChild<Cell<Leaf>>
    let rows, cards: KeyedChildren<Int, Cell<Knot>>
  }

  final class Entry {
    let path: [Knot.Step]
    let node: Node
    var isThere = true
    let told = Shared(0)
    var expected = 0
    var token: EventSubscription?

    init(_ path: [Knot.Step], _ node: Node) {
      self.path = path
      self.node = node
    }

    var object: AnyObject {
      switch node {
      case .knot(let cell, _): cell
      case .leaf(let cell): cell
      }
    }
  }

  static let made = (knot: Knot(id: -1), leaf: Leaf(id: -1))

  let queue: DispatchQueue
  private let places = Shared<[ObjectIdentifier: Places]>([:])
  private(set) var entries: [Entry] = []
  private(set) var model: Knot
  private(set) var faults: [String] = []

  init(_ state: Knot, on queue: DispatchQueue) {
    self.queue = queue
    model = state
    let root = Self.make(state, on: queue, places)
    add([], .knot(root, places.value[ObjectIdentifier(root)]!), observes: true)
  }

  private static func make(
    _ state: Knot, on queue: DispatchQueue, _ table: Shared<[ObjectIdentifier: Places]>
  ) -> Cell<Knot> {
    let cell = Cell(state, on: queue)
    let leaf = Cell(made.leaf, on: queue)
    cell.nest(leaf, at: \.leaf)
    let places = Places(
      leaf: leaf, guest: cell.nest(at: \.guest) { Cell(made.leaf, on: queue) },
      kitchen: cell.nest(at: \.room, case: .kitchen) { Cell(made.leaf, on: queue) },
      study: cell.nest(at: \.room, case: .study) { Cell(made.leaf, on: queue) },
      rows: cell.children(at: \.rows, id: \.id) { [weak table] _ in make(made.knot, on: queue, table!) },
      cards: cell.children(at: \.cards) { [weak table] _ in make(made.knot, on: queue, table!) })
    table.withLock { $0[ObjectIdentifier(cell)] = places }
    return cell
  }

  var alive: [Entry] { entries.filter(\.isThere) }

  private func add(_ path: [Knot.Step], _ node: Node, observes: Bool) {
    let entry = Entry(path, node)
    entries.append(entry)
    guard observes else { return }
    entry.expected = 1
    let told = entry.told
    entry.token =
      switch node {
      case .knot(let cell, _): cell.$state.sink { _ in told.increment() }
      case .leaf(let cell): cell.$state.sink { _ in told.increment() }
      }
  }

  /// One commit of one reactor, and what the model says about it.
  func commit(_ entry: Entry, knot: @escaping Change<Knot>, leaf: @escaping Change<Leaf>, restores: Bool = false) {
    model.change(entry.path, knot: knot, leaf: leaf)
    note(commitOf: entry)
    switch (entry.node, restores) {
    case (.knot(let cell, _), false): cell.change(knot)
    case (.leaf(let cell), false): cell.change(leaf)
    case (.knot(let cell, _), true):
      var state = cell.state
      knot(&state)
      cell.restore(state)
    case (.leaf(let cell), true):
      var state = cell.state
      leaf(&state)
      cell.restore(state)
    }
    check("a commit of \(entry.path)")
  }

  private func note(commitOf entry: Entry) {
    for other in alive {
      if other.path.count > entry.path.count, other.path.starts(with: entry.path) {
        let isThere = (entry.path.count..<other.path.count).allSatisfy { model.part(other.path[...$0]) != nil }
        if !isThere { other.isThere = false }
      }
      let isRelated = other.path.starts(with: entry.path) || entry.path.starts(with: other.path)
      if other.isThere, isRelated, other.token != nil { other.expected += 1 }
    }
  }

  func renew(_ entry: Entry, _ step: Knot.Step) {
    guard case .knot(_, let places) = entry.node else { return }
    for other in alive where other.path.starts(with: entry.path + [step]) { other.isThere = false }
    switch step {
    case .row(let id): places.rows.renew(id: id)
    case .card(let id): places.cards.renew(id: id)
    default: break
    }
    check("renewing \(step) of \(entry.path)")
  }

  /// Looks for the children that are there now, and asks for some.
  func discover(_ chance: inout SeededGenerator) {
    for entry in alive {
      guard case .knot(_, let places) = entry.node, case .knot(let knot)? = model.part(entry.path) else { continue }
      meet(entry, .leaf, .leaf(places.leaf), &chance)
      meet(entry, .guest, places.guest.reactor.map { .leaf($0) }, &chance)
      meet(entry, .kitchen, places.kitchen.reactor.map { .leaf($0) }, &chance)
      meet(entry, .study, places.study.reactor.map { .leaf($0) }, &chance)
      guard entry.path.count < 4 else { continue }
      for id in 0..<4 {
        let isWanted = Bool.random(using: &chance)
        for (step, children) in [(Knot.Step.row(id), places.rows), (.card(id), places.cards)] {
          let isKnown = alive.contains { $0.path == entry.path + [step] }
          guard isWanted || isKnown || knot.part(step) == nil else { continue }
          meet(entry, step, node(of: children.reactor(for: id)), &chance)
        }
      }
    }
  }

  private func node(of cell: Cell<Knot>?) -> Node? {
    cell.map { .knot($0, places.value[ObjectIdentifier($0)]!) }
  }

  private func meet(_ parent: Entry, _ step: Knot.Step, _ found: Node?, _ chance: inout SeededGenerator) {
    let path = parent.path + [step]
    let known = alive.first { $0.path == path }
    if (found != nil) != (model.part(path) != nil) { faults.append("\(path) is there: \(found != nil)") }
    guard let found else { return }
    if let known {
      if known.object !== Entry(path, found).object { faults.append("\(path) is another one") }
    } else {
      add(path, found, observes: Int.random(in: 0..<3, using: &chance) > 0)
    }
  }

  func check(_ what: String) {
    for entry in entries {
      let (state, isAttached): (Knot.Part, Bool) =
        switch entry.node {
        case .knot(let cell, _): (.knot(cell.state), cell.isAttached)
        case .leaf(let cell): (.leaf(cell.state), cell.isAttached)
        }
      let gone: Knot.Part = if case .knot = state { .knot(Self.made.knot) } else { .leaf(Self.made.leaf) }
      if state != (entry.isThere ? model.part(entry.path) : gone) {
        faults.append("state of \(entry.path) after \(what)")
      }
      if isAttached != entry.isThere { faults.append("\(entry.path) is attached: \(isAttached) after \(what)") }
      if entry.told.value != entry.expected {
        faults.append("\(entry.path) was told \(entry.told.value) times, not \(entry.expected), after \(what)")
      }
    }
  }
}
