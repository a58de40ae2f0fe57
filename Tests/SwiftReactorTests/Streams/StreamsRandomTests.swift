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

  @Test("Elements and closures are released without a lock: their deinits may use the stream")
  func releasing() {
    let watchdog = Watchdog("deinits that use the stream", seconds: 180)
    final class Caller: Sendable {
      let onDeinit: @Sendable () -> Void

      init(_ onDeinit: @escaping @Sendable () -> Void) {
        self.onDeinit = onDeinit
      }

      deinit { onDeinit() }
    }
    let subject = EventSubject<Caller?>()
    let released = Shared(0)
    let useStream: @Sendable () -> Void = {
      released.withLock { $0 += 1 }
      subject.send(nil)
      subject.stream.sink { _ in }.cancel()
    }
    // An element that is handed on at once, and one that waits.
    let trigger = subject.stream.prefix(1).sink { _ in subject.send(Caller(useStream)) }
    subject.send(Caller(useStream))
    #expect(released.value == 2)
    trigger.cancel()
    // An element that waits when the flow is closed.
    let emitters = Recorder<Emitter<Caller?>>()
    let held = Shared<EventSubscription?>(nil)
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
    watchdog.finish()
  }
}
