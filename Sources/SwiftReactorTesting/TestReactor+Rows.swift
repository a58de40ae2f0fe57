// The rows of the table: send, receive, skip.

public import SwiftReactor

extension TestReactor {
  /// Sends an action and says what it does to the state at once.
  ///
  /// ```swift
  /// await test.send(.increment) { $0.count = 1 }
  /// await test.send(.refresh)  // changes nothing at once
  /// ```
  ///
  /// What the action sets off besides its own step (effects, actions that observers send) has to be received.
  ///
  /// The action is sent on the reactor's queue. `expect` turns the state before into the state that is expected; without it
  /// the action must not change the state.
  public nonisolated(nonsending) func send(
    _ action: R.Action, _ expect: ((inout R.State) throws -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let here = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let row: () -> String = { "send(\(ValueTree(action).shortLine))" }
    await begin(row(), here)
    reportRest(before: row(), here)
    let core = reactor.core
    let step = await core.onQueue { [reactor, journal] in
      journal.expectSending()
      core.send(action, to: reactor)
      return journal.takeSent()
    }
    await rest(row(), here)
    pool.failures.flush()
    if let step {
      check(from: step.before, to: step.after, expect, row(), here)
    } else if expect != nil {
      fail(
        """
        \(row()): the action did not reach `mutate`.

        Hint: `transform(action:)` has dropped it or holds it back. Leave the closure out, and receive what comes of it.
        """, here)
    }
  }

  /// Says which mutation comes next, and what it does to the state: one that an effect has emitted, or somebody sent to
  /// `reactor.mutation`.
  ///
  /// ```swift
  /// await test.receive(.loaded(["Emma"])) { $0.titles = ["Emma"] }
  /// ```
  ///
  /// It waits only as long as something can come: if all effects wait for a clock or a gate of this module, or none runs,
  /// it fails at once; otherwise after the ``timeout``. Mutations are compared by `==`; those that have none by what can be
  /// seen of them.
  ///
  /// Where a hook has made several mutations out of one, say them all. `expect` turns the state before into the state that
  /// is expected; without it the state must not change.
  public nonisolated(nonsending) func receive(
    _ mutation: R.Mutation, _ more: R.Mutation..., expect: ((inout R.State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await receive(
      Wanted(R.self, mutations: [mutation] + more), expect,
      TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Says which action comes next that the test has not sent: one from an observer, an effect, a hook, or from outside of
  /// the table.
  ///
  /// ```swift
  /// await test.receive(action: .refresh) { $0.isLoading = true }
  /// ```
  public nonisolated(nonsending) func receive(
    action: R.Action, expect: ((inout R.State) throws -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await receive(
      Wanted(R.self, action: action), expect, TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Says which mutation of a nested reactor comes next. The closure turns the state of the whole into the expected one.
  ///
  /// ```swift
  /// await test.receive(.setName("Rex"), from: DogReactor.self) { $0.dog.name = "Rex" }
  /// ```
  public nonisolated(nonsending) func receive<Child: Reactor>(
    _ mutation: Child.Mutation, from child: Child.Type, expect: ((inout R.State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await receive(
      Wanted(child, mutations: [mutation]), expect,
      TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Says which action of a nested reactor comes next, whoever has sent it. The closure turns the state of the whole into
  /// the expected one.
  ///
  /// ```swift
  /// detail.action(.rename("Rex"))
  /// await test.receive(action: .rename("Rex"), from: DogReactor.self) { $0.dog.name = "Rex" }
  /// ```
  public nonisolated(nonsending) func receive<Child: Reactor>(
    action: Child.Action, from child: Child.Type, expect: ((inout R.State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await receive(
      Wanted(child, action: action), expect,
      TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Says what the next thing that comes, whatever it is, does to the state.
  ///
  /// ```swift
  /// await test.receive { $0.titles = ["Emma"] }
  /// ```
  public nonisolated(nonsending) func receive(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: ((inout R.State) throws -> Void)? = nil
  ) async {
    await receive(Wanted(), expect, TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Forgets what has come and was not received. There must be something to forget.
  public nonisolated(nonsending) func skipReceived(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let here = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await begin("skipReceived()", here)
    if journal.takeAll().isEmpty, exhaustivity == .on {
      fail("skipReceived(): nothing has come that could be skipped.\n\nHint: Leave it out.", here)
    }
  }

  // MARK: Parts

  /// What a row waits for.
  private struct Wanted {
    let text: () -> String
    let row: () -> String
    let matches: (WatchedStep<R.State>) -> Bool

    /// Whatever comes.
    init() {
      text = { "anything" }
      row = { "receive()" }
      matches = { _ in true }
    }

    init<Source: Reactor>(_ source: Source.Type, mutations: [Source.Mutation]) {
      let values = { mutations.map { ValueTree($0).shortLine }.joined(separator: ", ") }
      let name = Source.self == R.self ? nil : "\(Source.self)"
      text = { (name.map { "\($0): " } ?? "") + "mutation \(values())" }
      row = { "receive(\(values())\(name.map { ", from: \($0).self" } ?? ""))" }
      matches = { step in
        step.actions.isEmpty && step.mutations.count == mutations.count && (name == nil || name == step.reactor)
          && zip(step.mutations, mutations).allSatisfy { one, other in
            (one as? Source.Mutation).map { looksEqual($0, other) } ?? false
          }
      }
    }

    init<Source: Reactor>(_ source: Source.Type, action: Source.Action) {
      let value = { ValueTree(action).shortLine }
      let name = Source.self == R.self ? nil : "\(Source.self)"
      text = { (name.map { "\($0): " } ?? "") + "action \(value())" }
      row = { "receive(action: \(value())\(name.map { ", from: \($0).self" } ?? ""))" }
      matches = { step in
        (name == nil || name == step.reactor)
          && step.actions.contains { ($0 as? Source.Action).map { looksEqual($0, action) } ?? false }
      }
    }
  }

  private nonisolated(nonsending) func receive(
    _ wanted: Wanted, _ expect: ((inout R.State) throws -> Void)?, _ here: TestPlace
  ) async {
    if journal.rest.isEmpty { await begin(wanted.row(), here) }
    pool.failures.flush()
    var skipped: [String] = []
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while let step = await next(until: deadline) {
      if wanted.matches(step) {
        return check(from: step.before, to: step.after, expect, wanted.row(), here)
      }
      if exhaustivity == .on { return failMismatch(wanted, step, here) }
      skipped.append(line(step).text)
    }
    failMissing(wanted, skipped, here)
  }

  /// The next thing that comes; nil if nothing can come, or nothing came in time.
  private nonisolated(nonsending) func next(until deadline: ContinuousClock.Instant) async -> WatchedStep<R.State>? {
    while true {
      if let step = journal.takeFirst() { return step }
      guard waitsForOutside, ContinuousClock.now < deadline else { return nil }
      await pool.change(until: deadline)
      await settle()
    }
  }

  private func failMismatch(_ wanted: Wanted, _ step: WatchedStep<R.State>, _ here: TestPlace) {
    let position = journal.rest.firstIndex { wanted.matches($0) }
    let hint =
      position.map { "What is expected comes \($0 == 0 ? "next" : "\($0 + 1) later"): is the order right?" }
      ?? "If it is right that this comes, write `\(line(step).row)`."
    fail(
      """
      \(wanted.row()): something else came.

      - \(wanted.text())
      + \(line(step).text)

      (- expected, + received)
      Hint: \(hint)
      """, here)
  }

  private func failMissing(_ wanted: Wanted, _ skipped: [String], _ here: TestPlace) {
    let running = effectLines
    var text = wanted.row() + ": nothing came"
    if skipped.isEmpty {
      text += waitsForOutside ? " in \(timeout).\n" : ".\n"
    } else {
      text += " but this:\n\n\(list(skipped))\n"
    }
    let failures = journal.failures
    if !failures.isEmpty { text += "\n\(list(failures))\n" }
    if running.isEmpty {
      text += "\nNo effect is running.\n\nHint: "
      text +=
        failures.isEmpty
        ? "Leave this row out, or find out why nothing was set off."
        : "Catch the error in the effect, and turn it into a mutation."
    } else {
      text += "\nRunning:\n\n\(list(running))\n\nHint: \(effectHint)"
    }
    fail(text, here)
  }

  /// Compares a step with what the test says of it.
  private func check(
    from before: R.State, to after: R.State, _ expect: ((inout R.State) throws -> Void)?,
    _ row: @autoclosure () -> String,
    _ here: TestPlace
  ) {
    if expect == nil, exhaustivity == .off { return }
    // Without exhaustivity only what the closure sets is compared.
    var expected = exhaustivity == .on ? before : after
    do {
      try expect?(&expected)
    } catch {
      return fail("\(row()): the closure threw an error: \(error)\n\nHint: Catch it in the closure.", here)
    }
    if looksEqual(expected, after) { return }
    let difference = TreeDifference(from: ValueTree(expected), to: ValueTree(after))
    if ValueTree(expected).line == ValueTree(after).line {
      return fail(
        """
        \(row()): the state is not the expected one, but both look the same:

          \(ValueTree(after).shortLine)

        Hint: They differ in something that is not shown, the identity of an object or a closure. Write an `==` that \
        compares what matters.
        """, here)
    }
    if expect == nil {
      fail(
        """
        \(row()): the state changed, and the test does not say how.

        \(difference.text)

        (- before, + after)
        Hint: Say it in a closure: `{ \(Self.assertion(from: before, to: after)) }`.
        """, here)
    } else {
      fail(
        """
        \(row()): the state is not the expected one.

        \(difference.text)

        (- expected, + actual)
        Hint: Correct the closure, or what the reactor does.
        """, here)
    }
  }

  /// What could stand in the closure.
  private static func assertion(from before: R.State, to after: R.State) -> String {
    guard case .branch(let one) = ValueTree(before), case .branch(let other) = ValueTree(after),
      one.open == other.open, one.kind == .members, !one.open.hasPrefix("."),
      one.parts.map(\.label) == other.parts.map(\.label)
    else { return "$0 = …" }
    let changed = zip(one.parts, other.parts).filter { $0.value.line != $1.value.line }.compactMap(\.1.label)
    return changed.isEmpty ? "$0 = …" : changed.map { "$0.\($0) = …" }.joined(separator: "; ")
  }
}

/// A step that was not asserted, in words.
struct StepLine<State: Sendable> {
  let step: WatchedStep<State>
  /// Is it the step of a reactor that is nested in the one of the table?
  let isNested: Bool

  /// What it was, and where it came from.
  var text: String {
    let cause = step.source.action.map { ValueTree($0).shortLine }
    return "\(isNested ? "\(step.reactor): " : "")\(things), \(origin(cause))"
  }

  /// The row that would have received it.
  var row: String {
    let values = step.actions.isEmpty ? step.mutations : step.actions.suffix(1)
    let texts = values.map { ValueTree($0) }
    guard !texts.isEmpty, texts.allSatisfy({ $0.line == $0.shortLine }), !(isNested && texts.count > 1) else {
      return "await test.receive { … }"
    }
    let label = step.actions.isEmpty ? "" : "action: "
    let source = isNested ? ", from: \(step.reactor).self" : ""
    return "await test.receive(\(label)\(texts.map(\.line).joined(separator: ", "))\(source))"
  }

  private var things: String {
    func list(_ values: [any Sendable]) -> String { values.map { ValueTree($0).shortLine }.joined(separator: ", ") }
    if !step.actions.isEmpty { return "action \(list(step.actions))" }
    return step.source.kind == .restore ? "a restored state" : "mutation \(list(step.mutations))"
  }

  private func origin(_ cause: String?) -> String {
    switch step.source.kind {
    case .outside: "sent from outside of the test reactor"
    case .mutate: "sent by `mutate`" + (cause.map { " of \($0)" } ?? "")
    case .reduce: "sent by `reduce`" + (cause.map { " in the step of \($0)" } ?? "")
    case .observer: "sent by an observer" + (cause.map { " of the step of \($0)" } ?? "")
    case .hook: "from a hook"
    case .otherReactor: "sent in a step of another reactor"
    case .output: "from the output of a nested reactor"
    case .effect: cause.map { "from the effect of \($0)" } ?? "from an effect"
    case .restore: "from `restore`"
    }
  }
}
