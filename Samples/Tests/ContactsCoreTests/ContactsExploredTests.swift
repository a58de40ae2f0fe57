// Contacts in every order: loads, renames and forgets, and streams that bring actions meanwhile.

import SampleProgram
import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import ContactsCore

@Suite("Contacts in every order", .serialized)
struct ContactsExploredTests {
  /// Each part comes when it likes, cancelled or not.
  private static func reactor() -> ContactsReactor {
    let (account, contacts) = (Gate("account"), Gate("contacts"))
    return ContactsReactor(
      environment: .fake(
        account: ada, contacts: teams,
        pause: { part in await (part == .account ? account : contacts).waitStubbornly() }))
  }

  /// Each part is there or not, and no part of another.
  private func isRight(_ state: ContactsReactor.State) -> Bool {
    (state.contacts == nil || state.contacts == teams) && ["ada", "bob", nil].contains(state.account?.name)
      && state.streams >= 0 && state.failure == nil
  }

  @Test("Parts that are loaded, renamed and forgotten do not disturb each other")
  func parts() async {
    let exploration = await explore(
      reactor: Self.reactor,
      scenario: Scenario(
        .sender("user", .send(.account(.load)), .send(.account(.rename("bob")))),
        .sender("other", .send(.contacts(.load)), .send(.account(.forget))).elsewhere),
      invariant: { isRight($0) },
      atEnd: { state in state.loading.isEmpty && state.contacts == teams })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("What was forgotten stays forgotten, whenever its answer comes")
  func forgetting() async {
    let exploration = await explore(
      reactor: Self.reactor,
      scenario: Scenario(
        after: [.send(.account(.load)), .send(.contacts(.load))],
        .sender("user", .send(.account(.forget))), .sender("other", .send(.contacts(.forget))).elsewhere),
      invariant: { isRight($0) },
      atEnd: { state in state.account == nil && state.contacts == nil && state.loading.isEmpty })
    #expect(exploration.failure == nil && exploration.isComplete)
  }

  @Test("A stream's actions count when it brings them, whatever is done meanwhile, and every stream comes to its end")
  func streams() async {
    let exploration = await explore(
      reactor: Self.reactor,
      scenario: Scenario(
        .sender(
          "user",
          .call("a stream of both") { reactor in
            let clock = ManualClock()
            reactor.action(.stream(ContactsReactor.both(clock: clock)))
          }, .send(.account(.forget))),
        .sender("time", .advance(by: .seconds(2)))),
      limits: ExplorationLimits(runs: 2_000, randomOrders: 500), invariant: { isRight($0) },
      atEnd: { state in state.loading.isEmpty && state.streams <= 1 })
    #expect(exploration.failure == nil)
  }

  @Test("What a stream has at once is handled as if it had been sent")
  func atOnce() async {
    let exploration = await explore(
      reactor: Self.reactor,
      scenario: Scenario(
        .sender(
          "user",
          .call("a stream of both at once") { reactor in
            reactor.action(.stream(EventStream([.account(.load), .contacts(.load)])))
          }, .send(.account(.rename("bob")))),
        .sender("other", .send(.contacts(.load)).elsewhere)),
      invariant: { isRight($0) },
      atEnd: { state in
        state.loading.isEmpty && state.streams == 0 && state.contacts == teams && state.account != nil
      })
    #expect(exploration.failure == nil && exploration.isComplete)
  }
}
