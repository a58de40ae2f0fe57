// Mistakes that stop the program name the reactor, or the type of the state or value, that is meant. Those of nesting are in
// NestMistakeTests, those of `sink` in StreamsSinkTests, reading inside `reduce` in G6StateContractTests.

import Dispatch
import SwiftReactor
import Testing

@Suite("Messages of what stops the program")
struct StopMessageTests {
  private static func says(_ text: String, _ result: ExitTest.Result?) {
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(error.contains(text), "it said: \(error.prefix(400))")
  }

  @Test("A closure of the main actor that observes a reactor of another queue")
  func mainActor() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let reactor = CounterReactor(queue: DispatchQueue(label: "own"))
        reactor.observe(\.n) { _ in MainActor.assertIsolated() }.cancel()
      }
    }
    Self.says("A @MainActor closure observes CounterReactor on the queue \"own\"", result)
  }

  @Test("A closure of another actor that observes a reactor")
  func otherActor() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Onlooker().look(at: CounterReactor(queue: DispatchQueue(label: "own")))
    }
    Self.says("A closure of an actor observes CounterReactor.", result)
  }

  @Test("A reactor of another queue where one of the main queue is needed")
  func mainQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CounterReactor(queue: DispatchQueue(label: "own")).core.requireMainQueue(for: "A view's reactor")
    }
    Self.says("A view's reactor has to belong to the main queue; this CounterReactor has \"own\".", result)
  }

  @Test("An iterator that two tasks ask at once, of states and of buffered values", arguments: [true, false])
  func twoTasks(isBuffered: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isBuffered] in
      let reactor = CounterReactor(queue: DispatchQueue(label: "own"))
      let sequence = reactor.values(of: \.n, buffering: isBuffered ? .newest(1) : nil)
      // Safe: it is not, and that is what is tested.
      nonisolated(unsafe) let iterator = sequence.makeAsyncIterator()
      await withTaskGroup(of: Void.self) { tasks in
        for _ in 0..<2 {
          tasks.addTask {
            var own = iterator
            while await own.next() != nil {}
          }
        }
      }
      withExtendedLifetime(reactor) {}
    }
    Self.says(isBuffered ? "an async iterator of Int was asked" : "an iterator over states, Int, was asked", result)
  }

  @Test("A core that has no reactor, and one that is given to a second")
  func connecting() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let core = ReactorCore<Int, Int, Onlooker.Seen>(initialState: .init(), queue: DispatchQueue(label: "own"))
      core.actions.send(1)
    }
    Self.says("The ReactorCore with the state Seen has no reactor: call core.connect(self)", result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let reactor = CounterReactor(queue: DispatchQueue(label: "own"))
      reactor.core.connect(reactor)
    }
    Self.says("CounterReactor: core.connect(_:) was called twice, first by CounterReactor;", result)
  }
}

/// An actor that wants to observe.
private actor Onlooker {
  struct Seen: Sendable {}

  private var seen = 0

  func look(at reactor: CounterReactor) {
    reactor.observe(\.n) { self.seen = $0 }.cancel()
  }
}
