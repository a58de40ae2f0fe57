// A world of virtual threads as a value: the machine, what its lane and its cores keep, every thread's stack.

@testable import SwiftReactor

struct ScheduleWorld: Hashable {
  var machine = ReactorMachine()
  var reactors: [Reactor] = []
  var effects: [Effect] = []
  var observers: [Observer] = []
  var calls: [Call] = []
  var stacks: [[Frame]] = []
  /// The thread that is on the queue.
  var onQueue: Int?
  /// The effect whose end was taken last, and is still to be seen to.
  var ending: Int?
  /// What waits in the queue: drains (nil), and blocks of threads.
  var blocks: [Int?] = []
  var ledger = ScheduleLedger()

  /// What a core keeps.
  struct Reactor: Hashable {
    struct Waiting: Hashable {
      var payload: Item?
      /// It keeps the reactor alive until it is handled.
      var keeps = false
      /// Of a planted mistake: what `mutate` read on the sender's thread.
      var read: Int?
    }

    struct Watch: Hashable {
      var path: Int
      var audience: Int
      var value: Int
    }

    var key: SlotKey
    var inbox: [Waiting] = []
    var injected: [Waiting] = []
    var state = 0
    var isObserved = false
    var hearsEveryCommit = false
    var watches: [Watch] = []
    /// The groups of the ids 0, 1, …
    var ids: [SlotKey?] = [nil, nil]
    var references: Int?
    var isAlive = true
    var isClosed = false
  }

  struct Effect: Hashable {
    enum Cancel: Hashable {
      case no
      case elsewhere
      case onQueue
    }

    var key: SlotKey?
    /// The handle is in the lane's side table.
    var isHeld = false
    var isStarted = false
    var hasEnded = false
    var cancel = Cancel.no
    /// The action that it was returned for, and its `perform`.
    var origin: Item?
    var call: Int?
  }

  struct Observer: Hashable {
    enum Cancel: Hashable {
      case no
      /// `isDue`: the machine had said before that it is to be told, so that call counts as begun.
      case elsewhere(isDue: Bool)
      case onQueue
    }

    var key: SlotKey?
    /// `observe` has returned.
    var isReturned = false
    var cancel = Cancel.no
    /// The order of registration.
    var rank = 0
    var last: Int?
  }

  struct Call: Hashable {
    var key: SlotKey?
    var isCancelled = false
    var isOver = false
  }

  /// A step of an arrival, on its way.
  struct Step: Hashable {
    var reactor: Int
    var item: Item
    /// What `mutate` read; nil: it is a mutation and needs none.
    var read: Int?
    var call: Int?
    var effect: Int?
    /// The effect ends with it.
    var isLast = false
  }

  /// Something that is about to arrive.
  struct Message: Hashable {
    var reactor: Int
    var stage: ReactorMachine.Stage
    var item: Item?
    var about = SlotKey.none
    var call: Int?
    var read: Int?
    var isLast = false
  }

  /// Which list of calls user code works through.
  enum Script: Hashable {
    case thread(Int)
    case mutate(Item)
    case reduce(Item)
    case callback(Int, value: Int)
  }

  /// Where a thread is. The last frame of its stack is what it does next.
  enum Frame: Hashable {
    case ops(Script, next: Int)
    case arrive(Message)
    case schedule(ReactorMachine.Ticket)
    case didSchedule(ReactorMachine.Ticket)
    case leave
    case drain
    case work(Int)
    case start(Int, next: Int)
    /// A step, or a start, is under way: it holds its reactor.
    case scope(Int)
    case mutate(Step)
    case commit(Step)
    /// The requests of a step: asking for the group of an id, then registering.
    case request(Step, next: Int, group: SlotKey?, started: [Int])
    case launch([Int], Step?)
    case run(Int)
    case attach(Int)
    case settle(Int)
    case effectEnded(Int)
    case lastEnded(Int, of: Int)
    case startOne(Int)
    case beginDelivery(Int)
    case nextObserver(Int)
    case call(Int, isInitial: Bool)
    case enroll(Int)
    case join(Int)
    case register(Int, audience: Int)
    case startIfNeeded(Int)
    case tidy(Int)
    case close(Int)
    case wait(Int, Item)
    case parked(Int, Item)
    /// No step of its own: a call returns.
    case sent(Item, to: Int)
    case observed(Int)
    /// Of planted mistakes: observers that are called without asking the machine.
    case callAgain([Int])
  }

