// The machine's containers against models: every sequence of a small world, walked through to its end.

import Testing

@testable import SwiftReactor

private struct TestRecord: SlotRecord, Hashable, ExpressibleByIntegerLiteral {
  var value = 0

  init() {}
  init(integerLiteral value: Int) { self.value = value }
  init(_ value: Int) { self.value = value }
}

@Suite("Machine: tables")
struct TableTests {
  // MARK: SlotTable

  /// What a table has to be: a dictionary that hands out keys.
  private struct TableWorld {
    var table = SlotTable<TestRecord>()
    var model: [SlotKey: Int] = [:]
    var given: [SlotKey] = []
    var inserted = 0

    mutating func insert() {
      let key = table.insert(TestRecord(inserted))
      #expect(!given.contains(key), "a number is never given out twice")
      model[key] = inserted
      given.append(key)
      inserted += 1
    }

    mutating func remove(_ key: SlotKey) {
      let expected = model.removeValue(forKey: key)
      #expect(table.remove(key)?.value == expected)
    }

    mutating func change(_ key: SlotKey) {
      guard table.contains(key) else { return }
      table[known: key].value += 100
      model[key]! += 100
    }

    func compare() {
      #expect(table.count == model.count && table.isEmpty == model.isEmpty)
      for key in given {
        #expect(table[key]?.value == model[key])
        #expect(table.contains(key) == (model[key] != nil))
      }
      #expect(!table.contains(.none) && table[.none] == nil)
    }
  }

  @Test("SlotTable: every sequence of six insertions, removals and changes agrees with a dictionary")
  func slotTable() {
    var worlds = 0
    func walk(_ world: TableWorld, _ depth: Int) {
      worlds += 1
      world.compare()
      guard depth > 0 else { return }
      var next = world
      next.insert()
      walk(next, depth - 1)
      // Also keys that were removed already.
      for key in world.given {
        next = world
        next.remove(key)
        walk(next, depth - 1)
      }
      if let key = world.given.last {
        next = world
        next.change(key)
        walk(next, depth - 1)
      }
    }
    walk(TableWorld(), 6)
    #expect(worlds == 877)
  }

  @Test("SlotTable: places are used again, with keys that tell the new one from the old")
  func reuse() {
    var table = SlotTable<TestRecord>()
    let old = table.insert(1)
    #expect(table.remove(old) == 1)
    let new = table.insert(2)
    #expect(new.index == old.index && new != old)
    #expect(table[old] == nil && table[new] == 2)
    #expect(table.remove(old) == nil && table.count == 1)
  }

  @Test("SlotTable: equal histories are equal and hash alike; the machine relies on it")
  func equality() {
    var first = SlotTable<TestRecord>(), second = SlotTable<TestRecord>()
    let key = first.insert(1)
    #expect(first != second)
    _ = second.insert(1)
    #expect(first == second && first.hashValue == second.hashValue)
    first.remove(key)
    #expect(first != second)
  }

  // MARK: Ring

  @Test("Ring: every sequence of twelve appends and removals agrees with an array")
  func ring() {
    var sequences = 0
    func walk(_ ring: Ring<Int>, _ model: [Int], _ appended: Int, _ depth: Int) {
      #expect(ring.count == model.count && ring.isEmpty == model.isEmpty && ring.first == model.first)
      #expect(model.indices.allSatisfy { ring[$0] == model[$0] })
      guard depth > 0 else {
        sequences += 1
        return
      }
      var next = ring
      next.append(appended)
      walk(next, model + [appended], appended + 1, depth - 1)
      next = ring
      #expect(next.popFirst() == model.first)
      walk(next, Array(model.dropFirst()), appended, depth - 1)
    }
    walk(Ring(), [], 0, 12)
    #expect(sequences == 4096)
  }

  @Test("Ring: it grows around its seam without losing the order, and gives the memory of a flood back")
  func growth() {
    var ring = Ring<Int>()
    var next = 0, expected = 0
    for round in 1...40 {
      for _ in 0..<(round * 3) {
        ring.append(next)
        next += 1
      }
      for _ in 0..<(round * 2) {
        #expect(ring.popFirst() == expected)
        expected += 1
      }
    }
    for _ in 0..<5_000 {
      ring.append(next)
      next += 1
    }
    #expect(ring.slots.count >= 5_000)
    while let element = ring.popFirst() {
      #expect(element == expected)
      expected += 1
    }
    #expect(expected == next && ring.slots.count <= Ring<Int>.keptCapacity)
  }

  @Test("Ring: elements are released when they leave, not later")
  func release() {
    final class Token {}
    var ring = Ring<Token>()
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      ring.append(strong)
    }
    #expect(token != nil)
    _ = ring.popFirst()
    #expect(token == nil)
  }

  @Test("Ring: equality and hash look at what waits, not at where it lies")
  func ringEquality() {
    var first = Ring<Int>(), second = Ring<Int>()
    for number in 0..<5 { first.append(number) }
    for _ in 0..<3 { _ = first.popFirst() }
    for number in 3..<5 { second.append(number) }
    #expect(first == second && first.hashValue == second.hashValue)
    second.append(9)
    #expect(first != second)
  }

  // MARK: SideTable

  @Test("SideTable: a handle is found until it is taken out")
  func sideTable() {
    var table = SideTable<String>()
    let key = SlotKey(index: 3, generation: 0)
    #expect(table[key] == nil && table.take(key) == nil)
    table.set("three", for: key)
    #expect(table[key] == "three")
    #expect(table.take(key) == "three")
    #expect(table[key] == nil && table.take(key) == nil)
  }
}
