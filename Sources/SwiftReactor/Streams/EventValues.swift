// The way out of a stream into `for await`.

extension EventStream {
  /// The values as an async sequence that never fails and keeps everything its consumer has not yet taken.
  ///
  /// Each iterator is a subscription of its own, from the moment it is made: several consumers each get all values. The
  /// loop ends with the stream, or when its task is cancelled; then, or when the iterator is let go, its subscription is
  /// cancelled. An error of a source is reported like that of a ``sink(_:)``.
  ///
  /// ```swift
  /// for await count in counts.values { print(count) }
  /// ```
  public var values: EventValues<Element> { values(buffering: .unbounded) }

  /// The values as an async sequence that keeps no more than you say for a slow consumer. A slow consumer never slows
  /// the stream down; one that feeds it with ``Emitter/whenDrained(_:)`` waits for it.
  ///
  /// ```swift
  /// for await position in positions.values(buffering: .newest(1)) { await draw(position) }
  /// ```
  public func values(buffering: EventBuffering) -> EventValues<Element> {
    EventValues(stream: self, buffering: buffering)
  }
}

/// The values of an ``EventStream``, for `for await`.
public struct EventValues<Element: Sendable>: AsyncSequence, Sendable {
  let stream: EventStream<Element>
  let buffering: EventBuffering

  /// Subscribes. The values that come from now on are this iterator's.
  public func makeAsyncIterator() -> Iterator {
    Iterator(stream, buffering)
  }

  /// One consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private let consumer: Consumer

    fileprivate init(_ stream: EventStream<Element>, _ buffering: EventBuffering) {
      consumer = Consumer(stream, buffering)
    }

    /// The next value; nil at the end, and when the task is cancelled. It must not be called by two tasks at once.
    public mutating func next() async -> Element? {
      await consumer.next()
    }

    /// The next value, without leaving the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await consumer.next()
    }
  }

  /// Cancels the subscription when the last copy of its iterator is gone, or its task was cancelled.
  private final class Consumer {
    private let buffer: AsyncBuffer<Element>
    private let subscription: EventSubscription

    init(_ stream: EventStream<Element>, _ buffering: EventBuffering) {
      let buffer = AsyncBuffer<Element>(buffering)
      let handler = ReactorReports.testHandler
      var context = StreamContext()
      context.backlog = buffer
      self.buffer = buffer
      subscription = stream.subscribe(in: context) { event in
        switch event {
        case .value(let element): buffer.append(element)
        case .failure(let error): ReactorReport.reportFailedStream(error, to: handler)
        case .finished: buffer.finish()
        }
      }
    }

    deinit {
      subscription.cancel()
      buffer.cancel()
    }

    func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
      let element = await buffer.next()
      // The end of the stream, or the task was cancelled.
      if element == nil { subscription.cancel() }
      return element
    }
  }
}

extension ReactorReport {
  /// Reports the error of a stream that nobody else handles.
  @usableFromInline
  static func reportFailedStream(_ error: any Error, to handler: (@Sendable (ReactorReport) -> Void)?) {
    let report = ReactorReport(kind: .streamFailed, message: "a stream ended with an error: \(error)")
    ReactorReports.report(report, to: handler)
  }
}
