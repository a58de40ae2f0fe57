// G19, who is told of a commit, in which order, and what happens to what comes late.

import Dispatch
import Testing

@testable import SwiftReactor

@Suite("G19 · Told of a commit, in this order")
struct NestTellingTests {
  /// A street with a house with a door, a garden and a card, and a list of who was told.
  private struct Village {
    let queue = DispatchQueue(label: "village")
    let street: Cell<Street>
    let home: Home
    let log = Recorder<String>()
    let tokens: [EventSubscription]

    init() {
      let queue = queue
      let log = log
      (street, home, tokens) = queue.sync {
        let street = Cell(Street(house: House(cards: Keyed([1]))), on: queue)
        let home = Home(on: queue)
        street.nest(home.reactor, at: \.house)
        let card = home.cards.reactor(for: 1)!
        // Registered from below, so that the order of telling is not that of registering.
        let tokens = [
          card.$state.dropFirst(1).sink { _ in log.append("card") },
          home.garden.$state.dropFirst(1).sink { _ in log.append("garden") },
          home.door.$state.dropFirst(1).sink { _ in log.append("door") },
          home.reactor.$state.dropFirst(1).sink { _ in log.append("house") },
          street.$state.dropFirst(1).sink { _ in log.append("street") },
        ]
        return (street, home, tokens)
      }
    }
  }

  @Test("The reactor whose step it was, its ancestors upwards, then the children that have observers")
  func order() {
    let village = Village()
    village.queue.sync {
      village.street.change { $0.n += 1 }
      #expect(village.log.values == ["street", "house", "door", "garden", "card"], "children in the order of nesting")
      village.log.removeAll()
      village.home.reactor.change { $0.n += 1 }
      #expect(village.log.values == ["house", "street", "door", "garden", "card"])
      village.log.removeAll()
      village.home.door.change { $0.n += 1 }
      #expect(village.log.values == ["door", "house", "street"], "not its siblings")
      village.log.removeAll()
      village.home.cards.reactor(for: 1)!.change { $0.n += 1 }
      #expect(village.log.values == ["card", "house", "street"])
      for token in village.tokens { token.cancel() }
      village.log.removeAll()
      village.street.change { $0.n += 1 }
      #expect(village.log.values == [])
    }
  }

  @Test("$state of a child: its own, its ancestors' and its descendants' commits, not its siblings'")
  func childHears() {
    let village = Village()
    village.queue.sync {
      let heard = Recorder<Int>()
      let token = village.home.door.$state.sink { heard.append($0.n) }
      village.home.door.change { $0.n = 1 }
      village.home.garden.change { $0.n = 50 }
      village.home.reactor.change { $0.door.n = 2 }
      village.street.change { $0.n = 1 }
      #expect(heard.values == [0, 1, 2, 2])
      token.cancel()
    }
  }

  @Test("In every callback of every node parent and child agree, and the value is the one that state has")
  func agreement() {
    let village = Village()
    village.queue.sync {
      let (street, home) = (village.street, village.home)
      let faults = Shared(0)
      let calls = Shared(0)
      let checkAll: @Sendable () -> Void = { [unowned street, home] in
        calls.increment()
        let state = street.state
        if home.reactor.state != state.house || home.door.state != state.house.door { faults.increment() }
        if home.cards.reactor(for: 1)!.state != state.house.cards[id: 1] { faults.increment() }
      }
      let tokens = [
        street.$state.sink { if $0.house != street.state.house { faults.increment() } else { checkAll() } },
        home.reactor.observe(\.total) { _ in checkAll() },
        home.door.$state.sink { if $0 != home.door.state { faults.increment() } else { checkAll() } },
        home.cards.reactor(for: 1)!.observe(\.n) { _ in checkAll() },
      ]
      home.door.change { $0.n = 1 }
      home.cards.reactor(for: 1)!.change { $0.n = 2 }
      home.reactor.change { $0.cards[id: 1]!.n = 3 }
      street.change { $0.house.door.n = 4 }
      #expect(faults.value == 0)
      #expect(calls.value == 4 + 3 + 3 + 4 + 3, "a child hears its ancestors")
      for token in tokens { token.cancel() }
    }
  }

  @Test("Whoever observes during the telling begins with that commit and is not told of it again")
  func observeDuringTelling() {
    let village = Village()
    village.queue.sync {
      let (street, home) = (village.street, village.home)
      let heard = Recorder<String>()
      let tokens = Shared<[EventSubscription]>([])
      // There is an observer of the path already, so a newcomer shares its comparison.
      let first = street.observe(\.house.door.n) { heard.append("first \($0)") }
      let token = home.door.observe(\.n) { [unowned street, unowned door = home.door] n in
        guard n == 1 else { return }
        tokens.withLock {
          $0 = [
            street.$state.sink { heard.append("street \($0.house.door.n)") },
            street.observe(\.house.door.n) { heard.append("path \($0)") },
            door.$state.sink { heard.append("door \($0.n)") },
          ]
        }
      }
      home.door.change { $0.n = 1 }
      #expect(heard.values == ["first 0", "street 1", "path 1", "door 1", "first 1"])
      heard.removeAll()
      home.door.change { $0.n = 2 }
      #expect(heard.values == ["door 2", "first 2", "street 2", "path 2"])
      for token in tokens.value + [first, token] { token.cancel() }
    }
  }

