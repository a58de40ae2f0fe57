// A UIView that shows a reactor.

#if canImport(UIKit)
  public import SwiftReactor
  public import UIKit

  /// A view that shows a reactor: set ``reactor``, and ``bind(reactor:)`` is called once.
  ///
  /// ```swift
  /// final class CounterLabel: BaseReactorView<CounterReactor> {
  ///   private let label = UILabel()
  ///
  ///   override func bind(reactor: CounterReactor) {
  ///     reactor.observe(\.count) { [label] in label.text = "\($0)" }.store(in: &subscriptions)
  ///   }
  /// }
  /// ```
  ///
  /// Another reactor unbinds the one before, nil unbinds. The reactor's queue has to be the main queue; with any other the
  /// program stops with a message.
  open class BaseReactorView<R: SwiftReactor.Reactor>: UIView, ReactorUIView {
    /// The type of the reactor.
    public typealias Reactor = R

    private var round = BindingRound(isReady: true)

    /// The reactor that is shown. Setting it binds it.
    public var reactor: R? {
      didSet {
        reactor?.core.requireMainQueue(for: "A view's reactor")
        if round.didSet(isNil: reactor == nil, &subscriptions), let reactor { bind(reactor: reactor) }
      }
    }

    /// What ``bind(reactor:)`` subscribed to.
    public var subscriptions: Set<EventSubscription> = []

    /// Connects state and view. Called once for each reactor that is set; override it.
    open func bind(reactor: R) {}

    /// The same as setting ``reactor``.
    public func setAndBind(reactor: R?) {
      self.reactor = reactor
    }
  }
#endif
