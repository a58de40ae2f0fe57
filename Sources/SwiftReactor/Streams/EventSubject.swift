// The way in for values from outside: a stream that is fed by hand, and is the same for all who listen.

/// What an ``EventSubject`` feeds: the usual node, or a reactor's own entrance.
protocol EventInlet<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable
  func send(_ element: Element, at place: SendPlace)
  func finish()
  var stream: EventStream<Element> { get }
}

/// A stream that is fed by hand: what is sent goes to everyone who listens at that time.
///
/// It starts without a value and remembers none. Listeners are served in the order in which they came, and all of them
/// see the same order of values. A listener gets what is sent after it came.
///
/// **Threads.** All calls are allowed from any thread, also inside a delivery. `send` hands the value on before it
/// returns, unless another thread is handing on at that moment (then that one, or the next, or a task does it) or it is
/// called inside a delivery of the same subject (then the value comes next, after the running delivery). It never
/// waits. See Contract G21. `reactor.action` and `reactor.mutation` are subjects too, but theirs are the calls of
/// Contract G2 to G4.
///
/// A subject keeps its listeners' closures until they are cancelled or it finishes; letting a subject go does not
/// finish it.
///
/// ```swift
/// let keys = EventSubject<String>()
/// let subscription = keys.stream.map { $0.uppercased() }.sink { print($0) }
/// keys.send("a")  // prints A
/// ```
public struct EventSubject<Element: Sendable>: Sendable {
  private let inlet: any EventInlet<Element>
  /// The inlet, if it is the usual one: saves the detour through the protocol.
  @usableFromInline let node: SubjectNode<Element>?

  /// Makes a subject without listeners.
  public init() {
    self.init(inlet: SubjectNode<Element>())
  }

  /// Makes the face of something else that takes values.
  init(inlet: any EventInlet<Element>) {
    self.inlet = inlet
    node = inlet as? SubjectNode<Element>
  }

  /// Hands `element` to everyone who listens. Does nothing after ``finish()``.
  ///
  /// Where it is called is shown to the middleware of the reactor, if this is the entrance of one.
  @inlinable
  public func send(_ element: Element, fileID: StaticString = #fileID, line: UInt = #line) {
    if let node {
      node.emit(value: .value(element))
    } else {
      sendThroughInlet(element, at: SendPlace(fileID: fileID, line: line))
    }
  }

  /// The same as a value: `numbers.sink(subject.send)`.
  @inlinable
  @_disfavoredOverload
  public func send(_ element: Element) {
    if let node { node.emit(value: .value(element)) } else { sendThroughInlet(element, at: .unknown) }
  }

  @usableFromInline
  func sendThroughInlet(_ element: Element, at place: SendPlace) {
    inlet.send(element, at: place)
  }

  /// Ends the stream, after all values sent before. The second and later calls do nothing.
  public func finish() {
    inlet.finish()
  }

  /// The stream of what is sent. Who subscribes after the end is told of the end at once.
  public var stream: EventStream<Element> { inlet.stream }
}

/// A hot node: the events that are put in go to all who are subscribed.
@usableFromInline
final class SubjectNode<Element: Sendable>: StreamNode<Element>, EventInlet, @unchecked Sendable {
  // Safe to share: constants; both guard themselves, with the one lock that they share.
  private let gate: StreamGate<StreamEvent<Element>>
  private let listeners: ListenerList<Element>

  override init() {
    let listeners = ListenerList<Element>()
    self.listeners = listeners
    gate = StreamGate(in: StreamContext(), lock: listeners.lock) { event, place in
      listeners.handOn(event, at: place)
    }
    super.init()
  }

  func send(_ element: Element, at place: SendPlace = .unknown) {
    gate.emit(.value(element))
  }

  func finish() {
    gate.emit(.finished, isLast: true)
  }

  /// Hands on any event, in order with the values.
  func emit(_ event: StreamEvent<Element>) {
    if case .finished = event { finish() } else { gate.emit(event) }
  }

  /// Hands on what the caller has made an event of: where its type is known, that costs nothing.
  @usableFromInline
  func emit(value event: StreamEvent<Element>) {
    gate.emit(event)
  }

