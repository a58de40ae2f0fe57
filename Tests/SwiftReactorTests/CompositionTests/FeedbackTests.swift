// Effects that the state asks for: when they start, start anew and end, and who knows of them.

import Dispatch
import SwiftReactor
import Testing

@Suite("Feedback")
struct FeedbackTests {
  private let queue = DispatchQueue(label: "feedback")
  private let log = QueryLog()

  private func make(_ state: QueryState = QueryState(), hasFeedback: Bool = true) -> QueryReactor {
    QueryReactor(log, state, queue: queue, hasFeedback: hasFeedback)
  }

  @Test("A query starts its effect, another one replaces it, nil ends it, the same one leaves it alone")
  func oneQuery() {
    let reactor = make()
    queue.sync {
      reactor.action([.one(1)])
      #expect(log.takeLines() == ["start one 1"])
      reactor.action([.text("else")])
      reactor.action([.one(1)])
      reactor.action([.one(2), .one(1)])
      #expect(log.takeLines() == [], "what a commit shows counts")
      reactor.action([.one(2)])
      #expect(log.takeLines() == ["end one 1", "start one 2"])
      log.emit(.append(7), from: "one 2")
      #expect(reactor.state.numbers == [7])
      reactor.action([.one(nil)])
      #expect(log.takeLines() == ["end one 2"])
      #expect(reactor.effects.isEmpty)
    }
  }

  @Test("An effect that has come to its end is started again only for another query")
  func ended() {
    let reactor = make()
    queue.sync {
      reactor.action([.one(1)])
      log.end("one 1")
      #expect(reactor.effects.isEmpty)
      reactor.action([.one(1), .text("again")])
      #expect(log.takeLines() == ["start one 1"])
      reactor.action([.one(nil)])
      reactor.action([.one(1)])
      #expect(log.takeLines() == ["start one 1"])
    }
  }

  @Test("Of several queries each has an effect of its own, and those that stay are left alone")
  func manyQueries() {
    let reactor = make()
    queue.sync {
      reactor.action([.many([1, 2])])
      #expect(log.takeLines().sorted() == ["start many 1", "start many 2"])
      reactor.action([.many([2, 3])])
      #expect(log.takeLines() == ["end many 1", "start many 3"])
      reactor.action([.many([])])
      #expect(log.takeLines().sorted() == ["end many 2", "end many 3"])
      reactor.action([.list([5, 4, 5, 6])])
      #expect(log.takeLines() == ["start list 5", "start list 4", "start list 6"])
      reactor.action([.list([6, 5])])
      #expect(log.takeLines() == ["end list 4"])
      #expect(reactor.known == ["5", "6"])
    }
  }

  @Test("A stream of queries: each replaces the one before, nil ends it")
  func streamOfQueries() {
    let reactor = make(hasFeedback: false)
    let queries = EventSubject<Int?>()
    reactor.feedback(when: queries.stream) { [log] query in Mutations(async: log.effect("sent \(query)")) }
    reactor.feedback(when: reactor.$state.map(\.text).removeDuplicates()) { [log] text in
      text.isEmpty ? .none : Mutations(async: log.effect(text))
    }
    queue.sync {
      reactor.action([.text("a")])
      #expect(log.takeLines() == ["start a"])
      queries.send(1)
      queries.send(1)
      #expect(log.takeLines() == ["start sent 1", "end sent 1", "start sent 1"])
      reactor.action([.text("b")])
      reactor.action([.text("")])
      #expect(log.takeLines() == ["end a", "start b", "end b"])
      queries.send(nil)
      #expect(log.takeLines() == ["end sent 1"])
      #expect(reactor.effects.isEmpty)
    }
  }

  @Test("A query made by a closure, and one that is always there")
  func closures() {
    let reactor = make(hasFeedback: false)
    reactor.feedback(when: { $0.text == "loading" ? $0.one : nil }) { [log] in
      Mutations(async: log.effect("when \($0)"))
    }
    reactor.feedback(when: \.text) { [log] in Mutations(async: log.effect("text \($0)")) }
    reactor.feedback(when: { Set($0.list.filter { $0 > 1 }) }) { [log] in Mutations(async: log.effect("large \($0)")) }
    queue.sync {
      reactor.action([.one(1), .list([1, 2])])
      #expect(log.takeLines() == ["start text ", "start large 2"])
      reactor.action([.text("loading")])
      #expect(log.takeLines() == ["start when 1", "end text ", "start text loading"], "each in its turn")
    }
  }

