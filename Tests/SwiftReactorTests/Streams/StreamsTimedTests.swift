// Operators that wait, on a clock that only the test moves: windows, their edges, late timers, releases in the middle.

import Foundation
import Testing

@testable import SwiftReactor

@Suite("Streams: operators that wait")
struct StreamsTimedTests {
  enum Kind: Sendable { case delay, debounce, throttleLatest, throttleFirst, timeout }

  struct Case: CustomStringConvertible, Sendable {
    let kind: Kind
    let window: Int
    let input: String
    let output: String

    init(_ kind: Kind, _ window: Int, _ input: String, gives output: String) {
      self.kind = kind
      self.window = window
      self.input = input
      self.output = output
    }

    var description: String { "\(kind)(\(window)) \(input)" }
  }

  /// The window is in seconds, one character is one second, timers come before inputs of the same second.
  static let table: [Case] = [
    Case(.delay, 2, "ab--c|", gives: "--ab--c|"),
    Case(.delay, 2, "a#(bc)|", gives: "--a#(bc)|"),
    Case(.delay, 0, "ab|", gives: "ab|"),
    Case(.delay, 3, "|", gives: "---|"),
    // A pause shorter than the window drops, an equal or longer one hands on.
    Case(.debounce, 2, "ab---|", gives: "---b-|"),
    Case(.debounce, 2, "a-b---|", gives: "--a-b-|"),
    Case(.debounce, 2, "a--b---|", gives: "--a--b-|"),
    Case(.debounce, 3, "a-b-c-d-----|", gives: "---------d--|"),
    Case(.debounce, 2, "(abc)----|", gives: "--c--|"),
    // The end hands on what is held, without waiting.
    Case(.debounce, 5, "a|", gives: "-(a|)"),
    Case(.debounce, 5, "-|", gives: "-|"),
    // At the end of the window the timer is first, then the end of the stream.
    Case(.debounce, 2, "a-|", gives: "--(a|)"),
    // An error passes at once and leaves what is held.
    Case(.debounce, 2, "a#--|", gives: "-#a-|"),
    Case(.debounce, 0, "ab|", gives: "ab|"),
    // The first at once, then one for each window.
    Case(.throttleLatest, 2, "abcdef---|", gives: "a-b-d-f--|"),
    Case(.throttleLatest, 2, "a-b-c|", gives: "a-b-c|"),
    Case(.throttleLatest, 3, "ab------c|", gives: "a--b----c|"),
    Case(.throttleLatest, 3, "ab---c----|", gives: "a--b--c---|"),
    Case(.throttleLatest, 3, "a---b-|", gives: "a---b-|"),
    Case(.throttleLatest, 2, "(abc)----|", gives: "a-c--|"),
    Case(.throttleLatest, 5, "ab|", gives: "a-(b|)"),
    Case(.throttleLatest, 2, "ab#---|", gives: "a-(b#)---|"),
    Case(.throttleLatest, 5, "ab#---|", gives: "a-#--b|"),
    Case(.throttleFirst, 2, "abcdef|", gives: "a-c-e-|"),
    Case(.throttleFirst, 3, "ab-c---d|", gives: "a--c---d|"),
    Case(.throttleFirst, 2, "(abc)-(de)|", gives: "a-d|"),
    Case(.throttleFirst, 5, "ab#|", gives: "a-#|"),
    Case(.timeout, 2, "a-b---c", gives: "a-|"),
    Case(.timeout, 3, "a-b---c", gives: "a-b--|"),
    Case(.timeout, 3, "--a-b|", gives: "--a-b|"),
    Case(.timeout, 2, "---a", gives: "--|"),
    Case(.timeout, 3, "a#-b", gives: "a#-|"),
    Case(.timeout, 4, "a#-b|", gives: "a#-b|"),
  ]

