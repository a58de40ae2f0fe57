// G19, what is left of a child whose state has gone, and who holds whom.

import Dispatch
import Testing

@testable import SwiftReactor

@Suite("G19 · A gone child")
struct NestGoneTests {
  @Test("Its effects are cancelled in that step, its waiting and late arrivals are dropped with one diagnostic each")
  func lateArrivals() async {
    let reports = Recorder<ReactorReport>()
    let home = Home(House(guest: Leaf()), reports: reports)
    let (guest, gate) = home.sync { (home.guest.reactor!, Gate()) }
    let cancelled = Shared(false)
    home.sync {
      guest.answer { _ in
        .run { emit in
          await withTaskCancellationHandler {
            await gate.wait()
          } onCancel: {
            cancelled.value = true
          }
          emit { $0.n = 99 }
        }
      }
      let told = Recorder<Bool>()
      let token = home.reactor.observe(\.guest) { _ in told.append(guest.effects.isEmpty) }
      // One that waits when the state goes, of each kind.
      home.reactor.answer { _ in
        guest.change { $0.n = 50 }
        guest.mutation.send { $0.n = 51 }
        guest.restore(Leaf(n: 52))
        return [{ $0.guest = nil }]
      }
      #expect(told.values == [false, true], "in that step")
      #expect(reports.count == 3)
      guest.change { $0.n = 53 }
      guest.output("late")
      token.cancel()
    }
    // From elsewhere.
    guest.change { $0.n = 54 }
    await guest.perform(.change { $0.n = 55 })
    gate.open()
    await settle(home.queue)
    #expect(cancelled.value)
    #expect(reports.count == 7)
    #expect(reports.values.allSatisfy { $0.kind == .lateArrival })
    #expect(home.reactor.state.guest == nil)
    #expect(guest.state == Leaf(id: -1, n: -1), "state of a child whose state has gone is the state it was made with")
    #expect(!guest.isAttached)
  }

  @Test("Its observers keep what they last got; one that comes later gets the state the child was made with")
  func observers() {
    let home = Home(House(cards: Keyed([1])))
    home.sync {
      let card = home.cards.reactor(for: 1)!
      let seen = Recorder<Int>()
      let tokens = [card.$state.sink { seen.append($0.n) }, card.observe(\.n) { seen.append($0) }]
      card.change { $0.n = 5 }
      home.reactor.change { $0.cards.remove(1) }
      home.reactor.change { $0.cards.append(Leaf(id: 1, n: 7), id: 1) }
      #expect(seen.values == [0, 0, 5, 5])
      let late = card.observe(\.n) { seen.append($0) }
      #expect(seen.values.last == -1)
      for token in tokens + [late] { token.cancel() }
    }
  }

  @Test("isAttached tells, also for those below a child that has gone")
  func isAttached() {
    let queue = DispatchQueue(label: "street")
    queue.sync {
      let street = Cell(Street(houses: Keyed([House(id: 1, guest: Leaf())], id: \.id)), on: queue)
      #expect(street.isAttached, "one that was never nested")
      let home = Shared<Home?>(nil)
      let houses = street.children(at: \.houses) { _ in
        let made = Home(House(n: -5), on: queue)
        home.value = made
        return made.reactor
      }
      let house = houses.reactor(for: 1)!
      let below = [home.value!.door, home.value!.guest.reactor!]
      #expect(house.isAttached && below.allSatisfy { $0.isAttached })
      street.change { $0.houses.removeAll() }
      #expect(!house.isAttached && below.allSatisfy { !$0.isAttached })
      #expect(house.state.n == -5)
      #expect(home.value!.guest.reactor == nil)
      #expect(home.value!.cards.reactor(for: 1) == nil, "nothing is made in what has gone")
    }
  }

  @Test("What a hook of a gone child holds back is dropped with it")
  func heldByHook() async {
    let subject = EventSubject<Change<Leaf>>()
    let home = Home(House(guest: Leaf()), child: .init(mutation: { $0.merge(with: subject.stream) }))
    home.sync {
      let guest = home.guest.reactor!
      guest.change { $0.n = 1 }
      subject.send { $0.n += 1 }
      #expect(guest.state.n == 2)
      home.reactor.change { $0.guest = nil }
      subject.send { $0.n += 1 }
      home.reactor.change { $0.guest = Leaf() }
      #expect(guest.state.n == -1)
      #expect(home.guest.reactor?.state.n == 0)
    }
  }

  @Test("perform on a child that goes meanwhile returns")
  func performReturns() async {
    let home = Home(House(guest: Leaf()))
    let guest = home.guest.reactor!
    let begun = Gate()
    await watched("perform on a child that goes", seconds: 180) {
      async let call: Void = guest.perform(
        .answer { _ in
          .run { _ in
            begun.open()
            try await Gate().waitOrThrow()
          }
        })
      await begun.wait()
      home.sync { home.reactor.change { $0.guest = nil } }
      await call
    }
    #expect(guest.effects.isEmpty)
  }

  // MARK: Who holds whom

