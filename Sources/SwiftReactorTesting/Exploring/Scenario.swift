// What happens to a reactor while it is explored: who does what, one step after the other; or one order as a script.

public import SwiftReactor

/// What happens to a reactor that is explored: senders, each with steps that keep their order.
///
/// ```swift
/// let scenario = Scenario<SearchReactor>(
///   .sender("user", .send(.type("a")), .send(.type("b"))),
///   .sender("time", .advance(by: .seconds(1))))
/// ```
///
/// Nobody has to say when effects answer: each wait at a ``Gate`` ends at some time, and
/// ``explore(reactor:scenario:limits:seed:mergingEqualStates:fileID:filePath:line:column:invariant:atEnd:)`` tries every time.
public struct Scenario<R: Reactor>: Sendable {
  /// Somebody who does one thing after the other: a screen, a connection, the time.
  public struct Sender: Sendable {
    let name: String
    let steps: [Step]

    /// Makes a sender. Its name appears in scripts and failures; two of a scenario with the same name are a failure.
    public static func sender(_ name: String, _ steps: Step...) -> Sender { Sender(name: name, steps: steps) }

    /// The same sender somewhere else than on the reactor's queue; see ``Scenario/Step/elsewhere``.
    public var elsewhere: Sender { Sender(name: name, steps: steps.map(\.elsewhere)) }
  }

  let beginning: [Step]
  let senders: [Sender]
  /// One order and no other.
  let script: [Step]?

  /// Makes a scenario of senders. Each keeps the order of its steps; between the steps of different senders every order is
  /// tried.
  ///
  /// - Parameters:
  ///   - beginning: What happens before, in this order and without a break: until there is nothing left to handle.
  ///   - senders: Who does something, at any time after that.
  public init(after beginning: [Step] = [], _ senders: Sender...) {
    self.init(beginning: beginning, senders: senders, script: nil)
  }

  private init(beginning: [Step], senders: [Sender], script: [Step]?) {
    self.beginning = beginning
    self.senders = senders
    self.script = script
  }

  /// One order only: what a failure prints, to be pasted into a test.
  ///
  /// ```swift
  /// let script = Scenario<SearchReactor>.script(.send(.type("a")), .send(.type("b")), .answer("b"), .turn, .answer("a"), .turn)
  /// ```
  ///
  /// Nothing happens that it does not say: what has arrived waits for a ``Step/turn``, and effects wait for an
  /// ``Step/answer(_:number:)``. A step that is not possible when its time comes is a failure.
  public static func script(_ steps: Step...) -> Scenario {
    Scenario(beginning: [], senders: [], script: steps)
  }

  /// The same for a scenario whose steps cannot all be printed: the script names them by ``Step/step(_:of:)``.
  public func script(_ steps: Step...) -> Scenario {
    Scenario(
      beginning: [], senders: [],
      script: steps.map { step in
        guard case .reference(let place) = step.kind else { return step }
        let known = place.sender.map { name in senders.first { $0.name == name }?.steps ?? [] } ?? beginning
        // An unknown one is left as it is: performing it fails, at the place of the call.
        return known.indices.contains(place.number - 1) ? known[place.number - 1].at(place) : step
      })
  }
}

extension Scenario {
  /// One thing that happens, in one go: nothing else comes in between.
  public struct Step: Sendable {
    enum Kind: Sendable {
      case call(@Sendable (R) -> Void)
      case advance(Duration)
      case turn(Int)
      case answer(String, Int)
      case goOn(String, Int)
      case reference(StepPlace)
    }

    let kind: Kind
    var isElsewhere = false
    /// Where it stands in the scenario, if it stands there.
    private(set) var place: StepPlace?
    /// How it is written in a test.
    private let text: @Sendable () -> SourceText

    init(kind: Kind, text: @escaping @Sendable () -> SourceText) {
      self.kind = kind
      self.text = text
    }

    /// It happens because the scenario says so, and not by itself.
    var isOfScenario: Bool {
      switch kind {
      case .call, .advance: true
      case .turn, .answer, .goOn, .reference: false
      }
    }

    func at(_ place: StepPlace) -> Step {
      var copy = self
      copy.place = place
      return copy
    }

