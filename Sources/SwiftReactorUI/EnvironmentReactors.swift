// The reactors of a view hierarchy, found by their type.

#if canImport(SwiftUI)
  public import Combine
  internal import Observation
  public import SwiftReactor
  public import SwiftUI

  /// What `EnvironmentReactor` and `ActionBinding` look things up in.
  struct EnvironmentReactors: Equatable, Sendable {
    private var reactors: [ObjectIdentifier: any AnyObject & Sendable] = [:]

    static func == (lhs: EnvironmentReactors, rhs: EnvironmentReactors) -> Bool {
      lhs.reactors.mapValues { ObjectIdentifier($0) } == rhs.reactors.mapValues { ObjectIdentifier($0) }
    }

    mutating func insert<R: Reactor>(_ reactor: R) {
      reactors[ObjectIdentifier(R.self)] = reactor
    }

    func find<R: Reactor>(_: R.Type) -> R {
      if let reactor = reactors[ObjectIdentifier(R.self)] as? R { return reactor }
      fatalError(
        """
        SwiftReactor: no \(R.self) in the environment. Put it there with ReactorView(…) or with .reactor(…), in an \
        ancestor of this view.
        """)
    }
  }

  extension EnvironmentValues {
    private enum Key: EnvironmentKey {
      static let defaultValue = EnvironmentReactors()
    }

    var reactors: EnvironmentReactors {
      get { self[Key.self] }
      set { self[Key.self] = newValue }
    }
  }

  extension View {
    /// Puts a reactor into the environment of this view: for ``EnvironmentReactor`` and ``ActionBinding``, for
    /// `@EnvironmentObject`, and where that exists (macOS 14, iOS 17) for `@Environment(MyReactor.self)`.
    ///
    /// ```swift
    /// struct Root: View {
    ///   @StateObject private var reactor = CounterReactor()
    ///   var body: some View { CounterView().reactor(reactor) }
    /// }
    /// ```
    ///
    /// The reactor's queue has to be the main queue; with any other the program stops with a message.
    @MainActor
    public func reactor<R: Reactor & ObservableObject>(_ reactor: R) -> some View {
      reactor.core.requireMainQueue(for: "A view's reactor")
      return modifier(ReactorModifier(reactor: reactor))
    }
  }

  private struct ReactorModifier<R: Reactor & ObservableObject>: ViewModifier {
    let reactor: R

    func body(content: Content) -> some View {
      let content =
        content
        .transformEnvironment(\.reactors) { [reactor] in $0.insert(reactor) }
        .environmentObject(reactor)
      if #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) {
        put(reactor, into: content)
      } else {
        content
      }
    }

    /// For `@Environment(MyReactor.self)`, if this is a reactor that can be observed.
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
    private func put(_ reactor: R, into content: some View) -> AnyView {
      guard let observable = reactor as? any AnyObject & Observable else { return AnyView(content) }
      func put(_ object: some AnyObject & Observable) -> AnyView { AnyView(content.environment(object)) }
      return put(observable)
    }
  }
#endif