  @Test("Windows give what the table says", arguments: table)
  func windows(_ example: Case) async {
    let timeline = Timeline()
    let window = Duration.seconds(example.window)
    let clock = timeline.clock
    let output = await timeline.run([example.input], seconds: 20) { inputs in
      switch example.kind {
      case .delay: inputs[0].delay(for: window, clock: clock)
      case .debounce: inputs[0].debounce(for: window, clock: clock)
      case .throttleLatest: inputs[0].throttle(for: window, latest: true, clock: clock)
      case .throttleFirst: inputs[0].throttle(for: window, latest: false, clock: clock)
      case .timeout: inputs[0].timeout(after: window, clock: clock)
      }
    }
    #expect(output == example.output)
    #expect(clock.taskCount == 0, "a task is left")
  }

  @Test("A timer that is late changes nothing: what counts is when the values came")
  func lateTimers() async {
    let timeline = Timeline()
    let clock = timeline.clock
    let subject = EventSubject<Int>()
    let two = Duration.seconds(2)
    let debounced = EventRecorder(subject.stream.debounce(for: two, clock: clock), in: timeline.context)
    let throttled = EventRecorder(subject.stream.throttle(for: two, clock: clock), in: timeline.context)
    let delayed = EventRecorder(subject.stream.delay(for: two, clock: clock), in: timeline.context)
    let limited = EventRecorder(subject.stream.timeout(after: two, clock: clock), in: timeline.context)
    subject.send(1)
    subject.send(2)
    clock.jump(by: two)
    // No timer has woken, but the windows are over.
    subject.send(3)
    #expect(debounced.text == "2")
    #expect(throttled.text == "1 2")
    #expect(delayed.text == "")
    #expect(limited.text == "1 2 |")
    clock.jump(by: .seconds(5))
    subject.send(4)
    #expect(debounced.text == "2 3")
    #expect(throttled.text == "1 2 3 4")
    await clock.advance(by: .zero)
    await clock.advance(by: two)
    #expect(debounced.text == "2 3 4")
    #expect(throttled.text == "1 2 3 4")
    #expect(delayed.text == "1 2 3 4")
    for recorder in [debounced, throttled, delayed, limited] { recorder.cancel() }
    await clock.settle()
    #expect(clock.taskCount == 0)
  }

  @Test(
    "Letting go in the middle of a window: nothing comes, no task stays",
    arguments: [Kind.delay, .debounce, .throttleLatest, .timeout])
  func releaseInTheMiddle(_ kind: Kind) async {
    let timeline = Timeline()
    let clock = timeline.clock
    let node = SubjectNode<Int>()
    let window = Duration.seconds(2)
    let stream: EventStream<Int> =
      switch kind {
      case .delay: node.stream.delay(for: window, clock: clock)
      case .debounce: node.stream.debounce(for: window, clock: clock)
      case .throttleLatest, .throttleFirst: node.stream.throttle(for: window, clock: clock)
      case .timeout: node.stream.timeout(after: window, clock: clock)
      }
    let log = Recorder<Int>()
    var subscription: EventSubscription? = stream.subscribe(in: timeline.context) { event in
      if case .value(let value) = event { log.append(value) }
    }
    node.send(1)
    node.send(2)
    let before = log.count
    await clock.advance(by: .seconds(1))
    withExtendedLifetime(subscription) {}
    subscription = nil
    await clock.settle()
    #expect(clock.taskCount == 0)
    #expect(node.listenerCount == 0)
    await clock.advance(by: .seconds(9))
    #expect(log.count == before)
  }

  @Test("Emitting inside a delivery of a task comes next")
  func reentrantEmission() async {
    let timeline = Timeline()
    let clock = timeline.clock
    let subject = EventSubject<Int>()
    let log = Recorder<String>()
    let subscription = subject.stream.delay(for: .seconds(1), clock: clock).subscribe(in: timeline.context) { event in
      guard case .value(let value) = event else { return }
      log.append("(\(value)")
      if value < 3 { subject.send(value + 1) }
      log.append("\(value))")
    }
    subject.send(1)
    await clock.advance(by: .seconds(3))
    #expect(log.values == ["(1", "1)", "(2", "2)", "(3", "3)"])
    subscription.cancel()
  }

