// Those who see everything that a reactor does, and change nothing.

/// Sees every action before it is mutated, and every commit with its mutations and the state before and after, in the order
/// of the commits. It cannot change anything.
///
/// ```swift
/// struct CommitCounter: ReactorMiddleware {
///   let count: @Sendable (Int) -> Void
///   func didCommit(_ commit: ReactorCommit<App.State>) { count(commit.mutations.count) }
/// }
/// let attachment = reactor.attach(CommitCounter(count: statistics.add))
/// ```
///
/// Attached to a reactor it sees the reactors that are nested in it too: each names the one whose step it was.
///
/// **Threads.** It is called in the reactor's turn: on its queue, one call at a time, outside of all locks. It must not wait.
/// It may send actions; they are handled next, like an observer's. Observers are told of a commit after it.
///
/// **Cost.** While at least one is attached, each commit copies the state once, and with it every collection that the
/// mutation then changes; actions take a longer way. Without one there is no cost at all.
public protocol ReactorMiddleware<State>: Sendable {
  /// The state of the reactor that it is attached to.
  associatedtype State: Sendable

  /// An action has passed its hook, and `mutate` is called next. By default nothing is done.
  ///
  /// - Parameters:
  ///   - action: The action; of the type of the reactor whose action it is.
  ///   - reactor: The name of that reactor's type: the one it is attached to, or one that is nested in it.
  ///   - origin: Where the action came from.
  func willMutate(_ action: any Sendable, in reactor: String, from origin: ReactorOrigin)

  /// A commit is done, and nobody has been told of it yet. By default nothing is done.
  func didCommit(_ commit: ReactorCommit<State>)
}

extension ReactorMiddleware {
  /// Does nothing.
  public func willMutate(_ action: any Sendable, in reactor: String, from origin: ReactorOrigin) {}
  /// Does nothing.
  public func didCommit(_ commit: ReactorCommit<State>) {}
}

/// One commit, as middleware sees it.
public struct ReactorCommit<State: Sendable>: Sendable {
  /// The name of the type of the reactor whose step it was: the one that the middleware is attached to, or one that is
  /// nested in it.
  public let reactor: String
  /// The action; none for mutations that belong to no action, several if a hook made several out of one.
  public let actions: [any Sendable]
  /// What was reduced, in order; none if the state was restored.
  public let mutations: [any Sendable]
  /// Where the action came from; the mutations, if they belong to none.
  public let origin: ReactorOrigin
  /// The state of the reactor that the middleware is attached to, before all mutations.
  public let before: State
  /// The same after them.
  public let after: State
}

/// What set a step of a reactor off.
public struct ReactorOrigin: @unchecked Sendable, CustomStringConvertible {
  // Safe to share: constants, and the id was `Sendable` when it came in.

  /// The kinds of origins.
  public enum Kind: Sendable {
    /// A sender that is no part of a step and no effect: a view, a test, another thread.
    case outside
    /// Code of a reactor's user that ran in a step of that very reactor.
    case mutate, reduce, observer, hook
    /// Code that ran in a step of another reactor.
    case otherReactor
    /// What a nested reactor put out.
    case output
    /// An effect, one that the state asked for included.
    case effect
    /// The state was replaced by `restore`.
    case restore
  }

  /// What kind of origin it is.
  public let kind: Kind
  /// The action that caused it: the one in whose step it was sent, or whose effect it comes from.
  public let action: (any Sendable)?
  /// The query of the state that asked for the effect it comes from.
  public let query: (any Sendable)?
  /// The id of the effect it comes from, if it was given one.
  public let effectID: AnyHashable?
  /// Where in the code it was sent, if it was sent.
  public let place: SendPlace?

  init(_ source: StepSource) {
    kind =
      switch source.kind {
      case .outside: .outside
      case .mutate: .mutate
      case .reduce: .reduce
      case .observer: .observer
      case .hook: .hook
      case .otherReactor: .otherReactor
      case .output: .output
      case .effect: .effect
      case .restore: .restore
      }
    action = source.action
    query = source.query
    effectID = source.effectID
    place = source.place
  }

