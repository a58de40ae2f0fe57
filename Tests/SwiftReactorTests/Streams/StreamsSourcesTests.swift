// Where streams begin: each source is cold, ends as it says and stops when nobody listens.

import Foundation
import Testing

@testable import SwiftReactor

@Suite("Streams: sources")
struct StreamsSourcesTests {
  @Test("Constants: just has one value, empty ends, never says nothing")
  func constants() {
    #expect(EventRecorder(EventStream.just(1)).text == "1 |")
    #expect(EventRecorder(EventStream<Int>.empty).text == "|")
    #expect(EventRecorder(EventStream<Int>.never).text == "")
  }

  @Test("A sequence is handed on at once, again for each subscription")
  func sequence() {
    let stream = EventStream([1, 2, 3])
    #expect(EventRecorder(stream).text == "1 2 3 |")
    #expect(EventRecorder(stream).text == "1 2 3 |")
  }

  @Test("A sequence of 100 000 elements passes operators on a small stack")
  func longSequence() async {
    let sum = Shared(0)
    let ended = Shared(false)
    await onThread(stackSize: 512 * 1024) {
      let stream = EventStream(0..<100_000).map { $0 + 1 }.flatMap { .just($0) }.merge(with: .empty)
      _ = stream.subscribe(in: StreamContext()) { event in
        switch event {
        case .value(let element): sum.value += element
        case .failure: break
        case .finished: ended.value = true
        }
      }
    }
    #expect(sum.value == 100_000 * 100_001 / 2)
    #expect(ended.value)
  }

  @Test("An endless sequence stops as soon as an operator has enough, also behind others")
  func endlessSequence() {
    #expect(EventRecorder(EventStream(1...).prefix(3)).text == "1 2 3 |")
    #expect(EventRecorder(EventStream(1...).map { $0 * 2 }.filter { $0 > 4 }.prefix(2)).text == "6 8 |")
    #expect(EventRecorder(EventStream(1...).flatMap { _ in EventStream(1...) }.prefix(3)).text == "1 2 3 |")
    #expect(EventRecorder(EventStream(1...).merge(with: EventStream(1...)).prefix(3)).text == "1 2 3 |")
    #expect(EventRecorder(EventStream(1...).concat(EventStream(1...)).prefix(2)).text == "1 2 |")
    #expect(EventRecorder(EventStream(1...).retry(2).prefix(2)).text == "1 2 |")
    #expect(EventRecorder(EventStream(1...).prefix(while: { $0 < 3 })).text == "1 2 |")
    let made = EventStream(1...).map { _ in EventStream(1...) }.switchToLatest().prefix(3)
    #expect(EventRecorder(made).text == "1 2 3 |")
    #expect(EventRecorder(EventStream.just(1).combineLatest(with: EventStream(1...)).prefix(1)).text == "(1, 1) |")
    #expect(EventRecorder(EventStream(1...).withLatestFrom(.just(7)).prefix(2)).text == "7 7 |")
  }

  @Test("A sequence that is handed on stops midway when its subscription is cancelled in a delivery")
  func cancelledMidway() {
    let outer = EventSubject<Int>()
    let held = Shared<EventSubscription?>(nil)
    let log = Recorder<Int>()
    held.value = outer.stream.flatMap { _ in EventStream(0..<100_000) }.sink { value in
      log.append(value)
      if value == 10 { held.value?.cancel() }
    }
    outer.send(0)
    #expect(log.values == Array(0...10))
  }

  @Test("The async builder runs in a task for each subscription and ends when it returns")
  func asyncBuilder() async {
    let runs = Shared(0)
    let stream = EventStream<Int> { emit in
      runs.withLock { $0 += 1 }
      emit(1)
      await Task.yield()
      emit(2)
    }
    #expect(await stream.collected() == "1 2 |")
    #expect(await stream.collected() == "1 2 |")
    #expect(runs.value == 2)
  }

  @Test("The async builder: an error is a notice before the end, a CancellationError just the end")
  func asyncBuilderErrors() async {
    let failing = EventStream<Int> { emit in
      emit(1)
      throw TimelineError()
    }
    #expect(await failing.collected() == "1 # |")
    let cancelled = EventStream<Int> { emit in
      emit(1)
      throw CancellationError()
    }
    #expect(await cancelled.collected() == "1 |")
  }

  @Test("Cancelling the async builder cancels its task, and nothing arrives afterwards")
  func asyncBuilderCancelled() async {
    let (opened, open) = AsyncStream<Void>.makeStream()
    let (noticed, notice) = AsyncStream<Bool>.makeStream()
    let stream = EventStream<Int> { emit in
      emit(1)
      // Does not listen to cancellation, and emits late.
      await Task.detached { for await _ in opened { break } }.value
      emit(2)
      emit.finish()
      notice.yield(Task.isCancelled)
    }
    let (started, start) = AsyncStream<Void>.makeStream()
    let log = Recorder<Int>()
    let subscription = stream.sink { value in
      log.append(value)
      start.yield()
    }
    for await _ in started { break }
    subscription.cancel()
    open.yield()
    for await wasCancelled in noticed {
      #expect(wasCancelled)
      break
    }
    #expect(log.values == [1])
  }

