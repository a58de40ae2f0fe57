// G19, what cannot be right stops the program with a message.

import Dispatch
import Foundation
import SwiftReactor
import Testing

@Suite("G19 · Mistakes of nesting stop the program")
struct NestMistakeTests {
  private static func says(_ text: String, _ result: ExitTest.Result?) {
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains(text), "it said: \(error.prefix(400))")
  }

  /// Something that has properties of every kind.
  struct Kinds: Sendable {
    var leaf = Leaf()
    var house = House()
    var optional: House?
    var array = [Leaf()]
    var room = Room.kitchen(Leaf())
    var computed: Leaf {
      get { leaf }
      set { leaf = newValue }
    }
    var watched = Leaf() { didSet {} }
  }

  @Test("A cycle")
  func cycle() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onQueue { queue in
        let outer = Cell(Leaf(), on: queue)
        let inner = Cell(Leaf(), on: queue)
        outer.nest(inner, at: \.self)
        inner.nest(outer, at: \.self)
      }
    }
    Self.says(
      "Cell<Leaf> cannot be nested in Cell<Leaf>, \\Leaf.self: a reactor cannot be nested in itself or in its own child",
      result)
  }

  @Test("A reactor in itself")
  func itself() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onQueue { queue in
        let reactor = Cell(Leaf(), on: queue)
        reactor.nest(reactor, at: \.self)
      }
    }
    Self.says(
      "Cell<Leaf> cannot be nested in Cell<Leaf>, \\Leaf.self: a reactor cannot be nested in itself or in its own child",
      result)
  }

  @Test("A second parent, and a gone child that is nested again", arguments: [true, false])
  func secondParent(isGone: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isGone] in
      onQueue { queue in
        let child = Cell(Leaf(), on: queue)
        let (first, second) = (Cell(House(guest: Leaf()), on: queue), Cell(House(), on: queue))
        if isGone {
          let places = first.nest(at: \.guest) { child }
          first.change { $0.guest = nil }
          withExtendedLifetime(places) {}
        } else {
          first.nest(child, at: \.door)
        }
        second.nest(child, at: \.door)
      }
    }
    Self.says("Cell<Leaf> cannot be nested in Cell<House>, \\House.door: it is nested already, or was.", result)
  }

  @Test("Another queue")
  func otherQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let parent = Cell(House(), on: DispatchQueue(label: "one"))
      parent.nest(Cell(Leaf(), on: DispatchQueue(label: "two")), at: \.door)
    }
    let queues = "it has the queue \"two\", the parent \"one\". A nested reactor needs the queue of its parent."
    Self.says("Cell<Leaf> cannot be nested in Cell<House>, \\House.door: \(queues)", result)
  }

  @Test("A path that is not stored: computed, observed, through an optional, an element", arguments: 0..<4)
  func notStored(kind: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
      onQueue { queue in
        let parent = Cell(Kinds(), on: queue)
        switch kind {
        case 0: parent.nest(Cell(Leaf(), on: queue), at: \.computed)
        case 1: parent.nest(Cell(Leaf(), on: queue), at: \.watched)
        case 2: _ = parent.nest(at: \.optional!.guest) { Cell(Leaf(), on: queue) }
        default: parent.nest(Cell(Leaf(), on: queue), at: \.array[0])
        }
      }
    }
    Self.says("Cell<Kinds>: \\Kinds.", result)
    Self.says("is not a stored property: a reactor can only be nested at one", result)
  }

  @Test("Overlapping paths of two children: the same, one in the other, in both orders", arguments: 0..<5)
  func overlap(kind: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
      onQueue { queue in
        let parent = Cell(Kinds(), on: queue)
        let children = (0..<2).map { _ in Cell(Leaf(), on: queue) }
        let house = Cell(House(), on: queue)
        switch kind {
        case 0:
          parent.nest(children[0], at: \.leaf)
          parent.nest(children[1], at: \.leaf)
        case 1:
          parent.nest(house, at: \.house)
          parent.nest(children[0], at: \.house.door)
        case 2:
          parent.nest(children[0], at: \.house.door)
          parent.nest(house, at: \.house)
        case 3:
          let places = parent.children(at: \.array, id: \.id) { _ in Cell(Leaf(), on: queue) }
          let others = parent.children(at: \.array, id: \.n) { _ in Cell(Leaf(), on: queue) }
          withExtendedLifetime((places, others)) {}
        default:
          let rooms = parent.nest(at: \.room, case: .kitchen) { Cell(Leaf(), on: queue) }
          parent.nest(Cell(Room.empty, on: queue), at: \.room)
          withExtendedLifetime(rooms) {}
        }
        withExtendedLifetime((children, house)) {}
      }
    }
    let (new, old) = [
      ("leaf", "leaf"), ("house.door", "house"), ("house", "house.door"), ("array", "array"), ("room", "room"),
    ][kind]
    Self.says("Cell<Kinds>: \\Kinds.\(new) and \\Kinds.\(old) overlap. Two nested reactors may not share", result)
  }

  @Test("Cases of one enum excepted, but not the same case twice")
  func sameCase() async {
    onQueue { queue in
      let parent = Cell(Kinds(), on: queue)
      let kitchen = parent.nest(at: \.room, case: .kitchen) { Cell(Leaf(), on: queue) }
      let study = parent.nest(at: \.room, case: .study) { Cell(Leaf(), on: queue) }
      #expect(kitchen.reactor != nil && study.reactor == nil)
      parent.change { $0.room = .study(Leaf()) }
      #expect(kitchen.reactor == nil && study.reactor != nil)
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onQueue { queue in
        let parent = Cell(Kinds(), on: queue)
        let one = parent.nest(at: \.room, case: .kitchen) { Cell(Leaf(), on: queue) }
        let two = parent.nest(at: \.room, case: .kitchen) { Cell(Leaf(), on: queue) }
        withExtendedLifetime((one, two)) {}
      }
    }
    Self.says("Cell<Kinds>: two nested reactors may not share one case of an enum. Two at \\Kinds.room are", result)
  }

  @Test(
    "A reactor that overrides transform(state:) takes no part in nesting: at nest if the hook was called, else at first use",
    arguments: 0..<4)
  func stateHook(kind: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
      onQueue { queue in
        let (childShows, isUsed) = (kind % 2 == 0, kind < 2)
        let parent = Cell(House(), on: queue, hooks: childShows ? .init() : .init(state: { $0.map { $0 } }))
        let child = Cell(Leaf(), on: queue, hooks: childShows ? .init(state: { $0.map { $0 } }) : .init())
        if isUsed {
          parent.change { $0.n = 1 }
          child.change { $0.n = 1 }
        }
        parent.nest(child, at: \.door)
        child.change { $0.n = 1 }
      }
    }
    Self.says("Cell<\(kind % 2 == 0 ? "Leaf" : "House")> overrides transform(state:)", result)
    Self.says("takes no part in nesting", result)
  }

  @Test("One that returns its input may be nested")
  func untouchedStateHook() {
    onQueue { queue in
      let parent = Cell(House(), on: queue, hooks: .init(state: { $0 }))
      let child = Cell(Leaf(), on: queue, hooks: .init(state: { $0 }))
      parent.nest(child, at: \.door)
      child.change { $0.n = 1 }
      #expect(parent.state.door.n == 1)
    }
  }

  @Test("nest, children and renew from elsewhere after use, and inside a reduce", arguments: 0..<4)
  func fromElsewhere(kind: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
      let home = Home(House(cards: Keyed([1])))
      let queue = home.queue
      let other = Cell(House(), on: queue)
      let child = Cell(Leaf(), on: queue)
      home.sync { home.reactor.change { $0.n = 1 } }
      switch kind {
      case 0:
        home.sync { child.change { $0.n = 1 } }
        other.nest(child, at: \.door)
      case 1: _ = home.cards.reactor(for: 1)
      case 2: home.cards.renew(id: 1)
      default: home.sync { home.reactor.change { _ in home.cards.renew(id: 1) } }
      }
    }
    Self.says(kind == 0 ? "Cell<House>, \\House.door: " : "Cell<House>, \\House.cards: ", result)
    Self.says(kind < 3 ? "belong on the reactor's queue, \"" : "inside `reduce`", result)
  }

  @Test("From elsewhere before either was used, and a known child from any thread: that is allowed")
  func allowedFromElsewhere() async {
    let home = Home(House(cards: Keyed([1])))
    let known = home.sync { home.cards.reactor(for: 1)! }
    home.sync { home.reactor.change { $0.n = 1 } }
    await onThread { #expect(home.cards.reactor(for: 1) === known) }
    #expect(home.reactor.state.n == 1)
  }
}
