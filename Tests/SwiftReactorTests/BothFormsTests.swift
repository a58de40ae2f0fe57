// The two forms of a reactor, the subclass and the class that conforms by itself: the same tests for both.

import Dispatch
import SwiftReactor
import Testing

/// What both forms do, so that only the form differs.
private enum Behaviour {
  enum Action: Sendable { case add(Int), addLater(Int), addTwice, wait(Gate), fail, cancel, alert(String) }
  enum Mutation: Sendable { case add(Int), alert(String) }
  struct State: Sendable {
    var n = 0
    @Pulse var alert = ""
  }
  struct Failure: Error {}

  static func mutate(_ action: Action) -> Mutations<Mutation> {
    switch action {
    case .add(let value): [.add(value)]
    case .addLater(let value): .run { emit in emit(.add(value)) }
    case .addTwice: [.add(1), .add(1)]
    case .wait(let gate):
      .run { emit in
        try await gate.waitOrThrow()
        emit(.add(100))
      }.effect(id: "wait")
    case .fail: .run { _ in throw Failure() }
    case .cancel: .cancel(id: "wait")
    case .alert(let text): [.alert(text)]
    }
  }

  static func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .add(let value): state.n += value
    case .alert(let text): state.alert = text
    }
  }
}

/// What a reactor of these tests was called with.
private final class Calls: Sendable {
  let hooks = Recorder<String>()
  let failures = Recorder<String>()
  let freed = Recorder<String>()
}

private final class BaseForm: BaseReactor<Behaviour.Action, Behaviour.Mutation, Behaviour.State>, @unchecked Sendable {
  // Safe to share: a constant.
  let calls: Calls

  init(_ calls: Calls, queue: DispatchQueue) {
    self.calls = calls
    super.init(initialState: .init(), queue: queue)
  }

  deinit { calls.freed.append("freed") }

  override func mutate(action: Behaviour.Action) -> Mutations<Behaviour.Mutation> { Behaviour.mutate(action) }
  override func reduce(into state: inout Behaviour.State, mutation: Behaviour.Mutation) {
    Behaviour.reduce(&state, mutation)
  }
  override func transform(action: EventStream<Behaviour.Action>) -> EventStream<Behaviour.Action> {
    calls.hooks.append("action")
    return action.prepend(.add(10))
  }
  override func transform(mutation: EventStream<Behaviour.Mutation>) -> EventStream<Behaviour.Mutation> {
    calls.hooks.append("mutation")
    return mutation.prepend(.add(1000))
  }
  override func transform(state: EventStream<Behaviour.State>) -> EventStream<Behaviour.State> {
    calls.hooks.append("state")
    return state
  }
  override func effectFailed(_ error: any Error, action: Behaviour.Action?) {
    calls.failures.append("\(error)")
  }
}

private final class PlainForm: Reactor {
  typealias State = Behaviour.State
  let core: ReactorCore<Behaviour.Action, Behaviour.Mutation, Behaviour.State>
  let calls: Calls

  init(_ calls: Calls, queue: DispatchQueue) {
    self.calls = calls
    core = ReactorCore(initialState: .init(), queue: queue)
    core.connect(self)
  }

  deinit { calls.freed.append("freed") }

  func mutate(action: Behaviour.Action) -> Mutations<Behaviour.Mutation> { Behaviour.mutate(action) }
  func reduce(into state: inout Behaviour.State, mutation: Behaviour.Mutation) { Behaviour.reduce(&state, mutation) }
  func transform(action: EventStream<Behaviour.Action>) -> EventStream<Behaviour.Action> {
    calls.hooks.append("action")
    return action.prepend(.add(10))
  }
  func transform(mutation: EventStream<Behaviour.Mutation>) -> EventStream<Behaviour.Mutation> {
    calls.hooks.append("mutation")
    return mutation.prepend(.add(1000))
  }
  func transform(state: EventStream<Behaviour.State>) -> EventStream<Behaviour.State> {
    calls.hooks.append("state")
    return state
  }
  func effectFailed(_ error: any Error, action: Behaviour.Action?) {
    calls.failures.append("\(error)")
  }
}

