// A value of a reactor's state as a property of a view: reading shows it, writing sends an action.

#if canImport(SwiftUI)
  public import SwiftReactor
  public import SwiftUI

  /// A value of a reactor's state that a view shows and changes. Writing it sends an action; its projection is a `Binding`
  /// for text fields, toggles and the like.
  ///
  /// ```swift
  /// struct ProfileView: View {
  ///   @ActionBinding(\AppReactor.profile, keyPath: \.name, action: ProfileReactor.Action.setName)
  ///   private var name: String
  ///
  ///   var body: some View {
  ///     TextField("Name", text: $name)
  ///     Button("Forget me") { name = "" }
  ///   }
  /// }
  /// ```
  ///
  /// It behaves like a ``/SwiftReactor/StateBinding``: what is shown after writing is what the reactor made of it. The reactor
  /// comes from the environment, like that of ``EnvironmentReactor``.
  @MainActor
  @propertyWrapper
  public struct ActionBinding<Root: Reactor, Target: Reactor, Value: Sendable>: nonisolated DynamicProperty {
    private var reactor: EnvironmentReactor<Root, Target>
    private let path: KeyPath<Target.State, Value>
    private let action: @Sendable (Value) -> Target.Action

    /// A value of the reactor that `reactorPath` leads to, from one of the environment.
    ///
    /// - Parameters:
    ///   - reactorPath: Where the reactor is: `\AppReactor.profile`, or `\AppReactor.self` for that itself.
    ///   - keyPath: The value.
    ///   - action: The action for a new value.
    public init(
      _ reactorPath: KeyPath<Root, Target>, keyPath: KeyPath<Target.State, Value>,
      action: @escaping @Sendable (Value) -> Target.Action
    ) {
      reactor = EnvironmentReactor(reactorPath)
      path = keyPath
      self.action = action
    }

    /// A value of a reactor of the environment itself.
    public init(
      _ reactor: Root.Type, keyPath: KeyPath<Target.State, Value>,
      action: @escaping @Sendable (Value) -> Target.Action
    ) where Root == Target {
      self.init(\Root.self, keyPath: keyPath, action: action)
    }

    private var binding: StateBinding<Value> { reactor.wrappedValue.binding(path, action: action) }

    /// The value in the state; writing it sends the action.
    public var wrappedValue: Value {
      get { binding.value }
      nonmutating set { binding.set(newValue) }
    }

    /// The value as a binding.
    public var projectedValue: Binding<Value> { Binding(binding) }

    /// SwiftUI calls this before it draws the view.
    nonisolated public func update() {
      MainActor.assumeIsolated { reactor.update() }
    }
  }
#endif
