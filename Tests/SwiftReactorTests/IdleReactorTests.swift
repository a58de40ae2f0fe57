// What a reactor has that does nothing, and that what it gets later makes no difference. The sizes themselves are read by
// the benchmarks.

import Dispatch
import Testing

@testable import SwiftReactor

@Suite("Idle reactors")
struct IdleReactorTests {
  private final class Plain: BaseReactor<Int, Int, Int>, @unchecked Sendable {
    init() { super.init(initialState: 0, queue: DispatchQueue(label: "plain")) }
    override func mutate(action: Int) -> Mutations<Int> {
      action < 0 ? Mutations.run { emit in emit(-action) }.effect(id: "later") : [action]
    }
    override func reduce(into state: inout Int, mutation: Int) { state += mutation }
  }

  private final class Other: BaseReactor<Int, Int, Int>, @unchecked Sendable {
    init() { super.init(initialState: 0) }
  }

  /// A class of its own: nothing but `core` holds the engine, and nobody is told when it goes.
  private final class Bare: Reactor {
    let core = ReactorCore<Int, Int, Int>(initialState: 0, queue: DispatchQueue(label: "bare"))
    init() { core.connect(self) }
    func reduce(into state: inout Int, mutation: Int) { state += mutation }
  }

  @Test("What only some reactors need is made when it is first needed, and not before")
  func parts() async {
    let reactor = Plain()
    let core = reactor.core
    core.queue.sync { for _ in 0..<10 { reactor.action(1) } }
    #expect(core.parts == nil && core.sharedParts == nil && core.uncountedWatches == nil)
    #expect(core.lane.ask { _ in core.inbox.capacity } == 0, "what the first turn took was not given back")

    let told = Recorder<Int>()
    let all = reactor.$state.sink { told.append($0) }
    core.queue.sync {}
    #expect(core.queue.sync { core.parts == nil }, "an observer of every commit needs no parts")
    let path = reactor.observe(\.self) { told.append(-$0) }
    core.queue.sync {}
    #expect(core.queue.sync { core.parts?.watches != nil && core.uncountedWatches != nil })

    await reactor.perform(-5)
    #expect(core.storage.lock.withLock { core.sharedParts == nil })
    let actions = Recorder<Int>()
    let tap = reactor.action.stream.sink { actions.append($0) }
    core.queue.sync { reactor.action(2) }
    #expect(core.storage.lock.withLock { core.sharedParts != nil })
    #expect(told.values == [10, -10, 15, -15, 17, -17] && actions.values == [2] && reactor.state == 17)
    for subscription in [all, path, tap] { subscription.cancel() }
  }

  @Test("A reactor with all parts goes from state to state like one without")
  func sameStates() async {
    let (few, many) = (Plain(), Plain())
    let told = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      few.$state.sink { told.0.append($0) }, many.$state.sink { told.1.append($0) },
      many.observe(\.self) { _ in }, many.action.stream.sink { _ in }, many.attach(ReactorLogger(to: { _ in })),
    ]
    for action in [1, -2, 3, -4, 5, 6] {
      await few.perform(action)
      await many.perform(action)
    }
    #expect(few.core.queue.sync { few.core.parts?.watching } == nil)
    #expect(many.core.queue.sync { many.core.parts?.watching } != nil)
    #expect(told.0.values == told.1.values && told.0.values == [0, 1, 3, 6, 10, 15, 21])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("What is known of a type is made once, and is another one for another type")
  func types() {
    let (first, second, other) = (Plain(), Plain(), Other())
    #expect(first.core.connection === second.core.connection && first.core.connection !== other.core.connection)
    #expect(first.core.typeName == "Plain" && other.core.typeName == "Other")
  }

  @Test("A state lies behind the mutex as its type wants it, and nested states too")
  func alignment() {
    func check<State: Sendable & Equatable>(_ state: State) {
      for _ in 0..<20 {
        let storage = StateStorage(state)
        #expect(UInt(bitPattern: storage.base) % UInt(MemoryLayout<State>.alignment) == 0)
        #expect(storage.read() == state)
        storage.commit { $0 = state }
        storage.hold()
        storage.letGo()
        #expect(storage.read() == state)
      }
    }
    check(UInt8(7))
    check(7)
    check("a text that is longer than what lies in a string itself")
    check(SIMD2<Double>(1, 2))
    check(SIMD16<Int64>(repeating: 3))
    check([SIMD8<Float>(repeating: 4)])
    struct Empty: Equatable {}
    check(Empty())
  }

  @Test("An engine whose reactor has gone takes nothing, and who observes it is told of the end")
  func engineAlone() async {
    let gone = Gate()
    var reactor: Bare? = Bare()
    let core = reactor!.core
    weak let released = reactor
    let told = Recorder<Int>()
    let receive: @Sendable (StreamEvent<Int>) -> Void = { event in
      switch event {
      case .value(let value): told.append(value)
      default: gone.open()
      }
    }
    let subscription = core.$state.subscribe(in: StreamContext(), receive)
    core.queue.sync {}
    reactor = nil
    #expect(released == nil)
    core.actions.send(1)
    core.cancelEffects()
    core.startIfNeeded()
    let late = core.$state.subscribe(in: StreamContext(), receive)
    await gone.wait()
    #expect(told.values == [0] && core.state == 0)
    subscription.cancel()
    late.cancel()
  }

  @Test("A core that was connected to nobody says so")
  func unconnected() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let core = ReactorCore<Int, Int, Int>(initialState: 0)
      core.actions.send(1)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("call core.connect(self) last"))
  }

  @Test("A core that was observed before it was connected says so when its turn comes")
  func observedUnconnected() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let core = ReactorCore<Int, Int, Int>(initialState: 0, queue: DispatchQueue(label: "alone"))
      let subscription = core.$state.sink { _ in }
      core.queue.sync {}
      subscription.cancel()
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("call core.connect(self) last"))
  }
}
