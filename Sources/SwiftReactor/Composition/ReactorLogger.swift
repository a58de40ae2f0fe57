// A reactor's life as lines of text.

#if canImport(os)
  internal import os
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a line for each action and each mutation of a reactor, with what changed in the state.
///
/// ```swift
/// let logger = ReactorLogger<App.State>(redacting: [.hiding(\.password)])
/// let logging = app.attach(logger)
/// logger.isOn = false  // from here on it costs nothing
/// ```
///
/// It writes, for instance:
///
/// ```
/// AppReactor action .rename("Emma") · outside, App/NameView.swift:31
/// AppReactor mutation .name("Emma") · of .rename("Emma")
///     AppState(
///   -   name: "",
///   +   name: "Emma",
///       … 4 unchanged
///     )
/// ```
///
/// Each entry, with its lines, is handed to the sink in one call, on the reactor's queue. By default that is standard error,
/// on Apple's systems the unified log.
///
/// **Threads.** ``isOn`` may be read and set from any thread. **Cost.** While it is on and attached, that of a
/// ``ReactorMiddleware``, and of a mirror of the state before and after each commit: it is for looking, not for leaving on.
/// While it is off, nothing.
public final class ReactorLogger<State: Sendable>: ReactorMiddleware, SwitchedMiddleware, @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`, the rest is constant.
  private let redactions: [LogRedaction<State>]
  private let sink: @Sendable (String) -> Void
  private let lock = Lock()
  private var isOnNow: Bool
  private var followers: [(number: Int, refresh: @Sendable () -> Void)] = []
  private var lastNumber = 0

  /// Makes a logger. Attach it with ``Reactor/attach(_:)``.
  ///
  /// - Parameters:
  ///   - isOn: Does it write from the beginning?
  ///   - redactions: Parts of the state that nobody may read.
  ///   - sink: Takes each entry, without a line break at its end; nil for the usual place. It must not wait for the reactor.
  public init(
    isOn: Bool = true, redacting redactions: [LogRedaction<State>] = [], to sink: (@Sendable (String) -> Void)? = nil
  ) {
    isOnNow = isOn
    self.redactions = redactions
    self.sink = sink ?? ReactorLogSink.put
  }

  /// Does it write? Set on the reactor's queue it counts at once, from elsewhere soon.
  public var isOn: Bool {
    get { lock.withLock { isOnNow } }
    set {
      let followers = lock.withLock {
        isOnNow = newValue
        return self.followers
      }
      for follower in followers { follower.refresh() }
    }
  }

  func whenSwitched(_ refresh: @escaping @Sendable () -> Void) -> EventSubscription {
    let number = lock.withLock {
      lastNumber += 1
      followers.append((lastNumber, refresh))
      return lastNumber
    }
    return EventSubscription(.repeatable) { [weak self] in self?.forget(number) }
  }

  private func forget(_ number: Int) {
    // Released after unlocking.
    let gone = lock.withLock {
      followers.firstIndex { $0.number == number }.map { followers.remove(at: $0) }
    }
    withExtendedLifetime(gone) {}
  }

  // MARK: Writing

  /// Writes the action, if there is one, and the mutations: for middleware that hands on what it is told. Attached, the
  /// logger also hears of actions that come to no commit.
  public func didCommit(_ commit: ReactorCommit<State>) {
    write(
      commit.reactor, commit.actions, commit.mutations, commit.origin, before: commit.before, after: commit.after,
      isCommit: true)
  }

  func write(
    _ reactor: String, _ actions: [any Sendable], _ mutations: [any Sendable], _ origin: ReactorOrigin, before: State,
    after: State, isCommit: Bool
  ) {
    var secrets: Set<String> = []
    var (old, new) = (before, after)
    for redaction in redactions {
      redaction.collect(before, &secrets)
      redaction.collect(after, &secrets)
      redaction.hide(&old)
      redaction.hide(&new)
    }
    let tree: (Any) -> ValueTree = { ValueTree($0).hiding(secrets, by: LogRedaction<State>.sign) }
    let from = origin.text { $0.hiding(secrets, by: LogRedaction<State>.sign) }
    for action in actions { sink("\(reactor) action \(tree(action).line) · \(from)") }
    guard isCommit else { return }
    let cause = actions.last.map { "of \(tree($0).shortLine)" } ?? from
    for (index, mutation) in mutations.enumerated() {
      let line = "\(reactor) mutation \(tree(mutation).line) · \(cause)"
      // The mutations of one commit are one change.
      sink(index == mutations.count - 1 ? line + difference(old, new) : line)
    }
    if mutations.isEmpty { sink("\(reactor) restored" + difference(old, new)) }
  }

  private func difference(_ old: State, _ new: State) -> String {
    let (old, new) = (ValueTree(old), ValueTree(new))
    if old.line == new.line { return " · nothing changed" }
    return TreeDifference(from: old, to: new).lines.map { "\n  \($0)" }.joined()
  }
}

/// A part of a state that a ``ReactorLogger`` keeps to itself.
///
/// In the state there is a placeholder in its place. In actions, mutations and origins whatever reads like the value before
/// or after the commit is hidden too. What never comes into the state, or only later, is not known to be a secret.
///
/// So the difference of the states hides by place, and all else by equal value. The same secret in another field of the
/// state is shown unless that is named as well, and so is one inside a longer text. And a value that is small hides its
/// likes: when a path holds `0` or `false`, every `0` or `false` of an action or a mutation turns into dots.
public struct LogRedaction<State: Sendable>: Sendable {
  static var sign: String { "•••" }

  let hide: @Sendable (inout State) -> Void
  let collect: @Sendable (State, inout Set<String>) -> Void

  /// Shows `placeholder` in place of what is at `path`.
  public static func hiding<Value: Sendable>(_ path: WritableKeyPath<State, Value>, as placeholder: Value) -> Self {
    // Safe: key paths are immutable.
    nonisolated(unsafe) let path = path
    return Self {
      $0[keyPath: path] = placeholder
    } collect: { state, secrets in
      let line = ValueTree(state[keyPath: path]).line
      // Empty values are no secrets, and hiding them would hide all others that are empty.
      if !["\"\"", "nil", "[]", "[:]"].contains(line) { secrets.insert(line) }
    }
  }

  /// Shows dots in place of the text at `path`.
  public static func hiding(_ path: WritableKeyPath<State, String>) -> Self { hiding(path, as: sign) }

  /// Shows dots in place of the text at `path`, or of its absence.
  public static func hiding(_ path: WritableKeyPath<State, String?>) -> Self { hiding(path, as: sign) }
}

/// The usual place for entries.
enum ReactorLogSink {
  #if canImport(os)
    private static let log = os.Logger(subsystem: "SwiftReactor", category: "reactors")

    static func put(_ entry: String) {
      log.debug("\(entry, privacy: .public)")
    }
  #else
    /// One call, so that entries of several threads do not mix.
    static func put(_ entry: String) {
      let line = Array("\(entry)\n".utf8)
      _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
  #endif
}
