// G8 and G9: the state changes in place, and every mutation takes the same way.

import Dispatch
import SwiftReactor
import Testing

/// A value that counts how often it was copied because somebody else held it too.
struct CopyCounting: Sendable {
  private final class Storage: @unchecked Sendable {
    // Safe to share: changed only while uniquely referenced.
    var value = 0
  }

  private var storage = Storage()
  let copies: Shared<Int>

  init(copies: Shared<Int>) {
    self.copies = copies
  }

  var value: Int { storage.value }

  mutating func bump() {
    if !isKnownUniquelyReferenced(&storage) {
      copies.increment()
      let copy = Storage()
      copy.value = storage.value
      storage = copy
    }
    storage.value += 1
  }
}

/// A reactor with a big part, which would be expensive to copy, and a small one.
final class BigStateReactor: BaseReactor<BigStateReactor.Action, BigStateReactor.Action, BigStateReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  struct State: Sendable {
    var big: CopyCounting
    var numbers: [Int] = []
    var small = 0
  }

  enum Action: Sendable {
    case bump, bumpThrice, bumpLater, small
    case setNumber(at: Int)
    case address(Shared<UInt>)
  }

  override func mutate(action: Action) -> Mutations<Action> {
    switch action {
    case .bumpThrice: [.bump, .bump, .bump]
    case .bumpLater: .run { emit in emit(.bump) }
    default: [action]
    }
  }

  override func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .bump, .bumpThrice, .bumpLater: state.big.bump()
    case .small: state.small += 1
    case .setNumber(let index): state.numbers[index] += 1
    case .address(let address):
      address.value = state.numbers.withUnsafeMutableBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
  }
}

@Suite("G8 · In place")
struct G8InPlaceContractTests {
  private func make(_ copies: Shared<Int>, numbers: [Int] = []) -> BigStateReactor {
    BigStateReactor(
      initialState: .init(big: CopyCounting(copies: copies), numbers: numbers), queue: DispatchQueue(label: "big"))
  }

  @Test("A mutation changes the state in place: the framework itself holds no copy")
  func noCopies() async {
    let copies = Shared(0)
    let reactor = make(copies)
    let small = Recorder<Int>()
    let token = reactor.queue.sync { reactor.observe(\.small) { small.append($0) } }
    reactor.queue.sync {
      for _ in 0..<100 {
        reactor.action(.bump)
        reactor.action(.bumpThrice)
        reactor.action(.small)
        reactor.mutation.send(.bump)
      }
    }
    for _ in 0..<20 { await reactor.perform(.bumpLater) }
    #expect(reactor.state.big.value == 520)
    #expect(small.values == Array(0...100))
    #expect(copies.value == 0)
    token.cancel()
  }

  @Test("Nor do actions from elsewhere, or a consumer of states that holds no value, make one")
  func noCopiesFromElsewhere() async {
    let copies = Shared(0)
    let reactor = make(copies)
    let consumer = Task {
      var seen = 0
      for await value in reactor.values(of: \.small) { seen = max(seen, value) }
      return seen
    }
    await race(2) { _ in
      for _ in 0..<200 { reactor.action(.bump) }
    }
    // Reading the state meanwhile would hold copies; an action behind all the others tells when they are done.
    await reactor.perform(.bump)
    #expect(copies.value == 0)
    #expect(reactor.state.big.value == 401)
    consumer.cancel()
    _ = await consumer.value
  }

  @Test("Somebody who holds a copy costs exactly one, and keeps the value that was copied")
  func aHeldCopyIsPaidOnce() {
    let copies = Shared(0)
    let reactor = make(copies)
    reactor.queue.sync {
      reactor.action(.bump)
      let held = reactor.state
      reactor.action(.bump)
      reactor.action(.bump)
      #expect(copies.value == 1)
      #expect(held.big.value == 1)
      #expect(reactor.state.big.value == 3)
    }
  }

  @Test("The memory of a big array stays where it is")
  func sameAddress() async {
    let reactor = make(Shared(0), numbers: Array(repeating: 0, count: 100_000))
    let first = Shared<UInt>(0)
    let last = Shared<UInt>(0)
    reactor.queue.sync {
      reactor.action(.address(first))
      for index in 0..<300 { reactor.action(.setNumber(at: index)) }
      reactor.action(.address(last))
    }
    #expect(first.value != 0)
    #expect(first.value == last.value)
  }
}

@Suite("G9 · Both kinds of mutation take the same way")
struct G9OneWayContractTests {
  @Test("Sync and async mutations and those of mutation.send pass transform(mutation:), reduce, transform(state:)")
  func sameWay() async {
    let trace = Recorder<String>()
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(
        mutation: {
          $0.map { mutation in
            trace.append("mutation")
            return mutation
          }
        },
        state: {
          $0.map { state in
            trace.append("state \(state.n)")
            return state
          }
        },
        onReduce: { state, _ in trace.append("reduce \(state.n)") }))
    let token = reactor.onQueue { $0.observe(\.n) { trace.append("observer \($0)") } }
    trace.removeAll()
    let way: (Int) -> [String] = { n in ["mutation", "reduce \(n)", "state \(n + 1)", "observer \(n + 1)"] }

    reactor.onQueue { $0.action(.inc) }
    #expect(trace.values == way(0), "a sync mutation")
    trace.removeAll()
    await reactor.perform(.incLater)
    #expect(trace.values == way(1), "an async mutation")
    trace.removeAll()
    reactor.onQueue { $0.mutation.send(.inc) }
    #expect(trace.values == way(2), "one sent past mutate")
    token.cancel()
  }

  @Test("The output of transform(state:) is what state and observers show, and is never fed back")
  func shownIsNotFedBack() async {
    let bases = Recorder<Int>()
    let readInMutate = Recorder<Int>()
    let reactor = CounterReactor.onOwnQueue(
      hooks: .init(
        state: {
          $0.map { state in
            var shown = state
            shown.n *= 10
            return shown
          }
        },
        onMutate: { reactor, _ in readInMutate.append(reactor.state.n) },
        onReduce: { state, _ in bases.append(state.n) }))
    let seen = Recorder<Int>()
    let token = reactor.onQueue { $0.observe(\.n) { seen.append($0) } }
    for _ in 0..<3 { reactor.onQueue { $0.action(.inc) } }
    await reactor.perform(.incLater)
    #expect(bases.values == [0, 1, 2, 3], "reduce gets the base, not what is shown")
    #expect(seen.values == [0, 10, 20, 30, 40])
    #expect(reactor.state.n == 40)
    #expect(readInMutate.values == [0, 10, 20, 30], "state in mutate is what was shown")
    token.cancel()
  }

  @Test("With the hook untouched what is shown is the base itself")
  func untouched() {
    let copies = Shared(0)
    let reactor = BigStateReactor(
      initialState: .init(big: CopyCounting(copies: copies)), queue: DispatchQueue(label: "untouched"))
    reactor.queue.sync {
      for _ in 0..<10 { reactor.action(.bump) }
      #expect(reactor.state.big.value == 10)
      #expect(copies.value == 0, "no shown copy is kept beside the base")
    }
  }
}