  init(_ plan: Plan) {
    for reactor in plan.reactors {
      let key = machine.admit()
      machine.reactors[known: key].isStarted = reactor.isStarted
      reactors.append(Reactor(key: key, references: reactor.references))
    }
    effects = Array(repeating: Effect(), count: plan.effects.count)
    observers = Array(repeating: Observer(), count: plan.observers.count)
    calls = Array(repeating: Call(), count: plan.calls)
    stacks = plan.threads.indices.map { plan.threads[$0].ops.isEmpty ? [] : [.ops(.thread($0), next: 0)] }
    ledger = ScheduleLedger(plan)
  }

  // MARK: Looking up

  func ops(of script: Script, _ plan: Plan) -> [Op] {
    switch script {
    case .thread(let thread): plan.threads[thread].ops
    case .mutate(let item): plan.reactions[item]?.inMutate ?? []
    case .reduce(let item): plan.reactions[item]?.inReduce ?? []
    case .callback(let observer, let value): plan.observers[observer].reactions[value] ?? []
    }
  }

  func reactor(_ key: SlotKey) -> Int { reactors.firstIndex { $0.key == key }! }
  func effect(_ key: SlotKey) -> Int? { effects.firstIndex { $0.key == key } }
  func observer(_ key: SlotKey) -> Int { observers.firstIndex { $0.key == key }! }
  func call(_ key: SlotKey) -> Int? { calls.firstIndex { $0.key == key } }

  /// Is the thread inside a `reduce`?
  func isReducing(_ thread: Int) -> Bool {
    stacks[thread].contains { if case .ops(.reduce, _) = $0 { true } else { false } }
  }

  func sender(_ thread: Int) -> ReactorMachine.Sender {
    guard onQueue == thread else { return .elsewhere }
    return isReducing(thread) ? .reduce(thread: UInt(thread + 1)) : .queue(thread: UInt(thread + 1))
  }

  func isInsideTurn(_ thread: Int) -> Bool { machine.isInside(thread: UInt(thread + 1)) }

  /// The value of an observed path.
  func value(of observer: Int, _ plan: Plan) -> Int {
    let reactor = reactors[plan.observers[observer].reactor]
    guard let path = plan.observers[observer].path else { return reactor.state }
    return reactor.watches.first { $0.path == path }?.value ?? reactor.state / path
  }

  // MARK: Who can go on

  func canStep(_ thread: Int, _ plan: Plan) -> Bool {
    let place = plan.threads[thread].place
    guard let top = stacks[thread].last else { return place == .drains && blocks.first == .some(nil) && onQueue == nil }
    switch place {
    case .block where onQueue != thread:
      guard onQueue == nil, blocks.first == thread else { return false }
    case .queue where onQueue != thread:
      if case .parked = top { break }
      guard onQueue == nil else { return false }
    case .task(let effect):
      guard effects[effect].isStarted else { return false }
    case .queue, .block, .elsewhere, .drains: break
    }
    switch top {
    case .parked(let call, _): return calls[call].isOver
    case .ops(let script, let next):
      switch ops(of: script, plan)[next] {
      case .cancelObserver(let observer): return observers[observer].isReturned || script != .thread(thread)
      case .cancelCall(let call): return calls[call].key != nil
      default: return true
      }
    default: return true
    }
  }

  /// What a thread does next, for people.
  func nextStep(of thread: Int, _ plan: Plan) -> String {
    guard let top = stacks[thread].last else { return "openTurn" }
    if case .ops(let script, let next) = top { return "\(ops(of: script, plan)[next])" }
    return "\(top)"
  }
}
