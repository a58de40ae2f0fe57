// Reading inside tracking scopes of the Observation module: who is called, when, how often, and who is not.

import Dispatch
import Observation
import Testing

@testable import SwiftReactor

/// Counts how often the paths of its state are compared, and holds a value that cannot be compared.
private final class ComparedReactor: BaseReactor<ComparedReactor.Action, ComparedReactor.Action, ComparedReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  struct Opaque: Sendable { var n = 0 }

  struct State: Sendable {
    var tick = 0
    var numbers = Array(repeating: 0, count: 10)
    var opaque = Opaque()
    var queue = "a property of the state"
    let asked = Shared(0)
    /// Computed, so that the framework has to ask for it.
    var sum: Int {
      asked.increment()
      return numbers.reduce(0, +)
    }
  }

  enum Action: Sendable { case tick, set(Int, Int) }

  override func mutate(action: Action) -> Mutations<Action> { [action] }

  override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .tick: state.tick += 1
    case .set(let index, let value): state.numbers[index] = value
    }
  }
}

/// Tracks what `read` reads; the callback counts.
private func track(_ calls: Shared<Int>, _ read: () -> Void) {
  withObservationTracking(read) { calls.increment() }
}

@Suite("Observation")
struct TrackingTests {
  @Test("A commit that changes the path calls its reader, once per tracking; one that leaves it calls nobody")
  func changedAndUnchanged() {
    let reactor = CounterReactor.onOwnQueue()
    let calls = Shared(0)
    reactor.onQueue { reactor in
      track(calls) { _ = reactor.n }
      reactor.action(.setA(1))
      reactor.action(.setN(0))
      #expect(calls.value == 0)
      reactor.action(.inc)
      #expect(calls.value == 1)
      reactor.action(.inc)
      #expect(calls.value == 1, "nobody has tracked again")
      track(calls) { _ = reactor.n }
      reactor.action(.setA(2))
      #expect(calls.value == 1)
      reactor.action(.inc)
      #expect(calls.value == 2)
    }
  }

  @Test("The callback comes before observers are told, and what it reads is new")
  func orderOfTelling() {
    let reactor = CounterReactor.onOwnQueue()
    let story = Recorder<String>()
    let token = reactor.onQueue { reactor in
      let token = reactor.observe(\.n) { story.append("observer \($0)") }
      withObservationTracking {
        _ = reactor.n
      } onChange: {
        story.append("reader \(reactor.n)")
      }
      reactor.action(.incTwice)
      return token
    }
    #expect(story.values == ["observer 0", "reader 2", "observer 2"])
    token.cancel()
  }

  @Test("The callback may track again, and is called at each change from then on")
  func trackingAgainInTheCallback() {
    let reactor = CounterReactor.onOwnQueue()
    let seen = Recorder<Int>()
    @Sendable func follow() {
      withObservationTracking {
        seen.append(reactor.n)
      } onChange: {
        follow()
      }
    }
    reactor.onQueue { reactor in
      follow()
      for action in [CounterReactor.Action.inc, .setA(1), .inc, .nop, .inc] { reactor.action(action) }
    }
    #expect(seen.values == [0, 1, 2, 3])
  }

  @Test("The whole state, and a value that cannot be compared, change with every commit")
  func wholeState() {
    let reactor = ComparedReactor(initialState: .init(), queue: DispatchQueue(label: "whole"))
    let plain = ByProtocol(queue: reactor.queue)
    let (whole, opaque, other) = (Shared(0), Shared(0), Shared(0))
    reactor.queue.sync {
      track(whole) { _ = reactor.state.numbers }
      track(opaque) { _ = reactor.opaque }
      track(other) { _ = plain.state }
      reactor.action(.tick)
      #expect([whole.value, opaque.value, other.value] == [1, 1, 0])
      plain.action(1)
      #expect(other.value == 1)
    }
  }

  @Test("A thousand readers of unchanged paths: nobody is called, and each path is asked for once per commit")
  func thousandReaders() {
    let reactor = ComparedReactor(initialState: .init(), queue: DispatchQueue(label: "thousand"))
    let calls = Shared(0)
    reactor.queue.sync {
      for index in 0..<1000 {
        track(calls) { if index < 500 { _ = reactor.sum } else { _ = reactor.numbers } }
      }
      let asked = reactor.state.asked
      asked.value = 0
      for _ in 0..<10 { reactor.action(.tick) }
      #expect(calls.value == 0)
      #expect(asked.value == 10)
      reactor.action(.set(3, 7))
      #expect(calls.value == 1000)
      reactor.action(.set(3, 8))
      #expect(calls.value == 1000)
    }
  }

