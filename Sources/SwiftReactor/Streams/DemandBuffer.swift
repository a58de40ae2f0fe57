// Between a stream that pushes and a receiver that asks for a number of values: keeps what was not asked for yet.
// Never: drops a value, hands on two at once, or calls the receiver under its lock.
// Guarded by: `lock`; one thread at a time hands on.

/// Who asks for values. It is called by one thread at a time.
class DemandingReceiver<Element: Sendable>: @unchecked Sendable {
  // Safe to share: subclasses hold constants that may be called from any thread.

  /// Gets a value and says how many more are wanted in addition.
  func receive(_ element: Element) -> DemandBuffer<Element>.Demand { .some(0) }
  /// Nothing follows.
  func finish() {}
}

/// Hands on the values of a stream as far as they are wanted.
final class DemandBuffer<Element: Sendable>: @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`.

  /// How many values are wanted.
  enum Demand: Sendable, Equatable {
    case some(Int)
    case unlimited

    static func + (lhs: Demand, rhs: Demand) -> Demand {
      guard case .some(let left) = lhs, case .some(let right) = rhs else { return .unlimited }
      let (sum, isTooMuch) = left.addingReportingOverflow(right)
      return isTooMuch ? .unlimited : .some(sum)
    }

    var lessOne: Demand {
      if case .some(let count) = self { .some(count - 1) } else { self }
    }
  }

  private let lock = Lock()
  private let receiver: DemandingReceiver<Element>
  private var waiting = Ring<Element>()
  private var demand = Demand.some(0)
  private var isHandingOn = false
  private var hasFinished = false
  private var isOver = false

  init(_ receiver: DemandingReceiver<Element>) {
    self.receiver = receiver
  }

  /// The stream has a value.
  func put(_ element: Element) {
    lock.withLock { if !isOver { waiting.append(element) } }
    handOn()
  }

  /// The stream has ended.
  func end() {
    lock.withLock { hasFinished = true }
    handOn()
  }

  /// More values are wanted.
  func request(_ more: Demand) {
    lock.withLock { demand = demand + more }
    handOn()
  }

  /// Nothing is wanted any more. What waits is let go after unlocking.
  func cancel() {
    let rest = lock.withLock {
      isOver = true
      defer { waiting = Ring() }
      return waiting
    }
    withExtendedLifetime(rest) {}
  }

  private enum Next {
    case value(Element)
    case finish
    case nothing
  }

  private func handOn() {
    // Who is handing on takes what comes meanwhile along.
    let isFirst = lock.withLock {
      defer { isHandingOn = true }
      return !isHandingOn
    }
    guard isFirst else { return }
    while true {
      switch lock.withLock({ next() }) {
      case .value(let element):
        let more = receiver.receive(element)
        lock.withLock { demand = demand + more }
      case .finish: receiver.finish()
      case .nothing: return
      }
    }
  }

  private func next() -> Next {
    if !isOver {
      if demand != .some(0), let element = waiting.popFirst() {
        demand = demand.lessOne
        return .value(element)
      }
      if hasFinished, waiting.isEmpty {
        isOver = true
        return .finish
      }
    }
    isHandingOn = false
    return .nothing
  }
}
