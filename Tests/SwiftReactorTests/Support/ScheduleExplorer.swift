// Walks through every interleaving of a small world, and counts them. The world is a value, so that a step is a copy.
//
// The machine in the world is the one that runs; what carries its decisions out (`ScheduleDoer`) mirrors `Lane` and
// `ReactorCore` step by step: one atomic step is one call under the lane's lock, or one piece of user code between two.

@testable import SwiftReactor

/// The guarantees that are checked in every schedule, in the contract's words.
enum Guarantee: String, Error {
  case onTheQueueNow = "G2 · On the queue: now"
  case insideATurnNext = "G3 · Inside a turn: next; first in, first out, never nested"
  case inOrder = "G4 · Order of one sender kept, nothing lost, nothing handled twice"
  case beforeLaterBlocks = "G4 · What was sent is handled before a block that its sender puts into the queue afterwards"
  case performReturns = "G4 · perform returns when everything its effects emitted is committed"
  case atomicStep = "G7 · No mutation between what mutate reads and the commit"
  case commitFirst = "G10 · Commit first, deliver after; delivery order is commit order"
  case oneInitialValue = "G11 · Exactly one initial value, then no gap and no repeat"
  case nothingAfterCancelOfObserver = "G12 · After cancel() that callback is not called again"
  case registeredBeforeStart = "G14 · Registered before it starts, left to right"
  case nothingAfterCancelOfEffect = "G15 · After a cancel, nothing"
  case nothingAfterRelease = "G17 · After the release nothing is handled, and nothing is left behind"
  case startedFirst = "G18 · What hooks inject comes before the arrival that caused the start"
  case singleDrainer = "Single drainer: never two turns"
  case noLostWakeUp = "No lost wake-up: nothing waits without a drain"
  case everyTurnEnds = "Every turn ends: no schedule goes round in circles"
  case turnEnd = "Turn end: those behind the last go to a later block"
}

struct Violation: Error {
  var guarantee: Guarantee
  var text: String
}

/// What came out of exploring a world.
struct Exploration: CustomStringConvertible {
  /// The number of different schedules, or 0 if one of them breaks a guarantee.
  var schedules = 0
  /// The number of different worlds on the way.
  var worlds = 0
  var violation: Violation?
  /// The steps that lead to the violation.
  var schedule: [String] = []

  var description: String {
    guard let violation else { return "\(schedules) schedules, \(worlds) worlds" }
    return """
      \(violation.guarantee.rawValue): \(violation.text)
      \(schedule.joined(separator: "\n"))
      """
  }
}

/// Depth first through all schedules. Worlds that were seen are not walked through again; the number of schedules from
/// them on is known.
struct ScheduleExplorer {
  /// A world with its hash, which costs more than everything else and so is computed once.
  private struct Place: Hashable {
    let world: ScheduleWorld
    let hash: Int

    init(_ world: ScheduleWorld) {
      self.world = world
      hash = world.hashValue
    }

    static func == (lhs: Place, rhs: Place) -> Bool { lhs.hash == rhs.hash && lhs.world == rhs.world }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  private let plan: Plan
  /// Which of the counts belongs to a world.
  private var known: [Place: Int] = [:]
  private var counts: [Int] = []
  private var trail: [String] = []

  /// Marks a world from which the present one came.
  private static let onItsWay = -1
  /// A world with more than so many on the way is a mistake of its author: it would take minutes.
  private static let limit = 60_000

  private init(_ plan: Plan) { self.plan = plan }

  static func explore(_ plan: Plan) -> Exploration {
    let plan = plan.complete()
    var explorer = ScheduleExplorer(plan)
    var result = Exploration()
    do {
      result.schedules = try explorer.count(ScheduleWorld(plan))
    } catch {
      result.violation = error
      result.schedule = explorer.trail.reversed()
    }
    result.worlds = explorer.known.count
    return result
  }

  private mutating func count(_ world: ScheduleWorld) throws(Violation) -> Int {
    let place = Place(world)
    if let number = known[place] {
      guard counts[number] != Self.onItsWay else {
        throw Violation(guarantee: .everyTurnEnds, text: "the world is as it was some steps before")
      }
      return counts[number]
    }
    let number = counts.count
    precondition(number < Self.limit, "the world is too large to walk through")
    known[place] = number
    counts.append(Self.onItsWay)
    var count = 0
    var isEnd = true
    for thread in plan.threads.indices where world.canStep(thread, plan) {
      isEnd = false
      var next = world
      do {
        try next.step(thread, plan)
        count += try self.count(next)
      } catch {
        trail.append("\(plan.threads[thread].name): \(world.nextStep(of: thread, plan))")
        throw error
      }
    }
    if isEnd {
      try world.checkEnd(plan)
      count = 1
    }
    counts[number] = count
    return count
  }
}
