// Random trees against a plain model: after every commit every reactor shows what the model has.

import Dispatch
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Nest · Random trees")
  struct NestRandomTests {
    @Test(
      "1 000 random trees with random actions, removals, moves, replacements and restores do what a plain value does")
    func randomTrees() async {
      let first = UInt64.random(in: 0 ... .max)
      print("Nest, random trees: seed \(first)")
      await watched("random trees", seconds: 300) {
        let faults = await onThread { () -> [String] in
          for round in 0..<1000 {
            let seed = first &+ UInt64(round)
            let found = DispatchQueue(label: "random").sync { Self.run(seed) }
            if let fault = found.first { return ["seed \(seed): \(fault)"] }
          }
          return []
        }
        #expect(faults == [])
      }
    }

    @Test("The model finds a tree that loses a commit")
    func modelFinds() {
      onQueue { queue in
        let tree = KnotTree(Knot(guest: Leaf()), on: queue)
        guard case .knot(let root, _) = tree.alive[0].node else { return }
        root.change { $0.guest?.n = 3 }
        tree.check("something behind the model's back")
        #expect(tree.faults.count == 2, "the state differs, and somebody was told")
      }
    }

    private static func run(_ seed: UInt64) -> [String] {
      var chance = SeededGenerator(seed: seed)
      let queue = DispatchQueue(label: "tree")
      return queue.sync {
        let tree = KnotTree(.random(depth: Int.random(in: 0..<3, using: &chance), &chance), on: queue)
        for _ in 0..<12 {
          tree.discover(&chance)
          step(tree, &chance)
          if !tree.faults.isEmpty { break }
        }
        tree.discover(&chance)
        return tree.faults
      }
    }

    private static func step(_ tree: KnotTree, _ chance: inout SeededGenerator) {
      let entry = tree.alive.randomElement(using: &chance)!
      let number = Int.random(in: 0..<1000, using: &chance)
      let id = Int.random(in: 0..<4, using: &chance)
      let other = Int.random(in: 0..<4, using: &chance)
      let fresh = Knot.random(depth: max(0, 1 - entry.path.count), id: id, &chance)
      let leaf: Change<Leaf> = {
        $0.n = number
        $0.list.append(number)
      }
      let knot: Change<Knot>
      switch Int.random(in: 0..<11, using: &chance) {
      case 0:
        knot = { knot in
          knot.rows.removeAll { $0.id == id }
          knot.rows.insert(fresh, at: min(other, knot.rows.count))
        }
      case 1: knot = { $0.cards.append(fresh, id: id) }
      case 2: knot = { knot in knot.rows.removeAll { $0.id == id } }
      case 3: knot = { $0.cards.remove(id) }
      case 4:
        knot = { knot in
          knot.rows.reverse()
          if knot.cards.count > other { knot.cards.move(id, to: other) }
        }
      case 5: knot = { $0.guest = $0.guest == nil || number % 2 == 0 ? Leaf(n: number) : nil }
      case 6: knot = { $0.room = [.empty, .kitchen(Leaf(n: number)), .study(Leaf(n: number))][other % 3] }
      case 7:
        // Away and back within one commit.
        knot = { knot in
          let (rows, cards, guest) = (knot.rows, knot.cards, knot.guest)
          (knot.rows, knot.cards, knot.guest) = ([], Keyed(), nil)
          (knot.rows, knot.cards, knot.guest) = (rows, cards, guest)
        }
      case 8:
        // Something far below is changed from above.
        knot = { knot in
          if !knot.rows.isEmpty { knot.rows[0].leaf.n = number }
          for id in knot.cards.ids { knot.cards[id: id]?.guest = nil }
        }
      case 9:
        return tree.renew(entry, Bool.random(using: &chance) ? .row(id) : .card(id))
      default:
        var state = fresh
        if case .row(let id)? = entry.path.last { state.id = id }
        let restored = state
        return tree.commit(entry, knot: { $0 = restored }, leaf: { $0 = Leaf(n: number) }, restores: true)
      }
      tree.commit(entry, knot: knot, leaf: leaf)
    }
  }
}
