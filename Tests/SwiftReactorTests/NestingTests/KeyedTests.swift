// Keyed: an ordered collection that counts changes of its keys, compared with an array of pairs.

import Testing

@testable import SwiftReactor

@Suite("Nesting · Keyed")
struct KeyedTests {
  /// The same without any cleverness.
  private struct Plain: Equatable {
    var pairs: [(id: Int, value: String)] = []

    static func == (lhs: Plain, rhs: Plain) -> Bool {
      lhs.pairs.map(\.id) == rhs.pairs.map(\.id) && lhs.pairs.map(\.value) == rhs.pairs.map(\.value)
    }

    mutating func set(_ value: String?, at id: Int) {
      let index = pairs.firstIndex { $0.id == id }
      switch (index, value) {
      case (let index?, let value?): pairs[index].value = value
      case (let index?, nil): pairs.remove(at: index)
      case (nil, let value?): pairs.append((id, value))
      case (nil, nil): break
      }
    }
  }

  @Test("1 000 random changes give what an array of pairs gives, and the version says whether keys have changed")
  func random() {
    let seed = UInt64.random(in: 0 ... .max)
    print("Keyed: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var keyed = Keyed<Int, String>()
    var plain = Plain()
    for step in 0..<1000 {
      let id = Int.random(in: 0..<12, using: &generator)
      let (before, version) = (keyed.ids, keyed.version)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        keyed.append("\(step)", id: id)
        plain.set("\(step)", at: id)
      case 1:
        let index = Int.random(in: 0...keyed.count, using: &generator)
        let isNew = !keyed.contains(id)
        keyed.insert("\(step)", id: id, at: index)
        if isNew { plain.pairs.insert((id, "\(step)"), at: index) } else { plain.set("\(step)", at: id) }
      case 2:
        #expect(keyed.remove(id) == plain.pairs.first { $0.id == id }?.value)
        plain.set(nil, at: id)
      case 3 where !keyed.isEmpty:
        let index = Int.random(in: 0..<keyed.count, using: &generator)
        keyed.move(id, to: index)
        if let from = plain.pairs.firstIndex(where: { $0.id == id }) {
          plain.pairs.insert(plain.pairs.remove(at: from), at: index)
        }
      case 4:
        keyed[id: id] = nil
        plain.set(nil, at: id)
      case 5:
        keyed[id: id] = "\(step)"
        plain.set("\(step)", at: id)
      case 6 where step % 50 == 0:
        keyed.removeAll()
        plain.pairs = []
      default:
        keyed[id: id]?.append("+")
        if let index = plain.pairs.firstIndex(where: { $0.id == id }) { plain.pairs[index].value.append("+") }
      }
      #expect(keyed.ids == plain.pairs.map(\.id))
      #expect(keyed.values == plain.pairs.map(\.value))
      #expect(Array(keyed) == keyed.values)
      for id in 0..<12 { #expect(keyed.index(of: id) == plain.pairs.firstIndex { $0.id == id }) }
      #expect((keyed.version == version) == (keyed.ids == before) || keyed.ids == before, "step \(step)")
      if keyed.ids != before { #expect(keyed.version != version) }
    }
  }

  @Test("Values do not share keys: two copies that change have different versions")
  func copies() {
    let first = Keyed(1...3)
    var (second, third) = (first, first)
    #expect(second.version == first.version)
    second[id: 2]?.n = 5
    #expect(second.version == first.version, "a changed element is no changed key")
    second.remove(1)
    third.remove(2)
    #expect(Set([first.version, second.version, third.version]).count == 3)
    #expect(first != second)
    #expect(first.ids == [1, 2, 3])
  }

  @Test("Elements that carry their ids, equality, hashing")
  func conveniences() {
    struct Card: Identifiable, Hashable {
      var id: String
      var n = 0
    }
    var cards = Keyed([Card(id: "a"), Card(id: "b"), Card(id: "a", n: 2)])
    #expect(cards.ids == ["a", "b"])
    #expect(cards[id: "a"]?.n == 2)
    cards.append(Card(id: "c"))
    #expect(cards.count == 3 && !cards.isEmpty)
    #expect(Set([cards, cards]).count == 1)
    #expect(cards == Keyed([Card(id: "a", n: 2), Card(id: "b"), Card(id: "c")]))
    #expect(cards[id: "x"] == nil)
  }

  @Test("Changing an element in place copies neither it nor the others")
  func inPlace() {
    var keyed = Keyed([Leaf(id: 1, list: Array(0..<100)), Leaf(id: 2, list: Array(0..<100))], id: \.id)
    func address(_ id: Int) -> UnsafeRawPointer? {
      keyed[id: id].flatMap { $0.list.withUnsafeBytes(\.baseAddress) }
    }
    let before = [address(1), address(2)]
    keyed[id: 1]?.list[5] = 0
    #expect([address(1), address(2)] == before)
  }

  @Test("A place outside stops the program", arguments: [true, false])
  func outside(inserts: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [inserts] in
      var keyed = Keyed(1...3)
      if inserts { keyed.insert(Leaf(), id: 9, at: 4) } else { keyed.move(1, to: 3) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let call = inserts ? "insert(9, at: 4)" : "move(1, to: 3)"
    #expect(text.contains("Keyed<Int, Leaf>.\(call): there are 3 elements"))
  }
}
