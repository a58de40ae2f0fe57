// Keeps: what only some reactors need, in objects that are made when it is first needed. An idle reactor is small.
// Never: decides anything; the files that are named here do.
// Guarded by: one object belongs to the turn, the other to the state's lock, so that each is also made there.

/// What belongs to whoever holds the turn; before first use, to whoever makes or nests the reactor.
@usableFromInline
final class TurnParts<Action: Sendable, Mutation: Sendable, State: Sendable> {
  /// What the reactor was given in place of a `reduce` of its own.
  @usableFromInline @exclusivity(unchecked) var reducer: Reduce<State, Mutation>?
  @usableFromInline @exclusivity(unchecked) var hooks = Hooks<Action, Mutation, State>()
  /// The payloads of what hooks inject while they are started.
  @exclusivity(unchecked) var injected = Inbox<ReactorCore<Action, Mutation, State>.Payload>()
  /// Somebody listens to the subjects.
  @usableFromInline @exclusivity(unchecked) var isTapped = false
  var ids = EffectIDs()
  /// The paths that are observed. A commit finds them through the core.
  @exclusivity(unchecked) var watches: PathWatches<State>?
  /// What the state asks for, once that is followed; see ReactorCore+Feedback.
  @exclusivity(unchecked) var feedbacks: [Feedback<Mutation, State>] = []
  /// The call and the effect of what is handled just now, for the effects that it makes the state ask for.
  @exclusivity(unchecked) var feedbackCause = (call: SlotKey.none, effect: SlotKey.none)
  /// Called after every commit, before anybody is told: for what mirrors the state into other frameworks.
  @usableFromInline @exclusivity(unchecked) var afterCommit: (@Sendable (UnsafeMutablePointer<State>) -> Void)?
  /// Makes the tasks of effects, hooks and timers, if it is not the usual one.
  @exclusivity(unchecked) var runner: (any EffectRunner)?
  /// Gets the actions in place of the reactor's code.
  @usableFromInline @exclusivity(unchecked) var replacement: (@Sendable (any Sendable) -> Void)?
  /// What those who watch need, once somebody has; see ReactorCore+Watching.
  @exclusivity(unchecked) var watching: Watching<Action, State>?
}

/// What belongs to those who watch the steps of a reactor. A part of ``TurnParts``.
final class Watching<Action: Sendable, State: Sendable> {
  /// See everything and change nothing.
  @exclusivity(unchecked) var watchers: [any StepWatcher<State>] = []
  /// What runs just now, while somebody watches.
  @exclusivity(unchecked) var notes = StepNotes<Action>()
  /// The state before the step of a nested reactor that is under way, for those who watch this one.
  var stateBeforeNested: State?
  /// Is told of nested reactors that are watched from here.
  var didJoin: (@Sendable (any RestingReactor) -> Void)?
}

/// What any thread may come to: guarded by the state's lock.
final class SharedParts<Action: Sendable, Mutation: Sendable, State: Sendable> {
  /// Takes the reports of this reactor in a test. A child that has none takes its parent's.
  var reportHandler: (@Sendable (ReactorReport) -> Void)?
  /// The streams of `action` and `mutation`, once somebody asked for them.
  var taps = Taps<Action, Mutation>()
  /// Those who show what is there, and want to be told when it is to be shown again.
  var controls: [ShownControl<State>] = []
  /// What the state will ask for from the reactor's first use on.
  var comingFeedbacks: [Feedback<Mutation, State>] = []
  #if canImport(Combine)
    /// What views are told with, once there is one.
    var viewPublisher: ViewPublisher?
  #endif
}

extension ReactorCore {
  /// Made if need be. In a turn, or before first use.
  var madeParts: TurnParts<Action, Mutation, State> {
    if let parts { return parts }
    let made = TurnParts<Action, Mutation, State>()
    parts = made
    return made
  }

  /// The shared parts, made if need be. Only under the state's lock.
  var madeSharedParts: SharedParts<Action, Mutation, State> {
    if let sharedParts { return sharedParts }
    let made = SharedParts<Action, Mutation, State>()
    sharedParts = made
    return made
  }

  /// What the reactor was given in place of a `reduce` of its own.
  @inlinable var reducer: Reduce<State, Mutation>? { parts?.reducer }

  /// Makes the tasks of effects, hooks and timers. In a turn.
  var runner: any EffectRunner { parts?.runner ?? DetachedEffectRunner() }

  var pathWatches: PathWatches<State>? { parts?.watches }

  var madePathWatches: PathWatches<State> {
    let parts = madeParts
    if let watches = parts.watches { return watches }
    let made = PathWatches<State>()
    parts.watches = made
    uncountedWatches = .passUnretained(made)
    return made
  }

  var watchers: [any StepWatcher<State>] { parts?.watching?.watchers ?? [] }

  /// Only while somebody watches, or to begin with it.
  var watching: Watching<Action, State> {
    let parts = madeParts
    if let watching = parts.watching { return watching }
    let made = Watching<Action, State>()
    parts.watching = made
    return made
  }
}
