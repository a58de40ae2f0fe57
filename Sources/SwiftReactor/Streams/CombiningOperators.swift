// Operators that put the latest values of two streams together.

extension EventStream {
  /// Hands on the latest values of both streams whenever one of them has a new one, as soon as both have one.
  ///
  /// It ends when both have ended, or when one has ended without a value, since nothing can come any more.
  ///
  /// ```swift
  /// let form = names.combineLatest(with: passwords).map { Form(name: $0, password: $1) }
  /// ```
  public func combineLatest<Other: Sendable>(with other: EventStream<Other>) -> EventStream<(Element, Other)> {
    let first = self
    return EventStream<(Element, Other)>(subscribing: { context, receive in
      let slot = SubscriptionSlot(in: context.slot)
      let state = SerialBox(LatestPair<Element, Other>())
      let goesOn: @Sendable () -> Bool = {
        if !state.value.isOver { return true }
        receive(.finished)
        slot.end()
        return false
      }
      let gate = StreamGate<PairInput<Element, Other>>(in: context) { input, _ in
        switch input {
        case .first(.value(let element)):
          state.value.first = element
        case .second(.value(let element)):
          state.value.second = element
        case .first(.failure(let error)), .second(.failure(let error)):
          receive(.failure(error))
          return true
        case .first(.finished):
          state.value.firstEnded = true
          return goesOn()
        case .second(.finished):
          state.value.secondEnded = true
          return goesOn()
        }
        if let first = state.value.first, let second = state.value.second { receive(.value((first, second))) }
        return true
      }
      let inner = context.behind(gate, in: slot)
      var subscriptions = [first.subscribe(in: inner) { gate.emit(.first($0)) }]
      if !slot.isEnded { subscriptions.append(other.subscribe(in: inner) { gate.emit(.second($0)) }) }
      slot.holdAll(subscriptions)
      return EventSubscription(.repeatable) {
        gate.close()
        slot.end()
      }
    })
  }

  /// Hands on, for each value, the latest one of `other`. Values that come before `other` has one are left out. It ends
  /// with this stream; the end of `other` only means that its last value stays.
  ///
  /// ```swift
  /// let submitted = taps.withLatestFrom(forms)
  /// ```
  public func withLatestFrom<Other: Sendable>(_ other: EventStream<Other>) -> EventStream<Other> {
    withLatestFrom(other) { _, latest in latest }
  }

  /// Hands on what `transform` makes of each value and the latest one of `other`. Values that come before `other` has
  /// one are left out. It ends with this stream; the end of `other` only means that its last value stays.
  ///
  /// `other` is subscribed to first, so that what it has at once is there for the first value.
  ///
  /// ```swift
  /// let moves = steps.withLatestFrom(speeds) { step, speed in step * speed }
  /// ```
  public func withLatestFrom<Other: Sendable, Result: Sendable>(
    _ other: EventStream<Other>, _ transform: @escaping @Sendable (Element, Other) -> Result
  ) -> EventStream<Result> {
    let first = self
    return EventStream<Result>(subscribing: { context, receive in
      let slot = SubscriptionSlot(in: context.slot)
      let latest = SerialBox<Other?>(nil)
      let gate = StreamGate<PairInput<Element, Other>>(in: context) { input, _ in
        switch input {
        case .first(.value(let element)):
          if let other = latest.value { receive(.value(transform(element, other))) }
        case .second(.value(let element)):
          latest.value = element
        case .first(.failure(let error)), .second(.failure(let error)):
          receive(.failure(error))
        case .first(.finished):
          receive(.finished)
          slot.end()
          return false
        case .second(.finished):
          break
        }
        return true
      }
      let inner = context.behind(gate, in: slot)
      var subscriptions = [other.subscribe(in: inner) { gate.emit(.second($0)) }]
      if !slot.isEnded { subscriptions.append(first.subscribe(in: inner) { gate.emit(.first($0)) }) }
      slot.holdAll(subscriptions)
      return EventSubscription(.repeatable) {
        gate.close()
        slot.end()
      }
    })
  }
}

/// What comes from two streams through one gate.
private enum PairInput<First: Sendable, Second: Sendable>: Sendable {
  case first(StreamEvent<First>)
  case second(StreamEvent<Second>)
}

private struct LatestPair<First, Second> {
  var first: First?
  var second: Second?
  var firstEnded = false
  var secondEnded = false

  var isOver: Bool {
    if firstEnded, secondEnded { return true }
    return firstEnded && first == nil || secondEnded && second == nil
  }
}