    /// The line of a script, without the comma.
    var source: SourceText {
      var source = text()
      if isElsewhere { source.line += ".elsewhere" }
      if !source.isSource, let place { source.reference = place }
      return source
    }

    /// The same somewhere else than on the reactor's queue, as from a thread or a task: an action only arrives, and is
    /// handled in a later ``turn``. Steps are on the queue unless they say so.
    public var elsewhere: Step {
      var copy = self
      copy.isElsewhere = true
      return copy
    }

    /// Sends an action to the reactor.
    public static func send(_ action: R.Action) -> Step {
      Step(kind: .call { $0.action(action) }) { SourceText("send", ValueTree(action)) }
    }

    /// Sends an action to a reactor that is nested in it, `\.detail` or `\.archive.reactor`: to the one that is there then,
    /// if one is.
    public static func send<Child: Reactor>(_ action: Child.Action, to child: any KeyPath<R, Child?> & Sendable) -> Step
    {
      Step(kind: .call { $0[keyPath: child]?.action(action) }) {
        SourceText(ValueTree(action), to: child)
      }
    }

    /// Sends an action to a reactor that is nested in it at all times.
    public static func send<Child: Reactor>(_ action: Child.Action, to child: any KeyPath<R, Child> & Sendable) -> Step
    {
      Step(kind: .call { $0[keyPath: child].action(action) }) {
        SourceText(ValueTree(action), to: child)
      }
    }

    /// Does anything else: sends to a child that has to be looked up, removes one, changes a dependency. The name is for
    /// scripts and failures.
    ///
    /// ```swift
    /// .call("renew the first") { $0.cards.renew(id: 1) }
    /// ```
    public static func call(_ name: String, _ body: @escaping @Sendable (R) -> Void) -> Step {
      Step(kind: .call(body)) { SourceText(line: name, isSource: false) }
    }

    /// Cancels all effects of the reactor.
    public static var cancelEffects: Step {
      Step(kind: .call { $0.cancelEffects() }) { SourceText(line: ".cancelEffects", isSource: true) }
    }

    /// Replaces the state.
    public static func restore(_ state: R.State) -> Step {
      Step(kind: .call { $0.restore(state) }) { SourceText("restore", ValueTree(state)) }
    }

    /// Lets time pass on every ``ManualClock``. Who is due on the way wakes one at a time, the earliest first, and everything
    /// else may happen in between.
    public static func advance(by duration: Duration) -> Step {
      Step(kind: .advance(duration)) {
        SourceText(line: ".advance(by: \(SourceText.duration(duration)))", isSource: true)
      }
    }
  }
}

// MARK: For scripts

extension Scenario.Step {
  /// In a script: the reactor's queue runs what is next, a turn that handles all that has arrived.
  public static var turn: Self { turn(1) }

  /// The same for reactors that share no queue: the turn of the queue with this number, counted as the reactors came.
  public static func turn(_ queue: Int) -> Self {
    Self(kind: .turn(queue)) { SourceText(line: queue == 1 ? ".turn" : ".turn(\(queue))", isSource: true) }
  }

  /// In a script: who waits at a gate goes on, up to its next wait.
  ///
  /// - Parameters:
  ///   - gate: The name of the ``Gate``.
  ///   - number: Where it stands in the line before the gate, if several wait.
  public static func answer(_ gate: String, number: Int = 1) -> Self {
    Self(kind: .answer(gate, number)) { SourceText("answer", gate, number) }
  }

  /// In a script: an effect that can go on does so, up to its next wait.
  ///
  /// - Parameters:
  ///   - effect: The action that it was returned for, as it is printed.
  ///   - number: Which of them, if several can.
  public static func goOn(_ effect: String, number: Int = 1) -> Self {
    Self(kind: .goOn(effect, number)) { SourceText("goOn", effect, number) }
  }

  /// In a script that was made by ``Scenario/script(_:)-swift.method``: a step of the scenario that cannot be printed.
  ///
  /// - Parameters:
  ///   - number: Which one, from 1.
  ///   - sender: The name of its sender; nil for the beginning.
  public static func step(_ number: Int, of sender: String?) -> Self {
    let place = StepPlace(number: number, sender: sender)
    return Self(kind: .reference(place)) { SourceText(line: place.text, isSource: true) }
  }
}
