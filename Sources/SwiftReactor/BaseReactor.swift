// The way in: the class to subclass, its hooks in the order of the flow.

public import Dispatch

/// A reactor: actions go in, mutations change the state, whoever observes is told.
///
/// ```swift
/// final class CounterReactor: BaseReactor<CounterReactor.Action, CounterReactor.Mutation, CounterReactor.State>,
///   @unchecked Sendable
/// {
///   enum Action { case increment, incrementLater }
///   enum Mutation { case add(Int) }
///   struct State { var count = 0 }
///
///   init() { super.init(initialState: State()) }
///
///   override func mutate(action: Action) -> Mutations<Mutation> {
///     switch action {
///     case .increment: [.add(1)]
///     case .incrementLater: .run { emit in emit(.add(1)) }
///     }
///   }
///
///   override func reduce(into state: inout State, mutation: Mutation) {
///     switch mutation {
///     case .add(let number): state.count += number
///     }
///   }
/// }
/// ```
///
/// **Threads.** Anybody may send, read and observe from any thread. `mutate`, `reduce`, the hooks, `effectFailed` and
/// observers run on the reactor's queue, one at a time. An action sent on that queue is committed and delivered when the
/// call returns; one sent from elsewhere is handed over, in order, and the call returns at once.
///
/// **Subclasses** restate `@unchecked Sendable`; it is safe when their stored properties are `let` and `Sendable`. What
/// changes belongs into the state.
///
/// **Cost.** An action on the queue with one mutation allocates nothing. An idle reactor has no task and no thread.
@dynamicMemberLookup
open class BaseReactor<Action: Sendable, Mutation: Sendable, State: Sendable>: Reactor, @unchecked Sendable {
  // Safe to share: the core guards itself.

  /// The engine.
  public final let core: ReactorCore<Action, Mutation, State>

  /// The committed state, never a torn one, from any thread. Its projection `$state` is a stream of the current state and
  /// then every commit, on the queue.
  ///
  /// Inside a `reduce`, of whatever reactor, reading it stops the program: a reducer is a function of its parameters.
  /// **Cost.** A copy under a lock that is held for that copy or for one mutation.
  @ReactorState public final var state: State

  /// Makes a reactor.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - queue: The serial queue on which everything happens: `.main`, or one of your own where the main thread blocks
  ///     or has other work.
  @inlinable
  public init(initialState: State, queue: DispatchQueue = .main) {
    core = ReactorCore(initialState: initialState, queue: queue)
    bindState()
    core.connect(self)
  }

  /// Makes a reactor whose mutations are reduced by a value, in place of an override of `reduce`.
  ///
  /// ```swift
  /// init() { super.init(initialState: App(), reduce: .combine(userReducer, newsReducer)) }
  /// ```
  ///
  /// A subclass that overrides ``reduce(into:mutation:)`` all the same has the say. What `reduce` must not do, the value must not do either.
  @inlinable
  public init(initialState: State, reduce: Reduce<State, Mutation>, queue: DispatchQueue = .main) {
    core = ReactorCore(initialState: initialState, reduce: reduce, queue: queue)
    bindState()
    core.connect(self)
  }

  @usableFromInline
  final func bindState() {
    _state = core.stateReader
  }

  deinit {
    core.close()
  }

  // MARK: In

  /// Sends an action: the usual call.
  ///
  /// On the queue it is committed and delivered when this returns; inside a turn (from an observer, `mutate`, a hook) it
  /// is handled next, before the outermost call returns; from anywhere else it is handed over and this returns at once.
  ///
  /// Where it is called is shown to middleware and in logs; without them that costs nothing.
  @inlinable
  public final func action(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    core.send(action, to: self, at: SendPlace(fileID: fileID, line: line))
  }

  /// The same as a value: `numbers.map(Action.add).sink(reactor.action)`.
  @inlinable
  @_disfavoredOverload
  public final func action(_ action: Action) {
    core.send(action, to: self)
  }

  /// The entrance for actions as a value: `reactor.action.send(.increment)`. It does not keep the reactor alive.
  public final var action: EventSubject<Action> { core.actions }

  /// The entrance for mutations, past ``mutate(action:)``: `reactor.mutation.send(.add(1))`. It does not keep the reactor
  /// alive; a mutation that was accepted does, until it is handled.
  public final var mutation: EventSubject<Mutation> { core.mutations }

  /// Sends an action and waits until everything its effects emitted is committed.
  ///
  /// Called on the queue, it commits before it suspends. Effects that were dropped, replaced or cancelled count as ended;
  /// actions that effects send are not waited for. Cancelling the waiting task cancels exactly the effects of this
  /// action. It is also the way to pace a sender that is faster than the queue.
  ///
  /// ```swift
  /// await reactor.perform(.refresh)
  /// ```
  nonisolated(nonsending) public final func perform(
    _ action: Action, fileID: StaticString = #fileID, line: UInt = #line
  ) async {
    await core.perform(action, fileID: fileID, line: line)
  }

  /// Sends an action, then waits while a condition on the state holds, or the task is cancelled: for `.refreshable`.
  ///
  /// ```swift
  /// await reactor.action(.refresh, while: \.isLoading)
  /// ```
  nonisolated(nonsending) public final func action(
    _ action: Action, while condition: @Sendable (State) -> Bool, fileID: StaticString = #fileID, line: UInt = #line
  ) async {
    self.action(action, fileID: fileID, line: line)
    for await state in states where !condition(state) { return }
  }

