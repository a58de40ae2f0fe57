// G19, the first half: one storage, whatever the place; identity; what goes and comes.

import Dispatch
import Testing

@testable import SwiftReactor

@Suite("G19 · A nested reactor is a window on its parent's state, not a copy")
struct NestWindowTests {
  @Test("There is one storage: on the queue child and parent always agree", arguments: 0..<6)
  func oneStorage(kind: Int) {
    let home = Home(
      House(
        guest: Leaf(), room: kind == 3 ? .study(Leaf()) : .kitchen(Leaf()), rows: [Leaf(id: 7), Leaf(id: 8)],
        cards: Keyed(7...8)))
    home.sync {
      let child: Cell<Leaf> =
        switch kind {
        case 0: home.door
        case 1: home.guest.reactor!
        case 2: home.kitchen.reactor!
        case 3: home.study.reactor!
        case 4: home.rows.reactor(for: 8)
        default: home.cards.reactor(for: 8)
        }
      let part: (House) -> Leaf? = { house in
        switch (kind, house.room) {
        case (0, _): house.door
        case (1, _): house.guest
        case (2, .kitchen(let leaf)), (3, .study(let leaf)): leaf
        case (4, _): house.rows.first { $0.id == 8 }
        case (5, _): house.cards[id: 8]
        default: nil
        }
      }
      #expect(child.state == part(home.reactor.state), "the parent's state wins at nest")
      child.change { $0.n = 5 }
      child.change { $0.list.append(1) }
      #expect(child.state.n == 5)
      #expect(part(home.reactor.state) == child.state)
      home.reactor.change { house in
        house.n += 1
        switch (kind, house.room) {
        case (0, _): house.door.n = 9
        case (1, _): house.guest!.n = 9
        case (2, .kitchen): house.room = .kitchen(Leaf(n: 9))
        case (3, .study): house.room = .study(Leaf(n: 9))
        case (4, _): house.rows[1].n = 9
        default: house.cards[id: 8]!.n = 9
        }
      }
      #expect(child.state.n == 9)
      #expect(part(home.reactor.state) == child.state)
      child.restore(Leaf(id: kind >= 4 ? 8 : 0, n: 11))
      #expect(part(home.reactor.state)?.n == 11, "restoring a child is a commit of its parent")
      home.reactor.restore(House(guest: Leaf(n: 3), room: .empty, rows: [Leaf(id: 8, n: 3)], cards: Keyed([8])))
      #expect(child.isAttached == (kind < 2 || kind > 3))
      if child.isAttached { #expect(part(home.reactor.state) == child.state, "so is restoring the parent") }
    }
  }

  @Test("Static children at any depth, put together from above and from below", arguments: [true, false])
  func anyDepth(fromAbove: Bool) {
    struct A: Sendable { var b = B(); var n = 0 }
    struct B: Sendable { var n = 0; var c = C() }
    struct C: Sendable { var n = 0; var d = Leaf() }
    onQueue { queue in
      let (a, b, c, d) = (Cell(A(), on: queue), Cell(B(), on: queue), Cell(C(), on: queue), Cell(Leaf(), on: queue))
      let steps = [{ a.nest(b, at: \.b) }, { b.nest(c, at: \.c) }, { c.nest(d, at: \.d) }]
      for step in fromAbove ? steps : steps.reversed() { step() }
      d.change { $0.n = 1 }
      c.change { $0.n = 2 }
      b.change { $0.n = 3 }
      a.change { $0.n = 4 }
      let state = a.state
      #expect([state.n, state.b.n, state.b.c.n, state.b.c.d.n] == [4, 3, 2, 1])
      a.change { $0.b.c.d.n = 10 }
      #expect(d.state.n == 10)
      #expect(b.state.c.d == d.state)
    }
  }

  @Test("What can come and go may lie in what can come and go: an optional in a case in an element")
  func nestedPlaces() {
    enum Page: Sendable { case none, houses(Keyed<Int, House>) }
    struct Book: Sendable { var page = Page.houses(Keyed([House(id: 4, guest: Leaf(n: 1))], id: \.id)) }
    struct Houses: Sendable { var all = Keyed<Int, House>() }
    onQueue { queue in
      let book = Cell(Book(), on: queue)
      let pages = book.nest(
        at: \.page,
        case: Case<Page, Keyed<Int, House>>(
          embed: Page.houses, extract: { if case .houses(let houses) = $0 { houses } else { nil } })
      ) { Cell(Keyed<Int, House>(), on: queue) }
      let houses = pages.reactor!.children(at: \.self) { _ in Cell(House(), on: queue) }
      let house = houses.reactor(for: 4)!
      let guest = house.nest(at: \.guest) { Cell(Leaf(), on: queue) }
      let leaf = guest.reactor!
      leaf.change { $0.n += 1 }
      guard case .houses(let all) = book.state.page else {
        Issue.record("the page is gone")
        return
      }
      #expect(all[id: 4]?.guest?.n == 2)
      #expect(leaf.state.n == 2)
      book.change { $0.page = .none }
      #expect([pages.reactor == nil, house.isAttached, leaf.isAttached] == [true, false, false])
    }
  }

  @Test("A child's commit is the parent's commit")
  func oneCommit() {
    let home = Home()
    home.sync {
      let seen = Recorder<Int>()
      let token = home.reactor.$state.dropFirst(1).sink { seen.append($0.door.n) }
      home.door.change { $0.n = 1 }
      home.door.answer { _ in [{ $0.n += 1 }, { $0.n += 1 }] }
      home.door.answer { _ in .none }
      #expect(seen.values == [1, 3])
      token.cancel()
    }
  }

  @Test("One parent mutation may change many children in one commit")
  func manyInOne() {
    let home = Home()
    home.sync {
      let seen = Recorder<[Int]>()
      let tokens = [home.door, home.garden].map { child in
        child.$state.dropFirst(1).sink { [unowned home] _ in seen.append([home.door.state.n, home.garden.state.n]) }
      }
      home.reactor.change {
        $0.door.n = 1
        $0.garden.n = 2
      }
      #expect(seen.values == [[1, 2], [1, 2]])
      for token in tokens { token.cancel() }
    }
  }

  @Test("Nothing is copied: a child's change leaves large collections where they are", arguments: 0..<5)
  func inPlace(kind: Int) {
    func big(_ id: Int) -> Leaf { Leaf(id: id, list: Array(repeating: 0, count: 1000)) }
    let home = Home(
      House(
        door: big(0), guest: big(0), room: .kitchen(big(0)), rows: [big(1), big(2)],
        cards: Keyed([big(1), big(2)], id: \.id)))
    home.sync {
      let child: Cell<Leaf> =
        switch kind {
        case 0: home.door
        case 1: home.guest.reactor!
        case 2: home.kitchen.reactor!
        case 3: home.rows.reactor(for: 2)
        default: home.cards.reactor(for: 2)
        }
      let places = Recorder<Int>()
      for number in 0..<4 {
        child.change { leaf in
          leaf.list[number] = 1
          places.append(leaf.list.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress!) })
        }
      }
      // The first change may copy what the parent's initial state still shares with the test.
      #expect(Set(places.values.dropFirst()).count == 1)
    }
  }

  // MARK: Identity

  @Test("Identity is what a commit shows: an element is the same as long as its id is there at each commit")
  func elementIdentity() {
    let home = Home(House(rows: (1...3).map { Leaf(id: $0) }, cards: Keyed(1...3)))
    home.sync {
      let rows = (1...3).map { home.rows.reactor(for: $0)! }
      let cards = (1...3).map { home.cards.reactor(for: $0)! }
      home.reactor.change { house in
        house.rows.reverse()
        house.cards.move(1, to: 2)
        house.rows.insert(Leaf(id: 9), at: 0)
        house.cards.insert(Leaf(id: 9), id: 9, at: 0)
      }
      for id in 1...3 {
        #expect(home.rows.reactor(for: id) === rows[id - 1], "wherever it moves")
        #expect(home.cards.reactor(for: id) === cards[id - 1])
        rows[id - 1].change { $0.n = id }
        cards[id - 1].change { $0.n = id }
      }
      #expect(home.reactor.state.rows.map(\.n) == [0, 3, 2, 1])
      #expect(home.reactor.state.cards.map(\.n) == [0, 2, 3, 1])
      home.reactor.change { house in
        house.rows.removeAll { $0.id == 2 }
        house.cards.remove(2)
      }
      #expect([rows[1].isAttached, cards[1].isAttached] == [false, false])
      #expect([rows[0].isAttached, rows[2].isAttached, cards[0].isAttached, cards[2].isAttached].allSatisfy { $0 })
      #expect(home.rows.reactor(for: 2) == nil)
      home.reactor.change { house in
        house.rows.append(Leaf(id: 2))
        house.cards.append(Leaf(id: 2), id: 2)
      }
      #expect(home.rows.reactor(for: 2) !== rows[1], "gone at one commit, it is another one at the next")
      #expect(home.cards.reactor(for: 2) !== cards[1])
    }
  }

  @Test("An optional is the same as long as it is not nil, an enum as long as it is the same case")
  func optionalIdentity() {
    let home = Home(House(guest: Leaf(), room: .kitchen(Leaf())))
    home.sync {
      let (guest, kitchen) = (home.guest.reactor!, home.kitchen.reactor!)
      home.reactor.change { house in
        house.guest = Leaf(id: 5)
        house.room = .kitchen(Leaf(id: 5))
      }
      #expect(home.guest.reactor === guest)
      #expect(home.kitchen.reactor === kitchen)
      #expect([guest.state.id, kitchen.state.id] == [5, 5])
      home.reactor.change { house in
        house.guest = nil
        house.room = .study(Leaf(id: 6))
      }
      #expect(home.guest.reactor == nil && home.kitchen.reactor == nil)
      #expect([guest.isAttached, kitchen.isAttached] == [false, false])
      #expect(home.study.reactor?.state.id == 6)
      home.reactor.change { house in
        house.guest = Leaf()
        house.room = .kitchen(Leaf())
      }
      #expect(home.guest.reactor != nil && home.guest.reactor !== guest)
      #expect(home.kitchen.reactor != nil && home.kitchen.reactor !== kitchen)
    }
  }

  @Test("What goes and comes back inside one commit is the same element")
  func goesAndComesBack() {
    let home = Home(House(guest: Leaf(), room: .kitchen(Leaf()), rows: [Leaf(id: 1)], cards: Keyed([1])))
    home.sync {
      let before = [
        home.guest.reactor!, home.kitchen.reactor!, home.rows.reactor(for: 1)!, home.cards.reactor(for: 1)!,
      ]
      home.reactor.answer { _ in
        [
          { house in
            house.guest = nil
            house.room = .empty
            house.rows = []
            house.cards.removeAll()
          },
          { house in
            house.guest = Leaf()
            house.room = .kitchen(Leaf())
            house.rows = [Leaf(id: 1)]
            house.cards.append(Leaf(id: 1), id: 1)
          },
        ]
      }
      let after = [home.guest.reactor, home.kitchen.reactor, home.rows.reactor(for: 1), home.cards.reactor(for: 1)]
      for (old, new) in zip(before, after) { #expect(old === new && old.isAttached) }
    }
  }

  @Test("renew(id:), called on the queue, detaches the old child before it returns and replaces one under its old id")
  func renew() {
    let home = Home(House(rows: [Leaf(id: 1)], cards: Keyed([1])))
    home.sync {
      for children in [home.rows, home.cards] {
        let old = children.reactor(for: 1)!
        let gate = Gate()
        old.answer { _ in
          .run { emit in
            await gate.wait()
            emit { $0.n = 99 }
          }
        }
        children.renew(id: 1)
        #expect(!old.isAttached)
        #expect(old.effects.isEmpty)
        let new = children.reactor(for: 1)!
        #expect(new !== old && new.isAttached)
        gate.open()
        new.change { $0.n = 1 }
        #expect([old.state.n, new.state.n] == [-1, 1])
      }
      #expect(home.reactor.state.rows[0].n == 1)
    }
  }

  // MARK: What is checked when

  @Test("After an ancestor's commit the live children at optional, keyed and case paths are checked")
  func ancestorsCheck() {
    let queue = DispatchQueue(label: "street")
    queue.sync {
      let street = Cell(Street(house: House(guest: Leaf(), room: .study(Leaf()), cards: Keyed([1]))), on: queue)
      let home = Home(on: queue)
      street.nest(home.reactor, at: \.house)
      let children = [home.guest.reactor!, home.study.reactor!, home.cards.reactor(for: 1)!]
      #expect(children.allSatisfy { $0.isAttached }, "nesting shows what the new parent's state has")
      street.change {
        $0.house.guest = nil
        $0.house.room = .empty
        $0.house.cards.remove(1)
      }
      #expect(children.allSatisfy { !$0.isAttached })
      street.change {
        $0.house.guest = Leaf()
        $0.house.room = .study(Leaf())
      }
      #expect(home.guest.reactor != nil && home.study.reactor != nil)
      street.change { $0.house = House() }
      #expect(home.guest.reactor == nil && home.study.reactor == nil)
    }
  }

  @Test("A child's own commit checks nobody else")
  func childChecksNobody() {
    struct Checked: Sendable { var page = Room.study(Leaf()); var leaf = Leaf(); var other = Leaf() }
    let asked = Shared(0)
    let counted = Case<Room, Leaf>(
      embed: Room.study,
      extract: {
        asked.increment()
        return if case .study(let leaf) = $0 { leaf } else { nil }
      })
    onQueue { queue in
      let parent = Cell(Checked(), on: queue)
      let child = Cell(Leaf(), on: queue)
      parent.nest(child, at: \.leaf)
      let study = parent.nest(at: \.page, case: counted) { Cell(Leaf(), on: queue) }
      let before = asked.value
      child.change { $0.n = 1 }
      #expect(asked.value == before)
      parent.change { $0.other.n = 1 }
      #expect(asked.value > before)
      withExtendedLifetime(study) {}
    }
  }

  @Test("children(…) makes a child at its first reactor(for:), and only if there is such an element")
  func madeWhenAsked() {
    let made = Recorder<Int>()
    onQueue { queue in
      let parent = Cell(House(cards: Keyed(1...3)), on: queue)
      let cards = parent.children(at: \.cards, id: \.id) { id in
        made.append(id)
        return Cell(Leaf(), on: queue)
      }
      parent.change { $0.n = 1 }
      #expect(made.values == [])
      #expect(cards.reactor(for: 2) === cards.reactor(for: 2))
      #expect(cards.reactor(for: 4) == nil)
      #expect(made.values == [2])
    }
  }

  @Test("An optional child is made after the commit that brings its state and before delivery")
  func madeBeforeDelivery() {
    let log = Recorder<String>()
    let box = Shared<OptionalChild<Cell<Leaf>>?>(nil)
    onQueue { queue in
      let parent = Cell(House(), on: queue)
      box.value = parent.nest(at: \.guest) {
        log.append("made, parent \(parent.state.n)")
        return Cell(Leaf(), on: queue)
      }
      let token = parent.$state.sink { _ in log.append("told, child \(box.value?.reactor?.state.n ?? 0)") }
      parent.change {
        $0.n = 1
        $0.guest = Leaf(n: 7)
      }
      #expect(log.values == ["told, child 0", "made, parent 1", "told, child 7"])
      token.cancel()
    }
  }
}
