// The way in for what the code inside a stream has to say: one emitter for each subscription.

/// What an emitter feeds: the entrance of one subscription, or straight a reactor.
@usableFromInline
class EmitterTarget<Element: Sendable>: @unchecked Sendable {
  // Safe to share: subclasses hold constants, or guard what changes with a lock.
  @inlinable
  init() {}

  /// Takes a value or a failure.
  @usableFromInline
  func emit(_ event: StreamEvent<Element>) { preconditionFailure("\(Self.self) takes nothing") }
  func finish() { preconditionFailure("\(Self.self) has no end") }
  /// The same, said by the code itself when it returns: there is nothing left to be stopped.
  func bodyDidReturn() { finish() }
  func waitUntilBelow(_ bound: Int) async { preconditionFailure("\(Self.self) does not count") }
}

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

  @usableFromInline let target: EmitterTarget<Element>
  private let limit: Int

  init(_ target: EmitterTarget<Element>, bound: Int = Emitter.bound) {
    self.target = target
    limit = bound
  }

  /// Emits a value. Never waits and never drops: values wait in memory if they come faster than they are handled. To
  /// be paced, use ``whenDrained(_:)``.
  @inlinable
  public func callAsFunction(_ element: Element) {
    target.emit(.value(element))
  }

  /// Ends the stream after what was emitted before. The second and later calls do nothing.
  ///
  /// In the body of a `Mutations.run` the effect counts as ended from here on, although its body still runs: the body's
  /// task is cancelled, `perform` no longer waits for it, a successor that is `.queued` may start, and an error that is
  /// thrown later is dropped. To end with an error, throw it instead; to end at all, returning is enough.
  public func finish() {
    target.finish()
  }

  /// Emits a value, then waits as long as ``bound`` or more values wait to be handled, be it here or at the subscriber
  /// (a reactor, an async sequence). Returns at once if the stream has ended, or if the calling task is cancelled; the
  /// value is emitted all the same.
  public func whenDrained(_ element: Element) async {
    target.emit(.value(element))
    await target.waitUntilBelow(limit)
  }

  /// Says that the source failed. It is followed by ``finish()``.
  func fail(_ error: any Error) {
    target.emit(.failure(error))
  }
}

/// The entrance of one subscription.
final class EmitterGate<Element: Sendable>: EmitterTarget<Element>, @unchecked Sendable {
  // Safe to share: a constant.
  private let gate: StreamGate<StreamEvent<Element>>

  /// `context` and `receive` are those of the subscriber. `didFinish` is called when it has been told of the end.
  ///
  /// The end is known by its place: to look into an event, code that is not specialised has to ask the runtime for its type.
  init(
    in context: StreamContext, _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void,
    didFinish: @escaping @Sendable () -> Void = {}
  ) {
    gate = StreamGate(in: context) { event, place in
      receive(event)
      if place.isLast { didFinish() }
      return !place.isLast
    }
  }

  override func emit(_ event: StreamEvent<Element>) { gate.emit(event) }
  override func finish() { gate.emit(.finished, isLast: true) }
  override func waitUntilBelow(_ bound: Int) async { await gate.waitUntilBelow(bound) }

  /// No value arrives any more, what waits is dropped.
  func close() { gate.close() }
}
