// The code of the article "Testing a reactor".

import Dispatch
import SwiftReactor
import Testing

// snippet.ownQueue
@Suite("Jobs")
struct JobsTests {
  let jobs = JobsReactor(queue: DispatchQueue(label: "test"))

  @Test("A job that was added is done")
  func add() {
    jobs.queue.sync {
      jobs.action(.add("a"))
      #expect(jobs.done == ["a"])
    }
  }

  @Test("Work arrives")
  func work() async {
    await jobs.perform(.work("b"))
    #expect(jobs.done == ["b"])
  }
}
// snippet.end

@MainActor @Suite("Snippets · Testing")
struct TestingTests {
  @Test("The states that were shown, in order")
  func history() {
    let player = PlayerReactor()
    // snippet.history
    var volumes: [Int] = []
    let subscription = player.observe(\.volume) { volumes.append($0) }
    player.action(.up)
    player.action(.reset)
    player.action(.reset)  // changes nothing, so an observer of the path hears nothing
    #expect(volumes == [5, 6, 5])
    // snippet.end
    subscription.cancel()
  }

  @Test("Holding an effect until the test lets it go")
  func gate() async {
    // snippet.gate
    let (answers, answer) = AsyncStream<String>.makeStream()
    let reactor = SearchReactor(
      library: Library { _ in
        for await title in answers { return [title] }
        return []
      }, pause: .zero)

    reactor.action(.type("Emma"))
    #expect(reactor.effects.count == 1)  // under way, and it will not end before the test says so
    #expect(reactor.titles == [])

    answer.yield("Emma")
    for await state in reactor.states where state.titles == ["Emma"] { break }
    #expect(reactor.effects.count <= 1)
    // snippet.end
  }

  @Test("Reports are part of what a test can expect")
  func reports() async {
    // snippet.reports
    let (reports, report) = AsyncStream<ReactorReport>.makeStream()
    await ReactorReports.withTestHandler({ report.yield($0) }) {
      let desk = DeskReactor(server: Server(save: { _ in throw LibraryIsClosed() }))
      await desk.perform(.save)
    }
    for await found in reports {
      #expect(found.kind == .effectFailed)
      break
    }
    // snippet.end
  }
}
