// Every operator: values, end, errors, cancelling, and what it does when values come from inside its own deliveries.

import Foundation
import Testing

@testable import SwiftReactor

@Suite("Streams: operators")
struct StreamsOperatorTests {
  typealias Make = @Sendable ([EventStream<String>]) -> EventStream<String>

  struct Case: CustomStringConvertible, Sendable {
    let name: String
    let inputs: [String]
    let output: String
    let make: Make

    init(_ name: String, _ inputs: String..., gives output: String, _ make: @escaping Make) {
      self.name = name
      self.inputs = inputs
      self.output = output
      self.make = make
    }

    var description: String { "\(name) \(inputs)" }
  }

  static let single: [Case] = [
    Case("map", "a-b-#c|", gives: "A-B-#C|") { $0[0].map { $0.uppercased() } },
    Case("compactMap", "a1b#2|", gives: "-1-#2|") { $0[0].compactMap { Int($0).map(String.init) } },
    Case("filter", "ab#ab|", gives: "a-#a-|") { $0[0].filter { $0 == "a" } },
    Case("removeDuplicates", "aab#bba|", gives: "a-b#--a|") { $0[0].removeDuplicates() },
    Case("removeDuplicates(by:)", "aAb#Bc|", gives: "a-b#-c|") {
      $0[0].removeDuplicates { $0.lowercased() == $1.lowercased() }
    },
    Case("scan", "123#4|", gives: "136#(10)|") { $0[0].scan(0) { $0 + Int($1)! }.map(String.init) },
    Case("dropFirst", "ab#cd|", gives: "--#cd|") { $0[0].dropFirst(2) },
    Case("dropFirst(0)", "ab|", gives: "ab|") { $0[0].dropFirst(0) },
    Case("dropFirst, too many", "a|", gives: "-|") { $0[0].dropFirst(5) },
    Case("prefix", "a#b-c", gives: "a#(b|)") { $0[0].prefix(2) },
    Case("prefix, ends before", "a|", gives: "a|") { $0[0].prefix(2) },
    Case("prefix(0)", "a", gives: "|") { $0[0].prefix(0) },
    Case("prefix(while:)", "ab#aca", gives: "ab#a|") { $0[0].prefix(while: { $0 != "c" }) },
    Case("prefix(while:), ends before", "ab|", gives: "ab|") { $0[0].prefix(while: { $0 != "c" }) },
    Case("prepend", "-a|", gives: "(xy)a|") { $0[0].prepend("x", "y") },
    Case("append", "a#b|", gives: "a#b(xy|)") { $0[0].append("x", "y") },
  ]

  static let several: [Case] = [
    Case("merge", "a-b|", "-x-#y|", gives: "axb#y|") { $0[0].merge(with: $0[1]) },
    Case("merge, an error ends nothing", "a#|", "x--y|", gives: "(ax)#-y|") { $0[0].merge(with: $0[1]) },
    Case("merge of three", "a|", "-b|", "--c|", gives: "abc|") { EventStream.merge($0[0], $0[1], $0[2]) },
    Case("merge of none", "a", gives: "|") { _ in EventStream.merge([]) },
    Case("concat", "a-b|", "x-y-z|", gives: "a-b-z|") { $0[0].concat($0[1]) },
    Case("concat with what has ended", "ab|", "|", gives: "ab|") { $0[0].concat($0[1]) },
    Case("combineLatest", "a-b--|", "-x-#y-|", gives: "-(ax)(bx)#(by)-|") {
      $0[0].combineLatest(with: $0[1]).map { $0 + $1 }
    },
    Case("combineLatest, one ends without a value", "a--b", "-|", gives: "-|") {
      $0[0].combineLatest(with: $0[1]).map { $0 + $1 }
    },
    Case("combineLatest, one ends with a value", "a-b", "x|", gives: "(ax)-(bx)") {
      $0[0].combineLatest(with: $0[1]).map { $0 + $1 }
    },
    Case("withLatestFrom", "ab-c-d|", "-x#y|", gives: "--#x-y|") { $0[0].withLatestFrom($0[1]) },
    Case("withLatestFrom, transform", "a-b#|", "x-y", gives: "--(bx)#|") {
      $0[0].withLatestFrom($0[1]) { $0 + $1 }
    },
    Case("flatMap", "0-1-#|", "-a-b-|", "---xy--|", gives: "-a-(bx)(#y)--|") { streams in
      streams[0].flatMap { streams[Int($0)! + 1] }
    },
    Case("flatMap, inner errors end nothing", "01|", "-#|", "--a|", gives: "-#a|") { streams in
      streams[0].flatMap { streams[Int($0)! + 1] }
    },
    Case("flatMap, the outer ends last", "0---|", "-a|", gives: "-a--|") { streams in
      streams[0].flatMap { streams[Int($0)! + 1] }
    },
    Case("switchToLatest", "0--1--|", "-ab-c-|", "a---xy-#-|", gives: "-ab-xy-#-|") { streams in
      streams[0].map { streams[Int($0)! + 1] }.switchToLatest()
    },
    Case("switchToLatest, the outer ends last", "0---#|", "-a|", gives: "-a--#|") { streams in
      streams[0].map { streams[Int($0)! + 1] }.switchToLatest()
    },
  ]

