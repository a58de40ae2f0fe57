// The reactor of the articles "SwiftUI" and "UIKit", run.

#if canImport(Testing)
  import SwiftReactor
  import Testing

  @MainActor
  @Suite("Snippets · user interfaces")
  struct ExampleReactorTests {
    @Test("The hooks put in a text and an action; typing is answered at once, too long a text is cut")
    func example() {
      let reactor = ExampleReactor()
      let text = reactor.binding(\.text, action: ExampleReactor.Action.setText)
      var shown: [String] = []
      let subscription = text.observe { shown.append($0) }
      #expect(reactor.isLaterOn)

      text.value = "typed"
      #expect(text.value == "typed")
      text.value = String(repeating: "x", count: 20)
      text.value = String(repeating: "x", count: 21)
      #expect(shown == ["hello", "typed", String(repeating: "x", count: 20), String(repeating: "x", count: 20)])
      subscription.cancel()
      reactor.cancelEffects()
    }
  }
#endif
