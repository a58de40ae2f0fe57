// What a view of UIKit needs to show a reactor.

#if canImport(UIKit)
  public import SwiftReactor

  /// A view, a cell or a controller that shows a reactor.
  ///
  /// Most people subclass ``BaseReactorView`` or ``BaseReactorViewController``, which bind by themselves when `reactor` is
  /// set. Where the superclass is another one, conform to this and set the reactor with `setAndBind(reactor:)`:
  ///
  /// ```swift
  /// final class CounterCell: UITableViewCell, ReactorUIView {
  ///   var reactor: CounterReactor?
  ///   var subscriptions: Set<EventSubscription> = []
  ///
  ///   func bind(reactor: CounterReactor) {
  ///     reactor.observe(\.count) { [label] in label.text = "\($0)" }.store(in: &subscriptions)
  ///   }
  /// }
  ///
  /// cell.setAndBind(reactor: counter)
  /// ```
  @MainActor
  public protocol ReactorUIView: AnyObject {
    /// The type of the reactor.
    associatedtype Reactor: SwiftReactor.Reactor

    /// The reactor that is shown.
    var reactor: Reactor? { get set }
    /// What `bind(reactor:)` subscribed to. Letting it go unbinds.
    var subscriptions: Set<EventSubscription> { get set }

    /// Connects the reactor's state with what is shown, and what the user does with actions. Do not call it: it is called
    /// once for each reactor that is set.
    func bind(reactor: Reactor)

    /// Sets a reactor and binds it, once; what was bound before is unbound. Nil only unbinds.
    func setAndBind(reactor: Reactor?)
  }

  extension ReactorUIView {
    /// Sets a reactor and binds it, once; what was bound before is unbound. Nil only unbinds.
    ///
    /// The reactor's queue has to be the main queue; with any other the program stops with a message.
    public func setAndBind(reactor: Reactor?) {
      reactor?.core.requireMainQueue(for: "A view's reactor")
      subscriptions.removeAll()
      self.reactor = reactor
      if let reactor { bind(reactor: reactor) }
    }
  }
#endif
