// Watches an explored reactor: holds every commit to the invariant, and keeps what happened if somebody wants to read it.

internal import SwiftReactor

/// What is wrong with an order.
struct Violation: Sendable {
  let message: String
  /// It can only be seen when everything is over.
  let isAtEnd: Bool
}

/// The steps of one run.
final class ExploredTrace<State: Sendable>: StepWatcher, @unchecked Sendable {
  // Safe to share: only touched by the thread that explores. What comes on others is noticed as such, and ends everything.

  /// What is read later.
  enum Entry {
    case script(@Sendable () -> SourceText)
    case step(WatchedStep<State>)
    case effect(EffectEvent, WatchedEffect)
    case report(ReactorReport)
  }

  private weak var world: ExploredWorld?
  private let invariant: (State) throws -> Bool
  private let keepsEntries: Bool
  private(set) var entries: [Entry] = []
  private(set) var violation: Violation?
  /// The state that is wrong.
  private(set) var wrongState: State?
  private(set) var effects: [SlotKey: WatchedEffect] = [:]
  /// It is over; what still happens is cleaning up.
  var isOver = false
  /// What happens after a violation, to the end of its turn, explains nothing.
  private var isKeeping: Bool { keepsEntries && !isOver && violation == nil }

  init(of world: ExploredWorld, keepsEntries: Bool, _ invariant: @escaping (State) throws -> Bool) {
    self.world = world
    self.keepsEntries = keepsEntries
    self.invariant = invariant
  }

  func note<R: Reactor>(_ step: Scenario<R>.Step) {
    if isKeeping { entries.append(.script { step.source }) }
  }

  func note(_ report: ReactorReport) {
    if isKeeping { entries.append(.report(report)) }
  }

  /// Holds a state to what should be true of it.
  func check(_ state: State, isAtEnd: Bool = false, _ condition: ((State) throws -> Bool)? = nil) {
    guard violation == nil, !isOver else { return }
    let name = isAtEnd ? "`atEnd` does not hold when everything is over" : "the invariant does not hold"
    do {
      if try !(condition ?? invariant)(state) { violation = Violation(message: name, isAtEnd: isAtEnd) }
    } catch {
      violation = Violation(message: "\(name): \(error)", isAtEnd: isAtEnd)
    }
    if violation != nil { wrongState = state }
  }

  // MARK: Watching

  func willStep() { world?.startedEffect = .none }

  func willMutate(_ action: any Sendable, of reactor: String, from source: StepSource) {}

  func didStep(_ step: WatchedStep<State>) {
    if isKeeping, step.isCommit || !step.actions.isEmpty { entries.append(.step(step)) }
    if step.isCommit { check(step.after) }
  }

  func effectDid(_ event: EffectEvent, _ effect: WatchedEffect) {
    if case .started = event {
      effects[effect.key] = effect
      world?.startedEffect = effect.key
    }
    if isKeeping { entries.append(.effect(event, effect)) }
  }
}