  @Test("Cancelling inside the delivery of a held value: the end does not come")
  func cancelInsideFlush() {
    let clock = ManualTestClock()
    let subject = EventSubject<Int>()
    let log = Recorder<String>()
    let held = Shared<EventSubscription?>(nil)
    held.value = subject.stream.debounce(for: .seconds(1), clock: clock).subscribe(in: StreamContext()) { event in
      if case .value(let value) = event { log.append("\(value)") }
      if case .finished = event { log.append("|") }
      held.value?.cancel()
    }
    subject.send(1)
    subject.finish()
    #expect(log.values == ["1"])
  }

  @Test("Retry waits before it subscribes again")
  func retryDelay() async {
    let timeline = Timeline()
    let clock = timeline.clock
    let attempts = Recorder<Duration>()
    let failing = EventStream<Int>(subscribing: { _, receive in
      attempts.append(clock.now.offset)
      receive(.failure(TimelineError()))
      receive(.finished)
      return EventSubscription()
    })
    let recorder = EventRecorder(failing.retry(2, delay: .seconds(3), clock: clock), in: timeline.context)
    await clock.advance(by: .seconds(10))
    #expect(attempts.values == [.zero, .seconds(3), .seconds(6)])
    #expect(recorder.text == "# |")
    let cancelled = EventRecorder(failing.retry(2, delay: .seconds(3), clock: clock), in: timeline.context)
    cancelled.cancel()
    await clock.advance(by: .seconds(10))
    #expect(attempts.count == 4)
    #expect(clock.taskCount == 0)
  }

  @Test("The default clock works: a delayed sequence comes whole and in order")
  func continuousClock() async {
    let stream = EventStream(0..<100).delay(for: .milliseconds(1)).throttle(for: .zero).timeout(after: .seconds(60))
    #expect(await stream.collected() == (0..<100).map { "\($0) " }.joined() + "|")
  }
}

@Suite("Streams: intervals")
struct StreamsIntervalTests {
  @Test("5 s run, 3 s pause, 2 s run: 7 ticks at their seconds; none after cancelling")
  func pauseAndResume() async {
    let timeline = Timeline()
    let clock = timeline.clock
    let control = IntervalControl()
    let log = Recorder<String>()
    let stream = EventStream.interval(every: .seconds(1), clock: clock, control: control)
    let subscription = stream.subscribe(in: timeline.context) { event in
      if case .value(let tick) = event { log.append("\(tick)@\(clock.now.offset.components.seconds)") }
    }
    await clock.advance(by: .seconds(5))
    control.pause()
    control.pause()
    await clock.advance(by: .seconds(3))
    control.resume()
    control.resume()
    await clock.advance(by: .seconds(2))
    #expect(log.values == ["1@1", "2@2", "3@3", "4@4", "5@5", "6@9", "7@10"])
    subscription.cancel()
    await clock.advance(by: .seconds(5))
    #expect(log.count == 7)
    #expect(clock.taskCount == 0)
  }

  @Test("What was left of a period when it was paused is left when it goes on")
  func partOfAPeriod() async {
    let timeline = Timeline()
    let clock = timeline.clock
    let control = IntervalControl()
    control.pause()
    let recorder = EventRecorder(
      EventStream.interval(every: .seconds(4), clock: clock, control: control), in: timeline.context)
    await clock.advance(by: .seconds(10))
    control.resume()
    await clock.advance(by: .seconds(3))
    control.pause()
    await clock.advance(by: .seconds(10))
    control.resume()
    #expect(recorder.text == "")
    await clock.advance(by: .seconds(1))
    #expect(recorder.text == "1")
    await clock.advance(by: .seconds(4))
    #expect(recorder.text == "1 2")
    recorder.cancel()
  }

  @Test("Late ticks are made up for, and keep to the multiples of the period")
  func lateTicks() async {
    let timeline = Timeline()
    let clock = timeline.clock
    let recorder = EventRecorder(EventStream.interval(every: .seconds(1), clock: clock), in: timeline.context)
    clock.jump(by: .milliseconds(3500))
    await clock.advance(by: .zero)
    #expect(recorder.text == "1 2 3")
    await clock.advance(by: .milliseconds(500))
    #expect(recorder.text == "1 2 3 4")
    recorder.cancel()
  }
}
