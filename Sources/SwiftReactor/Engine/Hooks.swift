// Pushes: inputs through the `transform` hooks, and tells what belongs to an input from what comes at another time.
// Never: calls a hook function twice, lets a hook's input complete.
// Guarded by: the turn. What a hook hands on from another thread, or later, becomes an arrival and so gets its turn.

/// The hooks of a reactor that were overridden; nil for those that returned their input.
struct Hooks<Action: Sendable, Mutation: Sendable, State: Sendable> {
  var action: Hook<Action>?
  var mutation: Hook<Mutation>?
  var state: Hook<State>?

  var isPlain: Bool { action == nil && mutation == nil }
}

/// One overridden hook: an input, the user's operators, an output.
final class Hook<Element: Sendable>: @unchecked Sendable {
  // Safe to share: everything is used in a turn only, except `receive`, which first asks whether its thread is the one
  // that is pushing.
  private let input: HookInput<Element>
  private let output: Output
  private var subscription: EventSubscription?
  private var collected: [Element] = []
  private var isStarting = false

  /// What becomes of an element that the hook hands on while no input is pushed.
  struct Output: Sendable {
    var late: @Sendable (Element) -> Void
    /// During the start; nil: it is collected.
    var injected: (@Sendable (Element) -> Void)?
    var failed: @Sendable (any Error) -> Void
  }

  private init(_ input: HookInput<Element>, _ output: Output) {
    self.input = input
    self.output = output
  }

  /// Calls the user's function. Nil: it returned its input, so there is nothing to push through.
  static func make(
    _ transform: (EventStream<Element>) -> EventStream<Element>, in context: StreamContext, _ output: Output
  ) -> Hook? {
    let input = HookInput<Element>()
    let result = transform(EventStream(.node(input)))
    if case .node(let node) = result.source, node === input { return nil }
    let hook = Hook(input, output)
    hook.start(result, in: context)
    return hook
  }

  private func start(_ result: EventStream<Element>, in context: StreamContext) {
    isStarting = true
    ThreadMark.withPushing(self) {
      subscription = result.subscribe(in: context) { [weak self] event in self?.receive(event) }
    }
    isStarting = false
  }

  /// Pushes inputs through and returns what the hook hands on meanwhile.
  func push(_ elements: [Element]) -> [Element] {
    ThreadMark.withPushing(self) {
      for element in elements { input.push(element) }
    }
    return takeCollected()
  }

  /// What came out and has not been asked for.
  func takeCollected() -> [Element] {
    defer { collected = [] }
    return collected
  }

  private func receive(_ event: StreamEvent<Element>) {
    switch event {
    case .failure(let error): output.failed(error)
    case .finished: break
    case .value(let element):
      guard ThreadMark.isPushing(self) else { return output.late(element) }
      if isStarting, let injected = output.injected { injected(element) } else { collected.append(element) }
    }
  }
}

/// The input of a hook: hot, shared by all who use it, never complete.
final class HookInput<Element: Sendable>: StreamNode<Element>, @unchecked Sendable {
  // Safe to share: the list is only touched under `lock`.
  private typealias Receive = @Sendable (StreamEvent<Element>) -> Void
  private let lock = Lock()
  private var receivers: ContiguousArray<(number: Int, receive: Receive)> = []
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
    return EventSubscription { [weak self] in self?.remove(number) }
  }

  func push(_ element: Element) {
    let receivers = lock.withLock { self.receivers }
    for (position, receiver) in receivers.enumerated() where position == 0 || isKnown(receiver.number) {
      receiver.receive(.value(element))
    }
  }

  private func isKnown(_ number: Int) -> Bool {
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
final class Taps<Action: Sendable, Mutation: Sendable>: @unchecked Sendable {
  // Safe to share: both are only touched under `lock`.
  private let lock = Lock()
  private var actionNode: SubjectNode<Action>?
  private var mutationNode: SubjectNode<Mutation>?

  var action: SubjectNode<Action>? { lock.withLock { actionNode } }
  var mutation: SubjectNode<Mutation>? { lock.withLock { mutationNode } }
  var areUsed: Bool { lock.withLock { actionNode != nil || mutationNode != nil } }

  func makeAction() -> SubjectNode<Action> {
    lock.withLock {
      let node = actionNode ?? SubjectNode()
      actionNode = node
      return node
    }
  }

  func makeMutation() -> SubjectNode<Mutation> {
    lock.withLock {
      let node = mutationNode ?? SubjectNode()
      mutationNode = node
      return node
    }
  }

  func finish() {
    action?.finish()
    mutation?.finish()
  }
}
