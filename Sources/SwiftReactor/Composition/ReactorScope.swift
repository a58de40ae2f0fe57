// A part of a reactor for those who need no more of it: a view, a cell, a module.

public import Dispatch

/// A part of a reactor's state, and the actions that belong to it. It has no state of its own: what it reads is the
/// reactor's, what it is sent becomes the reactor's action.
///
/// ```swift
/// let news = app.scope(state: \.news, action: App.Action.news)
/// news.step              // app.state.news.step
/// news.action(.load)     // app.action(.news(.load))
/// let subscription = news.observe(\.step) { step in show(step) }
/// ```
///
/// A scope is made where it is needed and thrown away afterwards. Whoever has it knows nothing of the rest of the reactor.
/// Take a nested reactor instead (<doc:Nesting>) where the part needs effects and hooks of its own.
///
/// **Threads.** Everything as with the reactor itself. **Lifetime.** It keeps the reactor alive. **Cost.** Making one
/// allocates an object; a scope of a scope is as near to the reactor as the first one.
@dynamicMemberLookup
public struct ReactorScope<Action: Sendable, State: Sendable>: Sendable {
  let source: ScopeSource<Action, State>

  /// The part of the committed state. Not inside a `reduce`.
  public var state: State { source.state }

  /// A property of the part: `scope.step` is `scope.state.step`.
  public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { source.read(path) }

  /// The queue on which everything of the reactor happens.
  public var queue: DispatchQueue { source.queue }

  // MARK: In

  /// Sends an action; see ``BaseReactor/action(_:fileID:line:)``.
  public func action(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    source.send(action, at: SendPlace(fileID: fileID, line: line))
  }

  /// The same as a value: `numbers.map(Action.add).sink(scope.action)`.
  @_disfavoredOverload
  public func action(_ action: Action) {
    source.send(action, at: .unknown)
  }

  /// Sends an action and waits until everything its effects emitted is committed; see
  /// ``BaseReactor/perform(_:fileID:line:)``.
  nonisolated(nonsending) public func perform(
    _ action: Action, fileID: StaticString = #fileID, line: UInt = #line
  ) async {
    await source.perform(action, at: SendPlace(fileID: fileID, line: line))
  }

  /// Sends an action, then waits while a condition on the part holds, or the task is cancelled: for `.refreshable`.
  nonisolated(nonsending) public func action(
    _ action: Action, while condition: @Sendable (State) -> Bool, fileID: StaticString = #fileID, line: UInt = #line
  ) async {
    self.action(action, fileID: fileID, line: line)
    for await state in states where !condition(state) { return }
  }

  // MARK: Out

  /// Tells `receive` the value of a path of the part: the current one once, then only values that differ; see
  /// ``BaseReactor/observe(_:_:)``.
  public func observe<Value: Equatable & Sendable>(
    _ path: KeyPath<State, Value>,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    source.observe(path, isShared: true, by: ==, IsolatedReceiver(receive))
  }

  /// The same with a comparison of your own; see ``BaseReactor/observe(_:by:_:)``.
  public func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, by areEqual: @escaping @Sendable (Value, Value) -> Bool,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    source.observe(path, isShared: false, by: areEqual, IsolatedReceiver(receive))
  }

  /// Tells `receive` each assignment of a ``Pulse``; see ``BaseReactor/pulse(_:_:)``.
  public func pulse<Value: Sendable>(
    _ path: KeyPath<State, Pulse<Value>>,
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void
  ) -> EventSubscription {
    source.pulse(path, IsolatedReceiver(receive))
  }

  /// The part after every commit of the reactor, as a stream: the current one first. Like `$state` it repeats what did not
  /// change; `removeDuplicates()` filters.
  public var stream: EventStream<State> { source.stream }

  /// The part as an async sequence: the newest whenever it is asked. See ``StateSequence``.
  public var states: StateSequence<State> { source.states }

  /// The values of one path of the part as an async sequence; see ``BaseReactor/values(of:buffering:)``.
  public func values<Value: Equatable & Sendable>(
    of path: KeyPath<State, Value>, buffering: EventBuffering? = nil
  ) -> StateSequence<Value> {
    source.values(of: path, buffering: buffering)
  }

  /// A binding for a value of the part, whose `set` sends an action of the part. See ``StateBinding``.
  ///
  /// ```swift
  /// let query = scope.binding(\.query, action: Search.Action.setQuery)
  /// ```
  public func binding<Value: Sendable>(
    _ path: KeyPath<State, Value>, action: @escaping @Sendable (Value) -> Action, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> StateBinding<Value> {
    source.binding(path, at: SendPlace(fileID: fileID, line: line), action)
  }

  // MARK: Further in

  /// A part of this part. It is the same as the scope of the whole path.
  public func scope<PartAction: Sendable, Part: Sendable>(
    state path: KeyPath<State, Part>, action: @escaping @Sendable (PartAction) -> Action
  ) -> ReactorScope<PartAction, Part> {
    ReactorScope<PartAction, Part>(source: source.scope(path, action))
  }

  /// The same with all of the actions.
  public func scope<Part: Sendable>(state path: KeyPath<State, Part>) -> ReactorScope<Action, Part> {
    scope(state: path) { $0 }
  }
}

extension ReactorScope: Equatable {
  /// True if both show the same part of the same reactor. What they make of actions is not compared.
  public static func == (lhs: ReactorScope, rhs: ReactorScope) -> Bool {
    lhs.source.reactorID == rhs.source.reactorID && lhs.source.rootPath == rhs.source.rootPath
  }
}

