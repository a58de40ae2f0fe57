// The code of the guide "A user's story as a test".

import SwiftReactor
import SwiftReactorTesting
import Testing

// snippet.reactor
final class CalendarReactor: BaseReactor<CalendarReactor.Action, CalendarReactor.Mutation, CalendarReactor.State>,
  @unchecked Sendable  // safe: its only property is a constant
{
  enum Permission: Equatable { case unknown, authorised }
  enum Action { case addEvent, save, clear, dismissed }
  enum Mutation: Equatable { case show(Bool), permission(Permission), result(String?), dismissed }

  struct State: Equatable {
    var isCalendarShown = false
    var permission = Permission.unknown
    var result: String?
    var dismissals = 0
  }

  private let askForPermission: @Sendable () async -> Permission

  init(askForPermission: @escaping @Sendable () async -> Permission) {
    self.askForPermission = askForPermission
    super.init(initialState: State())
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .addEvent: [.show(true)] + .run { [askForPermission] emit in emit(.permission(await askForPermission())) }
    case .save: [.show(false)] + .run { emit in emit(.result("saved")) }
    case .clear: [.result(nil)]
    case .dismissed: [.dismissed]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .show(let isShown): state.isCalendarShown = isShown
    case .permission(let permission): state.permission = permission
    case .result(let result): state.result = result
    case .dismissed: state.dismissals += 1
    }
  }
}
// snippet.end

@Suite("Snippets · A user's story")
struct CalendarSnippetTests {
  // snippet.story
  @Test("S7 · A user adds an event without having permission")
  func story() async {
    let test = TestReactor(CalendarReactor(askForPermission: { .authorised }))
    await test.send(.addEvent) { $0.isCalendarShown = true }
    await test.receive(.permission(.authorised)) { $0.permission = .authorised }  // the scene stays
    await test.send(.save) { $0.isCalendarShown = false }
    await test.receive(.result("saved")) { $0.result = "saved" }
    await test.send(.clear) { $0.result = nil }
    await test.send(.dismissed) { $0.dismissals = 1 }
    await test.finish()
  }
  // snippet.end

  // snippet.never
  @Test("S7 · As long as the service has not answered, an effect runs")
  func never() async {
    let answered = Gate("permission")
    let test = TestReactor(
      CalendarReactor(askForPermission: {
        await answered.waitStubbornly()
        return .authorised
      }))
    await test.send(.addEvent) { $0.isCalendarShown = true }
    // `finish()` here would say: the effect of .addEvent waits at the gate "permission".
    #expect(test.reactor.effects.count == 1)
    answered.open()
    await test.receive(.permission(.authorised)) { $0.permission = .authorised }
    await test.finish()
  }
  // snippet.end
}