  @Test("Before anybody is told of the commit the effect is known; it starts when everybody was told")
  func registeredBeforeDelivery() {
    let reactor = make()
    let seen = Recorder<String>()
    queue.sync {
      let token = reactor.observe(\.one) { [log] one in
        seen.append("\(one ?? 0): \(reactor.known) \(log.lines.values)")
      }
      reactor.action([.one(1)])
      reactor.action([.one(2)])
      #expect(seen.values == ["0: [] []", "1: [\"1\"] []", "2: [\"2\"] [\"start one 1\"]"])
      token.cancel()
    }
  }

  @Test("Mutations that are there at once are one commit, next in the same turn, and go with their query")
  func mutationsAtOnce() {
    let reactor = make(hasFeedback: false)
    reactor.feedback(when: \.one) { [.append($0), .append($0 * 10)] + Mutations(async: .just(.append($0 * 100))) }
    let seen = Recorder<[Int]>()
    queue.sync {
      let token = reactor.observe(\.numbers) { seen.append($0) }
      reactor.action([.one(1)])
      #expect(seen.values == [[], [1, 10], [1, 10, 100]])
      // The second query comes before the first one's values have had their turn.
      let other = reactor.observe(\.one) { if $0 == 2 { reactor.action([.one(3)]) } }
      reactor.action([.one(2)])
      #expect(reactor.state.numbers == [1, 10, 100, 3, 30, 300])
      #expect(reactor.effects.isEmpty)
      token.cancel()
      other.cancel()
    }
  }

  @Test("Ids, policies and cancel count as in mutate")
  func ids() {
    let reactor = make(hasFeedback: false)
    reactor.feedback(when: \.list) { [log] in Mutations(async: log.effect("list \($0)")).effect(id: "id", .first) }
    reactor.feedback(when: \.one) { _ in .cancel(id: "id") }
    queue.sync {
      reactor.action([.list([1, 2])])
      #expect(log.takeLines() == ["start list 1"])
      reactor.action(.cancel(id: "id"))
      #expect(log.takeLines() == ["end list 1"])
      reactor.action([.list([1, 2, 3])])
      #expect(log.takeLines() == ["start list 3"])
      reactor.action([.one(1)])
      #expect(log.takeLines() == ["end list 3"])
      reactor.action([.list([4])])
      reactor.cancelEffects()
      #expect(log.takeLines() == ["start list 4", "end list 4"])
      reactor.action([.text("a")])
      #expect(log.takeLines() == [], "until its query changes")
    }
  }

  @Test("When a query under a limit goes, the one that waits starts")
  func waiting() {
    let reactor = make(hasFeedback: false)
    reactor.feedback(when: \.list) { [log] in
      Mutations(async: log.effect("list \($0)")).effect(id: "row", .concurrent(max: 1))
    }
    queue.sync {
      reactor.action([.list([1, 2, 3])])
      #expect(log.takeLines() == ["start list 1"])
      reactor.action([.list([3, 2])])
      #expect(log.takeLines() == ["end list 1", "start list 2"])
      #expect(reactor.known == ["2", "3"])
    }
  }

  @Test("An error ends only its own effect, and reaches the hook without an action")
  func errors() async {
    let reactor = make(hasFeedback: false)
    reactor.feedback(when: \.list) { number in
      .run { emit in
        if number == 1 { throw StoryError(name: "one") }
        emit(.append(number))
      }
    }
    await reactor.perform([.list([1, 2])])
    #expect(reactor.failures.values == ["StoryError(name: \"one\"), no action"])
    #expect(reactor.state.numbers == [2])
  }

  @Test("The state that counts is the one that reduce made, whatever is shown of it")
  func shownState() {
    final class Hiding: QueryReactor, @unchecked Sendable {
      // Safe to share: adds no stored property.
      override func transform(state: EventStream<QueryState>) -> EventStream<QueryState> {
        state.map { _ in QueryState() }
      }
    }
    let reactor = Hiding(log, queue: queue)
    queue.sync {
      reactor.action([.one(1)])
      #expect(reactor.state.one == nil)
      #expect(log.takeLines() == ["start one 1"])
    }
  }

  @Test("It begins with the first use, after the hooks; a reading or a restore is none")
  func firstUse() {
    final class Hooked: QueryReactor, @unchecked Sendable {
      // Safe to share: adds no stored property.
      override func transform(mutation: EventStream<QueryState.Mutation>) -> EventStream<QueryState.Mutation> {
        log.lines.append("hook")
        return mutation
      }
    }
    let reactor = Hooked(log, QueryState(one: 1), queue: queue)
    queue.sync {
      _ = reactor.state
      reactor.restore(QueryState(one: 2))
      #expect(log.takeLines() == [])
      let token = reactor.observe(\.text) { _ in }
      #expect(log.takeLines() == ["hook", "start one 2"])
      token.cancel()
    }
  }

