// B22, B23, B24, B25, and what B32, B37 and B48 ask of children: nested reactors that disagree, hit each other, or outlive
// their state.

import Dispatch
import SwiftReactor
import Testing

/// An effect under an id that waits at a gate and then counts.
private func load(_ gate: Gate) -> CellAction<Leaf> {
  .answer { _ in
    Mutations<Change<Leaf>>.run { emit in
      await gate.wait()
      emit { $0.n += 1 }
    }.effect(id: "load")
  }
}

@Suite("Bug reports · Nested reactors")
struct NestedReactorBugTests {
  @Test("B22 · A value derived by the parent is never computed from a half-updated child")
  func halfUpdated() {
    let home = Home()
    home.sync {
      let log = Recorder<[Int]>()
      let agrees = Recorder<Bool>()
      let token = home.reactor.$state.sink { [unowned home] house in
        log.append([house.door.n, house.door.id])
        agrees.append(house.door == home.door.state && home.door.state == home.reactor.state.door)
      }
      let before = home.door.state
      home.door.answer { _ in [{ $0.n = before.n + 1 }, { $0.id = before.id + 1 }] }
      #expect(log.values == [[before.n, before.id], [before.n + 1, before.id + 1]])
      home.reactor.change {
        $0.door.n = 7
        $0.garden.n = 8
      }
      #expect([home.door.state.n, home.garden.state.n] == [7, 8])
      #expect(agrees.values == [true, true, true])
      token.cancel()
    }
  }

  @Test("B23 · Cancelling by id does not hit the sibling")
  func siblings() async {
    let home = Home(House(guest: Leaf(), cards: Keyed(1...2)))
    let gates = (0..<3).map { _ in Gate() }
    let (first, second, guest) = home.sync {
      (home.cards.reactor(for: 1)!, home.cards.reactor(for: 2)!, home.guest.reactor!)
    }
    home.sync {
      for (child, gate) in zip([first, second, guest], gates) { child.action(load(gate)) }
      #expect([first, second, guest].map(\.effects.count) == [1, 1, 1])
    }
    for gate in gates { gate.open() }
    await eventually("all have loaded", on: home.queue) { [first, second, guest].allSatisfy { $0.state.n == 1 } }

    let again = Gate()
    home.sync {
      for child in [first, second, guest] { child.action(load(again)) }
      first.answer { _ in .cancel(id: "load") }
      #expect([first, second, guest].map(\.effects.count) == [0, 1, 1])
      home.reactor.change { $0.guest = nil }
      #expect([first, second, guest].map(\.effects.count) == [0, 1, 0])
    }
    again.open()
    await eventually("the one that is left has loaded", on: home.queue) { second.state.n == 2 }
    await settle(home.queue)
    #expect(first.state.n == 1)
  }

  @Test("B24 · A late value reaches its own element, wherever that is now, or nobody", arguments: [true, false])
  func latePosition(isKeyed: Bool) async {
    let home = Home(House(rows: (1...3).map { Leaf(id: $0) }, cards: Keyed(1...3)))
    let children = isKeyed ? home.cards : home.rows
    let gates = (0...4).map { _ in Gate() }
    let child = home.sync { [Int](1...3).map { children.reactor(for: $0)! } }
    // On the queue: ThreadSanitizer takes a read elsewhere of an array that is later changed in place for a race.
    let counts: @Sendable () -> [Int] = {
      home.sync {
        let house = home.reactor.state
        return isKeyed ? house.cards.map(\.n) : house.rows.map(\.n)
      }
    }
    home.sync {
      for (child, gate) in zip(child, gates) { child.action(load(gate)) }
      home.reactor.change { house in
        house.rows.removeFirst()
        house.cards.remove(1)
      }
      #expect(child[0].effects.isEmpty)
    }
    gates[0].open()
    gates[1].open()
    await eventually("q has counted", on: home.queue) { child[1].state.n == 1 }
    #expect(counts() == [1, 0])
    home.sync {
      home.reactor.change { house in
        house.rows.reverse()
        house.cards.move(3, to: 0)
      }
    }
    gates[2].open()
    await eventually("r has counted", on: home.queue) { child[2].state.n == 1 }
    #expect(counts() == [1, 1])
    home.sync {
      child[1].action(load(gates[3]))
      home.reactor.change { house in
        house.rows.removeLast()
        house.cards.remove(2)
      }
    }
    gates[3].open()
    await settle(home.queue)
    #expect(counts() == [1], "the last one is gone, and its value with it")
    // The same id, another element: in the next commit, or by renewing.
    home.sync {
      child[2].action(load(gates[4]))
      home.reactor.change { house in
        house.rows = []
        house.cards.removeAll()
      }
      home.reactor.change { house in
        house.rows = [Leaf(id: 3)]
        house.cards = Keyed([3])
      }
      let new = children.reactor(for: 3)!
      new.action(load(gates[4]))
      children.renew(id: 3)
      #expect(children.reactor(for: 3) !== new)
    }
    gates[4].open()
    await settle(home.queue)
    #expect(counts() == [0])
  }

