// Chains of operators, made at random, against a model that only knows lists; and chains that two threads feed.

import Foundation
import Testing

@testable import SwiftReactor

/// What a stream of numbers does, as lists: what it has while it is subscribed to, and what comes later.
private struct ListModel {
  var now: [Int]
  var later: [Int]
  /// Whether it ends while it is subscribed to.
  var endsNow: Bool

  /// Applies a step that answers what to hand on, or nil to end there.
  mutating func each(_ step: (Int) -> [Int]?) {
    var result = ListModel(now: [], later: [], endsNow: endsNow)
    for value in now {
      guard let handedOn = step(value) else {
        self = ListModel(now: result.now, later: [], endsNow: true)
        return
      }
      result.now += handedOn
    }
    for value in later {
      guard let handedOn = step(value) else { break }
      result.later += handedOn
    }
    self = result
  }

  mutating func append(_ values: [Int]) {
    if endsNow { now += values } else { later += values }
  }
}

/// One operator, for the stream and for the model.
private struct Link {
  let name: String
  let stream: (EventStream<Int>) -> EventStream<Int>
  let model: (inout ListModel) -> Void

  static func random(using generator: inout SeededGenerator) -> Link {
    let number = Int.random(in: 0...4, using: &generator)
    switch Int.random(in: 0..<18, using: &generator) {
    case 0:
      return Link(name: "map") {
        $0.map { $0 + number }
      } model: {
        $0.each { [$0 + number] }
      }
    case 1:
      return Link(name: "filter") {
        $0.filter { $0 % 3 != number % 3 }
      } model: {
        $0.each { $0 % 3 != number % 3 ? [$0] : [] }
      }
    case 2:
      return Link(name: "compactMap") {
        $0.compactMap { $0 % 2 == 0 ? $0 / 2 : nil }
      } model: {
        $0.each { $0 % 2 == 0 ? [$0 / 2] : [] }
      }
    case 3:
      return Link(name: "removeDuplicates") {
        $0.removeDuplicates()
      } model: { model in
        var last: Int?
        model.each { value in
          defer { last = value }
          return value == last ? [] : [value]
        }
      }
    case 4:
      return Link(name: "scan") {
        $0.scan(number) { ($0 &+ $1) % 1000 }
      } model: { model in
        var sum = number
        model.each { value in
          sum = (sum &+ value) % 1000
          return [sum]
        }
      }
    case 5:
      return Link(name: "prepend") {
        $0.prepend(number, number)
      } model: {
        $0.now = [number, number] + $0.now
      }
    case 6:
      return Link(name: "append") {
        $0.append(number, 7)
      } model: {
        $0.append([number, 7])
      }
    case 7:
      return Link(name: "concat") {
        $0.concat(EventStream(0..<number))
      } model: {
        $0.append(Array(0..<number))
      }
    case 8:
      return Link(name: "merge") {
        $0.merge(with: EventStream(0..<number))
      } model: {
        $0.now += Array(0..<number)
      }
    case 9:
      return Link(name: "prefix(\(number))") {
        $0.prefix(number)
      } model: { model in
        // It ends with its last value, not with the one after it.
        if number == 0 || model.now.count >= number {
          model = ListModel(now: Array(model.now.prefix(number)), later: [], endsNow: true)
        } else {
          model.later = Array(model.later.prefix(number - model.now.count))
        }
      }
    case 10:
      return Link(name: "prefix(while:)") {
        $0.prefix(while: { $0 < 40 })
      } model: {
        $0.each { $0 < 40 ? [$0] : nil }
      }
    case 11:
      return Link(name: "dropFirst(\(number))") {
        $0.dropFirst(number)
      } model: { model in
        var left = number
        model.each { value in
          left -= 1
          return left >= 0 ? [] : [value]
        }
      }
    case 12:
      return Link(name: "flatMap") {
        $0.flatMap { EventStream($0..<($0 + number)) }
      } model: {
        $0.each { Array($0..<($0 + number)) }
      }
    case 13:
      return Link(name: "switchToLatest") {
        $0.map { EventStream([$0, number]) }.switchToLatest()
      } model: {
        $0.each { [$0, number] }
      }
    case 14:
      return Link(name: "withLatestFrom") {
        $0.withLatestFrom(.just(number)) { $0 + $1 }
      } model: {
        $0.each { [$0 + number] }
      }
    case 15:
      return Link(name: "withLatestFrom(nothing)") {
        $0.withLatestFrom(EventStream<Int>.empty)
      } model: {
        $0.each { _ in [] }
      }
    case 16:
      return Link(name: "combineLatest") {
        $0.combineLatest(with: .just(number)).map { $0.0 + $0.1 }
      } model: { model in
        model.now = model.now.suffix(1).map { $0 + number }
        model.later = model.later.map { $0 + number }
      }
    default:
      return Link(name: "retry") {
        $0.retry(number)
      } model: { _ in
      }
    }
  }

  init(
    name: String, _ stream: @escaping (EventStream<Int>) -> EventStream<Int>, model: @escaping (inout ListModel) -> Void
  ) {
    self.name = name
    self.stream = stream
    self.model = model
  }
}

