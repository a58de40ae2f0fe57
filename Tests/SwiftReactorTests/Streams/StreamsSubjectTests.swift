// Subjects, emitters and the gate behind both: one order for all, next instead of nested, no lock while others' code runs.

import Foundation
import Testing

@testable import SwiftReactor

@Suite("Streams: subjects and emitters")
struct StreamsSubjectTests {
  @Test("S1: a subject starts without a value; two observers, one is let go after 2; map; nine values from two threads")
  func scenario() async throws {
    let queue = DispatchQueue(label: "scenario")
    let subject = EventSubject<Int>()
    let first = Recorder<Int>()
    let second = Recorder<Int>()
    let mapped = Recorder<Int>()
    let one = subject.stream.sink { first.append($0) }
    var two: EventSubscription? = subject.stream.sink { second.append($0) }
    let three = subject.stream.map { $0 + 1 }.sink { mapped.append($0) }
    #expect(first.values.isEmpty)
    for value in 1...5 {
      subject.send(value)
      if value == 2 { two = nil }
    }
    #expect(two == nil)
    #expect(first.values == [1, 2, 3, 4, 5])
    #expect(second.values == [1, 2])
    #expect(mapped.values == [2, 3, 4, 5, 6])
    one.cancel()
    three.cancel()

    for _ in 0..<100 {
      let atOnce = Shared(0)
      let overlaps = Shared(0)
      let seen = [Recorder<Int>(), Recorder<Int>()]
      let subject = EventSubject<Int>()
      let subscriptions = seen.map { log in
        subject.stream.sink { value in
          if atOnce.increment() > 1 { overlaps.increment() }
          log.append(value)
          atOnce.withLock { $0 -= 1 }
        }
      }
      await race(2) { sender in for value in [1...5, 6...9][sender] { subject.send(value) } }
      await eventually("everything has come", on: queue) { seen.allSatisfy { $0.count == 9 } }
      try #require(seen.map { $0.values.sorted() } == [Array(1...9), Array(1...9)])
      #expect(seen[0].values == seen[1].values)
      #expect(overlaps.value == 0)
      for subscription in subscriptions { subscription.cancel() }
    }
  }

  @Test("The end comes after the values before it, once, and nothing after it; late listeners are told at once")
  func finish() {
    let node = SubjectNode<Int>()
    let subject = EventSubject(inlet: node)
    let early = EventRecorder(subject.stream)
    subject.send(1)
    subject.finish()
    subject.finish()
    subject.send(2)
    #expect(early.text == "1 |")
    #expect(EventRecorder(subject.stream).text == "|")
    #expect(node.listenerCount == 0)
  }

  @Test("The end sent inside a delivery comes after the values sent before it there")
  func finishInside() {
    let subject = EventSubject<Int>()
    let trigger = subject.stream.sink { value in
      guard value == 1 else { return }
      subject.send(2)
      subject.finish()
      subject.send(3)
    }
    let recorder = EventRecorder(subject.stream)
    subject.send(1)
    #expect(recorder.text == "1 2 |")
    trigger.cancel()
  }

  @Test("Who comes while the end waits is told of it, too")
  func subscribingBeforeTheEndIsDelivered() {
    let subject = EventSubject<Int>()
    let late = Shared<EventRecorder<Int>?>(nil)
    let subscription = subject.stream.sink { _ in
      subject.finish()
      late.value = EventRecorder(subject.stream)
    }
    subject.send(1)
    #expect(late.value?.text == "|")
    subscription.cancel()
  }

  @Test("A listener that comes in a delivery gets what is sent after it came, nothing that was sent before")
  func subscribingInside() {
    let subject = EventSubject<Int>()
    let late = Shared<EventRecorder<Int>?>(nil)
    let subscription = subject.stream.sink { value in
      guard value == 1 else { return }
      subject.send(2)
      late.value = EventRecorder(subject.stream)
      subject.send(3)
    }
    subject.send(1)
    subject.send(4)
    #expect(late.value?.text == "3 4")
    subscription.cancel()
  }

  @Test("So does a listener that takes the place of the only one")
  func replacingInside() {
    let subject = EventSubject<Int>()
    let late = Shared<EventRecorder<Int>?>(nil)
    let held = Shared<EventSubscription?>(nil)
    held.value = subject.stream.sink { _ in
      subject.send(2)
      held.value?.cancel()
      late.value = EventRecorder(subject.stream)
      subject.send(3)
    }
    subject.send(1)
    #expect(late.value?.text == "3")
  }

  @Test("Listeners that cancel themselves or others in a delivery do not make others miss or repeat a value")
  func cancellingInside() {
    let subject = EventSubject<Int>()
    let log = Recorder<String>()
    let held = Shared<[EventSubscription]>([])
    let cancelling: @Sendable (Int) -> Void = { index in held.value[index].cancel() }
    held.value = [
      subject.stream.sink { value in
        log.append("a\(value)")
        cancelling(0)
      },
      subject.stream.sink { value in
        log.append("b\(value)")
        cancelling(2)
      },
      subject.stream.sink { log.append("c\($0)") },
      subject.stream.sink { log.append("d\($0)") },
    ]
    subject.send(1)
    subject.send(2)
    #expect(log.values == ["a1", "b1", "d1", "b2", "d2"])
    held.value = []
  }

  @Test("What another thread emits meanwhile goes to a task when nobody else comes")
  func detachedDrain() async {
    let subject = EventSubject<Int>()
    let log = Recorder<Int>()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let subscription = subject.stream.sink { value in
      log.append(value)
      if value == 1 {
        // Another thread leaves a value while this one is handing on, and goes.
        let gone = DispatchSemaphore(value: 0)
        Thread {
          subject.send(2)
          gone.signal()
        }.start()
        gone.wait()
        #expect(log.values == [1])
      }
      if value == 2 { end.finish() }
    }
    subject.send(1)
    for await _ in ended {}
    #expect(log.values == [1, 2])
    subscription.cancel()
  }

