// The bookkeeping: which numbers came, how often and in which order. Pure.

/// What one sender numbers: the `number`-th action of the `sender`-th one.
package struct Token: Sendable, Hashable {
  package let sender: Int
  package let number: Int

  package init(sender: Int, number: Int) {
    self.sender = sender
    self.number = number
  }
}

/// How many numbers did not come as they should.
package struct Faults: Sendable, Hashable {
  package var lost = 0
  package var duplicated = 0
  /// Came after a higher number of their lane.
  package var reordered = 0
  /// Nobody has sent these.
  package var unknown = 0

  package init() {}

  package var isClean: Bool { self == Faults() }

  package static func + (left: Faults, right: Faults) -> Faults {
    var sum = left
    sum.lost += right.lost
    sum.duplicated += right.duplicated
    sum.reordered += right.reordered
    sum.unknown += right.unknown
    return sum
  }
}

/// Books for a number of lanes. A lane is what promises an order: its numbers are 0, 1, 2 and so on.
///
/// ```swift
/// var ledger = Ledger(expected: [3])
/// ledger.record(lane: 0, number: 0)
/// ledger.record(lane: 0, number: 2)
/// ledger.faults.lost   // 1
/// ```
package struct Ledger: Sendable {
  private struct Lane {
    let expected: Int
    var seen: [UInt64]
    var count = 0
    var highest = -1
    var faults = Faults()
    var firstFault: Int?

    init(expected: Int) {
      self.expected = expected
      seen = Array(repeating: 0, count: (expected + 63) / 64)
    }

    mutating func note(_ number: Int) {
      if firstFault == nil { firstFault = number }
    }
  }

  private var lanes: [Lane]

  /// How many numbers each lane is to get.
  package init(expected: [Int]) {
    lanes = expected.map(Lane.init)
  }

  /// Books a number. Costs the same however many there are.
  package mutating func record(lane: Int, number: Int) {
    guard lanes.indices.contains(lane), number >= 0, number < lanes[lane].expected else {
      // There is no lane that would know it.
      if let any = lanes.indices.first { lanes[lanes.indices.contains(lane) ? lane : any].faults.unknown += 1 }
      return
    }
    let bit: UInt64 = 1 << UInt64(number & 63)
    if lanes[lane].seen[number >> 6] & bit != 0 {
      lanes[lane].faults.duplicated += 1
      lanes[lane].note(number)
      return
    }
    lanes[lane].seen[number >> 6] |= bit
    lanes[lane].count += 1
    if number < lanes[lane].highest {
      lanes[lane].faults.reordered += 1
      lanes[lane].note(number)
    } else {
      lanes[lane].highest = number
    }
  }

  /// What is wrong, when nothing more is to come.
  package var faults: Faults {
    lanes.indices.reduce(Faults()) { $0 + faults(ofLane: $1) }
  }

  package func faults(ofLane lane: Int) -> Faults {
    var faults = lanes[lane].faults
    faults.lost = lanes[lane].expected - lanes[lane].count
    return faults
  }

  /// One line for each lane that is not clean, at most `limit` of them.
  package func complaints(naming name: (Int) -> String, limit: Int = 10) -> [String] {
    let bad = lanes.indices.filter { !faults(ofLane: $0).isClean }
    let lines = bad.prefix(limit).map { lane in
      let faults = faults(ofLane: lane)
      var line = "\(name(lane)): lost \(faults.lost), duplicated \(faults.duplicated), reordered \(faults.reordered)"
      if faults.unknown > 0 { line += ", unknown \(faults.unknown)" }
      if let first = lanes[lane].firstFault ?? firstMissing(in: lane) { line += "; first number \(first)" }
      return line
    }
    return bad.count > limit ? lines + ["and \(bad.count - limit) more"] : lines
  }

  private func firstMissing(in lane: Int) -> Int? {
    (0..<lanes[lane].expected).first { lanes[lane].seen[$0 >> 6] & (1 << UInt64($0 & 63)) == 0 }
  }
}