  /// Replaces the state: a commit like any other, and the new base. Before first use it replaces the initial state, at
  /// once and wherever it is called, and starts nothing; later, from elsewhere, it comes on the queue. Effects go on.
  public final func restore(_ state: State) {
    core.restore(state)
  }

  // MARK: The flow

  /// Sees all actions before ``mutate(action:)``. Called once, at first use.
  ///
  /// What the stream hands on while an action is pushed through it belongs to that action's step. What it hands on at any
  /// other time is an action of its own.
  open func transform(action: EventStream<Action>) -> EventStream<Action> { action }

  /// Turns an action into mutations: some at once, some later. Called on the queue.
  ///
  /// No other mutation comes between what it reads from ``state`` and the commit of its synchronous mutations, so
  /// `[.set(state.count + 1)]` never loses an update. By default the answer is ``Mutations/none``.
  open func mutate(action: Action) -> Mutations<Mutation> { .none }

  /// Sees all mutations, synchronous and asynchronous, before `reduce`. Called once, at first use.
  open func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> { mutation }

  /// Changes the state in place: the cost does not grow with the size of the state. Override this one or
  /// ``reduce(state:mutation:)``.
  ///
  /// By default it calls the ``Reduce`` that the reactor was made with, if any, otherwise ``reduce(state:mutation:)``.
  ///
  /// It runs on the queue and under the state's lock: it must not wait for anything, and it must not read `state`. It may
  /// send actions; they are handled after the step.
  open func reduce(into state: inout State, mutation: Mutation) {
    if let reducer = core.reducer { return reducer(into: &state, mutation) }
    state = reduce(state: state, mutation: mutation)
  }

  /// Makes a new state from the old one, for those who prefer it. A collection in the state that is changed here is
  /// copied; see ``reduce(into:mutation:)``. By default the state stays as it is.
  open func reduce(state: State, mutation: Mutation) -> State { state }

  /// Sees all states before they are shown. Called once, at first use.
  ///
  /// What it hands on is what ``state`` and observers show; it is never fed back. A reactor that overrides it gives up
  /// three things: ``state`` in `mutate` is what was shown, a copy of the shown state is kept, and it takes no part in
  /// nesting.
  open func transform(state: EventStream<State>) -> EventStream<State> { state }

  /// An effect ended with an error: that effect only, everything else goes on. Called on the queue, once.
  ///
  /// - Parameter action: The action that started the effect; nil for a stream in a hook.
  ///
  /// By default the error is reported (``ReactorReports``). `CancellationError` never comes here.
  open func effectFailed(_ error: any Error, action: Action?) {
    core.reportFailure(error, action: action)
  }

  /// A child told something that is no state, with ``output(_:)``. The answer is an action for this reactor, or nil.
  /// Called on the queue, in a step of its own.
  ///
  /// ```swift
  /// override func received(output: any Sendable, from child: AnyObject) -> Action? {
  ///   if case DetailOutput.saved(let item) = output { .add(item) } else { nil }
  /// }
  /// ```
  open func received(output: any Sendable, from child: AnyObject) -> Action? { nil }

  // MARK: Out

  /// A property of the state: `reactor.count` is `reactor.state.count`.
  public final subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value {
    core.read(path)
  }

  /// The states as an async sequence: the newest whenever it is asked. See ``StateSequence``.
  public final var states: StateSequence<State> { core.states }

  /// The values of one path as an async sequence: the current one, then only values that differ.
  ///
  /// - Parameters:
  ///   - path: The part of the state.
  ///   - buffering: By default nothing is kept and the newest value is read when it is asked for. With a buffering each
  ///     iterator keeps the values it was too slow for.
  public final func values<Value: Equatable & Sendable>(
    of path: KeyPath<State, Value>, buffering: EventBuffering? = nil
  ) -> StateSequence<Value> {
    core.values(of: path, buffering: buffering)
  }

  /// The queue on which everything of this reactor happens.
  public final var queue: DispatchQueue { core.queue }

  /// The effects that run or wait, in the order in which they were returned: for tests and diagnostics. One without an id
  /// that has its only value at once (`.just`) is not among them.
  public final var effects: [ReactorEffect<Action>] { core.listEffects() }

  /// Cancels all effects. No value of theirs is reduced any more; on the queue at once, from elsewhere after the step
  /// that is running. In a `reduce` it does not reach those of the answer that is being reduced: they are known from its
  /// commit on.
  public final func cancelEffects() {
    core.cancelEffects()
  }
}

/// The wrapper behind ``BaseReactor/state``: it reads the committed state, and its projection is the stream of states.
@propertyWrapper
public struct ReactorState<State: Sendable>: Sendable {
  // Not counted: the wrapper is a part of the reactor, which holds its core, or of the core itself.
  private unowned let read: (any StateReading<State>)?

  /// Reads nothing yet; ``BaseReactor/init(initialState:queue:)`` puts the real one in its place.
  public init() {
    read = nil
  }

  init(_ read: any StateReading<State>) {
    self.read = read
  }

  /// The committed state.
  public var wrappedValue: State { read!.readState() }

  /// The current state, then every commit, on the reactor's queue.
  public var projectedValue: EventStream<State> { read!.stateStream }
}

/// What has a state to read and to follow.
protocol StateReading<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  func readState() -> State
  var stateStream: EventStream<State> { get }
}

extension ReactorCore: StateReading {}
