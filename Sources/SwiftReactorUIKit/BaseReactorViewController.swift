// A UIViewController that shows a reactor.

#if canImport(UIKit)
  public import SwiftReactor
  public import UIKit

  /// A controller that shows a reactor: set ``reactor`` before or after its view has loaded, and ``bind(reactor:)`` is
  /// called once, when there is a view to bind.
  ///
  /// ```swift
  /// final class CounterController: BaseReactorViewController<CounterReactor> {
  ///   private let label = UILabel()
  ///
  ///   override func viewDidLoad() {
  ///     view.addSubview(label)
  ///     super.viewDidLoad()  // binds
  ///   }
  ///
  ///   override func bind(reactor: CounterReactor) {
  ///     reactor.observe(\.count) { [label] in label.text = "\($0)" }.store(in: &subscriptions)
  ///   }
  /// }
  /// ```
  ///
  /// Another reactor unbinds the one before, nil unbinds. The reactor's queue has to be the main queue; with any other the
  /// program stops with a message.
  open class BaseReactorViewController<R: SwiftReactor.Reactor>: UIViewController, ReactorUIView {
    /// The type of the reactor.
    public typealias Reactor = R

    private var round = BindingRound(isReady: false)

    /// The reactor that is shown. Setting it binds it, as soon as the view has loaded.
    public var reactor: R? {
      didSet {
        reactor?.core.requireMainQueue(for: "A view controller's reactor")
        if round.didSet(isNil: reactor == nil, &subscriptions), let reactor { bind(reactor: reactor) }
      }
    }

    /// What ``bind(reactor:)`` subscribed to.
    public var subscriptions: Set<EventSubscription> = []

    /// The view is there: binds the reactor that was set before. Call `super` last, when everything is in its place.
    open override func viewDidLoad() {
      super.viewDidLoad()
      if round.didLoad(), let reactor { bind(reactor: reactor) }
    }

    /// Connects state and view. Called once for each reactor that is set; override it.
    open func bind(reactor: R) {}

    /// The same as setting ``reactor``.
    public func setAndBind(reactor: R?) {
      self.reactor = reactor
    }
  }
#endif