  var stream: EventStream<Element> { EventStream(.node(self)) }

  /// How many listen. For tests.
  var listenerCount: Int { listeners.count }

  @usableFromInline
  override func subscribe(
    in context: StreamContext, _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void
  ) -> EventSubscription {
    let listeners = listeners
    let gate = gate
    var oldRunner: (any EffectRunner)?
    let listener = listeners.lock.withLock {
      let listener = listeners.add(receive, since: gate.nextPosition)
      if listener != nil { oldRunner = gate.exchangeRunner(context.runner) }
      return listener
    }
    _ = oldRunner
    guard let listener else {
      receive(.finished)
      return .ended
    }
    return EventSubscription(.repeatable) { listeners.remove(listener) }
  }
}

/// The listeners of a subject, in the order in which they came.
private final class ListenerList<Element: Sendable>: @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`, which is the gate's too.

  typealias Receive = @Sendable (StreamEvent<Element>) -> Void

  /// The list holds it, and whoever is handing on; the subscription only knows its number. So the closure goes as soon
  /// as the listener leaves the list.
  final class Listener: @unchecked Sendable {
    // Safe to share: `isListening` is only touched under the list's lock, the others are constants.
    let number: Int
    /// It gets what was accepted at this position or later.
    let since: Int
    let receive: Receive
    // The lock excludes overlapping access, so the run-time check for it is left out.
    @exclusivity(unchecked) var isListening = true

    init(number: Int, since: Int, receive: @escaping Receive) {
      self.number = number
      self.since = since
      self.receive = receive
    }
  }

  let lock = Lock()
  @exclusivity(unchecked) private var listeners: ContiguousArray<Listener> = []
  /// The listener, if there is exactly one: reading it costs less than asking the list.
  @exclusivity(unchecked) private var single: Listener?
  private var nextNumber = 0
  private var isFinished = false

  /// Answers its number, or nil if there is nothing to listen to any more. Called under the lock.
  func add(_ receive: @escaping Receive, since position: Int?) -> Int? {
    guard let position, !isFinished else { return nil }
    defer { nextNumber += 1 }
    listeners.append(Listener(number: nextNumber, since: position, receive: receive))
    single = listeners.count == 1 ? listeners[0] : nil
    return nextNumber
  }

  func remove(_ number: Int) {
    // Released, with its closure, after unlocking.
    var removed: Listener?
    lock.withLock {
      guard let index = index(of: number) else { return }
      removed = listeners.remove(at: index)
      removed?.isListening = false
      single = listeners.count == 1 ? listeners[0] : nil
    }
    _ = removed
  }

  var count: Int { lock.withLock { listeners.count } }

  /// Hands `event` to those who listened when it was accepted and listen still. Answers whether more may follow.
  func handOn(_ event: StreamEvent<Element>, at place: GatePlace) -> Bool {
    if place.isLast {
      handOnEnd(event)
      return false
    }
    lock.lock()
    // The usual case needs no hold of the list and locks once.
    if let single {
      lock.unlock()
      if single.since <= place.position { single.receive(event) }
      return true
    }
    let list = listeners
    lock.unlock()
    for listener in list where listener.since <= place.position {
      // Asked each time: a callback may have cancelled one further down.
      lock.lock()
      let isListening = listener.isListening
      lock.unlock()
      if isListening { listener.receive(event) }
    }
    return true
  }

  /// The end goes to everyone, also to those who came after it was accepted: nothing else will come for them.
  private func handOnEnd(_ event: StreamEvent<Element>) {
    var list: ContiguousArray<Listener> = []
    lock.withLock {
      isFinished = true
      list = listeners
    }
    for listener in list where lock.withLock({ listener.isListening }) { listener.receive(event) }
    list = []
    // Only now: until here one of them may have cancelled another. Released after unlocking.
    lock.withLock {
      single = nil
      swap(&list, &listeners)
    }
  }

  /// The list is sorted by number.
  private func index(of number: Int) -> Int? {
    var low = 0
    var high = listeners.count
    while low < high {
      let middle = (low + high) / 2
      if listeners[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < listeners.count && listeners[low].number == number ? low : nil
  }
}
