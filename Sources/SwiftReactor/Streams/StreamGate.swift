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

  /// Hands on one element, which had `position` in the order of everything accepted. Answers whether the stream goes
  /// on; if not, the gate closes.
  typealias Deliver = @Sendable (_ element: Element, _ position: Int) -> Bool

  let lock: Lock
  private let downstream: (any StreamBacklog)?
  private let waiters: BacklogWaiters
  private var runner: any EffectRunner
  /// Nil once the gate is closed.
  private var deliver: Deliver?
  private var waiting = Ring<Element>()
  /// The thread that hands on; 0 if none does.
  private var owner: UInt = 0
  /// The position of the first element that waits.
  private var handedOn = 0
  /// How many elements were accepted so far: the position of the next one.
  private var accepted = 0
  /// The owner leaves at this position.
  private var limit = 0
  private var isDrainScheduled = false

  init(in context: StreamContext, lock: Lock = Lock(), _ deliver: @escaping Deliver) {
    self.lock = lock
    self.downstream = context.backlog
    self.runner = context.runner
    self.waiters = BacklogWaiters(lock: lock)
    self.deliver = deliver
  }

  /// Accepts `element` and hands it on, or leaves it to the thread that is handing on. Does nothing once closed.
  func emit(_ element: Element) {
    let thread = ThreadMark.thread
    lock.lock()
    guard let deliver else {
      lock.unlock()
      return
    }
    let position = accepted
    accepted += 1
    if owner == 0, waiting.isEmpty {
      owner = thread
      handedOn = accepted
      limit = accepted
      lock.unlock()
      if !deliver(element, position) { close() }
      // Nearly always nothing else came; the loop is only entered if something did.
      if !leave() { drain() }
      return
    }
    waiting.append(element)
    let isFree = owner == 0
    if isFree { owner = thread }
    if owner == thread { limit = accepted }
    lock.unlock()
    if isFree { drain() }
  }

  /// Ends the flow: what waits is dropped, and no delivery begins any more.
  func close() {
    var dropped = Ring<Element>()
    var receiver: Deliver?
    lock.lock()
    swap(&dropped, &waiting)
    swap(&receiver, &deliver)
    let ready = waiters.takeReady(count: 0)
    lock.unlock()
    for continuation in ready { continuation.resume() }
    // What was dropped, and the receiver, are released here, after unlocking.
  }

  /// The position of the next element, nil if the gate is closed. Called under `lock`.
  var nextPosition: Int? { deliver == nil ? nil : accepted }

  /// Lets `runner` make the tasks from now on. The old one is returned, to be released after unlocking. Called under
  /// `lock`.
  func exchangeRunner(_ runner: any EffectRunner) -> any EffectRunner {
    let old = self.runner
    self.runner = runner
    return old
  }

  func waitUntilBelow(_ bound: Int) async {
    await waiters.wait(untilBelow: bound) { [self] in waiting.count }
    await downstream?.waitUntilBelow(bound)
  }

  /// Hands on up to the limit. Called by the owner, without the lock.
  private func drain() {
    while true {
      lock.lock()
      guard let deliver, handedOn < limit, let element = waiting.popFirst() else {
        lock.unlock()
        // Only the owner takes elements and only it moves the limit, so there is still nothing for it to do.
        _ = leave()
        return
      }
      let position = handedOn
      handedOn += 1
      let ready = waiters.takeReady(count: waiting.count)
      lock.unlock()
      for continuation in ready { continuation.resume() }
      if !deliver(element, position) { close() }
    }
  }

  /// Gives the gate up, unless there is something that the owner has to hand on. Called by the owner.
  private func leave() -> Bool {
    lock.lock()
    if deliver != nil, handedOn < limit {
      lock.unlock()
      return false
    }
    owner = 0
    guard accepted > handedOn, deliver != nil, !isDrainScheduled else {
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
