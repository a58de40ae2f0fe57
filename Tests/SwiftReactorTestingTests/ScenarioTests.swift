// The scenarios of other designs as tables: S2, S3, S7, S8, S10.

import Dispatch
import SwiftReactor
import SwiftReactorTesting
import Testing

@Suite("Scenarios as tables")
struct ScenarioTableTests {
  @Test("S2 · A small machine with a side effect: initial, loading, loaded")
  func titles() async {
    let answered = Gate()
    let test = TestReactor(
      TitlesReactor {
        try await answered.wait()
        return ["title1", "title2"]
      })
    #expect(test.state == .initial)
    await test.send(.load) { $0 = .loading }
    answered.open()
    await test.receive(.loaded(["title1", "title2"])) { $0 = .loaded(["title1", "title2"]) }
    await test.finish()
  }

  @Test("S3 · The same, driven by the state: leaving loading cancels the request, entering it starts a new one")
  func feedback() async {
    let answered = Gate()
    let test = TestReactor(FeedbackTitlesReactor(answered))
    await test.send(.load) { $0 = .loading }
    await test.send(.leave) { $0 = .initial }
    await test.send(.load) { $0 = .loading }
    answered.open()
    await test.receive(.loaded(["title1", "title2"])) { $0 = .loaded(["title1", "title2"]) }
    await test.finish()
  }

  @Test("S3 · A restored loading state starts the request")
  func restoredFeedback() async {
    let answered = Gate()
    let test = TestReactor {
      let reactor = FeedbackTitlesReactor(answered)
      reactor.restore(.loading)
      return reactor
    }
    answered.open()
    await test.receive(.loaded(["title1", "title2"])) { $0 = .loaded(["title1", "title2"]) }
    await test.finish()
  }

  @Test("S3 · A test that ends while the state still asks is told by its query what runs")
  func unfinishedFeedback() async {
    let gate = Gate("titles")
    let failures = await failures {
      let test = TestReactor(FeedbackTitlesReactor(gate))
      await test.send(.load) { $0 = .loading }
      await test.finish()
    }
    #expect(
      failures.map(\.message) == [
        """
        finish(): an effect is still running:

          the effect of the query "title", waits at the gate "titles"

        Hint: Open the gate: `gate.open()`. Or cancel it, if it is meant to run for ever.
        """
      ])
  }

  @Test("S7 · A user adds an event without having permission: six states, no waiting")
  func calendar() async {
    let test = TestReactor(CalendarReactor(permission: { .authorised }))
    await test.send(.addEvent) { $0.isCalendarShown = true }
    await test.receive(.permission(.authorised)) { $0.permission = .authorised }
    await test.send(.save) { $0.isCalendarShown = false }
    await test.receive(.result("saved")) { $0.result = "saved" }
    await test.send(.clear) { $0.result = nil }
    await test.send(.dismissed) { $0.dismissals = 1 }
    await test.finish()
  }

  @Test("S7 · With a service that never answers the test stops after the second state and says that an effect runs")
  func calendarWithoutAnswer() async {
    let gate = Gate("permission")
    let failures = await failures {
      let test = TestReactor(
        CalendarReactor(permission: {
          await gate.waitStubbornly(); return .authorised
        }))
      await test.send(.addEvent) { $0.isCalendarShown = true }
      await test.receive(.permission(.authorised)) { $0.permission = .authorised }
      test.exhaustivity = .off
    }
    #expect(failures.count == 1)
    #expect(
      failures.first?.message == """
        receive(.permission(.authorised)): nothing came.

        Running:

          the effect of .addEvent, waits at the gate "permission"

        Hint: Open the gate: `gate.open()`.
        """)
  }

  @Test("S8 · The list loads, is capitalised, and is filtered without regard to case")
  func dogList() async {
    let test = TestReactor(DogListReactor(.fake))
    #expect(test.state.isLoading)
    await test.send(.load)
    await test.receive(.breeds(["hound", "bulldog"])) { $0.breeds = ["Hound", "Bulldog"] }
    await test.send(.search("HOU")) { $0.query = "HOU" }
    #expect(test.state.visible == ["Hound"])
    await test.finish()
  }

  @Test("S8 · Leaving a breed clears it, and its late picture changes nothing")
  func dogDetail() async {
    let answered = Gate()
    let test = TestReactor(
      DogListReactor(
        .init(
          breeds: { [] },
          picture: {
            await answered.waitStubbornly(); return $0
          })))
    await test.send(.open("Hound")) { $0.detail = .init(breed: "Hound") }
    await test.send(.leave) { $0.detail = nil }
    await test.send(.open("Bulldog")) { $0.detail = .init(breed: "Bulldog") }
    answered.open()
    await test.receive(.picture("Bulldog")) { $0.detail?.picture = "Bulldog" }
    await test.send(.leave) { $0.detail = nil }
    await test.finish()
  }

  @Test("S8 · A failing dependency is not used where it should not be")
  func dogNavigation() async {
    let test = TestReactor(DogListReactor(.failing))
    await test.send(.search("x")) { $0.query = "x" }
    #expect(test.state.visible == [])
    await test.finish()
  }

  @Test("S10 · A newer search wins over an older answer that comes late")
  func search() async {
    let clock = ManualClock()
    let seconds = ["a": 3, "ab": 1]
    let test = TestReactor(
      SearchReactor { query in
        try? await clock.sleep(for: .seconds(seconds[query] ?? 0))
        return [query]
      })
    await test.send(.search("a"))
    await test.send(.search("ab"))
    await clock.run()
    await test.receive(.setResults(["ab"])) { $0 = ["ab"] }
    await test.finish()
  }

  @Test("S10 · A failing service gives an empty list")
  func searchFails() async {
    let test = TestReactor(SearchReactor { _ in throw CounterReactor.Failure() })
    await test.send(.search("a"))
    await test.receive(.setResults([]))
    await test.finish()
  }
}