  /// `outside, App/List.swift:12`, or `effect "load" of .refresh`.
  public var description: String { text { $0 } }

  /// The same, with parts of what it is about hidden.
  func text(hiding hide: (ValueTree) -> ValueTree) -> String {
    var text = "\(kind)"
    if let effectID { text += " \(hide(ValueTree(effectID.base)).shortLine)" }
    if let action {
      text += " of \(hide(ValueTree(action)).shortLine)"
    } else if let query {
      text += " for \(hide(ValueTree(query)).shortLine)"
    }
    if let place { text += ", \(place)" }
    return text
  }
}

extension Reactor {
  /// Lets `middleware` see everything that this reactor, and those nested in it, do from now on.
  ///
  /// - Returns: What keeps it attached: cancelled or let go, it is detached. Called on the queue it sees nothing any more
  ///   after that.
  ///
  /// **Threads.** From any thread. On the queue, outside of a turn, it is attached when this returns; otherwise before
  /// anything that the caller sends afterwards.
  public func attach(_ middleware: some ReactorMiddleware<State>) -> EventSubscription {
    core.attach(middleware)
  }
}

extension ReactorCore {
  func attach(_ middleware: some ReactorMiddleware<State>) -> EventSubscription {
    let watcher = MiddlewareWatcher(middleware)
    let refresh: @Sendable () -> Void = { [weak self] in self?.refresh(watcher) }
    let switching = (middleware as? any SwitchedMiddleware)?.whenSwitched(refresh)
    refresh()
    return EventSubscription(.repeatable) {
      switching?.cancel()
      watcher.isAttached = false
      refresh()
    }
  }
}

/// Middleware that can be switched off, and is detached as long as it is.
protocol SwitchedMiddleware: Sendable {
  var isOn: Bool { get }
  /// Calls `refresh` whenever `isOn` has changed.
  func whenSwitched(_ refresh: @escaping @Sendable () -> Void) -> EventSubscription
}

/// Something that watches only at times.
protocol SwitchedWatcher: AnyObject, Sendable {
  var wantsSteps: Bool { get }
}

/// Stands between the engine and a middleware.
final class MiddlewareWatcher<Middleware: ReactorMiddleware>: StepWatcher, SwitchedWatcher, @unchecked Sendable {
  // Safe to share: the flag is only touched under `lock`, the rest is constant.
  private let middleware: Middleware
  private let lock = Lock()
  private var isAttachedNow = true

  init(_ middleware: Middleware) {
    self.middleware = middleware
  }

  var isAttached: Bool {
    get { lock.withLock { isAttachedNow } }
    set { lock.withLock { isAttachedNow = newValue } }
  }

  var wantsSteps: Bool { isAttached && (middleware as? any SwitchedMiddleware)?.isOn != false }

  func willMutate(_ action: any Sendable, of reactor: String, from source: StepSource) {
    if wantsSteps { middleware.willMutate(action, in: reactor, from: ReactorOrigin(source)) }
  }

  func didStep(_ step: WatchedStep<Middleware.State>) {
    guard wantsSteps else { return }
    if let logger = middleware as? ReactorLogger<Middleware.State> {
      // What is to be hidden in an action is only known with the commit, so it does not ask for the action before.
      return logger.write(
        step.reactor, step.actions, step.mutations, ReactorOrigin(step.source), before: step.before, after: step.after,
        isCommit: step.isCommit)
    }
    guard step.isCommit else { return }
    middleware.didCommit(
      ReactorCommit(
        reactor: step.reactor, actions: step.actions, mutations: step.mutations, origin: ReactorOrigin(step.source),
        before: step.before, after: step.after))
  }

  func effectDid(_ event: EffectEvent, _ effect: WatchedEffect) {}
}
