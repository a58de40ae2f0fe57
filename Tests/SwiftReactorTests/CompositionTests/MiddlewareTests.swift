// Middleware and the logger: what they see, in which order, that they change nothing, and that nobody pays without them.

import Dispatch
import Testing

@testable import SwiftReactor

/// Writes down what it is told.
private final class Diary: ReactorMiddleware {
  let lines = Recorder<String>()
  let origins = Recorder<ReactorOrigin>()

  func willMutate(_ action: any Sendable, in reactor: String, from origin: ReactorOrigin) {
    lines.append("\(reactor) will \(word(action)) \(origin.kind)")
    origins.append(origin)
  }

  func didCommit(_ commit: ReactorCommit<CounterReactor.State>) {
    let mutations = commit.mutations.map(word).joined(separator: "+")
    lines.append("\(commit.reactor) did \(mutations) \(commit.origin.kind) \(commit.before.n)→\(commit.after.n)")
    origins.append(commit.origin)
  }

  private func word(_ value: any Sendable) -> String { String("\(value)".prefix { $0 != "(" }) }

  func take() -> [String] {
    defer { lines.removeAll() }
    return lines.values
  }
}

@Suite("Middleware")
struct MiddlewareTests {
  private let diary = Diary()

  @Test("S4 · It sees every action before the reducer and every mutation with the state before and after, in order")
  func order() {
    let reactor = CounterReactor.onOwnQueue()
    let attachment = reactor.attach(diary)
    let told = Recorder<Int>()
    reactor.onQueue { reactor in
      let token = reactor.observe(\.n) { [diary] n in
        told.append(diary.lines.count)
        if n == 1 { reactor.action(.setA(5)) }
      }
      reactor.action(.inc)
      reactor.action(.incBoth)
      reactor.action(.nop)
      reactor.mutation.send(.setN(9))
      reactor.restore(.init(n: 3))
      token.cancel()
    }
    #expect(
      diary.take() == [
        "CounterReactor will inc outside", "CounterReactor did inc outside 0→1", "CounterReactor will setA observer",
        "CounterReactor did setA observer 1→1", "CounterReactor will incBoth outside",
        "CounterReactor did inc+write outside 1→2", "CounterReactor will nop outside",
        "CounterReactor did setN outside 2→9", "CounterReactor did  restore 9→3",
      ])
    #expect(told.values == [0, 2, 6, 8, 9], "it is told before the observers")
    withExtendedLifetime(attachment) {}
  }

  @Test("It knows where each thing came from: file and line, the action or the effect that caused it")
  func origins() async {
    let reactor = CounterReactor.onOwnQueue()
    reactor.feedback(when: { $0.b == 0 ? nil : $0.b }) { _ in [.setText("asked")] }
    let attachment = reactor.attach(diary)
    let (here, line) = (#fileID, #line)
    reactor.onQueue { reactor in
      reactor.action(.inc)  // line + 2
      reactor.action.send(.inc)
      reactor.mutation.send(.inc)
      reactor.action(.inc, fileID: "Else/Where.swift", line: 7)
    }
    reactor.action(.inc)  // from elsewhere, line + 7
    await reactor.perform(.inc)
    reactor.scope(state: \.n).action(.inc)
    await hop(reactor.queue)
    let places = diary.origins.values.compactMap { $0.place }.map { "\($0)" }
    let lines = [2, 3, 4].map { UInt(line + $0) }.map { "\(here):\($0)" }
    #expect(Array(Set(places)).count == 7)
    for place in lines + ["Else/Where.swift:7"] + [7, 8, 9].map({ "\(here):\(line + $0)" }) {
      #expect(places.contains(place), "\(place)")
    }
    diary.origins.removeAll()

    await reactor.perform(.answer(Mutations.run { emit in emit(.setA(1)) }.effect(id: "load")))
    let effect = diary.origins.values.last
    #expect(effect?.kind == .effect && effect?.effectID == AnyHashable("load") && effect?.place == nil)
    #expect("\(effect!)".hasPrefix("effect \"load\" of .answer("))
    await reactor.perform(.setB(4))
    let asked = diary.origins.values.last
    #expect(asked?.kind == .effect && asked?.action == nil && asked?.query as? Int == 4)
    #expect(asked.map { "\($0)" } == "effect for 4")
    withExtendedLifetime(attachment) {}
  }

  @Test("Detached it sees nothing more, and nobody pays for it any longer")
  func detached() async {
    let reactor = CounterReactor.onOwnQueue()
    #expect(reactor.core.isPlain && !reactor.core.isTraced)
    let first = reactor.attach(diary)
    let second = reactor.attach(Diary())
    reactor.onQueue { $0.action(.inc) }
    #expect(!reactor.core.isPlain && reactor.core.isTraced)
    #expect(diary.take().count == 2)
    reactor.onQueue { reactor in
      first.cancel()
      reactor.action(.inc)
    }
    #expect(diary.take() == [])
    #expect(!reactor.core.isPlain, "another one is there")
    second.cancel()
    await hop(reactor.queue)
    #expect(reactor.core.isPlain && !reactor.core.isTraced && reactor.core.watchers.isEmpty)
    reactor.onQueue { $0.action(.inc) }
    #expect(reactor.state.n == 3)
  }

  @Test("Cancelled inside a turn it hears nothing of what follows in it")
  func cancelledInside() {
    let reactor = CounterReactor.onOwnQueue()
    let attachment = reactor.attach(diary)
    reactor.onQueue { reactor in
      let token = reactor.observe(\.n) { n in
        guard n == 1 else { return }
        reactor.action(.inc)
        attachment.cancel()
      }
      reactor.action(.inc)
      token.cancel()
    }
    #expect(diary.take() == ["CounterReactor will inc outside", "CounterReactor did inc outside 0→1"])
  }

  @Test("Let go, what keeps it attached detaches it; it keeps no reactor alive")
  func lifetime() {
    var reactor: CounterReactor? = CounterReactor.onOwnQueue()
    weak let gone = reactor
    var attachment: EventSubscription? = reactor!.attach(diary)
    reactor!.onQueue { $0.action(.inc) }
    reactor = nil
    #expect(gone == nil)
    _ = attachment
    attachment = nil
    #expect(diary.take().count == 2)
  }

  @Test("The state is copied only while one is attached")
  func copies() {
    let reactor = CounterReactor.onOwnQueue(.init(items: Array(0..<1000)))
    let address: @Sendable () -> UInt = {
      let found = Shared<UInt>(0)
      reactor.action(
        .answer([
          .change { state in
            state.items[0] += 1
            state.items.withUnsafeMutableBufferPointer { found.value = UInt(bitPattern: $0.baseAddress) }
          }
        ]))
      return found.value
    }
    reactor.onQueue { reactor in
      let before = address()
      #expect(address() == before)
      let attachment = reactor.attach(diary)
      #expect(address() != before, "the copy that it costs")
      attachment.cancel()
      let after = address()
      #expect(address() == after)
    }
  }

  @Test("Reactors that are nested in it are seen too, until it is detached")
  func nested() {
    final class Parent: BaseReactor<Int, Int, Parent.State>, @unchecked Sendable {
      // Safe to share: adds no stored property.
      struct State: Sendable { var child = CounterReactor.State() }
      init(queue: DispatchQueue) { super.init(initialState: State(), queue: queue) }
      override func mutate(action: Int) -> Mutations<Int> { [action] }
      override func reduce(into state: inout State, mutation: Int) { state.child.n += mutation }
    }
    struct Numbers: ReactorMiddleware {
      let lines = Recorder<String>()
      func didCommit(_ commit: ReactorCommit<Parent.State>) {
        lines.append("\(commit.reactor) \(commit.before.child.n)→\(commit.after.child.n)")
      }
    }
    let queue = DispatchQueue(label: "family")
    let parent = Parent(queue: queue)
    let child = CounterReactor(queue: queue)
    parent.nest(child, at: \.child)
    let numbers = Numbers()
    queue.sync {
      let attachment = parent.attach(numbers)
      child.action(.inc)
      parent.action(10)
      #expect(numbers.lines.values == ["CounterReactor 0→1", "Parent 1→11"])
      attachment.cancel()
      child.action(.inc)
      parent.action(10)
      #expect(numbers.lines.count == 2 && parent.state.child.n == 22)
    }
    #expect(child.core.isPlain && !child.core.isTraced && child.core.watchers.isEmpty)
  }

  @Test("In commit order, whoever sends: numbers of a commit go on where the one before ended")
  func commitOrder() async {
    struct Chain: ReactorMiddleware {
      let pairs = Recorder<[Int]>()
      func didCommit(_ commit: ReactorCommit<CounterReactor.State>) { pairs.append([commit.before.n, commit.after.n]) }
    }
    let reactor = CounterReactor.onOwnQueue()
    let chain = Chain()
    let attachment = reactor.attach(chain)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<100 { await reactor.perform(Bool.random() ? .inc : .incLater) } }
      }
    }
    #expect(chain.pairs.values == (0..<400).map { [$0, $0 + 1] })
    withExtendedLifetime(attachment) {}
  }

  @Test("Both forms take it")
  func bothForms() {
    final class Plain: Reactor {
      let core = ReactorCore<Int, Int, Int>(initialState: 0, queue: DispatchQueue(label: "plain"))
      init() { core.connect(self) }
      func reduce(into state: inout Int, mutation: Int) { state += mutation }
    }
    struct Sum: ReactorMiddleware {
      let sums = Recorder<Int>()
      func didCommit(_ commit: ReactorCommit<Int>) { sums.append(commit.after) }
    }
    let reactor = Plain()
    let sum = Sum()
    let attachment = reactor.attach(sum)
    reactor.queue.sync { [1, 2].forEach(reactor.action) }
    #expect(sum.sums.values == [1, 3])
    withExtendedLifetime(attachment) {}
  }
}
