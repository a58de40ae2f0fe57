// The public face of a stream: a value that knows its source, and the ways into a closure.

/// A push stream of values that never fails: the currency of effects, hooks and observation.
///
/// A stream is a description. Nothing happens until somebody subscribes, with ``sink(_:)``, ``values`` or by returning
/// it from a reactor; every subscription of a cold stream runs its source again, while subjects and reactors feed all
/// their subscribers with the same values.
///
/// **Order and threads.** A stream hands on one value at a time, in one order, on whatever thread emits; no lock is
/// held while your closures run. What is emitted inside a delivery comes next, not nested (Contract G21). Use
/// ``receive(on:)`` to get values on a queue.
///
/// **Errors.** A source that fails (an `async throws` closure, a throwing async sequence) ends, and its error is passed
/// beside the values to the end of the stream: a reactor calls its error hook, a plain sink reports it
/// (``ReactorReport/Kind-swift.struct/streamFailed``). Other sources that were merged with it go on.
///
/// ```swift
/// let subscription = EventStream([1, 2, 3])
///   .map { $0 * 2 }
///   .sink { print($0) }  // 2, 4, 6
/// ```
@frozen
public struct EventStream<Element: Sendable>: Sendable {
  /// The sources that need no object, and all others.
  @usableFromInline
  enum Source: Sendable {
    case empty
    case never
    case just(Element)
    case node(StreamNode<Element>)
  }

  @usableFromInline let source: Source

  @usableFromInline
  init(_ source: Source) {
    self.source = source
  }

  /// A stream that is told by `start` how to subscribe. See ``StreamNode/subscribe(in:_:)`` for what is expected.
  @usableFromInline
  init(
    subscribing start:
      @escaping @Sendable (StreamContext, @escaping @Sendable (StreamEvent<Element>) -> Void) ->
      EventSubscription
  ) {
    source = .node(ClosureNode(start))
  }

  /// Starts the flow into `receive`; the inner way of subscribing, the same as ``StreamNode/subscribe(in:_:)``.
  @usableFromInline
  func subscribe(
    in context: StreamContext, _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void
  ) -> EventSubscription {
    switch source {
    case .empty:
      receive(.finished)
      return .ended
    case .never:
      return .ended
    case .just(let element):
      receive(.value(element))
      receive(.finished)
      return .ended
    case .node(let node):
      return node.subscribe(in: context, receive)
    }
  }
}

extension EventStream {
  /// Calls `receive` with every value, until the returned subscription is cancelled or let go.
  ///
  /// Values that the stream has at once are handed over before `sink` returns. The others come on the thread that
  /// emits, except for a closure of the main actor: it wants its values on the main queue. A value that comes elsewhere
  /// stops the program with a message; put ``receive(on:)`` in front to bring values there. A closure that is isolated
  /// to any other actor stops the program at `sink`: iterate over ``values`` inside that actor.
  ///
  /// An error of a source is reported, once, as ``ReactorReport/Kind-swift.struct/streamFailed``.
  ///
  /// ```swift
  /// let subject = EventSubject<Int>()
  /// let subscription = subject.stream.sink { print($0) }
  /// subject.send(1)
  /// ```
  @inlinable
  public func sink(
    @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Element) -> Void
  ) -> EventSubscription {
    let receiver = IsolatedReceiver(receive)
    let handler = ReactorReports.testHandler
    let wantsMainQueue: Bool
    switch receiver.isolation {
    case .none:
      wantsMainQueue = false
    case .mainActor:
      wantsMainQueue = true
    case .otherActor:
      IsolatedReceiver<Element>.stopForOtherActor()
    }
    return subscribe(in: StreamContext(requiresMainQueue: wantsMainQueue)) { event in
      switch event {
      case .value(let element):
        if wantsMainQueue { MainQueue.check(of: Element.self) }
        receiver(element)
      case .failure(let error):
        ReactorReport.reportFailedStream(error, to: handler)
      case .finished:
        break
      }
    }
  }
}
