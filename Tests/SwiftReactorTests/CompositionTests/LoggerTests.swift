// The logger: its lines, its switch, what it keeps to itself.

import Dispatch
import Testing

@testable import SwiftReactor

private final class AccountReactor: BaseReactor<AccountReactor.Action, AccountReactor.Mutation, AccountReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  enum Action: Sendable { case rename(String), password(String), both(String, Int), look, pin(Int) }
  enum Mutation: Sendable { case name(String), password(String), age(Int), pin(Int) }
  struct State: Equatable, Sendable {
    var name = ""
    var password = ""
    var token: String?
    var age = 0
    var pin = 0
  }

  init() { super.init(initialState: State(), queue: DispatchQueue(label: "account")) }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .rename(let name): [.name(name)]
    case .password(let password): [.password(password)]
    case .both(let name, let age): [.name(name), .age(age)]
    case .pin(let pin): [.pin(pin)]
    case .look: .none
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .name(let name): state.name = name
    case .password(let password): (state.password, state.token) = (password, password.isEmpty ? nil : "token")
    case .age(let age): state.age = age
    case .pin(let pin): state.pin = pin
    }
  }
}

@Suite("Logger")
struct LoggerTests {
  private let entries = Recorder<String>()
  private let reactor = AccountReactor()

  private func take() -> [String] {
    defer { entries.removeAll() }
    return entries.values
  }

  private func send(_ action: AccountReactor.Action) {
    reactor.queue.sync { reactor.action(action, fileID: "App/View.swift", line: 3) }
  }

  @Test("S9 · A line for each action and each mutation, with what changed")
  func lines() {
    let logging = reactor.attach(ReactorLogger(to: entries.append))
    send(.rename("Emma"))
    #expect(
      take() == [
        #"AccountReactor action .rename("Emma") · outside, App/View.swift:3"#,
        """
        AccountReactor mutation .name("Emma") · of .rename("Emma")
            State(
          -   name: "",
          +   name: "Emma",
              … 4 unchanged
            )
        """,
      ])
    send(.both("Emma", 31))
    #expect(
      take() == [
        #"AccountReactor action .both("Emma", 31) · outside, App/View.swift:3"#,
        #"AccountReactor mutation .name("Emma") · of .both("Emma", 31)"#,
        """
        AccountReactor mutation .age(31) · of .both("Emma", 31)
            State(
              … 3 unchanged
          -   age: 0,
          +   age: 31,
              … 1 unchanged
            )
        """,
      ])
    send(.look)
    #expect(take() == ["AccountReactor action .look · outside, App/View.swift:3"])
    send(.rename("Emma"))
    #expect(take().last == #"AccountReactor mutation .name("Emma") · of .rename("Emma") · nothing changed"#)
    reactor.queue.sync {
      reactor.mutation.send(.age(32), fileID: "App/View.swift", line: 4)
      reactor.restore(.init(name: "Emma", token: "token", age: 32))
    }
    let rest = take()
    #expect(rest.first?.hasPrefix("AccountReactor mutation .age(32) · outside, App/View.swift:4\n") == true)
    #expect(rest.last?.hasPrefix("AccountReactor restored\n") == true)
    withExtendedLifetime(logging) {}
  }

  @Test("Switched while it runs; switched off it costs nothing")
  func switching() {
    let logger = ReactorLogger<AccountReactor.State>(isOn: false, to: entries.append)
    let logging = reactor.attach(logger)
    send(.rename("a"))
    #expect(take() == [] && reactor.core.isPlain && !reactor.core.isTraced && reactor.core.watchers.isEmpty)
    reactor.queue.sync { logger.isOn = true }
    send(.rename("b"))
    #expect(take().count == 2)
    reactor.queue.sync {
      logger.isOn = false
      logger.isOn = false
    }
    send(.rename("c"))
    #expect(take() == [] && reactor.core.isPlain && !reactor.core.isTraced && reactor.core.watchers.isEmpty)
    reactor.queue.sync { logger.isOn = true }
    send(.look)
    #expect(take().count == 1)
    logging.cancel()
    reactor.queue.sync { logger.isOn = true }
    send(.look)
    #expect(take() == [] && reactor.core.isPlain)
  }

  @Test("Switched back and forth from several threads it ends as it was set last")
  func switchingFromThreads() async {
    let logger = ReactorLogger<AccountReactor.State>(to: entries.append)
    let logging = reactor.attach(logger)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            logger.isOn.toggle()
            reactor.action(.look)
          }
        }
      }
    }
    logger.isOn = false
    await hop(reactor.queue)
    #expect(reactor.core.isPlain && reactor.core.watchers.isEmpty)
    logger.isOn = true
    await hop(reactor.queue)
    #expect(reactor.core.watchers.count == 1)
    withExtendedLifetime(logging) {}
  }

  @Test("What is redacted is nowhere to be read: not in the state, not in the action, not in the mutation")
  func redaction() {
    let logging = reactor.attach(
      ReactorLogger(redacting: [.hiding(\.password), .hiding(\.token), .hiding(\.pin, as: 0)], to: entries.append))
    send(.password("hunter2"))
    send(.password("hunter3"))
    send(.pin(1234))
    send(.rename("Emma"))
    let text = take().joined(separator: "\n")
    for secret in ["hunter2", "hunter3", "token\"", "1234"] { #expect(!text.contains(secret), "\(secret) in \(text)") }
    #expect(text.contains("action .password(•••)") && text.contains("mutation .password(•••)"))
    #expect(text.contains("action .pin(•••)"))
    #expect(text.contains(#"+   name: "Emma","#), "everything else is there")
    withExtendedLifetime(logging) {}
  }
}
