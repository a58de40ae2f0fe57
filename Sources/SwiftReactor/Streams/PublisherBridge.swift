// Streams as publishers of Combine, and publishers as streams.

#if canImport(Combine)
  public import Combine

  /// A stream is a publisher that never fails.
  ///
  /// ```swift
  /// reactor.$state.map { "\($0.count)" }
  ///   .assign(to: \.text, on: label)
  ///   .store(in: &cancellables)
  /// ```
  ///
  /// Values come where the stream emits them: those of `$state` on the reactor's queue. Operators that both have are the
  /// stream's. A subscriber that asks for few values gets the others later; none is dropped. An error of a source is
  /// reported, as with ``sink(_:)``, and is not handed on.
  extension EventStream: Publisher {
    /// What is published: the elements.
    public typealias Output = Element
    /// Streams do not fail.
    public typealias Failure = Never

    /// Begins to publish; `subscriber` says how many values it wants.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Element, S.Failure == Never {
      let subscription = DemandSubscription(SubscribedReceiver<S, Element>(subscriber))
      subscriber.receive(subscription: subscription)
      subscription.start(self)
    }
  }

  /// A subscriber of Combine.
  private final class SubscribedReceiver<S: Subscriber, Element: Sendable>: DemandingReceiver<Element>,
    @unchecked Sendable
  where S.Input == Element, S.Failure == Never {
    // Safe to share: Combine wants of a subscriber that it can be called on any thread, one call at a time, and
    // `DemandBuffer` keeps to that.
    private let subscriber: S

    init(_ subscriber: S) {
      self.subscriber = subscriber
    }

    override func receive(_ element: Element) -> DemandBuffer<Element>.Demand { .init(subscriber.receive(element)) }
    override func finish() { subscriber.receive(completion: .finished) }
  }

  extension DemandBuffer.Demand {
    fileprivate init(_ demand: Subscribers.Demand) {
      self = demand.max.map { .some($0) } ?? .unlimited
    }
  }

  /// One subscription of Combine to a stream.
  private final class DemandSubscription<Element: Sendable>: Combine.Subscription, Sendable {
    private let buffer: DemandBuffer<Element>
    private let slot = SubscriptionSlot()

    init(_ receiver: DemandingReceiver<Element>) {
      buffer = DemandBuffer(receiver)
    }

    func start(_ stream: EventStream<Element>) {
      let handler = ReactorReports.testHandler
      var context = StreamContext(requiresMainQueue: false)
      context.slot = slot
      slot.hold(
        stream.subscribe(in: context) { [buffer] event in
          switch event {
          case .value(let element): buffer.put(element)
          case .failure(let error): ReactorReport.reportFailedStream(error, to: handler)
          case .finished: buffer.end()
          }
        })
    }

    func request(_ demand: Subscribers.Demand) {
      buffer.request(.init(demand))
    }

    func cancel() {
      buffer.cancel()
      slot.end()
    }
  }

  // MARK: Publishers as streams

  extension EventStream {
    /// A stream of the values of a publisher, which is subscribed to anew for each subscription. A failure ends the stream
    /// and is passed on to its end, where a reactor calls its error hook and a sink reports it.
    ///
    /// ```swift
    /// EventStream(session.dataTaskPublisher(for: url).map(\.data))
    /// ```
    public init<P: Publisher>(_ publisher: P) where P.Output == Element {
      let source: EmittingSource<Element> = PublisherSource(publisher)
      self.init { emit in source.subscribe(emit) }
    }
  }

  extension Mutations {
    /// One mutation now, and those of a publisher later. A failure of the publisher comes to
    /// ``BaseReactor/effectFailed(_:action:)``.
    public init<P: Publisher>(sync: Mutation, async: P) where P.Output == Mutation {
      self.init(sync: sync, async: EventStream(async))
    }

    /// Several mutations now, as one commit, and those of a publisher later.
    ///
    /// ```swift
    /// case .load: Mutations(sync: [.setLoading(true)], async: service.items().map(Mutation.setItems))
    /// ```
    public init<P: Publisher>(sync: [Mutation] = [], async: P) where P.Output == Mutation {
      self.init(sync: sync, async: EventStream(async))
    }
  }

  /// Something that streams subscribe to.
  private class EmittingSource<Element: Sendable>: @unchecked Sendable {
    // Safe to share: the one subclass holds a constant.
    func subscribe(_ emit: Emitter<Element>) -> EventSubscription { EventSubscription() }
  }

  private final class PublisherSource<P: Publisher>: EmittingSource<P.Output>, @unchecked Sendable
  where P.Output: Sendable {
    // Safe to share: publishers may be subscribed to on any thread.
    private let publisher: P

    init(_ publisher: P) {
      self.publisher = publisher
    }

    override func subscribe(_ emit: Emitter<P.Output>) -> EventSubscription {
      // Safe to share: cancelling may be done on any thread.
      nonisolated(unsafe) let cancellable = publisher.sink { completion in
        if case .failure(let error) = completion { emit.fail(error) }
        emit.finish()
      } receiveValue: {
        emit($0)
      }
      return EventSubscription(.repeatable) { cancellable.cancel() }
    }
  }
#endif