enum ReactorForm: CaseIterable, Sendable { case baseClass, protocolOnly }

@Suite("Both forms: BaseReactor and a class that conforms to Reactor")
struct BothFormsTests {
  private typealias AnyForm = any Reactor<Behaviour.Action, Behaviour.Mutation, Behaviour.State>

  private let queue = DispatchQueue(label: "both forms")
  private let calls = Calls()

  private func make(_ form: ReactorForm) -> AnyForm {
    switch form {
    case .baseClass: BaseForm(calls, queue: queue)
    case .protocolOnly: PlainForm(calls, queue: queue)
    }
  }

  @Test("On the queue: now; hooks are called once, and what they inject comes first", arguments: ReactorForm.allCases)
  func onTheQueue(form: ReactorForm) {
    let reactor = make(form)
    queue.sync {
      reactor.action(.add(1))
      #expect(reactor.state.n == 1011)
      reactor.action.send(.addTwice)
      reactor.mutation.send(.add(1))
      #expect(reactor.state.n == 1014)
    }
    #expect(calls.hooks.values == ["mutation", "action", "state"])
  }

  @Test("Inside a turn: next; one initial value, then changes", arguments: ReactorForm.allCases)
  func insideATurn(form: ReactorForm) {
    let reactor = make(form)
    let seen = Recorder<Int>()
    queue.sync {
      let token = reactor.observe(\.n) { [weak reactor] n in
        seen.append(n)
        if n == 1011 { reactor?.action(.add(1)) }
      }
      reactor.action(.add(1))
      #expect(seen.values == [1010, 1011, 1012])
      token.cancel()
      reactor.action(.add(1))
      #expect(seen.values == [1010, 1011, 1012])
    }
  }

  @Test("$state, states and values of a path show the same", arguments: ReactorForm.allCases)
  func streams(form: ReactorForm) async {
    let reactor = make(form)
    let seen = Recorder<Int>()
    let token = queue.sync { reactor.core.$state.map(\.n).sink { seen.append($0) } }
    var states = reactor.states.makeAsyncIterator()
    var values = reactor.values(of: \.n).makeAsyncIterator()
    #expect(await states.next()?.n == 1010)
    #expect(await values.next() == 1010)
    queue.sync { reactor.action(.add(5)) }
    #expect(await states.next()?.n == 1015)
    #expect(await values.next() == 1015)
    #expect(seen.values == [1010, 1015])
    token.cancel()
  }

  @Test("perform waits for effects; a cancel by id wins; errors reach the hook", arguments: ReactorForm.allCases)
  func effects(form: ReactorForm) async {
    let reactor = make(form)
    await reactor.perform(.addLater(1))
    #expect(reactor.state.n == 1011)
    let gate = Gate()
    queue.sync {
      reactor.action(.wait(gate))
      #expect(reactor.effects.count == 1)
      reactor.action(.cancel)
      #expect(reactor.effects.isEmpty)
    }
    gate.open()
    await reactor.perform(.fail)
    #expect(calls.failures.values == ["Failure()"])
    #expect(reactor.state.n == 1011)
  }

  @Test("A pulse is told once; restore is a commit", arguments: ReactorForm.allCases)
  func pulseAndRestore(form: ReactorForm) {
    let reactor = make(form)
    let alerts = Recorder<String>()
    queue.sync {
      let token = reactor.pulse(\.$alert) { alerts.append($0) }
      reactor.action(.alert("hi"))
      reactor.action(.add(1))
      reactor.action(.alert("hi"))
      #expect(alerts.values == ["hi", "hi"])
      reactor.restore(Behaviour.State(n: 7))
      #expect(reactor.state.n == 7)
      #expect(alerts.values == ["hi", "hi"])
      token.cancel()
    }
  }

  @Test("Effects do not keep it alive; it is freed at once", arguments: ReactorForm.allCases)
  func lifetime(form: ReactorForm) {
    var reactor: AnyForm? = make(form)
    let subject = reactor!.action
    queue.sync { reactor!.action(.wait(Gate())) }
    reactor = nil
    #expect(calls.freed.values == ["freed"])
    subject.send(.add(1))
  }
}
