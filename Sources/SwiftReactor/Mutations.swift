// What `mutate(action:)` answers: what changes now, what changes later, and the rules for later.

/// The answer of ``BaseReactor/mutate(action:)``: mutations that are reduced at once, and effects that send more of them
/// later.
///
/// All synchronous mutations of one answer are one commit. Each value of an effect is a commit of its own.
///
/// ```swift
/// override func mutate(action: Action) -> Mutations<Mutation> {
///   switch action {
///   case .increment: [.add(1)]
///   case .reset: [.set(0), .setNote("reset")]
///   case .ignore: .none
///   case .load: Mutations(sync: .setLoading(true)) + .run { emit in
///       emit(.setItems(try await service.items()))
///     }.effect(id: "load")
///   }
/// }
/// ```
///
/// **Cost.** An answer with one synchronous mutation allocates nothing, and neither does `.just`, if nothing else comes
/// later. One other effect without an id costs what its stream does.
public struct Mutations<Mutation: Sendable>: Sendable, ExpressibleByArrayLiteral {
  // The first mutation lies in the value itself: most answers have one, and an array would be an allocation.
  @usableFromInline var first: Mutation?
  @usableFromInline var rest: [Mutation]
  @usableFromInline var requests: EffectRequests<Mutation>

  @inlinable
  init(first: Mutation?, rest: [Mutation], requests: EffectRequests<Mutation> = .none) {
    self.first = first
    self.rest = rest
    self.requests = requests
  }

  /// What is asked for besides mutations, from left to right.
  @inlinable
  var effects: [EffectRequest<Mutation>] { requests.list }

  /// One mutation now, and those of a stream later.
  @inlinable
  public init(sync: Mutation, async: EventStream<Mutation> = .empty) {
    self.init(first: sync, rest: [], requests: EffectRequests(async))
  }

  /// Several mutations now, as one commit, and those of a stream later.
  @inlinable
  public init(sync: [Mutation] = [], async: EventStream<Mutation> = .empty) {
    self.init(first: sync.first, rest: Array(sync.dropFirst()), requests: EffectRequests(async))
  }

  /// `[.a, .b]`: mutations that are reduced now, as one commit.
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public init(arrayLiteral elements: Mutation...) {
    // Always inlined: only where the number of elements can be seen is no array made for one of them.
    if elements.count == 1 {
      self.init(first: elements[0], rest: [])
    } else {
      self.init(several: elements)
    }
  }

  @inlinable
  @inline(never)
  init(several elements: [Mutation]) {
    self.init(first: elements.first, rest: Array(elements.dropFirst()))
  }

  /// Nothing: no commit, nobody is told.
  @inlinable
  public static var none: Self { Self(first: nil, rest: []) }

  /// An effect: `operation` runs in a task of its own and emits mutations, each a commit of its own.
  ///
  /// It ends when `operation` returns. An error ends only this effect and reaches ``BaseReactor/effectFailed(_:action:)``;
  /// turn it into a mutation with `do`/`catch` where the state should tell of it. Do not capture the reactor strongly:
  /// the effect would keep it alive.
  ///
  /// After ``Emitter/finish()`` the effect counts as ended, although `operation` still runs: its task is cancelled,
  /// `perform` no longer waits for it, a successor that is `.queued` may start, and an error that is thrown later is
  /// dropped.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task. By default it inherits nothing, whoever sent the action.
  ///   - operation: The body. It runs off the queue.
  @inlinable
  public static func run(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable (Emitter<Mutation>) async throws -> Void
  ) -> Self {
    Self(first: nil, rest: [], requests: .node(TaskNode(priority, operation)))
  }

  /// Cancels the effects of this reactor that run or wait under an id. No value of theirs is reduced any more, not even
  /// one that waits already.
  ///
  /// In one answer the order counts: `run(…).effect(id: 1) + .cancel(id: 1)` is nothing, the other way round it runs.
  public static func cancel(id: some Hashable & Sendable) -> Self {
    Self(first: nil, rest: [], requests: .several([.cancel(EffectID(id))]))
  }

  /// The mutations that are reduced at once.
  public var sync: [Mutation] {
    get { first.map { [$0] + rest } ?? rest }
    set {
      first = newValue.first
      rest = Array(newValue.dropFirst())
    }
  }

  /// The mutations that come later, all effects merged. Setting it replaces all effects by one without an id.
  public var async: EventStream<Mutation> {
    get {
      let streams = effects.compactMap(\.stream)
      return streams.count == 1 ? streams[0] : EventStream.merge(streams)
    }
    set { requests = EffectRequests(newValue) }
  }

  /// Both answers: the synchronous mutations of both are one commit, then the effects of both in this order.
  public static func + (lhs: Self, rhs: Self) -> Self {
    let requests = lhs.requests + rhs.requests
    if lhs.first == nil { return Self(first: rhs.first, rest: rhs.rest, requests: requests) }
    return Self(first: lhs.first, rest: lhs.rest + rhs.sync, requests: requests)
  }
}