  @Test("B25 · What is sent to an optional child that is already gone changes nothing")
  func goneOptional() async {
    let reports = Recorder<ReactorReport>()
    let home = Home(House(guest: Leaf(n: 5)), reports: reports)
    let gate = Gate()
    let told = Recorder<Int>()
    let guest = home.sync { home.guest.reactor! }
    let send = guest.action
    let token = home.sync {
      guest.action(load(gate))
      return guest.observe(\.n) { told.append($0) }
    }
    home.sync { home.reactor.change { $0.guest = nil } }
    let after = home.reactor.state
    home.sync { send.send(.change { $0.n = 1 }) }
    send.send(.change { $0.list = [1] })
    gate.open()
    await settle(home.queue)
    #expect(home.reactor.state == after)
    #expect(home.guest.reactor == nil)
    #expect(guest.effects.isEmpty)
    #expect(reports.count == 2, "one for each that was sent, none for the cancelled effect")
    #expect(told.values == [5])
    home.sync { home.reactor.change { $0.guest = Leaf() } }
    let next = home.sync { home.guest.reactor! }
    send.send(.change { $0.n = 1 })
    await settle(home.queue)
    #expect(next.state == Leaf())
    token.cancel()
  }

  @Test("B32 · A child's state read inside a parent's observer is the new one, and the other way round")
  func readInside() async {
    let home = Home()
    let bad = Shared(0)
    let calls = Shared(0)
    let tokens = home.sync {
      [
        home.reactor.$state.sink { [unowned home] house in
          calls.increment()
          if home.door.state != house.door { bad.increment() }
        },
        home.door.$state.sink { [unowned home] leaf in
          calls.increment()
          if home.reactor.state.door != leaf || home.door.state != leaf { bad.increment() }
        },
      ]
    }
    home.sync { home.door.change { $0.n += 1 } }
    await home.door.perform(.answer { _ in .run { $0 { $0.n += 1 } } })
    home.sync { home.reactor.change { $0.door.n += 1 } }
    #expect(bad.value == 0)
    #expect(calls.value == 2 + 3 * 2)
    for token in tokens { token.cancel() }
  }

  @Test(
    "B37 · Attaching a child gives the parent's observers no extra call if nothing differs", arguments: [true, false])
  func noExtraCall(fromElsewhere: Bool) async {
    let queue = DispatchQueue(label: "attach")
    let parent = Cell(House(), on: queue)
    let child = Cell(Leaf(), on: queue)
    let log = Recorder<String>()
    let tokens = [
      parent.$state.sink { _ in log.append("parent") }, child.$state.sink { _ in log.append("child") },
    ]
    await hop(queue)
    queue.sync { parent.nest(child, at: \.door) }
    await settle(queue)
    #expect(log.values == ["parent", "child"])
    let late =
      fromElsewhere
      ? child.observe(\.n) { log.append("late \($0)") } : queue.sync { child.observe(\.n) { log.append("late \($0)") } }
    await settle(queue)
    queue.sync { parent.change { $0.garden.n = 1 } }
    #expect(log.values == ["parent", "child", "late 0", "parent", "child"])
    for token in tokens + [late] { token.cancel() }
  }

  @Test("B48 · Cancelling an observer of the parent from a child's callback skips nobody", arguments: 0..<3)
  func cancelFromChild(position: Int) {
    let home = Home()
    home.sync {
      let counts = (0..<3).map { _ in Shared(0) }
      let tokens = (0..<3).map { index in
        home.reactor.$state.dropFirst(1).sink { _ in counts[index].increment() }
      }
      let own = home.door.observe(\.n) { n in if n == 2 { tokens[position].cancel() } }
      home.door.change { $0.n = 1 }
      home.door.change { $0.n = 2 }
      // The child is told before its parent, so the cancelled one has seen the first commit only.
      #expect(counts.map(\.value) == (0..<3).map { $0 == position ? 1 : 2 })
      for token in tokens + [own] { token.cancel() }
    }
  }
}
