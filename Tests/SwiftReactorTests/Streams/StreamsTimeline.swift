// Streams as strings: "a-b--c|" is a value a, a second later nothing, then b, and so on, and the end.

@testable import SwiftReactor

struct TimelineError: Error, Equatable {}

/// Subjects that are fed from strings, and a recorder that writes one.
///
/// One character is one second. `-` is nothing, `|` the end, `#` an error, everything else a value; `(ab)` puts several
/// into one second. In each second timers come first, then the inputs in their order.
struct Timeline {
  let clock = ManualTestClock()

  var context: StreamContext {
    var context = StreamContext()
    context.runner = clock.runner
    return context
  }

  /// Feeds `inputs`, then lets as many seconds pass as `output` needs, and answers what came out.
  func run(
    _ inputs: [String], seconds: Int? = nil, _ make: ([EventStream<String>]) -> EventStream<String>
  ) async -> String {
    let subjects = inputs.map { _ in SubjectNode<String>() }
    let frames = inputs.map(Self.frames)
    let log = Recorder<(Int, String)>()
    let clock = clock
    let subscription = make(subjects.map(\.stream)).subscribe(in: context) { event in
      log.append((Int(clock.now.offset.components.seconds), Self.symbol(event)))
    }
    let length = max(seconds ?? 0, frames.map(\.count).max() ?? 0)
    for second in 0..<length {
      if second > 0 { await clock.advance(by: .seconds(1)) }
      for (subject, frames) in zip(subjects, frames) where second < frames.count {
        for symbol in frames[second] {
          switch symbol {
          case "|": subject.finish()
          case "#": subject.emit(.failure(TimelineError()))
          default: subject.send(String(symbol))
          }
        }
      }
    }
    await clock.settle()
    subscription.cancel()
    return Self.text(log.values)
  }

  /// The characters of each second.
  private static func frames(_ text: String) -> [[Character]] {
    var frames: [[Character]] = []
    var group: [Character]?
    for symbol in text {
      switch symbol {
      case "(": group = []
      case ")":
        frames.append(group ?? [])
        group = nil
      case _ where group != nil: group?.append(symbol)
      case "-": frames.append([])
      default: frames.append([symbol])
      }
    }
    return frames
  }

  private static func symbol(_ event: StreamEvent<String>) -> String {
    switch event {
    case .value(let text): text
    case .failure: "#"
    case .finished: "|"
    }
  }

  private static func text(_ events: [(Int, String)]) -> String {
    var text = ""
    for second in 0...(events.map(\.0).max() ?? 0) {
      let frame = events.filter { $0.0 == second }.map(\.1)
      switch frame.count {
      case 0: text += "-"
      case 1 where frame[0].count == 1: text += frame[0]
      default: text += "(" + frame.joined() + ")"
      }
    }
    return text
  }
}

/// Subscribes, and records what comes: values as text, `#` for an error, `|` for the end.
final class EventRecorder<Element: Sendable>: Sendable {
  let log = Recorder<String>()
  private let held = Shared<EventSubscription?>(nil)

  init(_ stream: EventStream<Element>, in context: StreamContext = StreamContext()) {
    held.value = stream.subscribe(in: context) { [log] event in
      switch event {
      case .value(let element): log.append("\(element)")
      case .failure: log.append("#")
      case .finished: log.append("|")
      }
    }
  }

  var text: String { log.values.joined(separator: " ") }

  func cancel() {
    held.value?.cancel()
  }
}