  @Test("An observer may let the child go that is just telling: its parent is told all the same")
  func renewWhileTelling() {
    let village = Village()
    village.queue.sync {
      let card = village.home.cards.reactor(for: 1)!
      let token = card.observe(\.n) { [cards = village.home.cards] n in if n == 1 { cards.renew(id: 1) } }
      card.change { $0.n = 1 }
      #expect(village.log.values == ["card", "house", "street"])
      #expect(!card.isAttached)
      #expect(village.street.state.house.cards[id: 1]?.n == 1)
      token.cancel()
    }
  }

  @Test("A child that lets itself go in its own step changes nothing and tells nobody")
  func renewInMutate() {
    let village = Village()
    village.queue.sync {
      let card = village.home.cards.reactor(for: 1)!
      card.answer { [cards = village.home.cards] _ in
        cards.renew(id: 1)
        return [{ $0.n = 9 }]
      }
      #expect(village.street.state.house.cards[id: 1]?.n == 0)
      #expect(card.state == Leaf(id: -1, n: -1))
      #expect(village.log.values == [])
    }
  }

  // MARK: Nesting something that is observed

  @Test("The parent's state wins at nest; a child whose state differs hears one commit", arguments: [true, false])
  func parentWins(differs: Bool) {
    onQueue { queue in
      let parent = Cell(House(), on: queue)
      let child = Cell(Leaf(n: differs ? 4 : 0), on: queue)
      let heard = Recorder<Int>()
      let parentHeard = Recorder<Int>()
      let tokens = [
        child.$state.sink { heard.append($0.n) }, parent.$state.sink { parentHeard.append($0.door.n) },
      ]
      parent.nest(child, at: \.door)
      #expect(child.state.n == 0)
      #expect(heard.values == (differs ? [4, 0] : [0]))
      #expect(parentHeard.values == [0], "the parent's observers get no extra call")
      for token in tokens { token.cancel() }
    }
  }

  @Test("So do those below it, and what the parent's state does not have is gone")
  func nestedSubtree() {
    let home = Home(House(guest: Leaf(n: 1), cards: Keyed([1])))
    home.sync {
      let guest = home.guest.reactor!
      let card = home.cards.reactor(for: 1)!
      let heard = Recorder<Int>()
      let token = home.door.$state.sink { heard.append($0.n) }
      let street = Cell(Street(house: House(door: Leaf(n: 6))), on: home.queue)
      street.nest(home.reactor, at: \.house)
      #expect(heard.values == [0, 6])
      #expect([guest.isAttached, card.isAttached] == [false, false])
      home.door.change { $0.n = 7 }
      #expect(street.state.house.door.n == 7)
      token.cancel()
    }
  }

  @Test("Async states of a child go on across nesting, and a gone child hands on nothing more")
  func asyncStates() async {
    let home = Home(House(guest: Leaf(n: 1)))
    let guest = home.guest.reactor!
    var iterator = guest.states.makeAsyncIterator()
    #expect(await iterator.next()?.n == 1)
    home.sync {
      let street = Cell(Street(house: House(guest: Leaf(n: 2))), on: home.queue)
      street.nest(home.reactor, at: \.house)
      withExtendedLifetime(street) {}
    }
    #expect(await iterator.next()?.n == 2, "another tree, another commit")
    let seen = Recorder<Int>()
    let reader = Task { for await state in guest.states { seen.append(state.n) } }
    await eventually("the first is read", on: home.queue) { seen.values == [2] }
    home.sync {
      home.reactor.change { $0.guest = nil }
    }
    await settle(home.queue)
    #expect(seen.values == [2], "its observers keep what they last got")
    reader.cancel()
  }

  // MARK: Starts

  @Test("A parent is started before its child's first step, an ancestor before the parent")
  func starts() {
    let log = Recorder<String>()
    onQueue { queue in
      func hooks<State>(_ name: String) -> Cell<State>.Hooks {
        Cell<State>.Hooks(mutation: {
          log.append(name)
          return $0
        })
      }
      let street = Cell(Street(), on: queue, hooks: hooks("street"))
      let house = Cell(House(), on: queue, hooks: hooks("house"))
      let door = Cell(Leaf(), on: queue, hooks: hooks("door"))
      house.nest(door, at: \.door)
      street.nest(house, at: \.house)
      #expect(log.values == [])
      door.change { $0.n += 1 }
      #expect(log.values == ["street", "house", "door"])
      house.change { $0.n += 1 }
      #expect(log.count == 3)
    }
  }

