// The rules for later: what an effect does about others under its id.

/// What happens when an effect is returned while another one runs under the same id.
///
/// Ids belong to one reactor instance and compare by type and value: `1` and `1.0` are two ids.
public struct EffectPolicy: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case concurrent(max: Int)
    case latest
    case first
    case queued
  }

  let kind: Kind

  /// All run side by side. The id is only good for cancelling them.
  public static let concurrent = EffectPolicy(kind: .concurrent(max: .max))

  /// A newer effect cancels the older ones: the search for what is being typed.
  public static let latest = EffectPolicy(kind: .latest)

  /// A newer effect is dropped while one runs: a button that is tapped twice.
  public static let first = EffectPolicy(kind: .first)

  /// One after the other, in order of the actions: uploads.
  public static let queued = EffectPolicy(kind: .queued)

  /// At most `max` run side by side; the others wait, first in, first out.
  ///
  /// - Precondition: `max` is at least 1.
  public static func concurrent(max: Int) -> EffectPolicy {
    require(max > 0, "EffectPolicy.concurrent(max: \(max)): at least one effect must be able to run")
    return EffectPolicy(kind: .concurrent(max: max))
  }

  var rule: ReactorMachine.Rule {
    switch kind {
    case .concurrent(let max): .concurrent(max: max)
    case .latest: .latest
    case .first: .first
    case .queued: .concurrent(max: 1)
    }
  }
}

/// The id of an effect: a value and its type.
@usableFromInline
struct EffectID: Hashable, @unchecked Sendable {
  // Safe to share: both are constants, and the value was `Sendable` when it came in.
  private let type: ObjectIdentifier
  let value: AnyHashable

  init<ID: Hashable & Sendable>(_ id: ID) {
    type = ObjectIdentifier(ID.self)
    value = AnyHashable(id)
  }
}

/// One thing that `mutate` asks for besides synchronous mutations.
@usableFromInline
enum EffectRequest<Mutation: Sendable>: Sendable {
  /// An effect, by itself or under an id.
  case start(EventStream<Mutation>, EffectName?)
  case cancel(EffectID)

  var stream: EventStream<Mutation>? {
    if case .start(let stream, _) = self { stream } else { nil }
  }
}

/// All that an answer asks for. The most frequent answers need no list for it: that would be an allocation.
@usableFromInline
enum EffectRequests<Mutation: Sendable>: Sendable {
  case none
  /// One effect without an id, which has its only value at once.
  case just(Mutation)
  /// Any other effect without an id.
  case node(StreamNode<Mutation>)
  /// Whatever else there is, from left to right.
  case several([EffectRequest<Mutation>])

  @inlinable
  init(_ stream: EventStream<Mutation>) {
    switch stream.source {
    case .empty: self = .none
    case .never: self = .several([.start(stream, nil)])
    case .just(let mutation): self = .just(mutation)
    case .node(let node): self = .node(node)
    }
  }

  @inlinable
  var list: [EffectRequest<Mutation>] {
    switch self {
    case .none: []
    case .just(let mutation): [.start(.just(mutation), nil)]
    case .node(let node): [.start(EventStream(.node(node)), nil)]
    case .several(let list): list
    }
  }

  static func + (lhs: Self, rhs: Self) -> Self {
    switch (lhs, rhs) {
    case (.none, _): rhs
    case (_, .none): lhs
    default: .several(lhs.list + rhs.list)
    }
  }
}

/// The id of an effect, and how it gets on with others under it.
@usableFromInline
final class EffectName: Sendable {
  let id: EffectID
  let rule: ReactorMachine.Rule
  /// The length of the window of a throttled effect.
  let window: EffectWindow?

  init(id: EffectID, rule: ReactorMachine.Rule, window: EffectWindow?) {
    self.id = id
    self.rule = rule
    self.window = window
  }
}

/// How long a throttled effect keeps others from starting.
struct EffectWindow: Sendable {
  var length: Duration
  var clock: any Clock<Duration>
}

extension Mutations {
  /// Puts the effects that have no id yet under one: they become one effect.
  ///
  /// It is known to the reactor before `action(_:)` returns, so a later cancel always finds it.
  ///
  /// ```swift
  /// case .search(let text): .run { emit in emit(.results(try await search(text))) }.effect(id: "search")
  /// ```
  public func effect(id: some Hashable & Sendable, _ policy: EffectPolicy = .latest) -> Self {
    named(EffectName(id: EffectID(id), rule: policy.rule, window: nil)) { $0 }
  }

  /// Starts the effect only after nothing was returned under the id for a while; then the newest one.
  ///
  /// Only the async part waits: synchronous mutations are committed in the step.
  ///
  /// - Parameters:
  ///   - id: The id; a newer effect under it replaces the one that waits or runs.
  ///   - duration: How long nothing may come. An effect returned exactly at its end comes too late to replace it.
  ///   - clock: What measures the time.
  public func debounced(
    id: some Hashable & Sendable, for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    named(EffectName(id: EffectID(id), rule: .latest, window: nil)) { stream in
      EventStream<Void> { emit in
        try await clock.sleep(for: duration)
        emit(())
      }.flatMap { stream }
    }
  }

  /// Starts at most one effect per window: the first at once; during the window the newest is held and started at its
  /// end (`latest`), or all are dropped.
  ///
  /// Only the async part is limited: synchronous mutations are committed in the step. A newer effect does not cancel one
  /// that runs. ``cancel(id:)`` cancels what runs and what is held, and closes the window.
  ///
  /// - Parameters:
  ///   - id: The id; each has windows of its own.
  ///   - duration: The length of a window. It begins with the start of an effect.
  ///   - latest: Is the newest one of a window started at its end?
  ///   - clock: What measures the time.
  public func throttled(
    id: some Hashable & Sendable, for duration: Duration, latest: Bool = true,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    named(
      EffectName(
        id: EffectID(id), rule: .throttled(holdsLatest: latest), window: EffectWindow(length: duration, clock: clock))
    ) { $0 }
  }

  private func named(
    _ name: EffectName, _ change: (EventStream<Mutation>) -> EventStream<Mutation>
  ) -> Self {
    let unnamed = effects.compactMap { request in
      if case .start(let stream, nil) = request { stream } else { nil }
    }
    guard !unnamed.isEmpty else { return self }
    let stream = change(unnamed.count == 1 ? unnamed[0] : .merge(unnamed))
    // The one effect takes the place of the first of its parts; the others keep theirs.
    var isPlaced = false
    var result = self
    result.requests = .several(
      effects.compactMap { request in
        guard case .start(_, nil) = request else { return request }
        defer { isPlaced = true }
        return isPlaced ? nil : .start(stream, name)
      })
    return result
  }
}
