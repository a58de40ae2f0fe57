// Operators that look at one value at a time: change it, leave it out, or fold it into what came before.
//
// They have one input, which is serial, so they need no lock: what they remember is only touched inside deliveries.

extension EventStream {
  /// Hands on what `transform` makes of each value. The closure runs on the thread that emits, without a lock.
  ///
  /// ```swift
  /// let names = users.map { $0.name }
  /// ```
  @inlinable
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Result
  ) -> EventStream<Result> {
    let upstream = self
    return EventStream<Result>(subscribing: { context, receive in
      upstream.subscribe(in: context) { event in
        switch event {
        case .value(let element): receive(.value(transform(element)))
        case .failure(let error): receive(.failure(error))
        case .finished: receive(.finished)
        }
      }
    })
  }

  /// Hands on what `transform` makes of each value, and leaves out those for which it answers nil.
  ///
  /// ```swift
  /// let numbers = texts.compactMap { Int($0) }
  /// ```
  @inlinable
  public func compactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Result?
  ) -> EventStream<Result> {
    let upstream = self
    return EventStream<Result>(subscribing: { context, receive in
      upstream.subscribe(in: context) { event in
        switch event {
        case .value(let element): if let result = transform(element) { receive(.value(result)) }
        case .failure(let error): receive(.failure(error))
        case .finished: receive(.finished)
        }
      }
    })
  }

  /// Hands on the values for which `isIncluded` answers true.
  ///
  /// ```swift
  /// let even = numbers.filter { $0.isMultiple(of: 2) }
  /// ```
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> EventStream {
    let upstream = self
    return EventStream(subscribing: { context, receive in
      upstream.subscribe(in: context) { event in
        if case .value(let element) = event, !isIncluded(element) { return }
        receive(event)
      }
    })
  }

  /// Leaves out each value that is the same as the one handed on before it, as told by `areEqual`.
  ///
  /// Each subscription compares for itself and keeps the last value.
  ///
  /// ```swift
  /// let positions = samples.removeDuplicates { abs($0 - $1) < 0.5 }
  /// ```
  public func removeDuplicates(by areEqual: @escaping @Sendable (Element, Element) -> Bool) -> EventStream {
    let upstream = self
    return EventStream(subscribing: { context, receive in
      let last = SerialBox<Element?>(nil)
      return upstream.subscribe(in: context) { event in
        if case .value(let element) = event {
          if let previous = last.value, areEqual(previous, element) { return }
          last.value = element
        }
        receive(event)
      }
    })
  }

  /// Hands on, for each value, what `next` makes of the last result and the value. The first result is that of
  /// `initial` and the first value; `initial` itself is not handed on, see ``prepend(_:)`` for that. Each subscription
  /// starts with `initial` again.
  ///
  /// ```swift
  /// let sums = EventStream([1, 2, 3]).scan(0) { $0 + $1 }  // 1, 3, 6
  /// ```
  public func scan<Result: Sendable>(
    _ initial: Result, _ next: @escaping @Sendable (Result, Element) -> Result
  ) -> EventStream<Result> {
    let upstream = self
    return EventStream<Result>(subscribing: { context, receive in
      let result = SerialBox(initial)
      return upstream.subscribe(in: context) { event in
        switch event {
        case .value(let element):
          let latest = next(result.value, element)
          result.value = latest
          receive(.value(latest))
        case .failure(let error): receive(.failure(error))
        case .finished: receive(.finished)
        }
      }
    })
  }

  /// Leaves out the first `count` values. A negative count stops the program.
  ///
  /// ```swift
  /// let changes = reactor.$state.dropFirst(1)
  /// ```
  public func dropFirst(_ count: Int = 1) -> EventStream {
    require(count >= 0, "dropFirst: the count must not be negative")
    let upstream = self
    return EventStream(subscribing: { context, receive in
      let left = SerialBox(count)
      return upstream.subscribe(in: context) { event in
        if case .value = event, left.value > 0 {
          left.value -= 1
          return
        }
        receive(event)
      }
    })
  }

  /// Hands on the first `count` values, then ends. With 0 it ends at once, without subscribing; a negative count stops
  /// the program.
  ///
  /// The source is cancelled inside the delivery of the last value, so an endless one is no problem.
  ///
  /// ```swift
  /// let three = EventStream(1...).prefix(3)  // 1, 2, 3
  /// ```
  public func prefix(_ count: Int) -> EventStream {
    require(count >= 0, "prefix: the count must not be negative")
    if count == 0 { return .empty }
    let upstream = self
    return EventStream(subscribing: { context, receive in
      let slot = SubscriptionSlot(in: context.slot)
      let left = SerialBox(count)
      let subscription = upstream.subscribe(in: context.within(slot)) { event in
        guard left.value > 0 else { return }
        guard case .value = event else { return receive(event) }
        left.value -= 1
        receive(event)
        if left.value > 0 || slot.isEnded { return }
        receive(.finished)
        slot.end()
      }
      slot.hold(subscription)
      return EventSubscription(.repeatable) { slot.end() }
    })
  }

  /// Hands on values as long as `predicate` answers true, and ends at the first for which it does not; that one is left
  /// out.
  ///
  /// ```swift
  /// let small = EventStream(1...).prefix(while: { $0 < 4 })  // 1, 2, 3
  /// ```
  public func prefix(while predicate: @escaping @Sendable (Element) -> Bool) -> EventStream {
    let upstream = self
    return EventStream(subscribing: { context, receive in
      let slot = SubscriptionSlot(in: context.slot)
      let isOver = SerialBox(false)
      let subscription = upstream.subscribe(in: context.within(slot)) { event in
        if isOver.value { return }
        guard case .value(let element) = event, !predicate(element) else { return receive(event) }
        isOver.value = true
        if !slot.isEnded { receive(.finished) }
        slot.end()
      }
      slot.hold(subscription)
      return EventSubscription(.repeatable) { slot.end() }
    })
  }
}

extension EventStream where Element: Equatable {
  /// Leaves out each value that equals the one before it.
  ///
  /// ```swift
  /// let queries = texts.removeDuplicates()
  /// ```
  public func removeDuplicates() -> EventStream {
    removeDuplicates(by: { $0 == $1 })
  }
}

/// What an operator remembers between two deliveries.
final class SerialBox<Value>: @unchecked Sendable {
  // Safe to share: it is only touched inside deliveries of one serial input or one gate. Those come one after the
  // other, and whoever passes them from thread to thread has synchronised for it.
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}
