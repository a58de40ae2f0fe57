// Streams under real threads, long chains and thousands of rounds, each with a watchdog.

import Foundation
import Testing

@testable import SwiftReactor

extension OneAtATime {
  @Suite("Streams: stress")
  struct StreamsStressTests {
    @Test("100 000 chained emissions do not grow the stack", arguments: StreamsOperatorTests.passing.indices)
    func chainedEmissions(_ index: Int) async {
      let watchdog = Watchdog("100 000 chained emissions", seconds: 300)
      defer { watchdog.finish() }
      let make = StreamsOperatorTests.passing[index].make
      let last = Shared(0)
      await onThread(stackSize: 512 * 1024) {
        let subject = EventSubject<Int>()
        let subscription = make(subject.stream).sink { value in
          last.value = value
          if value < 100_000 { subject.send(value + 1) }
        }
        subject.send(1)
        subscription.cancel()
      }
      #expect(last.value == 100_000, "\(StreamsOperatorTests.passing[index].name)")
    }

    @Test("Random chains fed by two threads: one at a time, each thread's order kept, nothing lost")
    func twoThreads() async {
      let watchdog = Watchdog("random chains fed by two threads", seconds: 300)
      defer { watchdog.finish() }
      let seed = UInt64.random(in: 0 ... .max)
      print("random chains of two threads: seed \(seed)")
      var generator = SeededGenerator(seed: seed)
      let perThread = 300
      for round in 0..<300 {
        let subjects = [EventSubject<Int>(), EventSubject<Int>()]
        // Either both threads feed one subject, or each its own and the streams meet.
        let shared = Bool.random(using: &generator)
        var stream = shared ? subjects[0].stream : subjects[0].stream.merge(with: subjects[1].stream)
        var names: [String] = [shared ? "shared" : "merged"]
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
          let index = Int.random(in: 0..<10, using: &generator)
          switch index {
          case 0: stream = stream.map { $0 }
          case 1: stream = stream.merge(with: .empty)
          case 2: stream = stream.flatMap { .just($0) }
          case 3: stream = stream.flatMap { EventStream([$0]) }
          case 4: stream = stream.withLatestFrom(.just(0)) { value, _ in value }
          case 5: stream = stream.combineLatest(with: .just(0)).map { $0.0 }
          case 6: stream = stream.scan(0) { $1 }
          case 7: stream = stream.concat(.never)
          case 8: stream = stream.timeout(after: .seconds(1000), clock: ManualTestClock())
          default: stream = EventStream<EventStream<Int>>.just(stream).switchToLatest()
          }
          names.append("\(index)")
        }
        let log = Recorder<Int>()
        let atOnce = Shared(0)
        let overlaps = Shared(0)
        let (ended, end) = AsyncStream<Void>.makeStream()
        let subscription = stream.sink { value in
          if atOnce.withLock({
            $0 += 1; return $0
          }) > 1 {
            overlaps.withLock { $0 += 1 }
          }
          log.append(value)
          atOnce.withLock { $0 -= 1 }
          if log.count == 2 * perThread { end.finish() }
        }
        await race(2) { thread in
          let subject = subjects[shared ? 0 : thread]
          for value in 0..<perThread { subject.send(thread * 1000 + value) }
        }
        for await _ in ended {}
        let values = log.values
        #expect(overlaps.value == 0, "seed \(seed), round \(round): \(names)")
        #expect(values.filter { $0 < 1000 } == Array(0..<perThread), "seed \(seed), round \(round): \(names)")
        #expect(
          values.filter { $0 >= 1000 } == Array(1000..<(1000 + perThread)), "seed \(seed), round \(round): \(names)")
        subscription.cancel()
      }
    }

    @Test("All listeners of a subject see one order, whichever threads send")
    func oneOrderForAll() async {
      let watchdog = Watchdog("one order for all", seconds: 300)
      defer { watchdog.finish() }
      let subject = EventSubject<Int>()
      let logs = (0..<3).map { _ in Recorder<Int>() }
      let (ended, end) = AsyncStream<Void>.makeStream()
      let subscriptions = logs.map { log in
        subject.stream.sink { value in
          log.append(value)
          if logs.allSatisfy({ $0.count == 10_000 }) { end.finish() }
        }
      }
      await race(2) { thread in
        for value in 0..<5000 { subject.send(thread * 10_000 + value) }
      }
      for await _ in ended {}
      #expect(logs[0].values == logs[1].values)
      #expect(logs[0].values == logs[2].values)
      #expect(Set(logs[0].values).count == 10_000)
      for subscription in subscriptions { subscription.cancel() }
    }

    @Test("No lock is held in a closure: closures that take a user's lock, and a sender that holds it, do not block")
    func usersLock() async {
      let watchdog = Watchdog("closures that take a user's lock", seconds: 300)
      defer { watchdog.finish() }
      // Recursive, since the sender that holds it delivers itself when nobody else does.
      let lock = NSRecursiveLock()
      let touch: @Sendable () -> Void = { lock.withLock {} }
      let clock = ManualTestClock()
      let makes: [@Sendable (EventStream<Int>) -> EventStream<Int>] = [
        {
          $0.map {
            touch(); return $0
          }
        },
        {
          $0.compactMap {
            touch(); return $0
          }
        },
        {
          $0.filter { _ in
            touch(); return true
          }
        },
        {
          $0.removeDuplicates { _, _ in
            touch(); return false
          }
        },
        {
          $0.scan(0) {
            touch(); return $1
          }
        },
        {
          $0.prefix(while: { _ in
            touch(); return true
          })
        },
        { $0.merge(with: .never) },
        {
          $0.flatMap {
            touch(); return .just($0)
          }
        },
        {
          $0.map {
            touch(); return .just($0)
          }.switchToLatest()
        },
        {
          $0.withLatestFrom(.just(0)) { value, _ in
            touch(); return value
          }
        },
        {
          $0.combineLatest(with: .just(0)).map {
            touch(); return $0.0
          }
        },
        { $0.throttle(for: .zero, clock: clock) },
        { $0.timeout(after: .seconds(1), clock: clock) },
        { $0.retry(1) },
      ]
      for make in makes {
        let subject = EventSubject<Int>()
        let count = Shared(0)
        let (ended, end) = AsyncStream<Void>.makeStream()
        let subscription = make(subject.stream).sink { _ in
          touch()
          if count.withLock({
            $0 += 1; return $0
          }) == 2000 {
            end.finish()
          }
        }
        await race(2) { thread in
          for value in 0..<1000 {
            if thread == 0 { lock.lock() }
            subject.send(value)
            let other = subject.stream.sink { _ in touch() }
            other.cancel()
            if thread == 0 { lock.unlock() }
          }
        }
        for await _ in ended {}
        #expect(count.value == 2000)
        subscription.cancel()
      }
    }

    @Test("An emitter may be called from several threads; each thread's order is kept and nothing is lost")
    func emitterFromThreads() async {
      let watchdog = Watchdog("an emitter called from two threads", seconds: 300)
      defer { watchdog.finish() }
      let log = Recorder<Int>()
      let emitters = Recorder<Emitter<Int>>()
      let (ended, end) = AsyncStream<Void>.makeStream()
      let stream = EventStream<Int> { emit in
        emitters.append(emit)
        return EventSubscription {}
      }
      let subscription = stream.subscribe(in: StreamContext()) { event in
        switch event {
        case .value(let value): log.append(value)
        case .failure: break
        case .finished: end.finish()
        }
      }
      await race(2) { thread in
        for value in 0..<20_000 { emitters.values[0](thread * 100_000 + value) }
      }
      emitters.values[0].finish()
      for await _ in ended {}
      #expect(log.values.filter { $0 < 100_000 } == Array(0..<20_000))
      #expect(log.values.filter { $0 >= 100_000 } == Array(100_000..<120_000))
      subscription.cancel()
    }

    @Test("B34: whatever the order of start, pause, resume and release, nothing traps and nothing stays")
    func anyOrder() async {
      let watchdog = Watchdog("intervals in any order", seconds: 300)
      defer { watchdog.finish() }
      let timeline = Timeline()
      let context = timeline.context
      let clock = timeline.clock
      let make: @Sendable (IntervalControl) -> EventStream<Int> = {
        .interval(every: .seconds(1), clock: clock, control: $0)
      }
      _ = make(IntervalControl())
      for calls in ["", "p", "pp", "r", "rr", "prp", "ppr", "rpr"] {
        for releasesControlFirst in [true, false] {
          var control: IntervalControl? = IntervalControl()
          var subscription: EventSubscription? = control.map { make($0).subscribe(in: context) { _ in } }
          for call in calls { call == "p" ? control?.pause() : control?.resume() }
          if releasesControlFirst { control = nil }
          subscription?.cancel()
          subscription = nil
          control?.resume()
          control?.pause()
        }
      }
      for _ in 0..<1000 {
        let control = IntervalControl()
        let held = Shared<EventSubscription?>(make(control).subscribe(in: context) { _ in })
        await race(2) { thread in
          if thread == 0 {
            control.pause()
            control.resume()
            control.pause()
          } else {
            held.value = nil
          }
        }
      }
      await clock.settle()
      #expect(clock.taskCount == 0)
    }

    @Test("Pausing and resuming from two threads ends in the state that the control shows")
    func crossingCalls() async {
      let watchdog = Watchdog("crossing calls of an interval", seconds: 300)
      defer { watchdog.finish() }
      for _ in 0..<300 {
        let timeline = Timeline()
        let clock = timeline.clock
        let control = IntervalControl()
        let log = Recorder<Int>()
        let subscription = EventStream.interval(every: .seconds(1), clock: clock, control: control)
          .subscribe(in: timeline.context) { event in
            if case .value(let tick) = event { log.append(tick) }
          }
        await race(2) { thread in
          for _ in 0..<5 { thread == 0 ? control.pause() : control.resume() }
        }
        await clock.advance(by: .seconds(3))
        #expect(log.values == (control.isPaused ? [] : [1, 2, 3]))
        subscription.cancel()
      }
    }

    @Test("20 000 consumers that are started and cancelled while values are sent all end, and none stays registered")
    func manyConsumers() async {
      let watchdog = Watchdog("20 000 consumers", seconds: 300)
      defer { watchdog.finish() }
      let node = SubjectNode<Int>()
      let isOver = Shared(false)
      let sender = Task.detached {
        await onThread {
          var value = 0
          while !isOver.value {
            value += 1
            node.send(value)
          }
        }
      }
      let stream = node.stream
      for round in 0..<200 {
        let consumers = (0..<100).map { number in
          Task.detached {
            var last = 0
            var isSorted = true
            for await value in stream.values(buffering: number % 2 == 0 ? .newest(8) : .oldest(8)) {
              if value <= last { isSorted = false }
              last = value
            }
            return isSorted
          }
        }
        // In some rounds they are cancelled before they begin, in others while they listen.
        if round % 2 == 0 { while node.listenerCount < 50 { await Task.yield() } }
        for consumer in consumers { consumer.cancel() }
        for consumer in consumers { #expect(await consumer.value) }
      }
      isOver.value = true
      await sender.value
      #expect(node.listenerCount == 0)
    }
  }
}