  @Test("Of many paths exactly the readers of the changed ones are called")
  func exactlyItsReaders() {
    let reactor = CounterReactor.onOwnQueue()
    let calls = (0..<3).map { _ in Shared(0) }
    reactor.onQueue { reactor in
      for _ in 0..<100 {
        track(calls[0]) { _ = reactor.n }
        track(calls[1]) { _ = reactor.text }
        track(calls[2]) { _ = (reactor.a, reactor.text) }
      }
      reactor.action(.setText("changed"))
      #expect(calls.map(\.value) == [0, 100, 100])
      reactor.action(.setA(1))
      #expect(calls.map(\.value) == [0, 100, 100], "a tracking is over after its first change")
      reactor.action(.inc)
      #expect(calls.map(\.value) == [100, 100, 100])
    }
  }

  @Test("Nested: a reader of a child hears the parent's mutation, a reader of the parent the child's")
  func nested() {
    let family = FamilyReactor()
    let (left, right, whole, board) = (Shared(0), Shared(0), Shared(0), Shared(0))
    family.queue.sync {
      let (leftRow, rightRow) = (family.makeRow(1), family.makeRow(2))
      family.nest(leftRow, at: \.left)
      family.nest(rightRow, at: \.right)
      track(left) { _ = leftRow.n }
      track(right) { _ = rightRow.n }
      track(whole) { _ = family.left }
      track(board) { _ = family.rows }
      leftRow.action(.move(3))
      #expect([left.value, right.value, whole.value] == [0, 0, 1])
      leftRow.action(.inc)
      #expect([left.value, right.value, whole.value] == [1, 0, 1])
      family.change { $0.right.n = 9 }
      #expect([left.value, right.value, whole.value, board.value] == [1, 1, 1, 0])
    }
  }

  @Test("A tracking of what transform(state:) shows hears what is shown")
  func shownState() {
    var hooks = CounterReactor.Hooks()
    hooks.state = { $0.filter { $0.n % 2 == 0 } }
    let reactor = CounterReactor.onOwnQueue(hooks: hooks)
    let calls = Shared(0)
    reactor.onQueue { reactor in
      reactor.action(.nop)
      track(calls) { _ = reactor.n }
      reactor.action(.inc)
      #expect(calls.value == 0)
      reactor.action(.inc)
      #expect(calls.value == 1)
    }
  }

  @Test("Real members win over properties of the state")
  func realMembersWin() {
    let reactor = ComparedReactor(initialState: .init(), queue: DispatchQueue(label: "real"))
    let label: String = reactor.queue.label
    #expect(label == "real")
    #expect(reactor.state.queue == "a property of the state")
  }

  @Test("An Observations sequence gets the newest value, from any task")
  func observations() async {
    await watched("Observations") {
      let reactor = CounterReactor.onOwnQueue()
      for step in 1...20 {
        let begun = Gate()
        let follower = Task.detached {
          for await n in Observations({ reactor.n }) {
            begun.open()
            if n >= step { return n }
          }
          return -1
        }
        await begun.wait()
        reactor.action(.inc)
        #expect(await follower.value == step)
      }
    }
  }

  // Two columns:   reader                      queue
  //                reads n inside a scope
  //                                            n changes, readers are called: there is none yet
  //                the scope is installed
  //                is called after all
  @Test("A commit between the read and the end of the scope is not missed, wherever the reader is")
  func commitWhileTracking() async {
    await watched("a commit inside a scope") {
      let reactor = CounterReactor.onOwnQueue()
      let calls = Shared(0)
      await onThread {
        track(calls) {
          _ = reactor.n
          reactor.onQueue { $0.action(.inc) }
        }
      }
      await eventually("the reader is called", on: reactor.queue) { calls.value >= 1 }
    }
  }

  @Test("Readers elsewhere are not called for what does not concern them")
  func unchangedElsewhere() async {
    let reactor = CounterReactor.onOwnQueue()
    let (unchanged, changed) = (Shared(0), Shared(0))
    await onThread {
      track(unchanged) { _ = reactor.text }
      track(changed) { _ = reactor.n }
    }
    await settle(reactor)
    for _ in 0..<5 { reactor.onQueue { $0.action(.inc) } }
    await settle(reactor)
    #expect(unchanged.value == 0)
    #expect(changed.value == 1)
  }

