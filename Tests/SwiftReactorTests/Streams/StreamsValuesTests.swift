// The way out of a stream into `for await`: each consumer for itself, nothing left behind.

import Foundation
import Testing

@testable import SwiftReactor

@Suite("Streams: async values")
struct StreamsValuesTests {
  @Test("Values come in order and the loop ends with the stream")
  func values() async {
    var seen: [Int] = []
    for await value in EventStream([1, 2, 3]).values { seen.append(value) }
    #expect(seen == [1, 2, 3])
  }

  @Test("An iterator listens from the moment it is made, and each one gets all values")
  func iteratorsAreIndependent() async {
    let node = SubjectNode<Int>()
    let values = node.stream.values
    #expect(node.listenerCount == 0)
    var first = values.makeAsyncIterator()
    node.send(1)
    var second = values.makeAsyncIterator()
    node.send(2)
    node.finish()
    var seen: [[Int]] = [[], []]
    while let value = await first.next() { seen[0].append(value) }
    while let value = await second.next() { seen[1].append(value) }
    #expect(seen == [[1, 2], [2]])
    #expect(await first.next() == nil)
  }

  @Test(
    "A buffer keeps what was asked for",
    arguments: [
      (EventBuffering.unbounded, [1, 2, 3, 4, 5]), (.newest(2), [4, 5]), (.oldest(2), [1, 2]),
      (.newest(9), [1, 2, 3, 4, 5]),
    ])
  func buffering(_ buffering: EventBuffering, _ expected: [Int]) async {
    let subject = EventSubject<Int>()
    var iterator = subject.stream.values(buffering: buffering).makeAsyncIterator()
    for value in 1...5 { subject.send(value) }
    subject.finish()
    var seen: [Int] = []
    while let value = await iterator.next() { seen.append(value) }
    #expect(seen == expected)
  }

  @Test("Letting an iterator go ends its subscription; so does cancelling its task, also before it begins")
  func nothingStaysRegistered() async {
    let node = SubjectNode<Int>()
    do {
      var iterator = node.stream.values.makeAsyncIterator()
      node.send(1)
      #expect(await iterator.next() == 1)
      #expect(node.listenerCount == 1)
    }
    #expect(node.listenerCount == 0)

    let kept = node.stream.values
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      var iterator = kept.makeAsyncIterator()
      start.finish()
      let value = await iterator.next()
      // Kept on purpose: the cancellation alone ends the subscription.
      return (value, node.listenerCount, await iterator.next())
    }
    for await _ in started {}
    task.cancel()
    let (value, count, next) = await task.value
    #expect(value == nil)
    #expect(count == 0)
    #expect(next == nil)

    let gate = AsyncStream<Void>.makeStream()
    let early = Task {
      for await _ in gate.stream {}
      for await _ in node.stream.values {}
    }
    early.cancel()
    gate.continuation.finish()
    await early.value
    #expect(node.listenerCount == 0)
  }

  @Test("A consumer on the main actor stays there")
  @MainActor
  func onTheMainActor() async {
    let subject = EventSubject<Int>()
    let values = subject.stream.values
    var seen = 0
    let task = Task { @MainActor in
      for await value in values {
        MainActor.assertIsolated()
        seen += value
        if seen == 3 { break }
      }
    }
    while seen == 0 {
      subject.send(1)
      await Task.yield()
    }
    subject.send(2)
    subject.send(1)
    await task.value
    #expect(seen == 3)
  }

  @Test("An error of a source is reported once, and the loop ends")
  func errors() async {
    let reports = Recorder<ReactorReport>()
    let stream = EventStream<Int> { emit in
      emit(1)
      throw TimelineError()
    }
    var seen: [Int] = []
    await ReactorReports.withTestHandler({ reports.append($0) }) {
      for await value in stream.values { seen.append(value) }
    }
    #expect(seen == [1])
    #expect(reports.values.map(\.kind) == [.streamFailed])
  }
}