  @Test("Operators of one stream give what their timelines say", arguments: single)
  func oneInput(_ example: Case) async {
    #expect(await Timeline().run(example.inputs, example.make) == example.output)
  }

  @Test("Operators of several streams give what their timelines say", arguments: several)
  func severalInputs(_ example: Case) async {
    #expect(await Timeline().run(example.inputs, example.make) == example.output)
  }

  /// Every operator as one that lets all values of its input pass, for the tests below.
  static let passing: [(name: String, make: @Sendable (EventStream<Int>) -> EventStream<Int>)] = [
    ("map", { $0.map { $0 } }),
    ("compactMap", { $0.compactMap { $0 } }),
    ("filter", { $0.filter { _ in true } }),
    ("removeDuplicates", { $0.removeDuplicates() }),
    ("scan", { $0.scan(0) { $1 } }),
    ("dropFirst", { $0.dropFirst(0) }),
    ("prefix", { $0.prefix(.max) }),
    ("prefix(while:)", { $0.prefix(while: { _ in true }) }),
    ("prepend", { $0.prepend() }),
    ("append", { $0.append() }),
    ("merge", { $0.merge(with: .never) }),
    ("concat", { EventStream.empty.concat($0) }),
    ("combineLatest", { $0.combineLatest(with: .just(0)).map { $0.0 } }),
    ("withLatestFrom", { $0.withLatestFrom(.just(0)) { value, _ in value } }),
    ("flatMap", { $0.flatMap { .just($0) } }),
    ("switchToLatest", { $0.map { .just($0) }.switchToLatest() }),
    ("retry", { $0.retry(1) }),
    ("throttle", { $0.throttle(for: .zero, clock: ManualTestClock()) }),
    ("timeout", { $0.timeout(after: .seconds(1), clock: ManualTestClock()) }),
  ]

  @Test("What is emitted inside a delivery comes next, not nested", arguments: passing.indices)
  func reentrantEmission(_ index: Int) {
    let subject = EventSubject<Int>()
    let log = Recorder<String>()
    let subscription = Self.passing[index].make(subject.stream).sink { value in
      log.append("(\(value)")
      if value < 3 { subject.send(value + 1) }
      log.append("\(value))")
    }
    subject.send(1)
    subscription.cancel()
    #expect(log.values == ["(1", "1)", "(2", "2)", "(3", "3)"], "\(Self.passing[index].name)")
  }

  @Test("Nothing is called after cancelling, inside a delivery and outside", arguments: passing.indices)
  func cancelling(_ index: Int) {
    let make = Self.passing[index].make
    let node = SubjectNode<Int>()
    let inside = Recorder<Int>()
    let held = Shared<EventSubscription?>(nil)
    held.value = make(node.stream).sink { value in
      inside.append(value)
      node.send(value + 1)
      held.value?.cancel()
    }
    node.send(1)
    node.send(5)
    #expect(inside.values == [1], "\(Self.passing[index].name)")

    let outside = EventRecorder(make(node.stream))
    node.send(1)
    outside.cancel()
    node.send(2)
    node.finish()
    #expect(outside.text == "1", "\(Self.passing[index].name)")
    #expect(node.listenerCount == 0, "\(Self.passing[index].name)")
  }

  @Test("Letting a subscription go cancels it, and frees what its closure held", arguments: passing.indices)
  func release(_ index: Int) {
    let node = SubjectNode<Int>()
    let log = Recorder<Int>()
    weak var weakToken: Recorder<Int>?
    do {
      let token = Recorder<Int>()
      weakToken = token
      let subscription = Self.passing[index].make(node.stream).sink { value in
        token.append(value)
        log.append(value)
      }
      node.send(1)
      withExtendedLifetime(subscription) {}
    }
    #expect(weakToken == nil, "\(Self.passing[index].name)")
    node.send(2)
    #expect(log.values == [1], "\(Self.passing[index].name)")
    #expect(node.listenerCount == 0, "\(Self.passing[index].name)")
  }

