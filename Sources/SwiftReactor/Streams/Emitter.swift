// The way in for what the code inside a stream has to say: one emitter for each subscription.

/// Feeds one subscription of a stream, from inside the closure that makes it.
///
/// Given to the closures of ``EventStream/init(priority:_:)`` and `Mutations.run`. It may be copied, kept, and called
/// from any thread, also from several at once: values come out one at a time, in one order. After ``finish()``, or when
/// the subscription was cancelled, all calls do nothing.
///
/// ```swift
/// let lines = EventStream<String> { emit in
///   for try await line in file.lines { await emit.whenDrained(line) }
/// }
/// ```
public struct Emitter<Element: Sendable>: Sendable {
  /// How many values may wait before ``whenDrained(_:)`` waits: 1024.
  public static var bound: Int { 1024 }

  private let gate: StreamGate<StreamEvent<Element>>
  private let limit: Int

  /// Makes the entrance of one subscription; `context` and `receive` are those of the subscriber.
  init(
    in context: StreamContext, bound: Int = Emitter.bound,
    _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void
  ) {
    limit = bound
    gate = StreamGate(in: context) { event, place in
      receive(event)
      return !place.isLast
    }
  }

  /// Emits a value. Never waits and never drops: values wait in memory if they come faster than they are handled. To
  /// be paced, use ``whenDrained(_:)``.
  @inlinable
  public func callAsFunction(_ element: Element) {
    emit(.value(element))
  }

  /// Ends the stream after what was emitted before. The second and later calls do nothing.
  public func finish() {
    gate.emit(.finished, isLast: true)
  }

  @usableFromInline
  func emit(_ event: StreamEvent<Element>) {
    gate.emit(event)
  }

  /// Emits a value, then waits as long as ``bound`` or more values wait to be handled, be it here or at the subscriber
  /// (a reactor, an async sequence). Returns at once if the stream has ended, or if the calling task is cancelled; the
  /// value is emitted all the same.
  public func whenDrained(_ element: Element) async {
    gate.emit(.value(element))
    await gate.waitUntilBelow(limit)
  }

  /// Says that the source failed. It is followed by ``finish()``.
  func fail(_ error: any Error) {
    gate.emit(.failure(error))
  }

  /// No value arrives any more, what waits is dropped.
  func close() {
    gate.close()
  }
}
