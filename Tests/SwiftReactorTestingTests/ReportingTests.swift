// Where failures are reported, and what values look like in them.

import Dispatch
import Foundation
import SwiftReactor
import Testing
import XCTest

@testable import SwiftReactorTesting

@Suite("Reporting")
struct ReportingTests {
  @Test("A failure is reported at the row that is wrong, once")
  func place() async {
    var lines: [Int] = []
    let failures = await failures {
      let test = TestReactor(CounterReactor())
      await test.send(.increment)
      await test.receive(.add(1))
      await test.skipReceived()
      await test.finish()
      await test.finish()
    }
    let first = #line - 6
    lines = [first, first + 1, first + 2, first + 4]
    #expect(failures.map(\.line) == lines)
    #expect(failures.allSatisfy { $0.fileID == #fileID && $0.filePath == #filePath && $0.column > 0 })
    #expect(failures[0].description == "\(#fileID):\(first): \(failures[0].message)")
  }

  @Test("A test without an end is reported where its table was made, and an object where it was tracked")
  func made() async {
    let failures = await failures {
      let test = TestReactor(CounterReactor(clock: ManualClock()))
      await test.send(.later(1))
    }
    #expect(failures.map(\.line) == [#line - 3])
  }

  @Test("Without a handler a failure becomes an issue of the test that runs")
  func issue() async {
    await withKnownIssue {
      let test = TestReactor(CounterReactor())
      await test.send(.increment)
    } matching: { issue in
      issue.sourceLocation?.line == #line - 2
        && issue.comments.contains { $0.rawValue.hasPrefix("send(.increment): the state changed") }
    }
  }

  @Test("A failure of a task that knows nothing of the test is handed over with the next row")
  func late() async {
    await withKnownIssue {
      let test = TestReactor(HouseReactor(answer: { throw unexpectedCall("DogService.name") }), exhaustivity: .off)
      test.reactor.dog.action(.ask)
      await test.finish()
    } matching: { issue in
      issue.sourceLocation?.line == #line - 4
        && issue.comments.contains { $0.rawValue.hasPrefix("DogService.name was called") }
    }
  }
}

@Suite("Values in failures")
struct ValueTests {
  private final class Node {
    var name: String
    var next: Node?
    init(_ name: String) { self.name = name }
  }

  private class Animal { let legs = 4 }
  private final class Dog: Animal { let name = "Rex" }

  private enum Choice {
    case none, one(Int), two(Int, String), named(count: Int), nested([Choice])
  }

  @Test("Values of every kind have one line")
  func lines() {
    func line(_ value: Any) -> String { ValueTree(value).line }
    #expect(line(1) == "1")
    #expect(line("a\"b\n") == #""a\"b\n""#)
    #expect(line(Optional<Int>.none as Any) == "nil")
    #expect(line(Optional(Optional(3)) as Any) == "3")
    #expect(line((1, b: "x")) == #"(1, b: "x")"#)
    #expect(line(Choice.none) == ".none")
    #expect(line(Choice.one(1)) == ".one(1)")
    #expect(line(Choice.two(1, "b")) == #".two(1, "b")"#)
    #expect(line(Choice.named(count: 2)) == ".named(count: 2)")
    #expect(line(Choice.nested([.none, .one(2)])) == ".nested([.none, .one(2)])")
    #expect(line([3, 1]) == "[3, 1]")
    #expect(line(Set(["b", "a"])) == #"Set(["a", "b"])"#)
    #expect(line(["b": 1, "a": 2]) == #"["a": 2, "b": 1]"#)
    #expect(line([String: Int]()) == "[:]")
    #expect(line(Duration.seconds(2)) == "2.0 seconds")
    #expect(line(URL(string: "https://a.b")!) == "https://a.b")
    #expect(line(Int.self) == "Int.self")
    #expect(line(Dog()) == #"Dog(legs: 4, name: "Rex")"#)
    #expect(line({ 1 } as () -> Int) == "(Function)")
  }

  @Test("A cycle of references ends")
  func cycle() {
    let one = Node("one")
    let two = Node("two")
    one.next = two
    two.next = one
    #expect(ValueTree(one).line == #"Node(name: "one", next: Node(name: "two", next: Node(…)))"#)
    two.next = nil
    one.next = nil
  }

  @Test("Two sets and dictionaries with the same content look the same, however they came about")
  func stable() {
    for count in [10, 100] {
      let forwards = Set(0..<count)
      var backwards = Set<Int>()
      for number in (0..<count).reversed() { backwards.insert(number) }
      #expect(ValueTree(forwards).line == ValueTree(backwards).line)
      let pairs = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", $0) })
      let others = Dictionary(uniqueKeysWithValues: (0..<count).reversed().map { ("\($0)", $0) })
      #expect(ValueTree(pairs).line == ValueTree(others).line)
    }
  }

  @Test("Long values are broken into lines, and the changed part of a huge array is found at once")
  func long() {
    var changed = Array(0..<20_000)
    changed.insert(-1, at: 12_345)
    let difference = TreeDifference(from: ValueTree(Array(0..<20_000)), to: ValueTree(changed))
    #expect(difference.lines == ["  [", "    … 12345 unchanged", "+   [12345]: -1,", "    … 7655 unchanged", "  ]"])
    let words = ["a considerable word", "another considerable word", "and a third considerable word"]
    let lines = TreeDifference(from: ValueTree(Optional<[String]>.none as Any), to: ValueTree(words)).lines
    #expect(
      lines == [
        "- nil", "+ [", #"+   "a considerable word","#, #"+   "another considerable word","#,
        #"+   "and a third considerable word""#, "+ ]",
      ])
  }

  @Test("Values without == are compared by what can be seen of them")
  func looks() {
    struct Plain { var name: String }
    #expect(looksEqual(Plain(name: "a"), Plain(name: "a")))
    #expect(!looksEqual(Plain(name: "a"), Plain(name: "b")))
    #expect(looksEqual([1], [1]) && !looksEqual([1], [2]))
  }
}

final class XCTestCaseTests: XCTestCase {
  func testTable() async {
    let clock = ManualClock()
    let test = TestReactor(CounterReactor(clock: clock))
    await test.send(.increment) { $0.count = 1 }
    await test.send(.later(1))
    await clock.advance(by: .seconds(1))
    await test.receive(.add(1)) { $0.count = 2 }
    await test.finish()
  }

  @MainActor
  func testOnTheMainActor() async {
    let test = TestReactor(CounterReactor(queue: .main))
    await test.send(.actor)
    await test.receive(.add(2)) { $0.count = 2 }
    await test.finish()
  }
}
