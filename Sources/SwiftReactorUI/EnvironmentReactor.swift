// A reactor of the environment, or one that belongs to it, in a view.

#if canImport(SwiftUI)
  internal import Combine
  public import SwiftReactor
  public import SwiftUI

  /// A reactor that an ancestor view put into the environment, or a reactor that belongs to one.
  ///
  /// ```swift
  /// struct CounterView: View {
  ///   @EnvironmentReactor() private var counter: CounterReactor
  ///   @EnvironmentReactor(\AppReactor.settings) private var settings
  ///
  ///   var body: some View {
  ///     Text("\(counter.count)")
  ///     Button("Add") { counter.action(.add) }
  ///   }
  /// }
  /// ```
  ///
  /// On macOS 14 and iOS 17 the view is drawn anew when something changes that it has read. Before, that is with every
  /// commit of the reactor it names.
  ///
  /// **Threads.** For the main actor; a reactor whose queue is not the main queue stops the program with a message. So does
  /// one that is not there: ``ReactorView`` or `.reactor(_:)` puts it there.
  @MainActor
  @propertyWrapper
  public struct EnvironmentReactor<Root: Reactor, Target: Reactor>: nonisolated DynamicProperty {
    @Environment(\.reactors) private var reactors
    @StateObject private var commits = CommitsOfTarget()
    private let path: KeyPath<Root, Target>

    /// The reactor that `path` leads to, from one of the environment.
    public init(_ path: KeyPath<Root, Target>) {
      self.path = path
    }

    /// The reactor of the environment that has the property's type.
    public init() where Root == Target {
      path = \.self
    }

    /// The reactor.
    public var wrappedValue: Target {
      let target = reactors.find(Root.self)[keyPath: path]
      target.core.requireMainQueue(for: "A view's reactor")
      return target
    }

    /// SwiftUI calls this before it draws the view.
    nonisolated public func update() {
      // What was read is followed one by one, if that can be done.
      if #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) { return }
      MainActor.assumeIsolated { commits.follow(wrappedValue) }
    }
  }

  /// Says that the view has to be drawn anew, with every commit of the reactor it follows. For the main actor.
  private final class CommitsOfTarget: ObservableObject {
    let objectWillChange = ObservableObjectPublisher()
    private weak var target: AnyObject?
    private var subscription: EventSubscription?

    func follow<R: Reactor>(_ reactor: R) {
      if target === reactor { return }
      target = reactor
      // Safe: it is only used on the main queue, where this reactor commits.
      nonisolated(unsafe) let publisher = objectWillChange
      subscription = reactor.core.announceCommits { publisher.send() }
    }
  }
#endif
