// Effects that the state asks for: a query on the state, and what answers it.

extension Reactor {
  // Formed here, in inlinable functions, so that what looks into the state is specialised in the module that knows it:
  // it is asked after every commit.

  /// Lets the state start and end effects: as long as the query is not nil, its effect runs.
  ///
  /// ```swift
  /// init(service: Service) {
  ///   super.init(initialState: State())
  ///   feedback(when: \.query) { query in
  ///     .run { emit in emit(.results(try await service.search(query))) }
  ///   }
  /// }
  /// ```
  ///
  /// When the query becomes another one, its effect is cancelled and a new one is started; when it becomes nil, its
  /// effect is cancelled. A query that stays the same starts nothing anew, whatever else changes, also when its effect
  /// has come to its end. What counts is what a commit shows, whoever made it: an action, an effect, `restore`, a parent
  /// or a child. A state that is restored with a query starts its effect; one that is restored before the reactor's first
  /// use, at that use. The query is asked of the base state, not of what ``BaseReactor/transform(state:)`` shows.
  ///
  /// The effect is known to the reactor (``BaseReactor/effects``) before anybody is told of the commit. Its values pass
  /// `transform(mutation:)` and `reduce` like all others; mutations that are there at once are one commit, next in the same
  /// turn. `await perform(…)` waits for the effects that its action, or an effect of it, has asked for by way of the
  /// state; cancelling the waiting task does not cancel them, since the state still asks for them. Ids and policies count
  /// as in `mutate`. An error reaches `effectFailed` without an action. ``BaseReactor/cancelEffects()`` ends these effects
  /// too, until their query changes.
  ///
  /// **Threads.** Call it last in `init`. It begins with the reactor's first use, after the hooks; for a nested reactor
  /// with its parent's. Later it begins at once, on the queue. Both closures are called on the queue: the query under the
  /// rules of `reduce`, the effect under those of `mutate`. Do not capture the reactor strongly: it would never be freed.
  ///
  /// **Cost.** The query is asked for, and compared, once per commit; the last one is kept.
  @inlinable
  public func feedback<Query: Equatable & Sendable>(
    when query: KeyPath<State, Query?>, _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    core.add(OneQueryFeedback(core.reading(query), effect))
  }

  /// The same for a query that has no property of its own.
  ///
  /// ```swift
  /// feedback(when: { $0.isShown ? $0.selection : nil }) { id in … }
  /// ```
  @inlinable
  public func feedback<Query: Equatable & Sendable>(
    when query: @escaping @Sendable (State) -> Query?, _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    core.add(OneQueryFeedback({ query($0.pointee) }, effect))
  }

  /// Several queries at a time, with one effect each: a query that comes starts its effect, one that goes has it
  /// cancelled, one that stays is left alone. Those that come together start in no particular order; take an array where
  /// that matters.
  ///
  /// ```swift
  /// feedback(when: \.visibleRows) { row in
  ///   .run { emit in emit(.image(row, try await images.load(row))) }
  /// }
  /// ```
  @inlinable
  public func feedback<Query: Hashable & Sendable>(
    when queries: KeyPath<State, Set<Query>>, _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    core.add(ManyQueriesFeedback(core.reading(queries), effect))
  }

  /// The same for queries that have no property of their own.
  @inlinable
  public func feedback<Query: Hashable & Sendable>(
    when queries: @escaping @Sendable (State) -> Set<Query>,
    _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    core.add(ManyQueriesFeedback({ queries($0.pointee) }, effect))
  }

  /// The same for queries in an order: those that come together start in it. One that is there twice counts once.
  @inlinable
  public func feedback<Query: Hashable & Sendable>(
    when queries: KeyPath<State, [Query]>, _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    core.add(ManyQueriesFeedback(core.reading(queries), effect))
  }

  /// Queries that come out of a stream, most often one that is made of the states: each ends the effect of the one
  /// before and starts its own; nil only ends it.
  ///
  /// ```swift
  /// feedback(when: $state.map(\.text).removeDuplicates().debounce(for: .milliseconds(300))) { text in … }
  /// ```
  ///
  /// The stream is subscribed to when feedback begins. A query that comes on the queue is handled in the same turn, from
  /// elsewhere on the queue. An error of the stream reaches `effectFailed`; its end leaves the last effect running.
  ///
  /// `await perform(…)` does not wait for these effects: a stream brings a query at any time, and nobody knows which action
  /// it comes of. It waits only for those that are asked for by a query on the state.
  public func feedback<Query: Sendable>(
    when queries: EventStream<Query?>, _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    core.add(StreamFeedback(queries, effect))
  }

  /// The same for a stream that always asks for something.
  public func feedback<Query: Sendable>(
    when queries: EventStream<Query>, _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    core.add(StreamFeedback(queries.map { $0 }, effect))
  }
}

