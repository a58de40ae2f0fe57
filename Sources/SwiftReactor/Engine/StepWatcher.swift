// Shows: what a reactor does, step by step, in the order of the commits, and what set each step off.
// Never: changes anything. While nobody watches, nothing here runs and no step is any longer for it.
// Guarded by: the turn. Senders only read `isTraced`, under the lane's lock.

/// Sees what a reactor does, in the order in which it does it, and cannot change anything. While at least one is there
/// the state is copied once per commit.
///
/// It is called in a turn: on the reactor's queue, one call at a time, outside of all locks. It may send actions; they
/// are handled like those of an observer.
@usableFromInline
package protocol StepWatcher<State>: Sendable {
  associatedtype State: Sendable

  /// A step of the watched reactor, or of one that is nested in it, may change the state next.
  func willStep()
  /// An action has passed its hook; `mutate` is called next.
  func willMutate(_ action: any Sendable, of reactor: String, from source: StepSource)
  /// A step is over up to its commit; nobody has been told of it yet.
  func didStep(_ step: WatchedStep<State>)
  /// An effect started, or is over.
  func effectDid(_ event: EffectEvent, _ effect: WatchedEffect)
}

extension StepWatcher {
  package func willStep() {}
}

/// One step: what came in, what it was turned into, what the state became.
@usableFromInline
package struct WatchedStep<State: Sendable>: Sendable {
  /// The type of the reactor whose step it was: the watched one, or one that is nested in it.
  package var reactor: String
  /// The action; none for mutations that belong to no action, several if a hook made several out of one.
  package var actions: [any Sendable]
  /// What was reduced. None: the step had no commit, unless it was a `restore`.
  package var mutations: [any Sendable]
  package var source: StepSource
  /// The base state of the watched reactor, before and after.
  package var before: State
  package var after: State

  package var isCommit: Bool { !mutations.isEmpty || source.kind == .restore }
}

/// What set a step off.
@usableFromInline
package struct StepSource: Sendable {
  package enum Kind: Sendable {
    /// A sender that is no part of a step and no effect.
    case outside
    /// Inside a turn: code of the user that ran in a step of this reactor.
    case mutate, reduce, observer, hook
    /// Inside a turn, but in a step of another reactor.
    case otherReactor
    /// What a nested reactor put out.
    case output
    case effect
    case restore
  }

  package var kind: Kind
  /// The action whose step or effect it was, if it is known.
  package var action: (any Sendable)?
  /// The id of the effect, if it has one.
  var effect: EffectID?
  /// The query of the state that asked for the effect.
  package var query: (any Sendable)?
  /// Where in the code it was sent, if the sender said so.
  package var place: SendPlace?

  package var effectID: AnyHashable? { effect?.value }

  package init(_ kind: Kind, action: (any Sendable)? = nil) {
    self.kind = kind
    self.action = action
  }
}

/// An effect, as a watcher sees it.
@usableFromInline
package struct WatchedEffect: Sendable {
  /// Tells it from all other effects of the reactor's queue.
  package var key: SlotKey
  package var reactor: String
  /// The action that it was returned for.
  package var action: (any Sendable)?
  /// The query of the state that asks for it.
  package var query: (any Sendable)?
  var name: EffectID?
  /// It waits for others under its id.
  package var isWaiting = false

  package var id: AnyHashable? { name?.value }
}

/// What happened to an effect.
@usableFromInline
package enum EffectEvent: Sendable {
  case started
  /// It came to its end by itself.
  case ended
  /// It was cancelled or replaced. It may have been waiting for its start.
  case cancelled
  /// It threw. Its end follows as an event of its own.
  case failed(any Error)
}

/// The turn's notes for watchers: what runs just now.
@usableFromInline
struct StepNotes<Action: Sendable>: Sendable {
  /// Where what is handled came from, if it was noted when it came.
  var source: StepSource?
  /// Which code of the user runs; nil outside of a watched step.
  var phase: StepSource.Kind?
  var action: Action?
}

/// An arrival of a watched reactor, with what its sender was doing.
@usableFromInline
final class TracedArrival<Action: Sendable, Mutation: Sendable>: Sendable {
  @usableFromInline let action: Action?
  @usableFromInline let mutation: Mutation?
  /// The effect in whose task it was sent.
  let effect: EffectOrigin?
  /// What ran in the turn in which it was sent; nil outside of a turn.
  let phase: StepSource.Kind?
  /// The action of that step.
  let cause: Action?
  let place: SendPlace?

  init(
    action: Action?, mutation: Mutation?, effect: EffectOrigin?, phase: StepSource.Kind?, cause: Action?,
    place: SendPlace?
  ) {
    self.action = action
    self.mutation = mutation
    self.effect = effect
    self.phase = phase
    self.cause = cause
    self.place = place
  }
}

/// A request to the turn: who is to watch from here on, or what happened elsewhere that watchers have to hear.
@usableFromInline
final class WatchOrder<State: Sendable>: Sendable {
  let watcher: (any StepWatcher<State>)?
  /// One that watches at times: it is let in or out.
  let refreshed: (any StepWatcher<State>)?
  let runner: (any EffectRunner)?
  let didJoin: (@Sendable (any RestingReactor) -> Void)?
  let cancelled: [WatchedEffect]
  /// From here on actions go there, and nothing else happens.
  let replacement: (@Sendable (any Sendable) -> Void)?
  /// Something that belongs into a turn, behind what was sent before it.
  let errand: (@Sendable () -> Void)?

  init(
    watcher: (any StepWatcher<State>)? = nil, refreshed: (any StepWatcher<State>)? = nil,
    runner: (any EffectRunner)? = nil,
    didJoin: (@Sendable (any RestingReactor) -> Void)? = nil, cancelled: [WatchedEffect] = [],
    replacement: (@Sendable (any Sendable) -> Void)? = nil, errand: (@Sendable () -> Void)? = nil
  ) {
    self.watcher = watcher
    self.refreshed = refreshed
    self.runner = runner
    self.didJoin = didJoin
    self.cancelled = cancelled
    self.replacement = replacement
    self.errand = errand
  }
}
