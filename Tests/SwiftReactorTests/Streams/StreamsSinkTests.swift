// Sinks, the isolation of their closures, queues, and reports.

import Dispatch
import Testing

@testable import SwiftReactor

@Suite("Streams: sinks, queues and reports")
struct StreamsSinkTests {
  @Test("A closure without isolation is told from one of the main actor and one of another actor")
  func isolations() async {
    let plain = IsolatedReceiver<Int> { _ in }
    #expect(plain.isolation == .none)
    let main = IsolatedReceiver<Int> { @MainActor _ in }
    #expect(main.isolation == .mainActor)
    #expect(await Elsewhere().isolationOfItsClosure() == .otherActor)
    let log = Recorder<String>()
    IsolatedReceiver<String> { log.append($0) }("generic")
    IsolatedReceiver<(Int, String?)> { log.append("\($0)") }((1, nil))
    IsolatedReceiver<Void> { log.append("void") }(())
    #expect(log.values == ["generic", "(1, nil)", "void"])
  }

  @Test("A closure formed on the main actor may touch what belongs to it; values arrive through receive(on: .main)")
  @MainActor
  func mainActorSink() async {
    final class Label { var text = "" }
    let label = Label()
    let subject = EventSubject<Int>()
    let direct = subject.stream.sink { label.text += "\($0)" }
    subject.send(1)
    #expect(label.text == "1")
    direct.cancel()
    let hopping = subject.stream.receive(on: .main).sink { label.text += "\($0)" }
    await onThread {
      for value in 2...4 { subject.send(value) }
    }
    while label.text.count < 4 { await Task.yield() }
    #expect(label.text == "1234")
    hopping.cancel()
  }

  @Test("A closure of the main actor that gets a value elsewhere stops the program and says what to do")
  func mainActorSinkElsewhere() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let subject = EventSubject<Int>()
      let subscription = await MainActor.run { subject.stream.sink { _ in MainActor.assertIsolated() } }
      await onThread { subject.send(1) }
      subscription.cancel()
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("sink of Int: a closure of the main actor got a value off the main queue"))
    #expect(text.contains(".receive(on: .main)"))
  }

  @Test("A closure of another actor stops the program at sink and says what to do")
  func otherActorSink() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Elsewhere().listen(to: .never)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("sink of Int: the closure is isolated to an actor that is not the main actor"))
    #expect(text.contains("Iterate over `values`"))
  }

  @Test("Sources are told when the receiver needs the main queue, unless a queue stands between")
  @MainActor
  func requirementIsPassedUp() {
    let seen = Recorder<Bool>()
    let source = EventStream<Int>(subscribing: { context, _ in
      seen.append(context.requiresMainQueue)
      return EventSubscription()
    })
    let operators = source.map { $0 }.merge(with: .never).flatMap { .just($0) }.prefix(3)
    let onMain: @MainActor @Sendable (Int) -> Void = { _ in }
    for stream in [source, operators, operators.receive(on: .main), operators] {
      stream.sink(onMain).cancel()
    }
    operators.subscribe(in: StreamContext()) { _ in }.cancel()
    #expect(seen.values == [true, true, false, true, false])
  }

  @Test("receive(on:) hands everything on there, in order, one block for what waits")
  func receiveOnQueue() async {
    let queue = DispatchQueue(label: "receive")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let log = Recorder<String>()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let node = SubjectNode<Int>()
    let subscription = node.stream.receive(on: queue).subscribe(in: StreamContext()) { event in
      let place = DispatchQueue.getSpecific(key: key) == true ? "" : " elsewhere"
      switch event {
      case .value(let value):
        log.append("\(value)\(place)")
        if value == 1 { queue.async { log.append("block") } }
        if value == 2 { node.send(5) }
      case .failure: log.append("#\(place)")
      case .finished:
        log.append("|\(place)")
        end.finish()
      }
    }
    queue.suspend()
    node.send(1)
    node.send(2)
    node.emit(.failure(TimelineError()))
    node.send(3)
    queue.resume()
    while log.count < 6 { await Task.yield() }
    node.finish()
    for await _ in ended {}
    #expect(log.values == ["1", "2", "#", "3", "block", "5", "|"])
    subscription.cancel()
  }

  @Test("After cancelling on the queue nothing arrives, not even what waits; what waits is let go")
  func receiveOnQueueCancelled() async {
    let queue = DispatchQueue(label: "receive")
    let log = Recorder<Int>()
    let subject = EventSubject<Int>()
    let held = Shared<EventSubscription?>(nil)
    held.value = subject.stream.receive(on: queue).sink { value in
      log.append(value)
      held.value?.cancel()
    }
    queue.suspend()
    for value in 1...3 { subject.send(value) }
    queue.resume()
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    #expect(log.values == [1])
  }

  @Test("whenDrained waits for the queue of receive(on:)")
  func receiveOnQueuePaces() async {
    let queue = DispatchQueue(label: "receive")
    queue.suspend()
    let sent = Shared(0)
    let bound = Emitter<Int>.bound
    let stream = EventStream<Int> { emit in
      for value in 1...(bound + 10) {
        await emit.whenDrained(value)
        sent.value = value
      }
    }
    let (ended, end) = AsyncStream<Void>.makeStream()
    let seen = Shared(0)
    let subscription = stream.receive(on: queue).subscribe(in: StreamContext()) { event in
      if case .value(let value) = event { seen.value = value }
      if case .finished = event { end.finish() }
    }
    while sent.value < bound - 1 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(sent.value == bound - 1)
    queue.resume()
    for await _ in ended {}
    #expect(seen.value == bound + 10)
    subscription.cancel()
  }

  @Test("A failure that reaches a sink is reported once, to the handler that was in force at the sink")
  func failureReports() {
    let reports = Recorder<String>()
    let node = SubjectNode<Int>()
    let subscription = ReactorReports.withTestHandler({ reports.append("\($0)") }) {
      node.stream.map { $0 }.sink { _ in }
    }
    node.emit(.failure(TimelineError()))
    node.send(1)
    node.finish()
    #expect(reports.values == ["SwiftReactor [stream failed]: a stream ended with an error: TimelineError()"])
    subscription.cancel()
  }

  @Test("Without a handler a report is one line on standard error")
  func defaultHandler() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      ReactorReports.report(ReactorReport(kind: .misuse, reactor: "Counter", action: ".up", message: "twice"))
      ReactorReports.handler = { _ in }
      ReactorReports.report(ReactorReport(kind: .misuse, message: "not written"))
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("SwiftReactor [misuse] Counter action .up: twice\n"))
    #expect(!text.contains("not written"))
  }

  @Test("Kinds of reports are compared by their names, and may be added to")
  func kinds() {
    #expect(ReactorReport.Kind("misuse") == .misuse)
    #expect(ReactorReport.Kind("mine").description == "mine")
    let all: Set<ReactorReport.Kind> = [.effectFailed, .streamFailed, .lateArrival, .backlog, .longTurn, .misuse]
    #expect(all.count == 6)
  }
}

private actor Elsewhere {
  var count = 0

  func isolationOfItsClosure() -> ReceiverIsolation {
    IsolatedReceiver<Int> { self.count += $0 }.isolation
  }

  func listen(to stream: EventStream<Int>) {
    stream.sink { self.count += $0 }.cancel()
  }
}
