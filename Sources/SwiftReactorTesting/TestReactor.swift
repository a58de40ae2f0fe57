// A reactor's behaviour as a table: what was sent, what came back, what the state became.

public import SwiftReactor

/// How much a test has to say.
public enum Exhaustivity: Sendable {
  /// Everything: each change of the state, each mutation, each action that was not sent by the test, each effect's end.
  case on
  /// Only what it is about. `receive` skips what comes before the thing it waits for, and the closures assert only what
  /// they set.
  case off
}

/// Runs a reactor in a test, step by step, and holds it to what the test says.
///
/// ```swift
/// let answered = Gate()
/// let test = TestReactor(
///   TitlesReactor(titles: {
///     try await answered.wait()
///     return ["Emma"]
///   }))
/// await test.send(.load) { $0 = .loading }
/// answered.open()
/// await test.receive(.loaded(["Emma"])) { $0 = .loaded(["Emma"]) }
/// await test.finish()
/// ```
///
/// Each row of the table is an `await`. It returns when everything that can run has run: effects are where they wait for
/// a ``ManualClock``, a ``Gate``, or something outside of the program. So there is no sleeping, no polling and no run loop
/// in a test, with XCTest and Swift Testing, on Linux and on Apple's systems.
///
/// **Exhaustive.** By default these are failures, at the line that should have said so: a state that is not what the
/// closure makes of the one before; a change without a closure; a mutation or an action that was not received before the
/// next `send` or ``finish(fileID:filePath:line:column:)``; an effect that still runs at the end. See ``exhaustivity``.
///
/// **Making it.** Let the reactor be made in the call, `TestReactor(SearchReactor(…))` or `TestReactor { … }`: then all
/// its effects are counted. One that was made before is taken over; effects that it has already started run uncounted.
/// Making the table is the reactor's first use: what its hooks inject at the start is there to be received.
///
/// **The state** of the table is the base state: what `reduce` works on. A `transform(state:)` changes what is shown.
///
/// **Threads.** Use it from one task. It works from any actor; actions are sent on the reactor's queue.
///
/// **Platforms.** On systems without task executors (before macOS 15, iOS 18, tvOS 18, watchOS 11) an effect that waits for
/// something else than a clock or a gate of this module costs each row about 40 milliseconds; see ``settle()``.
public final class TestReactor<R: Reactor> {
  /// The reactor.
  public let reactor: R

  /// How much has to be said from here on; by default everything.
  public var exhaustivity: Exhaustivity

  /// How long `receive` and `finish` wait for an effect that does not wait for a clock or a gate of this module, but for
  /// something outside: real time, a file, the network. By default five seconds.
  public var timeout: Duration

  let pool: TestPool
  let journal: TestJournal<R.State>
  private let place: TestPlace
  private var isFinished = false

  /// Makes a table for the reactor that `reactor` makes.
  ///
  /// ```swift
  /// let test = TestReactor(CounterReactor())
  /// ```
  public convenience init(
    _ reactor: @autoclosure () throws -> R, exhaustivity: Exhaustivity = .on, timeout: Duration = .seconds(5),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) rethrows {
    try self.init(
      exhaustivity: exhaustivity, timeout: timeout, fileID: fileID, filePath: filePath, line: line, column: column,
      reactor)
  }

  /// Makes a table for the reactor that `make` makes.
  ///
  /// ```swift
  /// let test = TestReactor {
  ///   let reactor = CounterReactor()
  ///   reactor.restore(.init(count: 5))
  ///   return reactor
  /// }
  /// ```
  public convenience init(
    exhaustivity: Exhaustivity = .on, timeout: Duration = .seconds(5), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ make: () throws -> R
  ) rethrows {
    try self.init(
      pool: TestPool.current ?? TestPool(), exhaustivity, timeout,
      TestPlace(fileID: fileID, filePath: filePath, line: line, column: column), make)
  }

  init(
    pool: TestPool, _ exhaustivity: Exhaustivity, _ timeout: Duration, _ place: TestPlace, _ make: () throws -> R
  ) rethrows {
    let environment = pool.environment
    let reactor = try ReactorEnvironment.$current.withValue(environment) { try make() }
    let isCounted = pool.contains(reactor.core)
    self.reactor = reactor
    self.pool = pool
    self.exhaustivity = exhaustivity
    self.timeout = timeout
    self.place = place
    journal = TestJournal(pool: pool)
    pool.add(reactor.core)
    reactor.core.attach(journal, runner: isCounted ? nil : environment.runner) { [weak pool] in pool?.add($0) }
    reactor.core.startIfNeeded()
  }

