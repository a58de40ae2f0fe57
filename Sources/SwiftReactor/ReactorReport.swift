// One place for everything worth telling that is not worth stopping for (Contract G22).

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Something that went wrong, or looks wrong, without being a reason to stop the program.
///
/// Each is made once and handed to ``ReactorReports/handler``; without a handler of your own it becomes one line on
/// standard error.
public struct ReactorReport: Sendable {
  /// What a report is about. Compare with the constants; further ones may be added, by you too.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name, as it appears in the line on standard error.
    public let name: String

    /// Makes a kind of your own.
    public init(_ name: String) {
      self.name = name
    }

    /// The name.
    public var description: String { name }

    /// An effect ended with an error, and the reactor's error hook was not overridden.
    public static let effectFailed = Kind("effect failed")
    /// A saved state could not be read; see ``Reactor/restore(from:)``.
    public static let restoreFailed = Kind("restore failed")
    /// A stream that ends in a plain ``EventStream/sink(_:)`` or async sequence ended with an error.
    public static let streamFailed = Kind("stream failed")
    /// Something arrived for a reactor or a child that is gone.
    public static let lateArrival = Kind("late arrival")
    /// Very much waits to be handled.
    public static let backlog = Kind("backlog")
    /// A turn does not come to its end.
    public static let longTurn = Kind("long turn")
    /// A turn is open for more than a second while arrivals wait. In debug builds.
    public static let openTurn = Kind("open turn")
    /// A call that cannot mean what it says.
    public static let misuse = Kind("misuse")
  }

  /// What it is about.
  public let kind: Kind
  /// The type of the reactor it happened in; nil outside of one.
  public let reactor: String?
  /// The action it belongs to; nil if none is known.
  public let action: String?
  /// What happened, as a sentence.
  public let message: String

  /// Makes a report.
  public init(kind: Kind, reactor: String? = nil, action: String? = nil, message: String) {
    self.kind = kind
    self.reactor = reactor
    self.action = action
    self.message = message
  }
}

extension ReactorReport: CustomStringConvertible {
  /// The report as one line.
  public var description: String {
    let origin = reactor.map { " \($0)" } ?? ""
    let cause = action.map { " action \($0)" } ?? ""
    return "SwiftReactor [\(kind)]\(origin)\(cause): \(message)"
  }
}

/// Where reports go.
///
/// ```swift
/// ReactorReports.handler = { report in logger.warning("\(report)") }
/// ```
public enum ReactorReports {
  private static let lock = Lock()
  // Safe: only touched under `lock`.
  nonisolated(unsafe) private static var current: @Sendable (ReactorReport) -> Void = writeLine

  /// Takes every report of the program. It is called on whatever thread the report is made, at any time, without a
  /// lock of the framework held; it must not wait. By default it writes one line to standard error.
  public static var handler: @Sendable (ReactorReport) -> Void {
    get { lock.withLock { current } }
    set {
      // The old one is released after unlocking: what it captured may run code of the user.
      var old = newValue
      lock.withLock { swap(&current, &old) }
    }
  }

  // In a box: with a bare function as its type, `withValue` crashes in optimised builds (Swift 6.3).
  @TaskLocal private static var taskHandler: HandlerBox?

  private struct HandlerBox: Sendable {
    let handler: @Sendable (ReactorReport) -> Void
  }

  /// The handler of the running task; nil outside of `withTestHandler`.
  public static var testHandler: (@Sendable (ReactorReport) -> Void)? { taskHandler?.handler }

  /// Lets `handler` take the reports of everything that is made inside `operation`, in place of ``handler``. For tests
  /// that run in parallel: each sees its own reports only.
  ///
  /// ```swift
  /// ReactorReports.withTestHandler({ reports.append($0) }) {
  ///   let reactor = CounterReactor()
  /// }
  /// ```
  public static func withTestHandler<Result>(
    _ handler: @escaping @Sendable (ReactorReport) -> Void, _ operation: () throws -> Result
  ) rethrows -> Result {
    try $taskHandler.withValue(HandlerBox(handler: handler), operation: operation)
  }

  /// Lets `handler` take the reports of everything that is made inside `operation`, in place of ``handler``. For tests
  /// that run in parallel: each sees its own reports only.
  public static func withTestHandler<Result>(
    _ handler: @escaping @Sendable (ReactorReport) -> Void, _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $taskHandler.withValue(HandlerBox(handler: handler), operation: operation)
  }

  /// Hands a report over: to `captured`, the test handler that was in force when the reporting object was made, or
  /// else to the one of the running task, or else to ``handler``.
  static func report(_ report: ReactorReport, to captured: (@Sendable (ReactorReport) -> Void)? = nil) {
    (captured ?? testHandler ?? handler)(report)
  }

  /// Writes the report to standard error in one call, so that lines of several threads do not mix.
  private static func writeLine(_ report: ReactorReport) {
    let line = Array("\(report)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