  @Test("The end frees what the closure held, though the subscription is kept", arguments: passing.indices)
  func endFrees(_ index: Int) {
    let node = SubjectNode<Int>()
    weak var weakToken: Recorder<Int>?
    var subscription: EventSubscription?
    do {
      let token = Recorder<Int>()
      weakToken = token
      subscription = Self.passing[index].make(node.stream).prefix(1).sink { token.append($0) }
    }
    node.send(1)
    #expect(weakToken == nil, "\(Self.passing[index].name)")
    #expect(node.listenerCount == 0, "\(Self.passing[index].name)")
    subscription?.cancel()
  }

  @Test("An older inner stream is silent after the switch, though a value of it waits")
  func switchDropsWhatWaits() {
    let outer = EventSubject<EventStream<String>>()
    let first = EventSubject<String>()
    let second = EventSubject<String>()
    let log = Recorder<String>()
    let subscription = outer.stream.switchToLatest().sink { value in
      log.append(value)
      if value == "a" {
        first.send("late")
        outer.send(second.stream)
        second.send("x")
      }
    }
    outer.send(first.stream)
    first.send("a")
    #expect(log.values == ["a", "x"])
    subscription.cancel()
  }

  @Test("A value of an older inner stream that another thread left in the gate is dropped after the switch")
  func switchDropsWhatAnotherThreadLeft() {
    let outer = SubjectNode<EventStream<String>>()
    let first = EventSubject<String>()
    let second = EventSubject<String>()
    let log = Recorder<String>()
    var context = StreamContext()
    // Nobody fetches what was left, so that it is still there at the switch.
    context.runner = HeldRunner()
    let subscription = outer.stream.switchToLatest().subscribe(in: context) { event in
      switch event {
      case .value(let value): log.append(value)
      case .failure:
        log.append("#")
        let gone = DispatchSemaphore(value: 0)
        Thread {
          first.send("late")
          gone.signal()
        }.start()
        gone.wait()
      case .finished: log.append("|")
      }
    }
    outer.send(first.stream)
    first.send("a")
    outer.emit(.failure(TimelineError()))
    outer.send(second.stream)
    second.send("x")
    #expect(log.values == ["a", "#", "x"])
    subscription.cancel()
  }

  @Test("Retry subscribes again after a failure, in a loop, and passes the last failure on")
  func retry() async {
    let attempts = Shared(0)
    let failing = EventStream<Int>(subscribing: { _, receive in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      receive(.value(attempt))
      receive(.failure(TimelineError()))
      receive(.finished)
      return EventSubscription()
    })
    #expect(EventRecorder(failing.retry(2)).text == "1 2 3 # |")
    attempts.value = 0
    #expect(EventRecorder(failing.retry(0)).text == "1 # |")
    attempts.value = 0
    await onThread(stackSize: 512 * 1024) {
      failing.retry(100_000).subscribe(in: StreamContext()) { _ in }.cancel()
    }
    #expect(attempts.value == 100_001)
  }

  @Test("Retry cancels the attempt that failed, and ignores what it still says")
  func retryIgnoresFailedAttempt() {
    let nodes = [SubjectNode<Int>(), SubjectNode<Int>()]
    let attempts = Shared(0)
    let stream = EventStream<Int>(subscribing: { context, receive in
      let attempt = attempts.withLock { attempts in
        defer { attempts += 1 }
        return attempts
      }
      return nodes[attempt].subscribe(in: context, receive)
    })
    let recorder = EventRecorder(stream.retry(1))
    nodes[0].send(1)
    nodes[0].emit(.failure(TimelineError()))
    #expect(nodes[0].listenerCount == 0)
    nodes[0].send(2)
    nodes[1].send(3)
    nodes[1].emit(.failure(TimelineError()))
    nodes[1].finish()
    #expect(recorder.text == "1 3 # |")
  }

  @Test("An optional value is a value, also when it is nil")
  func optionals() {
    let stream = EventStream<Int?>([nil, nil, 1])
    #expect(EventRecorder(stream.removeDuplicates()).text == "nil Optional(1) |")
    #expect(EventRecorder(EventStream<Int?>.just(nil).combineLatest(with: .just(1)).map { $0.1 }).text == "1 |")
    #expect(EventRecorder(EventStream.just(1).withLatestFrom(EventStream<Int?>.just(nil))).text == "nil |")
    #expect(EventRecorder(EventStream([1]).compactMap { _ in Int??.some(nil) }).text == "nil |")
  }
}
