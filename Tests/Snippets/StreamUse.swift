// The code of the article "Streams".

import Dispatch
import SwiftReactor
import Testing

/// Something that calls back, as many systems do.
final class Sensor: @unchecked Sendable {
  // Safe to share: the tests use it on one thread.
  private var listener: (@Sendable (Int) -> Void)?
  var isListenedTo: Bool { listener != nil }

  func listen(_ listener: @escaping @Sendable (Int) -> Void) { self.listener = listener }
  func stop() { listener = nil }
  func measure(_ value: Int) { listener?(value) }
}

// snippet.push
func measurements(of sensor: Sensor) -> EventStream<Int> {
  EventStream { emit in
    sensor.listen { emit($0) }
    return EventSubscription { sensor.stop() }
  }
}
// snippet.end

// snippet.async
func lines(of file: some AsyncSequence<String, any Error> & Sendable) -> EventStream<String> {
  EventStream { emit in
    for try await line in file { await emit.whenDrained(line) }  // no more than 1 024 lines ahead
  }
}
// snippet.end

// snippet.hook
final class ClimateReactor: BaseReactor<ClimateReactor.Action, ClimateReactor.Mutation, ClimateReactor.State>,
  @unchecked Sendable  // safe: its only property is a constant
{
  enum Action { case setWish(Int) }
  enum Mutation { case setWish(Int), setTemperature(Int) }
  struct State { var wish = 20, temperature = 0 }

  private let sensor: Sensor

  init(sensor: Sensor) {
    self.sensor = sensor
    super.init(initialState: State())
  }

  // Called once, at first use: what the sensor says joins the reactor's own mutations.
  override func transform(mutation: EventStream<Mutation>) -> EventStream<Mutation> {
    mutation.merge(with: measurements(of: sensor).removeDuplicates().map { .setTemperature($0) })
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .setWish(let wish): [.setWish(wish)]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setWish(let wish): state.wish = wish
    case .setTemperature(let temperature): state.temperature = temperature
    }
  }
}
// snippet.end

@MainActor @Suite("Snippets · Streams")
struct StreamUseTests {
  @Test("A subject goes to everyone who listens")
  func subject() {
    var printed: [String] = []
    let print = { (text: String) in printed.append(text) }
    // snippet.subject
    let keys = EventSubject<Character>()
    let subscription = keys.stream
      .filter(\.isLetter)
      .scan("") { word, letter in word + String(letter) }
      .sink { word in print(word) }
    keys.send("h")
    keys.send("1")
    keys.send("i")  // printed so far: h, hi
    // snippet.end
    #expect(printed == ["h", "hi"])
    subscription.cancel()
  }

  @Test("A push source is told when nobody listens any more")
  func push() {
    let sensor = Sensor()
    let subscription = measurements(of: sensor).sink { _ in }
    #expect(sensor.isListenedTo)
    subscription.cancel()
    #expect(!sensor.isListenedTo)
  }

  @Test("What a hook merges in is reduced like everything else")
  func hook() {
    let sensor = Sensor()
    let climate = ClimateReactor(sensor: sensor)
    climate.action(.setWish(22))
    sensor.measure(19)
    #expect(climate.temperature == 19)
    #expect(climate.wish == 22)
  }

  @Test("Values as an async sequence")
  func values() async {
    // snippet.values
    var sum = 0
    for await number in EventStream([1, 2, 3]).values { sum += number }
    #expect(sum == 6)
    // snippet.end
  }

  @Test("The states of one reactor drive another")
  func between() {
    let climate = ClimateReactor(sensor: Sensor())
    let player = PlayerReactor()
    // snippet.between
    let subscription = climate.$state
      .map(\.wish)
      .removeDuplicates()
      .dropFirst()
      .sink { [mutation = player.mutation] wish in mutation.send(.setVolume(wish - 20)) }
    climate.action(.setWish(23))
    #expect(player.volume == 3)  // both are of the main queue: one call, done
    // snippet.end
    subscription.cancel()
  }

  @Test("Bringing values to a queue")
  func queue() async {
    let label = Label()
    let words = EventSubject<String>()
    let (arrived, arrival) = AsyncStream<Void>.makeStream()
    // snippet.queue
    let subscription = words.stream
      .receive(on: .main)
      .sink { word in  // a closure of the main actor: it gets its values on the main queue
        label.text = word
        arrival.yield()
      }
    // snippet.end
    DispatchQueue.global().async { words.send("hello") }
    for await _ in arrived { break }
    #expect(label.text == "hello")
    subscription.cancel()
  }

  @Test("A source that fails and is tried again")
  func retry() async {
    let attempts = Attempts()
    // snippet.retry
    let answer = EventStream<String> { emit in emit(try await attempts.answer()) }
      .retry(3, delay: .zero)
    // snippet.end
    var answers: [String] = []
    for await text in answer.values { answers.append(text) }
    #expect(answers == ["at last"])
  }
}

actor Attempts {
  private var count = 0

  func answer() throws -> String {
    count += 1
    if count < 3 { throw LibraryIsClosed() }
    return "at last"
  }
}