  @Test("The parent keeps children it made itself, and holds given ones weakly")
  func parentHolds() {
    let lives = Lives()
    onQueue { queue in
      let parent = Cell(House(guest: Leaf(), cards: Keyed([1])), on: queue)
      weak var given: Cell<Leaf>?
      do {
        let child = Cell(Leaf(), on: queue)
        given = child
        parent.nest(child, at: \.door)
      }
      #expect(given == nil)
      // Its place is free again.
      let next = Cell(Leaf(), on: queue)
      parent.nest(next, at: \.door)
      _ = parent.nest(at: \.guest) { Cell(Leaf(), on: queue, hooks: .init(life: lives.make())) }
      _ = parent.children(at: \.cards) { _ in Cell(Leaf(), on: queue, hooks: .init(life: lives.make())) }.reactor(
        for: 1)
      #expect(lives.count == 2)
      parent.change { $0.guest = nil }
      #expect(lives.count == 1)
    }
    #expect(lives.count == 0)
  }

  @Test(
    "A child holds the parent's storage, not the parent: when the parent goes, its children go on alone",
    arguments: 0..<4)
  func parentGone(kind: Int) async {
    let lives = Lives()
    let queue = DispatchQueue(label: "alone")
    let child: Cell<Leaf> = queue.sync {
      let home = Home(
        House(
          door: Leaf(n: 1), guest: Leaf(n: 1), room: .study(Leaf(n: 1)), cards: Keyed([Leaf(id: 1, n: 1)], id: \.id)),
        on: queue, hooks: .init(life: lives.make()))
      home.reactor.change { $0.n = 1 }
      return switch kind {
      case 0: home.door
      case 1: home.guest.reactor!
      case 2: home.study.reactor!
      default: home.cards.reactor(for: 1)
      }
    }
    #expect(lives.count == 0, "the parent is gone")
    #expect(child.state.n == 1, "on the last state")
    queue.sync { child.change { $0.n += 1 } }
    await child.perform(.answer { _ in .run { $0 { $0.n += 1 } } })
    #expect(child.state.n == 3)
    #expect(child.isAttached)
  }

  @Test("A reactor between two others may go: those below it stay where they are")
  func middleGone() {
    let queue = DispatchQueue(label: "middle")
    queue.sync {
      let street = Cell(Street(house: House(guest: Leaf(n: 2))), on: queue)
      let seen = Recorder<Int>()
      let token = street.$state.sink { seen.append($0.house.door.n) }
      let (door, guest) = {
        let home = Home(on: queue)
        street.nest(home.reactor, at: \.house)
        return (home.door, home.guest.reactor!)
      }()
      door.change { $0.n = 3 }
      #expect(street.state.house.door.n == 3)
      #expect(seen.values == [0, 3])
      guest.change { $0.n += 1 }
      street.change { $0.house.guest = nil }
      #expect(!guest.isAttached, "checked by what is left between them")
      street.change { $0.house.guest = Leaf() }
      // The root moves into another tree, and with it everything below.
      struct Town: Sendable { var street = Street() }
      let town = Cell(Town(street: Street(house: House(door: Leaf(n: 8)))), on: queue)
      town.nest(street, at: \.street)
      #expect(door.state.n == 8)
      door.change { $0.n = 9 }
      #expect(town.state.street.house.door.n == 9)
      token.cancel()
    }
  }

  @Test("100 rounds of adding and removing 50 children leave nothing behind", arguments: [true, false])
  func nothingIsLeft(isKeyed: Bool) async {
    let lives = Lives()
    let tokens = Shared<[EventSubscription]>([])
    let home = Home(on: DispatchQueue(label: "rounds"))
    let children = isKeyed ? home.cards : home.rows
    home.sync { home.reactor.change { $0.n = 1 } }
    let lane = home.reactor.core.lane
    let before = home.sync { lane.ask { [$0.reactors.count, $0.effects.count, $0.observers.count, $0.groups.count] } }
    home.sync {
      for round in 0..<100 {
        let ids = (0..<50).map { round * 50 + $0 }
        home.reactor.change { house in
          if isKeyed { house.cards = Keyed(ids) } else { house.rows = ids.map { Leaf(id: $0) } }
        }
        for id in ids {
          let child = children.reactor(for: id)!
          child.answer { [life = lives.make()] _ in
            Mutations<Change<Leaf>>(async: .never.filter { _ in withExtendedLifetime(life) { true } }).effect(
              id: "never")
          }
          let token = child.observe(\.n) { [life = lives.make()] _ in withExtendedLifetime(life) {} }
          tokens.withLock { $0.append(token) }
        }
        #expect(lives.count == 100)
        #expect(children.count == 50)
        home.reactor.change { house in
          house.cards.removeAll()
          house.rows = []
        }
        tokens.value = []
        // Without any further action.
        #expect(lives.count == 0)
        #expect(children.count == 0)
        let now = lane.ask { [$0.reactors.count, $0.effects.count, $0.observers.count, $0.groups.count] }
        #expect(now == before)
        #expect(!home.reactor.core.node.isOfInterest)
      }
    }
  }
}
