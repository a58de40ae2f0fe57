// A use of every public name of composition, from nonisolated code, in Swift 6 mode with warnings as errors. Nothing here
// is run: that it compiles is the test.

import Dispatch
import SwiftReactor

struct ModuleState: Equatable, Sendable {
  struct News: Equatable, Sendable {
    var id = 0
    var text = ""
  }
  var query: String?
  var visible: Set<Int> = []
  var order: [Int] = []
  var text = ""
  var news: News? = News()
  var rows: [News] = []
  var keyed = Keyed<Int, News>()
  @Pulse var alert: String?
}

enum ModuleEvent: Equatable, Sendable { case setText(String), row(Int, String), alert }

final class ModuleReactor: BaseReactor<ModuleEvent, ModuleEvent, ModuleState>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  init() {
    let text = Reduce<ModuleState, ModuleEvent> { state, event in
      if case .setText(let text) = event { state.text = text }
    }
    let news = Reduce<ModuleState.News, String> { news, text in news.text = text }
    let optional: Reduce<ModuleState, ModuleEvent> = news.optional().pullback(state: \.news) { event in
      if case .setText(let text) = event { text } else { nil }
    }
    let rows: Reduce<ModuleState, ModuleEvent> = news.forEach(id: \.id).pullback(state: \.rows) { event in
      if case .row(let id, let text) = event { (id, text) } else { nil }
    }
    let keyed: Reduce<ModuleState, ModuleEvent> = news.forEach(id: \.id).pullback(state: \.keyed) { event in
      if case .row(let id, let text) = event { (id, text) } else { nil }
    }
    let byCase: Reduce<ModuleState, ModuleEvent> = Reduce<String, String> { $0 = $1 }.pullback(
      state: \.text,
      mutation: Case(
        embed: ModuleEvent.setText,
        extract: { event in
          if case .setText(let text) = event { text } else { nil }
        }))
    super.init(
      initialState: ModuleState(),
      reduce: .combine(text, optional, rows, keyed).combined(with: .nothing).combined(with: byCase))
    addFeedback()
  }

  private func addFeedback() {
    feedback(when: \.query) { query in .run { emit in emit(.setText(query)) } }
    feedback(when: \.text) { text in text.isEmpty ? .none : [.alert] }
    feedback(when: { $0.text.isEmpty ? nil : $0.query }) { query in [.setText(query)] }
    feedback(when: \.visible) { row in [.row(row, "")] }
    feedback(when: { Set($0.order.prefix(3)) }) { row in [.row(row, "")] }
    feedback(when: \.order) { row in [.row(row, "")] }
    feedback(when: $state.map(\.text).removeDuplicates()) { text in [.setText(text)] }
    feedback(when: $state.map(\.query)) { query in [.setText(query)] }
  }

  override func mutate(action: ModuleEvent) -> Mutations<ModuleEvent> { [action] }
}

func composeEverything(_ reactor: ModuleReactor, _ plain: PlainReactor) async {
  reactor.action(.alert, fileID: "Module/File.swift", line: 7)
  let send: (ModuleEvent) -> Void = reactor.action
  send(.alert)
  reactor.action.send(.alert, fileID: "Module/File.swift", line: 7)
  let query: (any Sendable)? = reactor.effects.first?.query
  _ = query

  let scope: ReactorScope<String, String> = reactor.scope(state: \.text, action: ModuleEvent.setText)
  scope.action("a")
  await scope.perform("b")
  await scope.action("c", while: { $0.isEmpty })
  let text: String = scope.state
  let count: Int = scope.count
  _ = (text, count, scope.queue)
  let binding: StateBinding<String> = reactor.scope(state: \.self).binding(\.text, action: ModuleEvent.setText)
  binding.value = "d"
  let whole = reactor.scope(state: \.self)
  let tokens = [
    whole.observe(\.text) { _ in }, whole.observe(\.text, by: ==) { _ in }, whole.pulse(\.$alert) { _ in },
    whole.stream.sink { _ in },
  ]
  _ = (tokens, whole.states, whole.values(of: \.text), whole.values(of: \.text, buffering: .newest(1)))
  let part: ReactorScope<ModuleEvent, Set<Int>> = whole.scope(state: \.visible)
  _ = part == whole.scope(state: \.visible, action: { $0 })

  plain.feedback(when: { $0 > 0 ? $0 : nil }) { _ in [.add(-1)] }
  plain.scope(state: \.self).action(.add(1))
}

struct EverythingMiddleware: ReactorMiddleware {
  func willMutate(_ action: any Sendable, in reactor: String, from origin: ReactorOrigin) {
    switch origin.kind {
    case .outside, .mutate, .reduce, .observer, .hook, .otherReactor, .output, .effect, .restore: break
    }
    let place: SendPlace? = origin.place
    print(origin, origin.action as Any, origin.query as Any, origin.effectID as Any)
    print(place?.fileID as Any, place?.line as Any)
  }

  func didCommit(_ commit: ReactorCommit<ModuleState>) {
    print(commit.reactor, commit.actions, commit.mutations, commit.origin, commit.before, commit.after)
  }
}

/// The defaults do nothing.
struct EmptyMiddleware: ReactorMiddleware {
  typealias State = ModuleState
}

func lookOn(_ reactor: ModuleReactor) {
  var attachments: Set<EventSubscription> = []
  reactor.attach(EverythingMiddleware()).store(in: &attachments)
  reactor.attach(EmptyMiddleware()).store(in: &attachments)
  let logger = ReactorLogger<ModuleState>(
    isOn: false, redacting: [.hiding(\.text), .hiding(\.query), .hiding(\.rows, as: [])], to: { print($0) })
  reactor.attach(logger).store(in: &attachments)
  logger.isOn = !logger.isOn
  reactor.attach(ReactorLogger()).store(in: &attachments)
  _ = SendPlace().description
  let isRestored: Bool = reactor.restore(from: { ModuleState() })
  print(isRestored, ReactorReport.Kind.restoreFailed)
}
