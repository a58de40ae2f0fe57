// A view with a reactor of its own.

#if canImport(SwiftUI)
  public import Combine
  public import SwiftReactor
  public import SwiftUI

  /// Makes a reactor, once, keeps it as long as the view is there, and puts it into the environment of its content.
  ///
  /// ```swift
  /// ReactorView(CounterReactor()) {
  ///   CounterView()
  /// }
  /// ```
  ///
  /// The content finds it as ``EnvironmentReactor``, with ``ActionBinding``, as `@EnvironmentObject`, and on macOS 14 and
  /// iOS 17 as `@Environment(CounterReactor.self)`. A sheet or a pushed screen with a reactor of its own is a `ReactorView`
  /// as well.
  ///
  /// The reactor's queue has to be the main queue; with any other the program stops with a message.
  public struct ReactorView<Content: View, R: Reactor & ObservableObject>: View {
    @StateObject private var owner: Owner
    private let content: Content

    /// Not the reactor itself: this view need not be drawn anew for its commits.
    private final class Owner: ObservableObject {
      let objectWillChange = ObservableObjectPublisher()
      let reactor: R

      init(_ reactor: R) {
        self.reactor = reactor
      }
    }

    /// - Parameters:
    ///   - reactor: Makes the reactor; called once, before the content is drawn for the first time.
    ///   - content: The views that use it.
    public init(_ reactor: @autoclosure @escaping () -> R, @ViewBuilder content: () -> Content) {
      _owner = StateObject(wrappedValue: Owner(reactor()))
      self.content = content()
    }

    /// The content, with the reactor in its environment.
    public var body: some View {
      content.reactor(owner.reactor)
    }
  }
#endif