@Suite("Streams: random chains")
struct StreamsRandomTests {
  @Test("10 000 random chains hand on what lists say: same elements, same order, same end")
  func chains() {
    let seed = UInt64.random(in: 0 ... .max)
    print("random chains: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for round in 0..<10_000 {
      let links = (0..<Int.random(in: 0...6, using: &generator)).map { _ in Link.random(using: &generator) }
      let now = (0..<Int.random(in: 0...5, using: &generator)).map { _ in Int.random(in: 0...20, using: &generator) }
      let later = (0..<Int.random(in: 0...5, using: &generator)).map { _ in Int.random(in: 0...20, using: &generator) }
      let isHot = Bool.random(using: &generator)

      let node = SubjectNode<Int>()
      var model = ListModel(now: now, later: isHot ? later : [], endsNow: !isHot)
      var stream = isHot ? EventStream(now).concat(node.stream) : EventStream(now)
      for link in links {
        stream = link.stream(stream)
        link.model(&model)
      }
      let recorder = EventRecorder(stream)
      let atOnce = recorder.text
      for value in later { node.send(value) }
      node.finish()
      let names = links.map(\.name)
      let expected = model.now.map(String.init) + (model.endsNow ? ["|"] : [])
      let whole = (model.now + (model.endsNow ? [] : model.later)).map(String.init) + ["|"]
      #expect(atOnce == expected.joined(separator: " "), "seed \(seed), round \(round): \(names) of \(now)")
      #expect(
        recorder.text == whole.joined(separator: " "), "seed \(seed), round \(round): \(names) of \(now), \(later)")
      #expect(node.listenerCount == 0)
      if atOnce != expected.joined(separator: " ") { return }
    }
  }

  @Test("Random chains fed by two threads: one at a time, each thread's order kept, nothing lost")
  func twoThreads() async {
    let watchdog = HangWatchdog("random chains fed by two threads", seconds: 120)
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
      let log = EventLog<Int>()
      let atOnce = SharedValue(0)
      let overlaps = SharedValue(0)
      let (ended, end) = AsyncStream<Void>.makeStream()
      let subscription = stream.sink { value in
        if atOnce.change({
          $0 += 1; return $0
        }) > 1 {
          overlaps.change { $0 += 1 }
        }
        log.append(value)
        atOnce.change { $0 -= 1 }
        if log.count == 2 * perThread { end.finish() }
      }
      await RealThreads.run(2) { thread in
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
    watchdog.end()
  }

  @Test("All listeners of a subject see one order, whichever threads send")
  func oneOrderForAll() async {
    let subject = EventSubject<Int>()
    let logs = (0..<3).map { _ in EventLog<Int>() }
    let (ended, end) = AsyncStream<Void>.makeStream()
    let subscriptions = logs.map { log in
      subject.stream.sink { value in
        log.append(value)
        if logs.allSatisfy({ $0.count == 10_000 }) { end.finish() }
      }
    }
    await RealThreads.run(2) { thread in
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
    let watchdog = HangWatchdog("closures that take a user's lock", seconds: 120)
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
      let count = SharedValue(0)
      let (ended, end) = AsyncStream<Void>.makeStream()
      let subscription = make(subject.stream).sink { _ in
        touch()
        if count.change({
          $0 += 1; return $0
        }) == 2000 {
          end.finish()
        }
      }
      await RealThreads.run(2) { thread in
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
    watchdog.end()
  }

  @Test("Elements and closures are released without a lock: their deinits may use the stream")
  func releasing() {
    let watchdog = HangWatchdog("deinits that use the stream", seconds: 20)
    final class Caller: Sendable {
      let onDeinit: @Sendable () -> Void

      init(_ onDeinit: @escaping @Sendable () -> Void) {
        self.onDeinit = onDeinit
      }

      deinit { onDeinit() }
    }
    let subject = EventSubject<Caller?>()
    let released = SharedValue(0)
    let useStream: @Sendable () -> Void = {
      released.change { $0 += 1 }
      subject.send(nil)
      subject.stream.sink { _ in }.cancel()
    }
    // An element that is handed on at once, and one that waits.
    let trigger = subject.stream.prefix(1).sink { _ in subject.send(Caller(useStream)) }
    subject.send(Caller(useStream))
    #expect(released.value == 2)
    trigger.cancel()
    // An element that waits when the flow is closed.
    let emitters = EventLog<Emitter<Caller?>>()
    let held = SharedValue<EventSubscription?>(nil)
    let pushed = EventStream<Caller?> { emit in
      emitters.append(emit)
      return EventSubscription {}
    }
    held.value = pushed.sink { _ in
      emitters.values[0](Caller(useStream))
      #expect(released.value == 2)
      held.value?.cancel()
    }
    emitters.values[0](nil)
    #expect(released.value == 3)
    held.value = nil
    // A closure: when it is cancelled, when its stream ends, and behind operators.
    subject.stream.sink { [caller = Caller(useStream)] _ in _ = caller }.cancel()
    #expect(released.value == 4)
    subject.stream.removeDuplicates { _, _ in false }.merge(with: .never).flatMap { .just($0) }
      .sink { [caller = Caller(useStream)] _ in _ = caller }.cancel()
    #expect(released.value == 5)
    let ended = subject.stream.prefix(1).sink { [caller = Caller(useStream)] _ in _ = caller }
    subject.send(nil)
    #expect(released.value == 6)
    ended.cancel()
    // A value that an operator kept, and one that a buffer drops.
    let kept = subject.stream.removeDuplicates { _, _ in false }.sink { _ in }
    subject.send(Caller(useStream))
    kept.cancel()
    #expect(released.value == 7)
    var iterator: EventValues<Caller?>.Iterator? = subject.stream.values(buffering: .newest(1)).makeAsyncIterator()
    subject.send(Caller(useStream))
    subject.send(Caller(useStream))
    withExtendedLifetime(iterator) {}
    iterator = nil
    #expect(released.value == 9)
    watchdog.end()
  }
}
