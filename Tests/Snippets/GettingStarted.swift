// The code of the article "Getting started": ways to follow a state, and a reactor without the base class.

import SwiftReactor
import Testing

@MainActor
final class Label {
  var text = ""
}

// snippet.view
@MainActor
final class SearchView {
  private let reactor: SearchReactor
  private let label: Label
  private var subscriptions: Set<EventSubscription> = []

  init(reactor: SearchReactor, label: Label) {
    self.reactor = reactor
    self.label = label
    reactor.observe(\.titles) { [label] titles in
      label.text = titles.joined(separator: ", ")
    }.store(in: &subscriptions)
  }

  func textChanged(_ text: String) { reactor.action(.type(text)) }
}
// snippet.end

// snippet.loop
func printQueries(of reactor: SearchReactor) async {
  for await query in reactor.values(of: \.query) {
    print(query)
  }  // ends when the reactor is gone or the task is cancelled
}
// snippet.end

// snippet.protocol
final class Switch: Reactor {
  enum Action { case toggle }

  let core = ReactorCore<Action, Action, Bool>(initialState: false)

  init() { core.connect(self) }  // last, when everything else is set

  func reduce(into state: inout Bool, mutation: Action) { state.toggle() }
}
// snippet.end

// snippet.pulse
final class Door: Reactor {
  enum Action { case open, close }
  struct State {
    var isOpen = false
    @Pulse var alert: String?  // each assignment is an event
  }

  let core = ReactorCore<Action, Action, State>(initialState: State())

  init() { core.connect(self) }

  func reduce(into state: inout State, mutation: Action) {
    switch mutation {
    case .open where state.isOpen: state.alert = "It is open already"
    case .open: state.isOpen = true
    case .close: state.isOpen = false
    }
  }
}
// snippet.end

@MainActor @Suite("Snippets · Getting started")
struct GettingStartedTests {
  @Test("A view follows the state")
  func view() async {
    let label = Label()
    let reactor = SearchReactor(library: Library { [$0] }, pause: .zero)
    let view = SearchView(reactor: reactor, label: label)
    view.textChanged("Dune")
    await reactor.perform(.type("Emma"))
    #expect(label.text == "Emma")
  }

  @Test("restore before first use is the initial state")
  func restore() {
    // snippet.restore
    let reactor = SearchReactor(library: Library { _ in [] })
    reactor.restore(SearchReactor.State(query: "Dune", titles: ["Dune"]))
    // snippet.end
    #expect(reactor.query == "Dune")
  }

  @Test("An event is delivered once, and again when it happens again")
  func pulse() {
    let door = Door()
    var alerts: [String?] = []
    // snippet.listen
    let subscription = door.core.pulse(\.$alert) { alert in alerts.append(alert) }
    for _ in 1...3 { door.core.send(.open, to: door) }
    #expect(alerts == ["It is open already", "It is open already"])
    // snippet.end
    subscription.cancel()
  }

  @Test("A reactor without the base class")
  func withoutBaseClass() {
    let lamp = Switch()
    // snippet.use
    lamp.core.send(.toggle, to: lamp)
    #expect(lamp.core.state == true)
    // snippet.end
  }
}
