// Where streams begin: constants, sequences, async code, and sources that push.

extension EventStream {
  /// A stream that ends at once, without a value.
  @inlinable public static var empty: EventStream { EventStream(.empty) }

  /// A stream without a value and without an end.
  @inlinable public static var never: EventStream { EventStream(.never) }

  /// A stream of one value, which it has at once.
  @inlinable
  public static func just(_ element: Element) -> EventStream {
    EventStream(.just(element))
  }

  /// A stream of the elements of a sequence, all handed on at once while subscribing, on the subscriber's thread.
  ///
  /// The sequence is iterated anew for each subscription, one element ahead of the receiver and no further than
  /// operators such as ``prefix(_:)`` want it, so it may be endless. Memory and stack do not grow with its length.
  ///
  /// ```swift
  /// let squares = EventStream(1...).map { $0 * $0 }.prefix(5)
  /// ```
  @inlinable
  public init<S: Sequence & Sendable>(_ sequence: S) where S.Element == Element {
    self.init(subscribing: { context, receive in
      for element in sequence {
        if let slot = context.slot, slot.isEnded { return .ended }
        receive(.value(element))
      }
      receive(.finished)
      return .ended
    })
  }

  /// A stream of the elements of an async sequence, which is iterated in a task for each subscription.
  ///
  /// The sequence is read at the subscriber's pace: no further than ``Emitter/bound`` elements ahead. Cancelling
  /// cancels the task, and nothing arrives afterwards.
  ///
  /// - Parameters:
  ///   - sequence: What to iterate.
  ///   - recover: What to emit in place of an error, nil for nothing; the stream ends after it. Without it an error
  ///     is passed on to the end of the stream, where a reactor calls its error hook and a sink reports it. A
  ///     `CancellationError` just ends the stream, without a question.
  ///
  /// ```swift
  /// let ticks = EventStream(timer.ticks, catch: { _ in nil })
  /// ```
  public init<S: AsyncSequence & Sendable>(
    _ sequence: S, catch recover: (@Sendable (any Error) -> Element?)? = nil
  ) where S.Element == Element {
    self.init { emit in
      do {
        for try await element in sequence { await emit.whenDrained(element) }
      } catch let error where recover != nil && !(error is CancellationError) {
        if let element = recover?(error) { emit(element) }
      }
    }
  }

  /// A stream that is fed by async code, which runs in a task of its own for each subscription.
  ///
  /// The stream ends when `produce` returns. If it throws, the error is passed on to the end of the stream, where a
  /// reactor calls its error hook and a sink reports it; a `CancellationError` just ends it. Cancelling the
  /// subscription cancels the task, and nothing arrives afterwards, whether the task notices or not.
  ///
  /// The task is detached: it inherits no actor, no priority and no task-local value.
  ///
  /// ```swift
  /// let answer = EventStream<String> { emit in
  ///   emit("asking")
  ///   emit(try await service.answer())
  /// }
  /// ```
  @inlinable
  public init(
    priority: TaskPriority? = nil, _ produce: @escaping @Sendable (Emitter<Element>) async throws -> Void
  ) {
    self.init(.node(TaskNode(priority, produce)))
  }

  /// A stream that is fed by something that calls back: a delegate, an observer, a timer.
  ///
  /// `start` is called for each subscription, on the subscriber's thread, and returns what stops the source: that is
  /// cancelled exactly once, when the subscription is cancelled or after `emit.finish()`.
  ///
  /// ```swift
  /// let changes = EventStream<Int> { emit in
  ///   let token = center.addObserver { emit($0) }
  ///   return EventSubscription { center.removeObserver(token) }
  /// }
  /// ```
  public init(_ start: @escaping @Sendable (Emitter<Element>) -> EventSubscription) {
    self.init(subscribing: { context, receive in
      let slot = SubscriptionSlot(in: context.slot)
      let gate = EmitterGate(in: context, receive, didFinish: { slot.end() })
      slot.hold(start(Emitter(gate)))
      return EventSubscription(.repeatable) {
        gate.close()
        slot.end()
      }
    })
  }
}

/// A source that is async code in a task of its own.
@usableFromInline
final class TaskNode<Element: Sendable>: StreamNode<Element>, @unchecked Sendable {
  // Safe to share: constants.
  @usableFromInline typealias Body = @Sendable (Emitter<Element>) async throws -> Void

  /// A number, since the size of a `TaskPriority` is only known when the program runs; 0 for none.
  @usableFromInline let priority: UInt8
  @usableFromInline let produce: Body

  @inlinable
  init(_ priority: TaskPriority?, _ produce: @escaping Body) {
    self.priority = priority?.rawValue ?? 0
    self.produce = produce
  }

  @usableFromInline
  override func subscribe(
    in context: StreamContext, _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void
  ) -> EventSubscription {
    let gate = EmitterGate(in: context, receive)
    let priority = priority == 0 ? nil : TaskPriority(rawValue: priority)
    let task = context.runner.start(priority: priority) { [produce] in await Self.run(produce, into: gate) }
    return EventSubscription(.repeatable) {
      gate.close()
      task.cancel()
    }
  }

  @usableFromInline
  override var task: TaskNode<Element>? { self }

  /// The code itself, in its task.
  @inline(__always)
  static func run(_ produce: Body, into target: EmitterTarget<Element>) async {
    let emitter = Emitter(target)
    do {
      try await produce(emitter)
    } catch {
      if !(error is CancellationError) { emitter.fail(error) }
    }
    target.bodyDidReturn()
  }
}
