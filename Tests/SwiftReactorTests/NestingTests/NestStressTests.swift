// Nested reactors under threads: senders to parent and children, readers elsewhere, children that come and go.

import Dispatch
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Nest · Stress")
  struct NestStressTests {
    @Test("From background readers as parent, child, parent: when the parent reads are equal, the child's is too")
    func readers() async {
      let home = Home(House(guest: Leaf(), room: .study(Leaf()), rows: [Leaf(id: 1)], cards: Keyed([1])))
      let children = home.sync {
        [home.door, home.guest.reactor!, home.study.reactor!, home.rows.reactor(for: 1)!, home.cards.reactor(for: 1)!]
      }
      let part: @Sendable (House, Int) -> Leaf? = { house, kind in
        switch (kind, house.room) {
        case (0, _): house.door
        case (1, _): house.guest
        case (2, .study(let leaf)): leaf
        case (3, _): house.rows.first { $0.id == 1 }
        case (4, _): house.cards[id: 1]
        default: nil
        }
      }
      let faults = Recorder<String>()
      // What was read is kept to the end: ThreadSanitizer does not see that a collection is only changed in place when
      // nobody else holds it any more.
      let kept = Recorder<House>()
      var readers: [Companion] = []
      for offset in 0..<2 {
        readers.append(
          await Companion.start { turn in
            guard kept.count < 6000 else { return }
            let kind = (turn + offset) % 5
            let before = home.reactor.state
            let child = children[kind].state
            let after = home.reactor.state
            kept.append(before)
            kept.append(after)
            guard before == after else { return }
            if part(before, kind) != child {
              faults.append("\(kind): \(String(describing: part(before, kind))) \(child)")
            }
          })
      }
      await watched("readers beside nested senders", seconds: 180) {
        await race(2) { index in
          for number in 0..<1500 {
            switch (index, number % 3) {
            case (0, _): children[number % 5].change { $0.n += 1 }
            case (_, 0):
              home.reactor.change { house in
                house.rows.removeAll { $0.id == 2 + number % 2 }
                house.rows.insert(Leaf(id: 2 + number % 2), at: 0)
              }
            case (_, 1):
              home.reactor.change { house in
                house.cards.append(Leaf(), id: 2 + number % 3)
                house.cards.move(1, to: number % house.cards.count)
                if number % 4 == 0 { house.cards.remove(2 + number % 3) }
              }
            default: home.reactor.change { $0.garden.n += 1 }
            }
          }
        }
        // On the queue: a copy that is read elsewhere and let go is what the sanitizer does not see, as above.
        await eventually("all are counted", on: home.queue) {
          home.sync { home.reactor.state.total == 1500 + 500 }
        }
      }
      for reader in readers { #expect(await reader.stop() > 0) }
      #expect(kept.count > 0)
      #expect(faults.values == [])
    }

    @Test("Senders to parent and children from several threads while children come and go")
    func comeAndGo() async {
      let reports = Recorder<ReactorReport>()
      let home = Home(House(cards: Keyed(0..<4)), reports: reports)
      let latest = Shared<[Cell<Leaf>]>([])
      let faults = Shared(0)
      let token = home.sync {
        latest.value = (0..<4).map { home.cards.reactor(for: $0)! }
        return home.reactor.$state.sink { [unowned home] house in
          for (id, card) in zip(house.cards.ids, house.cards) {
            if let child = home.cards.reactor(for: id), child.state != card { faults.increment() }
          }
        }
      }
      let reader = await Companion.start { _ in
        for child in latest.value where child.state.n < -1 { faults.increment() }
        _ = home.guest.reactor?.state
      }
      await watched("children that come and go", seconds: 90) {
        await race(3) { index in
          for number in 0..<600 {
            switch index {
            case 0:
              home.reactor.change { house in
                house.guest = number % 3 == 0 ? Leaf(n: number) : nil
                house.cards.remove(number % 4)
                house.cards.append(Leaf(id: number % 4), id: number % 4)
                if number % 5 == 0 { house.cards.remove(number % 4) }
              }
              home.reactor.answer { [unowned home] reactor in
                latest.value = reactor.state.cards.ids.map { home.cards.reactor(for: $0)! }
                return .none
              }
            case 1:
              home.guest.reactor?.change { $0.n += 1 }
              home.guest.reactor?.answer { _ in .run { $0 { $0.n += 1 } }.effect(id: 1, .queued) }
            default:
              for child in latest.value {
                child.change { $0.n += 1 }
                if number % 10 == 0 { child.observe(\.n) { _ in }.cancel() }
              }
            }
          }
        }
        await settle(home.queue, rounds: 6)
      }
      #expect(await reader.stop() > 0)
      #expect(faults.value == 0)
      #expect(reports.values.allSatisfy { $0.kind == .lateArrival })
      token.cancel()
    }

    @Test("Parents and children that are dropped on several threads at once")
    func dropping() async {
      let lives = Lives()
      await watched("dropping trees", seconds: 180) {
        for round in 0..<150 {
          let queue = DispatchQueue(label: "drop")
          let parent = Shared<Cell<House>?>(
            Cell(House(guest: Leaf()), on: queue, hooks: .init(life: lives.make())))
          let given = Shared<Cell<Leaf>?>(Cell(Leaf(), on: queue, hooks: .init(life: lives.make())))
          let guest = Shared<Cell<Leaf>?>(nil)
          queue.sync {
            parent.value!.nest(given.value!, at: \.door)
            guest.value =
              parent.value!.nest(at: \.guest) {
                // What comes late is dropped, and said so.
                ReactorReports.withTestHandler({ _ in }) { Cell(Leaf(), on: queue, hooks: .init(life: lives.make())) }
              }.reactor
            given.value!.$state.sink { _ in }.cancel()
          }
          await race(3) { index in
            switch index {
            case 0:
              parent.value?.change { $0.guest = round % 2 == 0 ? nil : Leaf(n: 1) }
              parent.value = nil
            case 1:
              given.value?.change { $0.n += 1 }
              given.value = nil
            default:
              guest.value?.change { $0.n += 1 }
              guest.value = nil
            }
          }
        }
        await eventually("everything is freed") { lives.count == 0 }
      }
    }
  }
}
