// Pushes: inputs through the `transform` hooks, and tells what belongs to an input from what comes at another time.
// Never: calls a hook function twice, lets a hook's input complete.
// Guarded by: the turn. What a hook hands on from another thread, or later, becomes an arrival and so gets its turn.

/// The hooks of a reactor that were overridden; nil for those that returned their input.
@usableFromInline
struct Hooks<Action: Sendable, Mutation: Sendable, State: Sendable> {
  @usableFromInline var action: Hook<Action>?
  @usableFromInline var mutation: Hook<Mutation>?
  @usableFromInline var state: Hook<State>?

  var isPlain: Bool { action == nil && mutation == nil }

  func stop() {
    action?.stop()
    mutation?.stop()
    state?.stop()
  }
}

/// What a hook handed on while something was pushed through it. Mostly one element, so that one needs no array.
@usableFromInline
struct Passed<Element> {
  @usableFromInline var first: Element?
  @usableFromInline var rest: [Element]

  @inlinable
  init(first: Element? = nil, rest: [Element] = []) {
    self.first = first
    self.rest = rest
  }

  @inlinable
  mutating func append(_ element: Element) {
    if first == nil { first = element } else { rest.append(element) }
  }

  @inlinable var all: [Element] { first.map { [$0] + rest } ?? [] }
}

/// One overridden hook: an input, the user's operators, an output.
///
/// It lives in a circle with the subscription to its output, until the core stops it.
@usableFromInline
final class Hook<Element: Sendable>: @unchecked Sendable {
  // Safe to share: everything is used in a turn only, except `receiveOther`, which first asks whether its thread is the
  // one that is pushing.
  @usableFromInline let input: HookInput<Element>
  private let output: Output
  private var subscription: EventSubscription?
  @usableFromInline @exclusivity(unchecked) var passed = Passed<Element>()
  /// An input is being pushed, or the hook is being started. Only asked by the thread that is marked.
  @usableFromInline @exclusivity(unchecked) var isPassing = false
  @usableFromInline @exclusivity(unchecked) var isStarting = false
  @usableFromInline let mark = ThreadMark.passing
  /// The core, of which the mark speaks. Only compared: the core may be gone.
  @usableFromInline let core: UnsafeRawPointer

  /// What becomes of an element that the hook hands on while no input is pushed.
  struct Output: Sendable {
    var late: @Sendable (Element) -> Void
    /// During the start; nil: it is collected.
    var injected: (@Sendable (Element) -> Void)?
    var failed: @Sendable (any Error) -> Void
  }

  private init(_ input: HookInput<Element>, of core: AnyObject, _ output: Output) {
    self.input = input
    self.core = UnsafeRawPointer(Unmanaged.passUnretained(core).toOpaque())
    self.output = output
  }

  /// Calls the user's function. Nil: it returned its input, so there is nothing to push through.
  ///
  /// - Parameter receiver: Forms what gets the hook's events; see ``receiver(_:)``.
  static func make(
    _ transform: (EventStream<Element>) -> EventStream<Element>, of core: AnyObject, in context: StreamContext,
    _ output: () -> Output,
    receiver: (Hook) -> @Sendable (StreamEvent<Element>) -> Void
  ) -> Hook? {
    let input = HookInput<Element>()
    let result = transform(EventStream(.node(input)))
    if case .node(let node) = result.source, node === input { return nil }
    let hook = Hook(input, of: core, output())
    hook.isStarting = true
    hook.isPassing = true
    let outer = ThreadMark.begin(core)
    hook.subscription = result.subscribe(in: context, receiver(hook))
    ThreadMark.end(outer)
    hook.isPassing = false
    hook.isStarting = false
    return hook
  }

  /// Formed by the caller so that it is specialised in the module that knows the element.
  @inlinable
  static func receiver(_ hook: Hook) -> @Sendable (StreamEvent<Element>) -> Void {
    { event in
      if case .value(let element) = event, hook.belongsToInput, !hook.isStarting {
        hook.passed.append(element)
      } else {
        hook.receiveOther(event)
      }
    }
  }

  /// Pushes inputs through and returns what the hook hands on meanwhile. Between the core's `beginPassing` and
  /// `endPassing`.
  @inlinable
  func pass(_ first: Element, _ rest: [Element] = []) -> Passed<Element> {
    isPassing = true
    input.push(first)
    for element in rest { input.push(element) }
    isPassing = false
    return takePassed()
  }

  /// Is the running thread the one that is pushing?
  @inlinable var belongsToInput: Bool { ThreadMark.isSet(mark, core) && isPassing }

  /// What came out and has not been asked for.
  @inlinable
  func takePassed() -> Passed<Element> {
    if passed.rest.isEmpty { return Passed(first: passed.first.take()) }
    var taken = Passed<Element>()
    swap(&taken, &passed)
    return taken
  }

  /// Everything but an element that belongs to an input.
  @usableFromInline
  func receiveOther(_ event: StreamEvent<Element>) {
    switch event {
    case .failure(let error): output.failed(error)
    case .finished: break
    case .value(let element):
      guard belongsToInput else { return output.late(element) }
      if isStarting, let injected = output.injected { injected(element) } else { passed.append(element) }
    }
  }

  /// Ends it, and with it everything that the user's operators subscribed to.
  func stop() {
    subscription?.cancel()
    subscription = nil
  }
}

/// The input of a hook: hot, shared by all who use it, never complete.
@usableFromInline
final class HookInput<Element: Sendable>: StreamNode<Element>, @unchecked Sendable {
  // Safe to share: the list is only touched under `lock`.
  @usableFromInline typealias Receive = @Sendable (StreamEvent<Element>) -> Void
  @usableFromInline let lock = Lock()
  @usableFromInline @exclusivity(unchecked) var receivers: ContiguousArray<(number: Int, receive: Receive)> = []
  private var lastNumber = 0

  override init() {
    super.init()
  }

  override func subscribe(
    in context: StreamContext, _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void
  ) -> EventSubscription {
    let number = lock.withLock {
      lastNumber += 1
      receivers.append((lastNumber, receive))
      return lastNumber
    }
    return EventSubscription(.repeatable) { [weak self] in self?.remove(number) }
  }

  @inlinable
  func push(_ element: Element) {
    lock.lock()
    if receivers.count == 1 {
      let receive = receivers[0].receive
      lock.unlock()
      return receive(.value(element))
    }
    let receivers = self.receivers
    lock.unlock()
    var position = 0
    while position < receivers.count {
      // The first is still there: nothing has run since the list was read.
      if position == 0 || isKnown(receivers[position].number) { receivers[position].receive(.value(element)) }
      position &+= 1
    }
  }

  @usableFromInline
  func isKnown(_ number: Int) -> Bool {
    lock.withLock { receivers.contains { $0.number == number } }
  }

  private func remove(_ number: Int) {
    // Released after unlocking: the closure holds what the user's operators captured.
    let removed = lock.withLock {
      receivers.firstIndex { $0.number == number }.map { receivers.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }
}

/// The streams behind `reactor.action.stream` and `reactor.mutation.stream`, made when somebody asks for them.
@usableFromInline
struct Taps<Action: Sendable, Mutation: Sendable> {
  var action: SubjectNode<Action>?
  var mutation: SubjectNode<Mutation>?

  var isEmpty: Bool { action == nil && mutation == nil }

  func finish() {
    action?.finish()
    mutation?.finish()
  }
}