  @Test("Readers on several threads that follow a counter all see its last value")
  func nothingIsMissed() async {
    await watched("readers on several threads") {
      let reactor = CounterReactor.onOwnQueue()
      let last = 2000
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<3 {
          group.addTask {
            var seen = 0
            while seen < last {
              let changed = Gate()
              seen = withObservationTracking {
                reactor.n
              } onChange: {
                changed.open()
              }
              if seen < last { await changed.wait() }
            }
            return seen
          }
        }
        group.addTask {
          for _ in 0..<last { await reactor.perform(.inc) }
          return last
        }
        for await seen in group { #expect(seen == last) }
      }
    }
  }

  @Test("Nothing is done at commits before somebody tracks, nor after nobody has for a while")
  func nothingWhileNobodyTracks() {
    let reactor = CounterReactor.onOwnQueue()
    reactor.onQueue { reactor in
      _ = (reactor.n, reactor.state)
      reactor.action(.inc)
      #expect(reactor.core.parts?.afterCommit == nil && !reactor.core.isObserved)
      track(Shared(0)) { _ = reactor.n }
      #expect(reactor.core.parts?.afterCommit != nil && reactor.core.isObserved)
      for _ in 0..<20 { reactor.action(.inc) }
      #expect(reactor.core.parts?.afterCommit == nil && !reactor.core.isObserved)
      let calls = Shared(0)
      track(calls) { _ = reactor.n }
      reactor.action(.inc)
      #expect(calls.value == 1)
    }
  }

  @Test("A read outside of a scope after one inside it follows nothing")
  func readAfterScope() {
    let reactor = ComparedReactor(initialState: .init(), queue: DispatchQueue(label: "after"))
    reactor.queue.sync {
      track(Shared(0)) { _ = reactor.tick }
      _ = reactor.sum
      let asked = reactor.state.asked
      asked.value = 0
      reactor.action(.set(0, 1))
      #expect(asked.value == 0, "nobody follows the sum")
    }
  }

  @Test("Who tracks a reactor keeps neither it nor its engine")
  func lifetime() {
    weak var gone: CounterReactor?
    weak var engine: ReactorCore<CounterReactor.Action, CounterReactor.Mutation, CounterReactor.State>?
    do {
      let reactor = CounterReactor.onOwnQueue()
      gone = reactor
      engine = reactor.core
      reactor.onQueue { reactor in
        for _ in 0..<3 {
          withObservationTracking {
            _ = (reactor.n, reactor.state, reactor.items)
          } onChange: {
          }
          reactor.action(.inc)
        }
      }
    }
    #expect(gone == nil)
    #expect(engine == nil)
  }

  @Test("Of a path that has changed and is not read again no value is kept")
  func keptValues() {
    let lives = Lives()
    let reactor = Keeper(lives.make(), queue: DispatchQueue(label: "kept"))
    reactor.queue.sync {
      let calls = Shared(0)
      track(calls) { _ = reactor.held }
      #expect(lives.count == 1)
      reactor.action(lives.make())
      #expect(calls.value == 1)
      reactor.action(lives.make())
      #expect(lives.count == 1)
    }
  }
}

/// Holds one object.
private final class Keeper: BaseReactor<Lives.Life, Lives.Life, Keeper.State>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  struct Held: Equatable, Sendable {
    let life: Lives.Life
    static func == (lhs: Held, rhs: Held) -> Bool { lhs.life === rhs.life }
  }

  struct State: Sendable { var held: Held }

  init(_ life: Lives.Life, queue: DispatchQueue) {
    super.init(initialState: State(held: Held(life: life)), queue: queue)
  }

  override func mutate(action: Lives.Life) -> Mutations<Lives.Life> { [action] }
  override func reduce(into state: inout State, mutation: Lives.Life) { state.held = Held(life: mutation) }
}

/// A reactor without the base class.
private final class ByProtocol: Reactor {
  let core: ReactorCore<Int, Int, Int>

  init(queue: DispatchQueue) {
    core = ReactorCore(initialState: 0, queue: queue)
    core.connect(self)
  }

  func mutate(action: Int) -> Mutations<Int> { [action] }
  func reduce(into state: inout Int, mutation: Int) { state += mutation }
}