  @Test("The async builder uses the subscriber's runner and the priority asked for")
  func asyncBuilderRunner() async {
    let timeline = Timeline()
    let log = Recorder<TaskPriority>()
    let stream = EventStream<Int>(priority: .background) { emit in
      log.append(Task.basePriority ?? .medium)
      emit(1)
    }
    let recorder = EventRecorder(stream, in: timeline.context)
    await timeline.clock.settle()
    #expect(recorder.text == "1 |")
    #expect(log.values == [.background])
  }

  @Test("The push builder: what it returns is cancelled exactly once, at the end or when cancelled")
  func pushBuilder() {
    let stops = Shared(0)
    let emitters = Recorder<Emitter<Int>>()
    let stream = EventStream<Int> { emit in
      emitters.append(emit)
      emit(0)
      return EventSubscription { stops.withLock { $0 += 1 } }
    }
    let finished = EventRecorder(stream)
    emitters.values[0](1)
    emitters.values[0].finish()
    emitters.values[0](2)
    #expect(stops.value == 1)
    finished.cancel()
    #expect(stops.value == 1)
    #expect(finished.text == "0 1 |")

    let cancelled = EventRecorder(stream)
    cancelled.cancel()
    cancelled.cancel()
    emitters.values[1](3)
    emitters.values[1].finish()
    #expect(stops.value == 2)
    #expect(cancelled.text == "0")
  }

  @Test("The push builder may finish before it returns")
  func pushBuilderFinishesAtOnce() {
    let stops = Shared(0)
    let stream = EventStream<Int> { emit in
      emit(1)
      emit.finish()
      return EventSubscription { stops.withLock { $0 += 1 } }
    }
    #expect(EventRecorder(stream).text == "1 |")
    #expect(stops.value == 1)
  }

  @Test("An async sequence is handed on; its error is a notice or what catch makes of it")
  func asyncSequence() async {
    func numbers(throwing error: (any Error)?) -> AsyncThrowingStream<Int, any Error> {
      AsyncThrowingStream { continuation in
        continuation.yield(1)
        continuation.yield(2)
        continuation.finish(throwing: error)
      }
    }
    #expect(await EventStream(numbers(throwing: nil)).collected() == "1 2 |")
    #expect(await EventStream(numbers(throwing: TimelineError())).collected() == "1 2 # |")
    #expect(await EventStream(numbers(throwing: TimelineError()), catch: { _ in 9 }).collected() == "1 2 9 |")
    #expect(await EventStream(numbers(throwing: TimelineError()), catch: { _ in nil }).collected() == "1 2 |")
    #expect(await EventStream(numbers(throwing: CancellationError()), catch: { _ in 9 }).collected() == "1 2 |")
  }

  @Test("An async sequence is read no further ahead than the bound")
  func asyncSequenceIsPaced() async {
    let taken = Shared(0)
    let numbers = AsyncStream<Int>(unfolding: {
      taken.withLock { taken in
        taken += 1
        return taken
      }
    })
    var iterator = EventStream(numbers).values.makeAsyncIterator()
    for expected in 1...5000 {
      #expect(await iterator.next() == expected)
      #expect(taken.value <= expected + Emitter<Int>.bound + 1)
    }
  }

  @Test("Builders with trailing closures are told apart without help")
  func overloads() async {
    let source = EventSubject<Int>()
    let oneExpression = EventStream<Int> { emit in emit(1) }
    let ignoring = EventStream<Int> { _ in }
    let awaiting = EventStream<Int> { emit in await emit.whenDrained(2) }
    let throwing = EventStream<Int> { _ in try await Task.sleep(for: .zero) }
    let pushing = EventStream<Int> { emit in source.stream.sink { emit($0) } }
    let pushingLonger = EventStream<Int> { emit in
      let subscription = source.stream.sink { emit($0) }
      return EventSubscription { subscription.cancel() }
    }
    let priority = EventStream<Int>(priority: .high) { emit in emit(3) }
    let sequence = EventStream([4])
    let range = EventStream(5...5)
    #expect(await oneExpression.collected() == "1 |")
    #expect(await ignoring.collected() == "|")
    #expect(await awaiting.collected() == "2 |")
    #expect(await throwing.collected() == "|")
    #expect(await priority.collected() == "3 |")
    #expect(await sequence.collected() == "4 |")
    #expect(await range.collected() == "5 |")
    let both = [EventRecorder(pushing), EventRecorder(pushingLonger)]
    source.send(6)
    #expect(both.map(\.text) == ["6", "6"])
  }
}

extension EventStream {
  /// What comes until the end, as ``EventRecorder`` writes it.
  func collected() async -> String {
    let log = Recorder<String>()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let subscription = subscribe(in: StreamContext()) { event in
      switch event {
      case .value(let element): log.append("\(element)")
      case .failure: log.append("#")
      case .finished:
        log.append("|")
        end.finish()
      }
    }
    for await _ in ended {}
    withExtendedLifetime(subscription) {}
    return log.values.joined(separator: " ")
  }
}