  @Test("A restored state keeps the effects it asks for, starts those that are missing and ends the others")
  func restore() {
    let reactor = make()
    queue.sync {
      reactor.action([.one(1), .list([1, 2])])
      _ = log.takeLines()
      reactor.restore(QueryState(one: 1, list: [2, 3], text: "restored"))
      #expect(log.takeLines() == ["end list 1", "start list 3"])
      #expect(reactor.known == ["1", "2", "3"])
    }
  }

  @Test("Added to a reactor that is in use it begins at once, from elsewhere on the queue")
  func addedLater() async {
    let reactor = make(QueryState(one: 1), hasFeedback: false)
    queue.sync { reactor.action([.text("used")]) }
    queue.sync {
      reactor.feedback(when: \.one) { [log] in Mutations(async: log.effect("here \($0)")) }
      #expect(log.takeLines() == ["start here 1"])
    }
    await onThread { reactor.feedback(when: \.one) { [log] in Mutations(async: log.effect("there \($0)")) } }
    await hop(queue)
    #expect(log.takeLines() == ["start there 1"])
    queue.sync { reactor.action([.one(nil)]) }
    #expect(log.takeLines() == ["end here 1", "end there 1"])
  }

  // MARK: Waiting and lifetime

  @Test("perform waits for what its action, or an effect of it, has made the state ask for")
  func perform() async {
    let reactor = make(hasFeedback: false)
    let gate = Gate()
    reactor.feedback(when: \.one) { number in
      .run { emit in
        await gate.wait()
        emit(.append(number))
      }
    }
    gate.open()
    await reactor.perform([.one(1)])
    #expect(reactor.state.numbers == [1])
    await reactor.perform(.run { emit in emit(.one(2)) })
    #expect(reactor.state.numbers == [1, 2])
  }

  @Test("perform waits also for the effect that replaces the one whose value asks for it", arguments: [false, true])
  func performThroughPages(isAtOnce: Bool) async {
    let reactor = make(hasFeedback: false)
    reactor.feedback(when: \.one) { page in
      let next: [QueryState.Mutation] = [.append(page), .one(page < 3 ? page + 1 : nil)]
      return isAtOnce
        ? Mutations(sync: next)
        : .run { emit in
          await Task.yield()
          for mutation in next { emit(mutation) }
        }
    }
    await reactor.perform([.one(1)])
    #expect(reactor.state.numbers == [1, 2, 3])
    #expect(reactor.effects.isEmpty)
  }

  @Test("A cancelled perform leaves the effect running: the state still asks for it")
  func cancelledPerform() async {
    let reactor = make()
    let waiting = Task { await reactor.perform([.one(1)]) }
    await eventually("the effect runs", on: queue) { reactor.known == ["1"] }
    waiting.cancel()
    await waiting.value
    #expect(reactor.known == ["1"])
    let over = Task {
      await withUnsafeContinuation { (go: UnsafeContinuation<Void, Never>) in go.resume() }
      withUnsafeCurrentTask { $0?.cancel() }
      await reactor.perform([.one(2)])
    }
    await over.value
    await eventually("the next one runs", on: queue) { reactor.known == ["2"] }
    log.emit(.append(1), from: "one 2")
    await hop(queue)
    #expect(reactor.state.numbers == [1])
  }

  @Test("It does not keep the reactor alive; when that goes its effects end and its stream is let go")
  func lifetime() {
    let queries = EventSubject<Int?>()
    var reactor: QueryReactor? = make()
    weak let gone = reactor
    reactor!.feedback(when: queries.stream) { [log] in Mutations(async: log.effect("sent \($0)")) }
    queue.sync {
      reactor!.action([.one(1)])
      queries.send(5)
    }
    _ = log.takeLines()
    reactor = nil
    #expect(gone == nil)
    #expect(log.takeLines() == ["end one 1", "end sent 5"])
    queries.send(6)
    #expect(log.takeLines() == [])
  }

  @Test("Both forms have it")
  func protocolForm() {
    final class Plain: Reactor {
      let core: ReactorCore<QueryState.Mutation, QueryState.Mutation, QueryState>
      init(_ log: QueryLog, queue: DispatchQueue) {
        core = ReactorCore(initialState: QueryState(), queue: queue)
        core.connect(self)
        feedback(when: \.one) { Mutations(async: log.effect("plain \($0)")) }
      }
      func reduce(into state: inout QueryState, mutation: QueryState.Mutation) { state.apply(mutation) }
    }
    let reactor = Plain(log, queue: queue)
    queue.sync {
      reactor.action(.one(1))
      reactor.action(.one(nil))
    }
    #expect(log.takeLines() == ["start plain 1", "end plain 1"])
  }
}
