// A scenario under way: which steps are possible now, and what each of them does.

internal import SwiftReactor

/// Something that can happen next.
enum ExploredMove {
  case sender(Int)
  case turn(Int)
  case answer(ExploredWorld.Waiter)
  case goOn(ExploredTask)
}

/// One run of a scenario on a fresh reactor.
final class ScenarioRun<R: Reactor> {
  typealias Step = Scenario<R>.Step

  /// Somebody's steps, and how far they are.
  private struct Course {
    let name: String?
    let steps: [Step]
    var position = 0
    /// What is left of an `advance` that is under way.
    var rest: Duration?

    var isOver: Bool { position == steps.count }
  }

  let world = ExploredWorld()
  let trace: ExploredTrace<R.State>
  /// What has happened, as a script.
  private(set) var performed: [Step] = []
  /// Nil when it is over.
  private var reactor: R!
  private(set) var reactorName: String
  private let queue: ExploredQueue
  /// The reactor lives elsewhere. It is left alone.
  let isStray: Bool
  private var endState: R.State!
  /// The beginning, then the senders.
  private var courses: [Course]

  init(_ plan: ExplorationPlan<R>, keepsEntries: Bool = false) {
    let (world, trace) = (world, ExploredTrace(of: world, keepsEntries: keepsEntries, plan.invariant))
    self.trace = trace
    world.didReport = { [weak trace] in trace?.note($0) }
    courses = [Course(name: nil, steps: plan.scenario.beginning)]
    courses += plan.scenario.senders.map { Course(name: $0.name, steps: $0.steps) }
    let (reactor, queue, isStray) = world.inside {
      world.isMaking = true
      let reactor = plan.make()
      world.isMaking = false
      let queue = world.queue(for: reactor.core.queue)
      guard world.hasMade(reactor.core) else { return (reactor, queue, true) }
      world.run(on: queue) {
        reactor.core.attach(trace)
        reactor.core.startIfNeeded()
      }
      return (reactor, queue, false)
    }
    (self.reactor, self.queue, self.isStray) = (reactor, queue, isStray)
    reactorName = "\(type(of: reactor))"
    trace.check(reactor.core.state)
  }

  var state: R.State { reactor?.core.state ?? endState }

  // MARK: What is possible

  /// What can happen now, in a fixed order. The beginning leaves no choice.
  func moves(holding held: Set<Int>) -> [ExploredMove] {
    if !courses[0].isOver {
      let first = turns.map { ExploredMove.turn($0) } + goingOn(held)
      return [first.first ?? .sender(0)]
    }
    let senders = courses.indices.filter { !courses[$0].isOver }.map { ExploredMove.sender($0) }
    return senders + ownMoves(holding: held)
  }

  /// What can happen without a sender.
  func ownMoves(holding held: Set<Int>) -> [ExploredMove] {
    turns.map { .turn($0) } + world.waiters.map { .answer($0) } + goingOn(held)
  }

  /// The queues in which something waits.
  private var turns: [Int] { world.queues.indices.filter { world.waitingCount(in: world.queues[$0]) > 0 } }

  private func goingOn(_ held: Set<Int>) -> [ExploredMove] {
    world.tasks.filter { held.contains($0.number) && $0.canRun }.map { .goOn($0) }
  }

  /// The move that a step of a script means; nil: it is none, or not possible now.
  private func move(_ step: Step, holding held: Set<Int>) -> ExploredMove? {
    func pick(_ moves: [ExploredMove], _ number: Int) -> ExploredMove? {
      moves.indices.contains(number - 1) ? moves[number - 1] : nil
    }
    switch step.kind {
    case .turn(let number): return turns.contains(number - 1) ? .turn(number - 1) : nil
    case .answer(let gate, let number):
      return pick(world.waiters.filter { $0.name == gate }.map { .answer($0) }, number)
    case .goOn(let name, let number):
      return pick(
        goingOn(held).filter { if case .goOn(let task) = $0 { self.name(of: task) == name } else { false } }, number)
    case .call, .advance, .reference: return nil
    }
  }

  // MARK: Doing it

