// Random events against what must hold of the machine's tables after every one of them.

import Testing

@testable import SwiftReactor

@Suite("Machine: random events")
struct RandomMachineTests {
  @Test("20 000 sequences of random events leave the tables consistent")
  func sequences() {
    let seed = UInt64.random(in: 0 ... .max)
    print("Machine: random events, seed \(seed)")
    for sequence in 0..<20_000 {
      let start = seed &+ UInt64(sequence) &* 0x1_0000_0001
      func run(isTelling: Bool) -> (failure: String?, trail: [String]) {
        var generator = SeededGenerator(seed: start)
        var world = RandomMachine(isTelling: isTelling) { generator.next() }
        return (world.run(events: 4 + sequence % 20, phase: sequence), world.trail)
      }
      guard run(isTelling: false).failure == nil else {
        let (failure, trail) = run(isTelling: true)
        Issue.record("seed \(seed), sequence \(sequence): \(failure as Any)\n\(trail.joined(separator: "\n"))")
        return
      }
    }
  }

  @Test("A table that was spoilt is noticed")
  func noticesSpoiltTables() {
    let first = SlotKey(index: 0, generation: 0)
    func noticed(_ spoil: (inout RandomMachine) -> Void) -> Bool {
      var world = RandomMachine { 0 }
      world.prepare()
      #expect(world.inconsistency() == nil)
      spoil(&world)
      return world.inconsistency() != nil
    }
    #expect(noticed { $0.machine.effects.remove(first) })
    #expect(noticed { $0.machine.groups.remove(first) })
    #expect(noticed { $0.machine.groups[known: first].members = EffectChain() })
    #expect(noticed { $0.machine.calls[known: first].pending += 1 })
    #expect(noticed { $0.machine.calls.remove(first) })
    #expect(noticed { $0.machine.observers.remove(first) })
    #expect(noticed { $0.machine.reactors.remove(first) })
    #expect(noticed { $0.machine.effects[known: first].waitingValues += 1 })
    #expect(noticed { $0.waiting += 1 })
  }
}
