// Hands on what several threads emit: one element at a time, in one order, on a thread that emits (Contract G21).
// Never: holds its lock while a receiver runs or an element or a receiver is released; recurses; blocks.
// Guarded by: its lock, which the owner of the gate may share.

/// The serial hand-over behind everything that has more than one input or producer.
///
/// The first thread to come owns the gate. It hands on what waited when it came, its own element, and what it emits
/// from inside those deliveries: next, not nested, so a chain of emissions does not grow the stack. What others emit
/// meanwhile stays for the next one to come. If elements are left when the owner leaves, a task fetches them, so that
/// nothing waits for an emission that may never come.
final class StreamGate<Element: Sendable>: StreamBacklog, @unchecked Sendable {
  // Safe to share: all that changes is only touched under `lock`.

  /// Hands on one element. Answers whether the stream goes on; if not, the gate closes.
  typealias Deliver = @Sendable (_ element: Element, _ place: GatePlace) -> Bool

  /// In a box, since a stored optional closure is wrapped anew each time it is read.
  private final class Receiver: Sendable {
    let deliver: Deliver

    init(_ deliver: @escaping Deliver) {
      self.deliver = deliver
    }
  }

  // The fields of the fast path go without the run-time check for overlapping access: the lock excludes any.
  let lock: Lock
  /// Nil once the gate is closed: who keeps an emitter after the end must not keep all that it fed.
  private var downstream: (any StreamBacklog)?
  private let waiters: BacklogWaiters
  private var runner: any EffectRunner
  /// Nil once the gate is closed.
  @exclusivity(unchecked) private var receiver: Receiver?
  private var waiting = Ring<Element>()
  /// The thread that hands on; 0 if none does.
  @exclusivity(unchecked) private var owner: UInt = 0
  /// The position of the first element that waits.
  @exclusivity(unchecked) private var handedOn = 0
  /// How many elements were accepted so far: the position of the next one.
  @exclusivity(unchecked) private var accepted = 0
  /// The owner leaves at this position.
  @exclusivity(unchecked) private var limit = 0
  /// The position of the last element, once it was accepted.
  @exclusivity(unchecked) private var last = Int.max
  private var isDrainScheduled = false

  init(in context: StreamContext, lock: Lock = Lock(), _ deliver: @escaping Deliver) {
    self.lock = lock
    self.downstream = context.backlog
    self.runner = context.runner
    self.waiters = BacklogWaiters(lock: lock)
    receiver = Receiver(deliver)
  }

  /// Accepts `element` and hands it on, or leaves it to the thread that is handing on. Does nothing once closed.
  /// `isLast` is only a note for the receiver.
  func emit(_ element: Element, isLast: Bool = false) {
    let thread = ThreadMark.thread
    lock.lock()
    guard let receiver else {
      lock.unlock()
      return
    }
    let position = accepted
    if isLast, last == .max { last = position }
    accepted = position + 1
    guard owner == 0, handedOn == position else {
      // `receiver` is still held by the gate, so it is not released in here.
      let isFree = enqueue(element, from: thread)
      lock.unlock()
      if isFree { drain() }
      return
    }
    owner = thread
    handedOn = position + 1
    limit = position + 1
    lock.unlock()
    if !receiver.deliver(element, GatePlace(position: position, isLast: isLast)) { close() }
    // Nearly always nothing else came; the loop is only entered if something did.
    if !leave() { drain() }
  }

  /// Answers whether the thread has become the owner. Called under the lock.
  private func enqueue(_ element: Element, from thread: UInt) -> Bool {
    waiting.append(element)
    let isFree = owner == 0
    if isFree { owner = thread }
    if owner == thread { limit = accepted }
    return isFree
  }

  /// Ends the flow: what waits is dropped, and no delivery begins any more.
  func close() {
    var dropped = Ring<Element>()
    var old: Receiver?
    var oldDownstream: (any StreamBacklog)?
    lock.lock()
    swap(&dropped, &waiting)
    swap(&old, &receiver)
    swap(&oldDownstream, &downstream)
    let ready = waiters.takeReady(count: 0)
    lock.unlock()
    for continuation in ready { continuation.resume() }
    // What was dropped, and who received, is released here, after unlocking.
  }

  /// The position of the next element, nil if the gate is closed. Called under `lock`.
  var nextPosition: Int? { receiver == nil ? nil : accepted }

  /// Lets `runner` make the tasks from now on. The old one is returned, to be released after unlocking. Called under
  /// `lock`.
  func exchangeRunner(_ runner: any EffectRunner) -> any EffectRunner {
    let old = self.runner
    self.runner = runner
    return old
  }

  func waitUntilBelow(_ bound: Int) async {
    await waiters.wait(untilBelow: bound) { [self] in waiting.count }
    await lock.withLock { downstream }?.waitUntilBelow(bound)
  }

  /// Hands on up to the limit. Called by the owner, without the lock.
  private func drain() {
    while true {
      lock.lock()
      guard let receiver, handedOn < limit, let element = waiting.popFirst() else {
        lock.unlock()
        // Only the owner takes elements and only it moves the limit, so there is still nothing for it to do.
        _ = leave()
        return
      }
      let position = handedOn
      handedOn += 1
      let place = GatePlace(position: position, isLast: position == last)
      let ready = waiters.takeReady(count: waiting.count)
      lock.unlock()
      for continuation in ready { continuation.resume() }
      if !receiver.deliver(element, place) { close() }
    }
  }

  /// Gives the gate up, unless there is something that the owner has to hand on. Called by the owner.
  private func leave() -> Bool {
    lock.lock()
    if receiver != nil, handedOn < limit {
      lock.unlock()
      return false
    }
    owner = 0
    guard accepted > handedOn, receiver != nil, !isDrainScheduled else {
      lock.unlock()
      return true
    }
    isDrainScheduled = true
    let runner = runner
    lock.unlock()
    _ = runner.start(priority: nil) { self.drainWhatIsLeft() }
    return true
  }

  /// The body of that task. If another thread came in between, that one takes care of what is left.
  private func drainWhatIsLeft() {
    let thread = ThreadMark.thread
    let isOwner = lock.withLock {
      isDrainScheduled = false
      if owner != 0 || waiting.isEmpty { return false }
      owner = thread
      limit = accepted
      return true
    }
    if isOwner { drain() }
  }
}

/// Where an element stands.
struct GatePlace {
  /// Its place in the order of everything accepted, from 0.
  let position: Int
  /// Nothing follows it.
  let isLast: Bool
}
