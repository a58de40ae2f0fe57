// The code of the guide "Streams from scratch".

import SwiftReactor
import Testing

@MainActor @Suite("Snippets · Streams from scratch")
struct FromScratchTests {
  @Test("S1 · Two observers, one of which is let go")
  func observers() {
    // snippet.observers
    let numbers = EventSubject<Int>()
    var (first, second, added) = ([Int](), [Int](), [Int]())
    let one = numbers.stream.sink { first.append($0) }
    let two = numbers.stream.sink { second.append($0) }
    let three = numbers.stream.map { $0 + 1 }.sink { added.append($0) }
    for number in 1...5 {
      numbers.send(number)
      if number == 2 { two.cancel() }
    }
    #expect(first == [1, 2, 3, 4, 5])
    #expect(second == [1, 2])
    #expect(added == [2, 3, 4, 5, 6])
    // snippet.end
    one.cancel()
    three.cancel()
  }

  @Test("S1 · Nine values from two senders: each comes once, in its sender's order", .timeLimit(.minutes(1)))
  nonisolated func senders() async {
    // snippet.senders
    let numbers = EventSubject<Int>()
    let (seen, see) = AsyncStream<Int>.makeStream()
    let subscription = numbers.stream.sink { number in see.yield(number) }
    await withTaskGroup(of: Void.self) { senders in
      senders.addTask { for number in 1...4 { numbers.send(number) } }
      senders.addTask { for number in 5...9 { numbers.send(number) } }
    }
    numbers.finish()
    var received: [Int] = []
    for await number in seen {
      received.append(number)
      if received.count == 9 { break }
    }
    #expect(received.sorted() == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(received.filter { $0 < 5 } == [1, 2, 3, 4])  // each sender's own order is kept
    // snippet.end
    subscription.cancel()
  }
}