extension Reactor {
  /// A part of this reactor for those who need no more of it. See ``ReactorScope``.
  ///
  /// - Parameters:
  ///   - path: The part of the state; any path will do, also a computed one.
  ///   - action: The reactor's action for one of the part's, most often a case: `Action.news`.
  public func scope<PartAction: Sendable, Part: Sendable>(
    state path: KeyPath<State, Part>, action: @escaping @Sendable (PartAction) -> Action
  ) -> ReactorScope<PartAction, Part> {
    ReactorScope<PartAction, Part>(source: PartSource(self, path, action))
  }

  /// The same with all of the actions.
  public func scope<Part: Sendable>(state path: KeyPath<State, Part>) -> ReactorScope<Action, Part> {
    scope(state: path) { $0 }
  }
}

/// What a scope asks: hides which reactor it is.
class ScopeSource<Action: Sendable, State: Sendable>: @unchecked Sendable {
  // Safe to share: the subclass adds constants, and key paths are immutable.
  let reactorID: ObjectIdentifier
  let rootPath: AnyKeyPath

  init(_ reactorID: ObjectIdentifier, _ rootPath: AnyKeyPath) {
    self.reactorID = reactorID
    self.rootPath = rootPath
  }

  private func notHere() -> Never { mistake("\(Self.self) is no source of a scope") }

  var state: State { notHere() }
  func read<Value>(_ path: KeyPath<State, Value>) -> Value { notHere() }
  func binding<Value: Sendable>(
    _ path: KeyPath<State, Value>, at place: SendPlace, _ action: @escaping @Sendable (Value) -> Action
  ) -> StateBinding<Value> { notHere() }
  var queue: DispatchQueue { notHere() }
  var stream: EventStream<State> { notHere() }
  var states: StateSequence<State> { notHere() }
  func send(_ action: Action, at place: SendPlace) { notHere() }
  nonisolated(nonsending) func perform(_ action: Action, at place: SendPlace) async { notHere() }
  func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, isShared: Bool, by areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ receiver: IsolatedReceiver<Value>
  ) -> EventSubscription { notHere() }
  func pulse<Value: Sendable>(
    _ path: KeyPath<State, Pulse<Value>>, _ receiver: IsolatedReceiver<Value>
  ) -> EventSubscription { notHere() }
  func values<Value: Equatable & Sendable>(
    of path: KeyPath<State, Value>, buffering: EventBuffering?
  ) -> StateSequence<Value> { notHere() }
  func scope<PartAction: Sendable, Part: Sendable>(
    _ path: KeyPath<State, Part>, _ action: @escaping @Sendable (PartAction) -> Action
  ) -> ScopeSource<PartAction, Part> { notHere() }
}

/// A path and a translation of actions, from a reactor's root.
private final class PartSource<R: Reactor, Action: Sendable, State: Sendable>: ScopeSource<Action, State>,
  @unchecked Sendable
{
  // Safe to share: constants, and key paths are immutable.
  private let reactor: R
  private let path: KeyPath<R.State, State>
  private let embed: @Sendable (Action) -> R.Action

  init(_ reactor: R, _ path: KeyPath<R.State, State>, _ embed: @escaping @Sendable (Action) -> R.Action) {
    self.reactor = reactor
    self.path = path
    self.embed = embed
    super.init(ObjectIdentifier(reactor), path)
  }

  override var state: State { reactor.core.read(path) }

  override func read<Value>(_ path: KeyPath<State, Value>) -> Value {
    reactor.core.read(self.path.appending(path: path))
  }

  override func binding<Value: Sendable>(
    _ path: KeyPath<State, Value>, at place: SendPlace, _ action: @escaping @Sendable (Value) -> Action
  ) -> StateBinding<Value> {
    StateBinding(reactor.core, self.path.appending(path: path), keeping: reactor) { [reactor, embed] value in
      reactor.core.send(embed(action(value)), to: reactor, at: place)
    }
  }

  override var queue: DispatchQueue { reactor.core.queue }

  override var stream: EventStream<State> {
    // Safe: key paths are immutable.
    nonisolated(unsafe) let path = path
    return reactor.core.stateStream.map { $0[keyPath: path] }
  }

  override var states: StateSequence<State> {
    // Safe: key paths are immutable.
    nonisolated(unsafe) let path = path
    return reactor.core.sequence({ $0[keyPath: path] }, areEqual: nil)
  }

  override func send(_ action: Action, at place: SendPlace) {
    reactor.core.send(embed(action), to: reactor, at: place)
  }

  nonisolated(nonsending) override func perform(_ action: Action, at place: SendPlace) async {
    await reactor.core.perform(embed(action), fileID: place.fileID, line: place.line)
  }

  override func observe<Value: Sendable>(
    _ path: KeyPath<State, Value>, isShared: Bool, by areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ receiver: IsolatedReceiver<Value>
  ) -> EventSubscription {
    let whole = self.path.appending(path: path)
    return reactor.core.observe(
      whole, sharedAs: isShared ? whole : nil, by: areEqual, isolation: receiver.isolation, { receiver($0) })
  }

  override func pulse<Value: Sendable>(
    _ path: KeyPath<State, Pulse<Value>>, _ receiver: IsolatedReceiver<Value>
  ) -> EventSubscription {
    reactor.core.pulse(self.path.appending(path: path), receiver)
  }

  override func values<Value: Equatable & Sendable>(
    of path: KeyPath<State, Value>, buffering: EventBuffering?
  ) -> StateSequence<Value> {
    reactor.core.values(of: self.path.appending(path: path), buffering: buffering)
  }

  override func scope<PartAction: Sendable, Part: Sendable>(
    _ path: KeyPath<State, Part>, _ action: @escaping @Sendable (PartAction) -> Action
  ) -> ScopeSource<PartAction, Part> {
    PartSource<R, PartAction, Part>(reactor, self.path.appending(path: path)) { [embed] in embed(action($0)) }
  }
}
