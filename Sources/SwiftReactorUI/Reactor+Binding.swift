// Bindings of SwiftUI, as a thin layer over those of the framework.

#if canImport(SwiftUI)
  public import SwiftReactor
  public import SwiftUI

  extension Reactor {
    /// A binding that shows a value of the state and sends an action for a new one.
    ///
    /// ```swift
    /// TextField("Name", text: reactor.mutate(binding: \.name, ProfileReactor.Action.setName))
    /// ```
    ///
    /// What it shows after a change is what the reactor made of it; see ``/SwiftReactor/StateBinding``. The reactor's queue has
    /// to be the main queue; with any other the program stops with a message.
    public func mutate<Value: Sendable>(
      binding path: KeyPath<State, Value>, _ action: @escaping @Sendable (Value) -> Action
    ) -> Binding<Value> {
      core.requireMainQueue(for: "The reactor of a binding")
      return Binding(binding(path, action: action))
    }

    /// A binding that shows a value of the state and sends a mutation for a new one, past `mutate(action:)`.
    ///
    /// ```swift
    /// Toggle("Loud", isOn: reactor.reduce(binding: \.isLoud, PlayerReactor.Mutation.setLoud))
    /// ```
    public func reduce<Value: Sendable>(
      binding path: KeyPath<State, Value>, _ mutation: @escaping @Sendable (Value) -> Mutation
    ) -> Binding<Value> {
      core.requireMainQueue(for: "The reactor of a binding")
      return Binding(binding(path, mutation: mutation))
    }

    /// This reactor as a stand-in for previews: it shows a state, and nothing that is sent to it does anything.
    ///
    /// ```swift
    /// struct CounterPreviews: PreviewProvider {
    ///   static var previews: some View {
    ///     ReactorView(CounterReactor().preview(.init(count: 3))) { CounterView() }
    ///   }
    /// }
    /// ```
    ///
    /// - Parameter state: What it shows; nil for the state it has.
    public func preview(_ state: State? = nil) -> Self {
      core.replace { _ in }
      if let state { core.restore(state) }
      return self
    }
  }

  extension Binding where Value: Sendable {
    /// A binding of the framework as one of SwiftUI.
    public init(_ binding: StateBinding<Value>) {
      self.init(get: { binding.value }, set: { binding.set($0) })
    }
  }
#endif
