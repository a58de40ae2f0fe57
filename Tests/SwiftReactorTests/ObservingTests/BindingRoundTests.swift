// When a view binds: the decision that views and controllers of UIKit share, without UIKit.

import SwiftReactor
import Testing

@testable import SwiftReactorUIKit

/// A view as those of UIKit are made, without a screen.
private final class PlainView {
  private var round: BindingRound
  private(set) var binds = 0
  var subscriptions: Set<EventSubscription> = []
  var texts: [String] = []

  init(isReady: Bool) {
    round = BindingRound(isReady: isReady)
  }

  var reactor: CounterReactor? {
    didSet { if round.didSet(isNil: reactor == nil, &subscriptions) { bind() } }
  }

  func load() { if round.didLoad() { bind() } }

  private func bind() {
    binds += 1
    let heard = texts.count
    let token = reactor?.observe(\.n) { _ in }
    if let token { subscriptions.insert(token) }
    texts.append("\(heard)")
  }
}

@Suite("Binding a view")
struct BindingRoundTests {
  @Test("A view binds once for each reactor that is set, and lets go of the one before")
  func oncePerReactor() {
    let view = PlainView(isReady: true)
    let (first, second) = (CounterReactor.onOwnQueue(), CounterReactor.onOwnQueue())
    view.reactor = first
    #expect(view.binds == 1)
    let old = view.subscriptions
    view.reactor = second
    #expect(view.binds == 2)
    #expect(view.subscriptions.count == 1 && view.subscriptions.isDisjoint(with: old))
    view.reactor = second
    #expect(view.binds == 3 && view.subscriptions.count == 1)
  }

  @Test("Nil unbinds and binds nothing, also before the view has loaded")
  func unbinding() {
    let view = PlainView(isReady: true)
    view.reactor = CounterReactor.onOwnQueue()
    view.reactor = nil
    #expect(view.binds == 1 && view.subscriptions.isEmpty)

    let early = PlainView(isReady: false)
    early.reactor = CounterReactor.onOwnQueue()
    early.reactor = nil
    early.load()
    #expect(early.binds == 0)
  }

  @Test("A controller binds when its view has loaded, once, and at once after that")
  func afterLoading() {
    let view = PlainView(isReady: false)
    view.reactor = CounterReactor.onOwnQueue()
    view.reactor = CounterReactor.onOwnQueue()
    #expect(view.binds == 0)
    view.load()
    #expect(view.binds == 1)
    view.load()
    #expect(view.binds == 1)
    view.reactor = CounterReactor.onOwnQueue()
    #expect(view.binds == 2)
  }
}
