// Parts of a reactor for those who need no more of it: what they read, observe and send, and scopes of scopes.

import Dispatch
import SwiftReactor
import Testing

/// A state in layers, with a number on each.
private struct Layers: Equatable, Sendable {
  struct Middle: Equatable, Sendable {
    struct Inner: Equatable, Sendable {
      var number = 0
      @Pulse var alert = ""
    }
    var number = 0
    var inner = Inner()
    var twice: Int { number * 2 }
  }
  var number = 0
  var middle = Middle()
}

private enum LayerAction: Equatable, Sendable {
  enum Middle: Equatable, Sendable {
    enum Inner: Equatable, Sendable { case add(Int), addLater(Int), alert(String) }
    case add(Int), inner(Inner)
  }
  case add(Int), middle(Middle)
}

private final class LayerReactor: BaseReactor<LayerAction, LayerAction, Layers>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  init(queue: DispatchQueue) { super.init(initialState: Layers(), queue: queue) }

  override func mutate(action: LayerAction) -> Mutations<LayerAction> {
    if case .middle(.inner(.addLater(let number))) = action {
      return .run { emit in emit(.middle(.inner(.add(number)))) }
    }
    return [action]
  }

  override func reduce(into state: inout Layers, mutation: LayerAction) {
    switch mutation {
    case .add(let number): state.number += number
    case .middle(.add(let number)): state.middle.number += number
    case .middle(.inner(.add(let number))), .middle(.inner(.addLater(let number))): state.middle.inner.number += number
    case .middle(.inner(.alert(let text))): state.middle.inner.alert = text
    }
  }
}

@Suite("Scopes")
struct ScopeTests {
  private let queue = DispatchQueue(label: "scopes")

  @Test("It reads and sends, and has no state of its own")
  func readsAndSends() {
    let reactor = LayerReactor(queue: queue)
    let middle = reactor.scope(state: \.middle, action: LayerAction.middle)
    queue.sync {
      middle.action(.add(2))
      #expect(reactor.state.middle.number == 2)
      #expect(middle.number == 2 && middle.state.number == 2 && middle.twice == 4)
      reactor.action(.middle(.add(3)))
      #expect(middle.number == 5, "there is one state")
      let numbers = [1, 2].map(LayerAction.Middle.add)
      numbers.forEach(middle.action)
      #expect(middle.number == 8)
    }
    #expect(middle.queue === reactor.queue || middle.queue.label == "scopes")
  }

  @Test("Its observers hear what has changed in the part, and nothing else")
  func observes() {
    let reactor = LayerReactor(queue: queue)
    let inner = reactor.scope(state: \.middle.inner) { (action: LayerAction.Middle.Inner) in .middle(.inner(action)) }
    let (numbers, alerts, evens, all) = (Recorder<Int>(), Recorder<String>(), Recorder<Int>(), Recorder<Int>())
    queue.sync {
      let tokens = [
        inner.observe(\.number) { numbers.append($0) },
        inner.observe(\.number, by: { $0 / 2 == $1 / 2 }) { evens.append($0) },
        inner.pulse(\.$alert) { alerts.append($0) },
        inner.stream.sink { all.append($0.number) },
      ]
      reactor.action(.add(1))
      inner.action(.add(1))
      inner.action(.alert("hi"))
      inner.action(.alert("hi"))
      inner.action(.add(2))
      tokens.forEach { $0.cancel() }
      inner.action(.add(2))
    }
    #expect(numbers.values == [0, 1, 3])
    #expect(evens.values == [0, 3])
    #expect(alerts.values == ["hi", "hi"])
    #expect(all.values == [0, 0, 1, 1, 1, 3])
  }

  @Test("S9 · A binding reads a part and sends an action made from the new value")
  func binding() {
    let reactor = LayerReactor(queue: queue)
    let inner = reactor.scope(state: \.middle.inner) { (action: LayerAction.Middle.Inner) in .middle(.inner(action)) }
    let number = inner.binding(\.number, action: LayerAction.Middle.Inner.add)
    queue.sync {
      number.value = 2
      #expect(number.value == 2)
      number.set(3)
      #expect(number.value == 5 && reactor.state.middle.inner.number == 5, "what the reducer made of it")
    }
  }