extension ReactorCore {
  /// Reads a stored property where it lies, any other by its path.
  @inlinable
  func reading<Value>(_ path: KeyPath<State, Value>) -> (UnsafeMutablePointer<State>) -> Value {
    let offset = MemoryLayout<State>.offset(of: path)
    return { state in
      guard let offset else { return state.pointee[keyPath: path] }
      return (UnsafeRawPointer(state) + offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}

// MARK: - Kinds of queries

/// One feedback of a reactor: what it asks the state, and which of its effects run. In a turn.
@usableFromInline
class Feedback<Mutation: Sendable, State: Sendable>: @unchecked Sendable {
  // Safe to share: what subclasses change belongs to the turn.

  /// A query that has come.
  @usableFromInline
  struct Start {
    let query: any Sendable
    let answer: () -> Mutations<Mutation>
    /// Takes the effects that were started for it.
    let keep: ([SlotKey]) -> Void
  }

  /// What has changed about the queries.
  @usableFromInline
  struct Change {
    /// The effects of queries that have gone.
    var ended: [SlotKey] = []
    var started: [Start] = []
  }

  @usableFromInline
  init() {}

  /// Feedback begins. `take` brings a change that comes at another time than a commit.
  func begin(in context: StreamContext, _ take: @escaping @Sendable (FeedbackEvent<Mutation, State>) -> Void) {}
  /// The reactor is gone.
  func end() {}
  /// What a commit has changed; nil for nothing.
  func follow(_ state: UnsafeMutablePointer<State>) -> Change? { nil }
}

/// What a stream of queries brings.
@usableFromInline
enum FeedbackEvent<Mutation: Sendable, State: Sendable>: Sendable {
  /// A feedback was added to a reactor that is in use.
  case added(Feedback<Mutation, State>)
  /// A stream has brought a query; asked for in the turn.
  case query(@Sendable () -> Feedback<Mutation, State>.Change?)
  case failed(any Error)
}

/// One query or none.
@usableFromInline
final class OneQueryFeedback<Mutation: Sendable, State: Sendable, Query: Equatable & Sendable>:
  Feedback<Mutation, State>, @unchecked Sendable
{
  // Safe to share: `last` and `running` belong to the turn, the rest are constants.
  private let read: (UnsafeMutablePointer<State>) -> Query?
  private let effect: @Sendable (Query) -> Mutations<Mutation>
  private var last: Query?
  private var running: [SlotKey] = []

  @usableFromInline
  init(
    _ read: @escaping (UnsafeMutablePointer<State>) -> Query?,
    _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    self.read = read
    self.effect = effect
    super.init()
  }

  override func follow(_ state: UnsafeMutablePointer<State>) -> Change? {
    let query = read(state)
    if query == last { return nil }
    var change = Change(ended: running)
    last = query
    running = []
    if let query {
      change.started = [Start(query: query, answer: { [effect] in effect(query) }, keep: { [self] in running = $0 })]
    }
    return change
  }
}

/// Any number of queries, each of which is there or not.
@usableFromInline
final class ManyQueriesFeedback<
  Mutation: Sendable, State: Sendable, Query: Hashable & Sendable, Queries: Collection<Query> & Equatable & Sendable
>: Feedback<Mutation, State>, @unchecked Sendable {
  // Safe to share: `last` and `running` belong to the turn, the rest are constants.
  private let read: (UnsafeMutablePointer<State>) -> Queries
  private let effect: @Sendable (Query) -> Mutations<Mutation>
  private var last: Queries?
  private var running: [Query: [SlotKey]] = [:]

  @usableFromInline
  init(
    _ read: @escaping (UnsafeMutablePointer<State>) -> Queries,
    _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>
  ) {
    self.read = read
    self.effect = effect
    super.init()
  }

  override func follow(_ state: UnsafeMutablePointer<State>) -> Change? {
    let queries = read(state)
    if queries == last { return nil }
    let old = last
    last = queries
    var change = Change()
    let wanted = Set(queries)
    // In the order in which they were there, so that what is cancelled together is cancelled in an order.
    for query in old.map(Array.init) ?? [] where !wanted.contains(query) {
      change.ended += running.removeValue(forKey: query) ?? []
    }
    for query in queries where running[query] == nil {
      running[query] = []
      change.started.append(
        Start(
          query: query, answer: { [effect] in effect(query) }, keep: { [self] in running[query] = $0 }))
    }
    return change
  }
}

/// The queries of a stream, one at a time.
final class StreamFeedback<Mutation: Sendable, State: Sendable, Query: Sendable>: Feedback<Mutation, State>,
  @unchecked Sendable
{
  // Safe to share: `running` and `subscription` belong to the turn, the rest are constants.
  private let queries: EventStream<Query?>
  private let effect: @Sendable (Query) -> Mutations<Mutation>
  private var running: [SlotKey] = []
  private var subscription: EventSubscription?

  init(_ queries: EventStream<Query?>, _ effect: @escaping @Sendable (Query) -> Mutations<Mutation>) {
    self.queries = queries
    self.effect = effect
    super.init()
  }

  override func begin(
    in context: StreamContext, _ take: @escaping @Sendable (FeedbackEvent<Mutation, State>) -> Void
  ) {
    subscription = queries.subscribe(in: context) { [weak self] event in
      switch event {
      case .value(let query): take(.query { [weak self] in self?.next(query) })
      case .failure(let error): take(.failed(error))
      case .finished: break
      }
    }
  }

  override func end() {
    subscription?.cancel()
  }

  private func next(_ query: Query?) -> Change {
    var change = Change(ended: running)
    running = []
    if let query {
      change.started = [Start(query: query, answer: { [effect] in effect(query) }, keep: { [self] in running = $0 })]
    }
    return change
  }
}
