// Receivers that ask for a number of values: what publishers of Combine are made with, without Combine.

import Testing

@testable import SwiftReactor

/// A receiver that asks for more as a test says.
private final class AskingReceiver: DemandingReceiver<Int>, @unchecked Sendable {
  // Safe to share: constants that guard themselves, and `onValue` is set before the first value.
  let values = Recorder<Int>()
  let ends = Shared(0)
  private let isInside = Shared(false)
  let overlaps = Shared(0)
  var onValue: @Sendable (Int) -> DemandBuffer<Int>.Demand = { _ in .some(0) }

  override func receive(_ element: Int) -> DemandBuffer<Int>.Demand {
    if isInside.withLock({ inside in
      defer { inside = true }
      return inside
    }) {
      overlaps.increment()
    }
    defer { isInside.value = false }
    values.append(element)
    return onValue(element)
  }

  override func finish() { ends.increment() }
}

@Suite("Streams · a number of values")
struct StreamsDemandTests {
  @Test("Values come as far as they are wanted, in order, and the end comes behind the last one")
  func asFarAsWanted() {
    let receiver = AskingReceiver()
    let buffer = DemandBuffer(receiver)
    for value in 1...3 { buffer.put(value) }
    #expect(receiver.values.values == [])
    buffer.request(.some(2))
    #expect(receiver.values.values == [1, 2])
    buffer.end()
    #expect(receiver.ends.value == 0)
    buffer.request(.some(5))
    #expect(receiver.values.values == [1, 2, 3])
    #expect(receiver.ends.value == 1)
    buffer.put(4)
    buffer.end()
    #expect(receiver.values.values == [1, 2, 3] && receiver.ends.value == 1)
  }

  @Test("An end without a value needs no demand")
  func emptyEnd() {
    let receiver = AskingReceiver()
    DemandBuffer(receiver).end()
    #expect(receiver.ends.value == 1)
  }

  @Test("What a receiver asks for while it receives counts, and what comes meanwhile is next, not nested")
  func askingInside() {
    let receiver = AskingReceiver()
    let buffer = DemandBuffer(receiver)
    receiver.onValue = { value in
      if value == 1 {
        buffer.put(10)
        buffer.request(.some(1))
      }
      return value == 2 ? .some(1) : .some(0)
    }
    for value in 1...5 { buffer.put(value) }
    buffer.request(.some(1))
    #expect(receiver.values.values == [1, 2, 3])
    buffer.request(.unlimited)
    #expect(receiver.values.values == [1, 2, 3, 4, 5, 10])
    #expect(receiver.overlaps.value == 0)
  }

  @Test("After a cancel nothing comes, however much was wanted")
  func cancelled() {
    let receiver = AskingReceiver()
    let buffer = DemandBuffer(receiver)
    receiver.onValue = { value in
      if value == 2 { buffer.cancel() }
      return .some(0)
    }
    buffer.request(.unlimited)
    for value in 1...4 { buffer.put(value) }
    buffer.end()
    #expect(receiver.values.values == [1, 2] && receiver.ends.value == 0)
  }

  @Test("Two threads that put and ask: every value once, one at a time")
  func twoThreads() async {
    await watched("two threads and a demand") {
      let receiver = AskingReceiver()
      let buffer = DemandBuffer(receiver)
      let count = 20_000
      await race(2) { index in
        for value in 1...count { if index == 0 { buffer.put(value) } else { buffer.request(.some(1)) } }
      }
      #expect(receiver.values.values == Array(1...count))
      #expect(receiver.overlaps.value == 0)
    }
  }
}