  @Test("It waits as the reactor does, and is a sequence of its part")
  func waits() async {
    let reactor = LayerReactor(queue: queue)
    let inner = reactor.scope(state: \.middle.inner) { (action: LayerAction.Middle.Inner) in .middle(.inner(action)) }
    await inner.perform(.addLater(4))
    #expect(inner.number == 4)
    await inner.action(.addLater(1), while: { $0.number < 5 })
    var states = inner.states.makeAsyncIterator()
    var values = inner.values(of: \.number).makeAsyncIterator()
    #expect(await states.next()?.number == 5)
    #expect(await values.next() == 5)
    queue.sync { inner.action(.add(1)) }
    #expect(await states.next()?.number == 6)
    #expect(await values.next() == 6)
  }

  @Test("A scope of a scope equals the scope of the whole path, for every walk of the state")
  func scopeOfScope() {
    let seed = UInt64.random(in: 0..<1 << 48)
    var random = SeededGenerator(seed: seed)
    let reactor = LayerReactor(queue: queue)
    let twice = reactor.scope(state: \.middle, action: LayerAction.middle)
      .scope(state: \.inner, action: LayerAction.Middle.inner)
    let once = reactor.scope(state: \.middle.inner) { (action: LayerAction.Middle.Inner) in .middle(.inner(action)) }
    #expect(twice == once)
    #expect(twice != LayerReactor(queue: queue).scope(state: \.middle.inner) { .middle(.inner($0)) })
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    queue.sync {
      let tokens = [twice.observe(\.number) { first.append($0) }, once.observe(\.number) { second.append($0) }]
      for step in 0..<1000 {
        let number = Int.random(in: -2...2, using: &random)
        switch Int.random(in: 0...4, using: &random) {
        case 0: reactor.action(.add(number))
        case 1: reactor.action(.middle(.add(number)))
        case 2: reactor.action(.middle(.inner(.add(number))))
        case 3: once.action(.add(number))
        default: twice.action(.add(number))
        }
        #expect(twice.state == once.state && once.state == reactor.state.middle.inner, "seed \(seed), step \(step)")
      }
      tokens.forEach { $0.cancel() }
    }
    #expect(first.values == second.values && first.count > 100, "seed \(seed)")
  }

  @Test("It keeps the reactor alive, and nothing keeps the scope")
  func lifetime() {
    var reactor: LayerReactor? = LayerReactor(queue: queue)
    weak let known = reactor
    var middle: ReactorScope? = reactor!.scope(state: \.middle, action: LayerAction.middle)
    var inner: ReactorScope? = middle!.scope(state: \.inner)
    reactor = nil
    middle = nil
    #expect(known != nil && inner?.number == 0)
    inner = nil
    #expect(known == nil)
  }

  @Test("Both forms have it")
  func protocolForm() {
    final class Plain: Reactor {
      let core: ReactorCore<LayerAction, LayerAction, Layers>
      init(queue: DispatchQueue) {
        core = ReactorCore(
          initialState: Layers(),
          reduce: Reduce { state, action in if case .middle(.add(let number)) = action { state.middle.number += number }
          },
          queue: queue)
        core.connect(self)
      }
    }
    let plain = Plain(queue: queue)
    let middle = plain.scope(state: \.middle, action: LayerAction.middle)
    queue.sync { middle.action(.add(3)) }
    #expect(middle.number == 3 && plain.state.middle.number == 3)
  }

  @Test("An action can be handed over as a value, of a reactor, a subject and a scope")
  func functionValues() {
    let reactor = LayerReactor(queue: queue)
    let send: @Sendable (LayerAction) -> Void = reactor.action
    let sendToSubject: @Sendable (LayerAction) -> Void = reactor.action.send
    let source = EventSubject<LayerAction>()
    let token = source.stream.sink(reactor.action)
    queue.sync {
      send(.add(1))
      sendToSubject(.add(2))
      source.send(.add(4))
      [LayerAction.add(8), .add(16)].forEach(reactor.action)
    }
    #expect(reactor.state.number == 31)
    token.cancel()
  }
}