  func perform(_ move: ExploredMove) {
    switch move {
    case .sender(let number):
      let course = courses[number]
      let place = StepPlace(number: course.position + 1, sender: course.name)
      let rest = perform(course.steps[course.position].at(place), rest: course.rest)
      courses[number].rest = rest
      if rest == nil { courses[number].position += 1 }
    case .turn(let number):
      note(.turn(number + 1))
      world.turn(world.queues[number])
    case .answer(let waiter):
      let line = world.waiters.filter { $0.name == waiter.name }
      note(.answer(waiter.name, number: 1 + (line.firstIndex { $0.wait == waiter.wait } ?? 0)))
      world.answer(waiter)
    case .goOn(let task):
      let name = name(of: task)
      let peers = world.tasks.filter { $0.canRun && self.name(of: $0) == name }
      note(.goOn(name, number: 1 + (peers.firstIndex { $0 === task } ?? 0)))
      world.run(task)
    }
  }

  /// Does what a line of a script says. False: that is not possible now.
  func perform(_ step: Step, holding held: Set<Int>) -> Bool {
    switch step.kind {
    case .call:
      _ = perform(step, rest: nil)
    case .advance(let duration):
      note(step)
      world.advance(by: duration)
    case .turn, .answer, .goOn:
      guard let move = move(step, holding: held) else { return false }
      perform(move)
    case .reference: return false
    }
    return true
  }

  /// Does a sender's step. The result is what is left of it.
  private func perform(_ step: Step, rest: Duration?) -> Duration? {
    switch step.kind {
    case .call(let body):
      note(step)
      if step.isElsewhere { body(reactor) } else { world.run(on: queue) { body(reactor) } }
      return nil
    case .advance(let duration):
      let left = rest ?? duration
      let way = world.way(in: left)
      note(.advance(by: way))
      world.advance(by: way)
      return way < left || world.isOverdue ? left - way : nil
    case .turn, .answer, .goOn, .reference:
      // Only scripts say when these happen.
      note(step)
      return nil
    }
  }

  private func note(_ step: Step) {
    performed.append(step)
    trace.note(step)
  }

  func name(of task: ExploredTask) -> String {
    trace.effects[task.effect]?.action.map { ValueTree($0).line } ?? "effect"
  }

  /// Ends it, so that nothing stays behind.
  func close() {
    trace.isOver = true
    endState = reactor.core.state
    world.inside {
      world.run(on: queue) {
        world.cancelEffects()
        reactor = nil
      }
      world.close()
    }
  }

  // MARK: Equal states

  /// What decides how it goes on, if nothing is on its way and the state can be compared.
  func rest() -> AnyHashable? {
    guard turns.isEmpty, let state = reactor.core.state as? any Hashable else { return nil }
    var tasks: [TaskLikeness: Int] = [:]
    for task in world.tasks where !task.isFinished {
      let likeness = TaskLikeness(
        name: name(of: task), past: task.past, canRun: task.canRun,
        waits: task.waits.map { wait in
          switch wait.hint {
          case .gate(let gate, _): gate.name ?? "gate"
          case .clock: "clock"
          }
        })
      tasks[likeness, default: 0] += 1
    }
    let effects = reactor.core.watchedEffects.map { effect in
      EffectLikeness(
        reactor: effect.reactor, action: effect.action.map { ValueTree($0).line }, id: effect.id,
        isWaiting: effect.isWaiting)
    }
    return AnyHashable(
      RunLikeness(
        state: AnyHashable(state), positions: courses.map(\.position), rests: courses.map(\.rest), time: world.time,
        tasks: tasks, effects: effects))
  }

  private struct RunLikeness: Hashable {
    let state: AnyHashable
    let positions: [Int]
    let rests: [Duration?]
    let time: Duration
    let tasks: [TaskLikeness: Int]
    let effects: [EffectLikeness]
  }

  private struct TaskLikeness: Hashable {
    let name: String
    let past: [ExploredTask.Waking]
    let canRun: Bool
    let waits: [String]
  }

  private struct EffectLikeness: Hashable {
    let reactor: String
    let action: String?
    let id: AnyHashable?
    let isWaiting: Bool
  }
}