  deinit {
    pool.failures.flush()
    if isFinished || exhaustivity == .off { return }
    let left = journal.rest.map { line($0).text } + effectLines
    if left.isEmpty { return }
    fail(
      """
      The test ended without `await test.finish()`, and this was left:

      \(list(left))

      Hint: Say what is expected of it, and end the test with `await test.finish()`.
      """, place)
  }

  /// The base state now: what `reduce` made of everything that has happened.
  public var state: R.State { reactor.core.state }

  /// Waits until nothing is runnable any more without input from outside, without asserting anything.
  public nonisolated(nonsending) func settle() async {
    await pool.settle()
  }

  /// Says that the test is over: nothing is left to be received, and no effect runs any more.
  ///
  /// Effects that wait for something outside of the program get the ``timeout`` to end. Without exhaustivity nothing is
  /// asked.
  public nonisolated(nonsending) func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let here = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await begin("finish()", here)
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while exhaustivity == .on, waitsForOutside, ContinuousClock.now < deadline {
      await pool.change(until: deadline)
      await pool.settle()
    }
    isFinished = true
    guard exhaustivity == .on else { return }
    reportRest(before: "finish()", here)
    let running = effectLines
    guard !running.isEmpty else { return }
    fail(
      """
      finish(): \(running.count == 1 ? "an effect is" : "\(running.count) effects are") still running:

      \(list(running))

      Hint: \(effectHint) Or cancel it, if it is meant to run for ever.
      """, here)
  }

  // MARK: Parts

  /// What every row begins with: rest, and what was recorded meanwhile.
  nonisolated(nonsending) func begin(_ row: @autoclosure () -> String, _ here: TestPlace) async {
    await rest(row(), here)
    pool.failures.flush()
    if isFinished { fail("\(row()): the test was over with `finish()`.\n\nHint: Move `finish()` to the end.", here) }
  }

  /// Waits for rest; without it nothing that a row says can be relied on.
  nonisolated(nonsending) func rest(_ row: @autoclosure () -> String, _ here: TestPlace) async {
    if await pool.settle() { return }
    let running = effectLines
    fail(
      """
      \(row()): after \(pool.patience) there is still no rest, something runs and runs.

      \(running.isEmpty ? "No effect is running." : "Running:\n\n\(list(running))")

      Hint: Look for a loop without an end, or something that repeats on an ImmediateClock.
      """, here)
  }

  func fail(_ message: String, _ here: TestPlace) {
    pool.failures.record(message, at: here)
  }

  func line(_ step: WatchedStep<R.State>) -> StepLine<R.State> {
    StepLine(step: step, isNested: step.reactor != "\(type(of: reactor))")
  }

  func list(_ lines: [String]) -> String {
    lines.map { "  \($0)" }.joined(separator: "\n")
  }

  /// Everything has to be received before something new begins.
  func reportRest(before row: @autoclosure () -> String, _ here: TestPlace) {
    let rest = journal.takeAll()
    guard let first = rest.first, exhaustivity == .on else { return }
    fail(
      """
      \(row()): \(rest.count == 1 ? "this was" : "these were") not received before:

      \(list(rest.map { line($0).text }))

      Hint: Write `\(line(first).row)` before it, or `await test.skipReceived()` if it does not matter here.
      """, here)
  }

  /// Does an effect run that may go on without the test?
  var waitsForOutside: Bool {
    if pool.hasUnparkedTasks { return true }
    return reactor.core.watchedEffects.contains { !$0.isWaiting && pool.parkings(of: $0.key).isEmpty }
  }

  /// The effects that run or wait, with what they wait for.
  var effectLines: [String] {
    reactor.core.watchedEffects.map { effect in
      var line =
        effect.action.map { "the effect of \(ValueTree($0).shortLine)" }
        ?? effect.query.map { "the effect of the query \(ValueTree($0).shortLine)" } ?? "an effect"
      if effect.reactor != "\(type(of: reactor))" { line += " of \(effect.reactor)" }
      if let id = effect.id { line += ", id \(ValueTree(id.base).shortLine)" }
      if effect.isWaiting { line += ", waits for another one with its id" }
      for parking in pool.parkings(of: effect.key) { line += ", \(parking.describe())" }
      return line
    }
  }

  /// What can be done so that the effects go on.
  var effectHint: String {
    let hints = reactor.core.watchedEffects.flatMap { pool.parkings(of: $0.key) }.map(\.hint)
    if hints.contains(where: \.isClock) { return "Advance the clock: `await clock.advance(by: …)`." }
    if hints.contains(where: \.isGate) { return "Open the gate: `gate.open()`." }
    return "Let its dependency answer."
  }
}
