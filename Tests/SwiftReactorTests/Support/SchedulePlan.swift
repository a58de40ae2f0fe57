// What happens in a world of virtual threads: who does what, in which order, on the queue or elsewhere.

@testable import SwiftReactor

/// One thing that is sent, numbered by its source, so that order, loss and repetition can be told.
struct Item: Hashable, CustomStringConvertible {
  var source: Int
  var number: Int

  var description: String { "\(source).\(number)" }
}

/// A call that user code makes.
enum Op: Hashable {
  case send(Item, to: Int)
  case observe(Int)
  case cancelObserver(Int)
  case cancelEffects(of: Int)
  /// Sends and waits. It is the last thing its thread does.
  case perform(Item, to: Int, call: Int)
  case cancelCall(Int)
  /// Lets go of one reference to a reactor.
  case letGo(of: Int)
  /// An effect hands on a value, or ends.
  case emit(Int, Item)
  case end(Int)
  /// Spins a run loop, which runs a drain of the queue if one is next.
  case spin
  /// Puts a block of its own into the queue, behind what is there.
  case async(Int)
  /// Expects that something was handled.
  case expect(Item)
}

/// What `mutate` answers besides its one synchronous mutation.
enum Request: Hashable {
  /// The only one of its answer: an effect whose one value is there already.
  case instant(Int, Item)
  case start(Int, id: Int?, ReactorMachine.Rule)
  case cancel(id: Int)
}

/// What an action sets off.
struct Reaction {
  var inMutate: [Op] = []
  var inReduce: [Op] = []
  var requests: [Request] = []
}

struct ReactorPlan {
  var isStarted = true
  /// What its hooks inject at the start.
  var injections: [Item] = []
  /// How many references threads let go of; nil: it lives for ever.
  var references: Int?
}

struct ThreadPlan {
  enum Place: Hashable {
    case elsewhere
    /// On the queue, whenever that is free: a timer, an event.
    case queue
    /// In a block that somebody puts into the queue.
    case block
    /// In the task of an effect, or the timer of a window: begins when that is started.
    case task(Int)
    /// The queue itself, which runs the drains that were scheduled.
    case drains
  }

  var name: String
  var place: Place
  var ops: [Op] = []
}

struct ObserverPlan {
  var reactor = 0
  /// Observes the state divided by this; nil: observes every commit.
  var path: Int?
  /// What it does when it gets a value.
  var reactions: [Int: [Op]] = [:]
}

struct EffectPlan {
  var reactor = 0
  /// It is the window after this throttled effect.
  var windowOf: Int?
}

/// A mistake that is planted into what carries the machine's decisions out.
enum Fault: Hashable {
  /// A sender elsewhere drains by itself.
  case drainsElsewhere
  /// A sender goes on before the drain that it relies on is in the queue.
  case scheduledBySomebodyElse
  /// The schedule at the end of a turn is forgotten.
  case lostWakeUp
  /// A sender elsewhere does not put the drain into the queue.
  case neverScheduled
  /// The newest arrival is fetched first.
  case lastInFirstOut
  /// An observer elsewhere reads its initial value at once and is registered in another step.
  case announcedLate
  /// What the machine says is dropped is handled.
  case valueAfterCancel
  case deliveryBeforeCommit
  /// `mutate` runs where the action was sent; its step only commits.
  case mutateOnTheSendersThread
  case registeredAfterStart
  case toldTwice
  /// Every arrival moves the end of the turn.
  case endlessTurn
  /// What arrives while a turn runs is not kept.
  case droppedArrival
  /// What is sent in a step is handled inside it.
  case nestedStep
  /// A sender on the queue leaves its action to a later drain.
  case notNow
  /// A delivery asks once, at its beginning, whom to tell.
  case deliversFromACopy
  /// A window is only timed if the effect that opened it was started.
  case windowIsNotTimed
  /// A released reactor does not say goodbye.
  case staysAfterRelease
  /// Whoever waits for a cancelled call is not woken.
  case callIsForgotten
}

/// In how many steps a sender elsewhere sees to a drain. The worlds of senders walk through all of them; in the others it
/// would only multiply the schedules.
enum Scheduling {
  /// Arrival; putting the drain into the queue; saying that it is there.
  case inThreeSteps
  /// Arrival; both of the others.
  case inTwoSteps
  case inOneStep
}

/// A world before its first step.
struct Plan {
  var scheduling = Scheduling.inThreeSteps
  var reactors = [ReactorPlan()]
  var threads: [ThreadPlan] = []
  var reactions: [Item: Reaction] = [:]
  var observers: [ObserverPlan] = []
  var effects: [EffectPlan] = []
  var calls = 0
  /// How many items each source sends that have to be handled; nil: they may be dropped.
  var sources: [Int?] = []
  var fault: Fault?

  /// Items 1... of a source, sent by one thread.
  @discardableResult
  mutating func sender(
    _ name: String, _ place: ThreadPlan.Place, count: Int, to reactor: Int = 0, then rest: [Op] = []
  ) -> Int {
    let source = addSource(count)
    let sends = (1...count).map { Op.send(Item(source: source, number: $0), to: reactor) }
    threads.append(ThreadPlan(name: name, place: place, ops: sends + rest))
    return source
  }

  mutating func addSource(_ count: Int?) -> Int {
    sources.append(count)
    return sources.count - 1
  }

  /// An effect that hands on some values and ends.
  mutating func effect(values: Int, of reactor: Int = 0) -> Int {
    let effect = effects.count
    let source = addSource(nil)
    effects.append(EffectPlan(reactor: reactor))
    threads.append(
      ThreadPlan(
        name: "effect \(effect)", place: .task(effect),
        ops: (0..<values).map { .emit(effect, Item(source: source, number: $0 + 1)) } + [.end(effect)]))
    return effect
  }

  /// An effect whose one value is there at once.
  mutating func addInstantEffect() -> (effect: Int, item: Item) {
    effects.append(EffectPlan())
    return (effects.count - 1, Item(source: addSource(nil), number: 1))
  }

  /// The window that a throttled effect opens.
  mutating func window(of effect: Int) {
    let window = effects.count
    effects.append(EffectPlan(reactor: effects[effect].reactor, windowOf: effect))
    threads.append(ThreadPlan(name: "window \(window)", place: .task(window), ops: [.end(window)]))
  }

  mutating func thread(_ name: String, _ place: ThreadPlan.Place, _ ops: [Op]) {
    threads.append(ThreadPlan(name: name, place: place, ops: ops))
  }

  mutating func observer(of reactor: Int = 0, path: Int? = nil, _ reactions: [Int: [Op]] = [:]) -> Int {
    observers.append(ObserverPlan(reactor: reactor, path: path, reactions: reactions))
    return observers.count - 1
  }

  mutating func addCall() -> Int {
    calls += 1
    return calls - 1
  }

  /// With the queue's own thread as the last one.
  func complete() -> Plan {
    var plan = self
    plan.threads.append(ThreadPlan(name: "drains", place: .drains))
    return plan
  }
}