  @Test("A parent of a child that was used already is started when it is nested")
  func startOfLateParent() {
    let log = Recorder<String>()
    onQueue { queue in
      let house = Cell(
        House(), on: queue,
        hooks: .init(mutation: { mutations in
          log.append("house")
          return mutations.prepend { $0.n = 40 }
        }))
      let door = Cell(Leaf(), on: queue)
      door.change { $0.n += 1 }
      house.nest(door, at: \.door)
      door.change { $0.n += 1 }
      #expect(log.values == ["house"])
      #expect([house.state.n, door.state.n] == [40, 1])
    }
  }

  @Test("Restoring before first use replaces parent and child state and starts nothing")
  func restoreBeforeUse() {
    let log = Recorder<String>()
    onQueue { queue in
      let house = Cell(
        House(), on: queue,
        hooks: .init(mutation: {
          log.append("house")
          return $0
        }))
      let guest = house.nest(at: \.guest) { Cell(Leaf(), on: queue) }
      house.restore(House(guest: Leaf(n: 3)))
      #expect(guest.reactor?.state.n == 3)
      guest.reactor?.restore(Leaf(n: 4))
      #expect(house.state.guest?.n == 4)
      #expect(log.values == [])
    }
  }

  @Test("restore cancels no effects except those of children it removes")
  func restoreAndEffects() async {
    let home = Home(House(cards: Keyed(1...2)))
    let gate = Gate()
    let cards = home.sync { (1...2).map { home.cards.reactor(for: $0)! } }
    home.sync {
      for card in cards {
        card.answer { _ in
          .run { emit in
            await gate.wait()
            emit { $0.n += 10 }
          }
        }
      }
      home.reactor.restore(House(cards: Keyed([2])))
      #expect(cards.map(\.effects.count) == [0, 1])
    }
    gate.open()
    await eventually("the one that stayed ends", on: home.queue) { cards[1].state.n == 10 }
    #expect(cards[0].state.n == -1)
    #expect(home.reactor.state.cards.map(\.n) == [10])
  }

  // MARK: Outputs and feeding by hand

  @Test("An output is handled in the same turn, as an action of its own, without recursion")
  func outputs() {
    let log = Recorder<String>()
    onQueue { queue in
      let house = Cell(
        House(), on: queue,
        hooks: .init(output: { output, child in
          guard let number = output as? Int else { return nil }
          log.append("got \(number) from \((child as? Cell<Leaf>)?.state.n ?? -1)")
          return .change { $0.n += number }
        }))
      let door = Cell(Leaf(), on: queue)
      house.nest(door, at: \.door)
      door.answer { door in
        door.output(5)
        log.append("still in mutate, parent \(house.state.n)")
        return [{ $0.n = 1 }]
      }
      #expect(house.state.n == 5)
      #expect(log.values == ["still in mutate, parent 0", "got 5 from 1"])
      door.output("no action")
      #expect(house.state.n == 5)
      // An answer that makes the child put out again goes round without growing the stack.
      let depth = Shared(0)
      let token = house.observe(\.n) { [unowned door] n in
        depth.increment()
        if n < 10_000 { door.output(1) }
        depth.withLock { $0 -= 1 }
        if depth.value != 0 { log.append("nested") }
      }
      #expect(house.state.n == 10_000)
      #expect(!log.values.contains("nested"))
      token.cancel()
    }
  }

  @Test(
    "Feeding a child's $state into transform(mutation:) by hand keeps working, in the same turn",
    arguments: [true, false])
  func byHand(isNested: Bool) {
    onQueue { queue in
      let door = Cell(Leaf(), on: queue)
      let house = Cell(
        House(), on: queue,
        hooks: .init(mutation: { [door] mutations in
          // A nested child hears its parent's commits too, so what it feeds back must differ.
          let states = isNested ? door.$state.removeDuplicates() : door.$state
          return mutations.merge(with: states.map { leaf in { $0.garden = leaf } })
        }))
      if isNested { house.nest(door, at: \.door) }
      house.change { $0.id = 1 }
      door.change { $0.n = 5 }
      #expect(house.state.garden.n == 5)
      #expect(house.state.door.n == (isNested ? 5 : 0))
    }
  }

  @Test("A reactor that hears of several actions out of one shows nobody elsewhere a child between them")
  func multiplied() async {
    let home = Home(hooks: .init(action: { $0.flatMap { EventStream([$0, $0, $0]) } }))
    let odd = Shared(0)
    let reader = await Companion.start { _ in
      if home.door.state.n % 3 != 0 { odd.increment() }
    }
    await watched("several actions out of one") {
      for _ in 0..<300 {
        home.sync { home.reactor.change { $0.door.n += 1 } }
      }
    }
    #expect(await reader.stop() > 0)
    #expect(odd.value == 0)
    #expect(home.door.state.n == 900)
  }
}
