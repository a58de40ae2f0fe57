// Operators that make streams out of values and hand on what those say.

extension EventStream {
  /// Makes a stream of each value and hands on the values of all of them as they come.
  ///
  /// `transform` runs where this stream delivers. It ends when this stream and all that were made have ended; an error
  /// of one ends no other.
  ///
  /// ```swift
  /// let pages = queries.flatMap { query in service.pages(for: query) }
  /// ```
  public func flatMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) -> EventStream<Result>
  ) -> EventStream<Result> {
    let upstream = self
    return EventStream<Result>(subscribing: { context, receive in
      let gate = StreamGate<StreamEvent<Result>>(in: context) { event, place in
        receive(event)
        return !place.isLast
      }
      let inners = InnerStreams(in: context.slot)
      let subscription = upstream.subscribe(in: context.behind(gate, in: inners.outer)) { event in
        switch event {
        case .value(let element):
          let inner = transform(element)
          // The usual short streams need no bookkeeping.
          switch inner.source {
          case .empty: return
          case .just(let element): return gate.emit(.value(element))
          case .never, .node: break
          }
          guard let (number, slot) = inners.begin() else { return }
          let subscription = inner.subscribe(in: context.behind(gate, in: slot)) { event in
            guard case .finished = event else { return gate.emit(event) }
            if inners.end(number) { gate.emit(.finished, isLast: true) }
          }
          slot.hold(subscription)
        case .failure(let error):
          gate.emit(.failure(error))
        case .finished:
          if inners.endOuter() { gate.emit(.finished, isLast: true) }
        }
      }
      inners.outer.hold(subscription)
      return EventSubscription(.repeatable) {
        gate.close()
        inners.cancel()
      }
    })
  }

  /// Hands on the values of the newest of the streams that this stream delivers. The one before is cancelled as soon
  /// as a new one comes; none of its values comes afterwards, not even one that waits.
  ///
  /// It ends when this stream and the newest inner one have ended.
  ///
  /// ```swift
  /// let results = queries.map { service.search($0) }.switchToLatest()
  /// ```
  public func switchToLatest<Result: Sendable>() -> EventStream<Result> where Element == EventStream<Result> {
    let upstream = self
    return EventStream<Result>(subscribing: { context, receive in
      let latest = LatestStream(in: context.slot)
      let gate = StreamGate<NumberedEvent<Result>>(in: context) { input, _ in
        switch input.event {
        case .value, .failure:
          if input.number == LatestStream.outerNumber || latest.isLatest(input.number) { receive(input.event) }
          return true
        case .finished:
          guard latest.end(input.number) else { return true }
          receive(.finished)
          return false
        }
      }
      let outer = LatestStream.outerNumber
      let subscription = upstream.subscribe(in: context.behind(gate, in: latest.outer)) { event in
        switch event {
        case .value(let inner):
          guard let (number, slot) = latest.begin() else { return }
          let subscription = inner.subscribe(in: context.behind(gate, in: slot)) { event in
            gate.emit(NumberedEvent(number: number, event: event))
          }
          slot.hold(subscription)
        case .failure(let error):
          gate.emit(NumberedEvent(number: outer, event: .failure(error)))
        case .finished:
          gate.emit(NumberedEvent(number: outer, event: .finished))
        }
      }
      latest.outer.hold(subscription)
      return EventSubscription(.repeatable) {
        gate.close()
        latest.cancel()
      }
    })
  }
}

/// An event with the number of the inner stream it comes from.
private struct NumberedEvent<Element: Sendable>: Sendable {
  let number: Int
  let event: StreamEvent<Element>
}

/// The streams that `flatMap` made and that have not ended.
private final class InnerStreams: @unchecked Sendable {
  // Safe to share: what changes is only touched under `lock`.
  let outer: SubscriptionSlot
  private let parent: SubscriptionSlot?
  private let lock = Lock()
  private var slots: [Int: SubscriptionSlot] = [:]
  private var nextNumber = 0
  private var outerEnded = false
  private var isCancelled = false

  init(in parent: SubscriptionSlot?) {
    self.parent = parent
    outer = SubscriptionSlot(in: parent)
  }

  func begin() -> (number: Int, slot: SubscriptionSlot)? {
    let slot = SubscriptionSlot(in: parent)
    return lock.withLock {
      if isCancelled { return nil }
      defer { nextNumber += 1 }
      slots[nextNumber] = slot
      return (nextNumber, slot)
    }
  }

  /// Answers whether that was the last one of all.
  func end(_ number: Int) -> Bool {
    // The slot, which may hold what the user made, is released after unlocking.
    var slot: SubscriptionSlot?
    return lock.withLock {
      slot = slots.removeValue(forKey: number)
      return slot != nil && outerEnded && slots.isEmpty
    }
  }

  func endOuter() -> Bool {
    lock.withLock {
      outerEnded = true
      return slots.isEmpty && !isCancelled
    }
  }

  func cancel() {
    let running = lock.withLock {
      isCancelled = true
      let running = slots
      slots = [:]
      return running
    }
    outer.end()
    for (_, slot) in running.sorted(by: { $0.key < $1.key }) { slot.end() }
  }
}

/// Which inner stream of `switchToLatest` may still speak.
private final class LatestStream: @unchecked Sendable {
  static let outerNumber = 0

  // Safe to share: what changes is only touched under `lock`.
  let outer: SubscriptionSlot
  private let parent: SubscriptionSlot?
  private let lock = Lock()
  private var slot: SubscriptionSlot?
  private var number = LatestStream.outerNumber
  private var innerRuns = false
  private var outerEnded = false
  private var isCancelled = false

  init(in parent: SubscriptionSlot?) {
    self.parent = parent
    outer = SubscriptionSlot(in: parent)
  }

  /// Ends the running inner stream and makes place for the next.
  func begin() -> (number: Int, slot: SubscriptionSlot)? {
    let next = SubscriptionSlot(in: parent)
    var old: SubscriptionSlot?
    let started: Int? = lock.withLock {
      if isCancelled { return nil }
      old = slot
      slot = next
      number += 1
      innerRuns = true
      return number
    }
    old?.end()
    return started.map { ($0, next) }
  }

  func isLatest(_ number: Int) -> Bool {
    lock.withLock { self.number == number }
  }

  /// Notes the end of the outer or of an inner stream, and answers whether that ends everything.
  func end(_ number: Int) -> Bool {
    lock.withLock {
      if number == LatestStream.outerNumber {
        outerEnded = true
      } else if number == self.number {
        innerRuns = false
      }
      return outerEnded && !innerRuns
    }
  }

  func cancel() {
    let running = lock.withLock {
      isCancelled = true
      let running = slot
      slot = nil
      return running
    }
    outer.end()
    running?.end()
  }
}
