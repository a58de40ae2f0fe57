// Operators that put streams of one kind of value together: one after the other, or side by side.

extension EventStream {
  /// Hands on the values of this stream and, when it has ended, those of `other`, which is subscribed to only then.
  ///
  /// ```swift
  /// let both = EventStream([1, 2]).concat(.just(3))  // 1, 2, 3
  /// ```
  public func concat(_ other: EventStream) -> EventStream {
    let first = self
    return EventStream(subscribing: { context, receive in
      let firstSlot = SubscriptionSlot(in: context.slot)
      let secondSlot = SubscriptionSlot(in: context.slot)
      let subscription = first.subscribe(in: context.within(firstSlot)) { event in
        guard case .finished = event else { return receive(event) }
        if secondSlot.isEnded { return }
        secondSlot.hold(other.subscribe(in: context.within(secondSlot), receive))
      }
      firstSlot.hold(subscription)
      return EventSubscription(.repeatable) {
        firstSlot.end()
        secondSlot.end()
      }
    })
  }

  /// Puts values in front of the stream: they come at once, then the stream is subscribed to.
  ///
  /// ```swift
  /// let states = loads.prepend(.idle)
  /// ```
  public func prepend(_ elements: Element...) -> EventStream {
    EventStream(elements).concat(self)
  }

  /// Puts values behind the stream: they come when it ends.
  ///
  /// ```swift
  /// let steps = downloads.append(.done)
  /// ```
  public func append(_ elements: Element...) -> EventStream {
    concat(EventStream(elements))
  }

  /// Hands on the values of both streams as they come. It ends when both have ended; an error of one does not end the
  /// other.
  ///
  /// ```swift
  /// let all = clicks.merge(with: keys)
  /// ```
  public func merge(with other: EventStream) -> EventStream {
    .merge([self, other])
  }

  /// Hands on the values of all streams as they come. It ends when all have ended.
  ///
  /// ```swift
  /// let all = EventStream.merge(clicks, keys, timers)
  /// ```
  public static func merge(_ streams: EventStream...) -> EventStream {
    merge(streams)
  }

  /// Hands on the values of all streams as they come. They are subscribed to in their order. It ends when all have
  /// ended; without streams at once.
  ///
  /// ```swift
  /// let all = EventStream.merge(files.map { $0.changes })
  /// ```
  public static func merge(_ streams: [EventStream]) -> EventStream {
    if streams.isEmpty { return .empty }
    return EventStream(subscribing: { context, receive in
      let running = SerialBox(streams.count)
      let gate = StreamGate<StreamEvent<Element>>(in: context) { event, _ in
        guard case .finished = event else {
          receive(event)
          return true
        }
        running.value -= 1
        if running.value > 0 { return true }
        receive(.finished)
        return false
      }
      let slot = SubscriptionSlot(in: context.slot)
      let inner = context.behind(gate, in: slot)
      var subscriptions: [EventSubscription] = []
      for stream in streams where !slot.isEnded {
        subscriptions.append(stream.subscribe(in: inner) { gate.emit($0) })
      }
      slot.holdAll(subscriptions)
      return EventSubscription(.repeatable) {
        gate.close()
        slot.end()
      }
    })
  }
}

extension SubscriptionSlot {
  /// Keeps several subscriptions, or cancels them if the slot has ended.
  func holdAll(_ subscriptions: [EventSubscription]) {
    hold(
      EventSubscription(.repeatable) {
        for subscription in subscriptions { subscription.cancel() }
      })
  }
}
