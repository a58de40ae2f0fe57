// Who sends what. Pure: the same options and seed give the same plan.

internal import SampleProgram

/// A fault that is put in on purpose on the sending side, to see that it is found.
package enum Plant: String, Sendable, CaseIterable {
  case lost, twice, order
}

/// What is sent in one round. The last sender works on the reactor's queue, the others are threads.
package struct StressPlan: Sendable {
  /// How many numbers each sender has.
  package let counts: [Int]
  package let seed: UInt64
  /// The planted fault, its sender and the number it happens at.
  private let fault: (plant: Plant, sender: Int, number: Int)?

  /// Shares the actions among `threads` senders and the one on the queue.
  package init(actions: Int, threads: Int, seed: UInt64, plant: Plant? = nil) {
    let senders = threads + 1
    let counts = (0..<senders).map { actions / senders + ($0 < actions % senders ? 1 : 0) }
    self.counts = counts
    self.seed = seed
    fault = plant.map { plant in
      var random = SeededGenerator(seed: seed)
      // Room for the two numbers behind it, which a wrong order needs.
      let able = counts.indices.filter { counts[$0] >= StressPlan.fewestForPlant }
      let sender = able.isEmpty ? 0 : able[Int.random(in: able.indices, using: &random)]
      return (plant, sender, Int.random(in: 0...max(0, counts[sender] - 3), using: &random))
    }
  }

  /// A sender needs that many actions to do something wrong with them.
  package static let fewestForPlant = 3

  package var senders: Int { counts.count }
  package var queueSender: Int { counts.count - 1 }

  /// The numbers that a sender sends when it is its `index`-th turn: one as a rule, by a planted fault none or two.
  package func numbers(sender: Int, turn: Int) -> [Int] {
    guard let fault, fault.sender == sender else { return [turn] }
    switch (fault.plant, turn - fault.number) {
    case (.lost, 0): return []
    case (.twice, 0): return [turn, turn]
    // Two apart, so that kinds which send every other number another way see it, too.
    case (.order, 0): return [turn + 2]
    case (.order, 2): return [turn - 2]
    default: return [turn]
    }
  }
}
