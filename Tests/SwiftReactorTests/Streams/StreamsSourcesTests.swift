import Testing

@testable import SwiftReactor

@Suite("Streams: sources")
struct StreamsSourcesTests {
  @Test("A subject hands on to its listeners in the order in which they came")
  func subject() {
    let log = EventLog<String>()
    let subject = EventSubject<Int>()
    subject.send(0)
    let first = subject.stream.sink { log.append("a\($0)") }
    let second = subject.stream.sink { log.append("b\($0)") }
    subject.send(1)
    second.cancel()
    subject.send(2)
    first.cancel()
    subject.send(3)
    #expect(log.values == ["a1", "b1", "a2"])
  }
}