  @Test("The next emitter hands on what was left; the owner takes nothing that came from elsewhere behind its own")
  func ownerLeaves() async {
    let first = HeldRunner()
    var context = StreamContext()
    context.runner = first
    let log = Recorder<String>()
    let here = ThreadMark.thread
    let leave: @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
      let gone = DispatchSemaphore(value: 0)
      Thread {
        body()
        gone.signal()
      }.start()
      gone.wait()
    }
    let box = Shared<StreamGate<Int>?>(nil)
    let gate = StreamGate<Int>(in: context) { value, place in
      log.append("\(value)@\(place.position)\(ThreadMark.thread == here ? "" : " elsewhere")")
      switch value {
      case 1:
        leave { box.value?.emit(10) }
        box.value?.emit(2)
        leave { box.value?.emit(20) }
      default: break
      }
      return true
    }
    box.value = gate
    gate.emit(1)
    // 10 stood before the own 2; 20 is left, and a task was asked for.
    #expect(log.values == ["1@0", "10@1", "2@2"])
    #expect(first.held.count == 1)
    gate.emit(3)
    #expect(log.values == ["1@0", "10@1", "2@2", "20@3", "3@4"])
    // The task comes too late and finds nothing.
    await first.held.values[0]()
    #expect(log.values.count == 5)
    box.value = nil
    first.held.removeAll()
  }

  @Test("Closing a gate drops what waits and lets those go who wait for it")
  func closing() async {
    let gate = StreamGate<Int>(in: StreamContext()) { _, _ in false }
    gate.emit(1)
    gate.emit(2)
    await gate.waitUntilBelow(1)
    #expect(gate.lock.withLock { gate.nextPosition } == nil)
  }

  @Test("Those who wait for room go on below their bound, not at it")
  func waiters() async {
    let lock = Lock()
    let waiters = BacklogWaiters(lock: lock)
    let task = Task { await waiters.wait(untilBelow: 2) { 3 } }
    for _ in 0..<1000 {
      let early = lock.withLock { waiters.takeReady(count: 2) }
      #expect(early.isEmpty)
      for continuation in early { return continuation.resume() }
      await Task.yield()
    }
    var ready: [CheckedContinuation<Void, Never>] = []
    while ready.isEmpty {
      ready = lock.withLock { waiters.takeReady(count: 1) }
      await Task.yield()
    }
    #expect(ready.count == 1)
    for continuation in ready { continuation.resume() }
    await task.value
  }

  @Test("A subscription has ended for each of two threads that cancel it at once, when its own call returns")
  func cancelledTwice() async {
    let isInside = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let ends = Shared(0)
    let isFirst = Shared(true)
    let subscription = EventSubscription(.repeatable) {
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if waits {
        isInside.signal()
        mayGoOn.wait()
      }
      ends.withLock { $0 += 1 }
    }
    await watched("two threads that cancel") {
      async let first: Void = onThread { subscription.cancel() }
      await onThread {
        isInside.wait()
        subscription.cancel()
        #expect(ends.value == 1, "the other one has not come to it yet")
        mayGoOn.signal()
      }
      await first
    }
    subscription.cancel()
    #expect(ends.value == 2)
  }

  @Test("whenDrained waits at the bound of the gate, and goes on when it is below")
  func whenDrainedAtTheGate() async {
    let opened = DispatchSemaphore(value: 0)
    let entered = AsyncStream<Void>.makeStream()
    let gate = EmitterGate<Int>(in: StreamContext()) { event in
      if case .value(0) = event {
        entered.continuation.finish()
        opened.wait()
      }
    }
    let emitter = Emitter(gate, bound: 3)
    Thread { emitter(0) }.start()
    for await _ in entered.stream {}
    // A thread is busy with the first value, so these wait.
    await emitter.whenDrained(1)
    await emitter.whenDrained(2)
    let waiting = Recorder<Int>()
    let paced = Task {
      await emitter.whenDrained(3)
      waiting.append(3)
    }
    let cancelled = Task {
      await emitter.whenDrained(4)
      return 4
    }
    cancelled.cancel()
    #expect(await cancelled.value == 4)
    #expect(waiting.values.isEmpty)
    opened.signal()
    await paced.value
    #expect(waiting.values == [3])
    gate.close()
  }

  @Test("whenDrained waits for a subscriber that is full, also behind operators; the end lets it go")
  func whenDrainedAtTheSubscriber() async {
    let emitters = Recorder<Emitter<Int>>()
    let source = EventStream<Int> { emit in
      emitters.append(emit)
      return EventSubscription {}
    }
    let stream = source.map { $0 }.merge(with: .never).flatMap { .just($0) }
    var iterator: EventValues<Int>.Iterator? = stream.values.makeAsyncIterator()
    let emit = emitters.values[0]
    for value in 0..<(Emitter<Int>.bound - 1) { await emit.whenDrained(value) }
    let sent = Shared(0)
    let sender = Task {
      await emit.whenDrained(-1)
      sent.value = 1
      await emit.whenDrained(-2)
      sent.value = 2
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(sent.value == 0)
    _ = await iterator?.next()
    while sent.value == 0 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(sent.value == 1)
    iterator = nil
    await sender.value
    #expect(sent.value == 2)
  }
}

/// A runner that keeps what it is to run, for the test to run it when it likes.
final class HeldRunner: EffectRunner {
  let held = Recorder<@Sendable () async -> Void>()

  func start(priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    held.append(operation)
    return Task {}
  }
}
