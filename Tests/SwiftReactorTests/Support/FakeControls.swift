// A user interface without a screen: a run loop that draws after each event, and text fields in the two ways they are
// made, drawn from what they read or told what to show.

import Dispatch
import Observation
import SwiftReactor

/// Handles one event after the other on a queue, and draws after each what has become invalid.
final class FakeRunLoop: Sendable {
  let queue: DispatchQueue
  private let invalid = Recorder<DrawnField>()

  init(queue: DispatchQueue) {
    self.queue = queue
  }

  func invalidate(_ field: DrawnField) {
    invalid.append(field)
  }

  func handle<Result>(_ event: () -> Result) -> Result {
    queue.sync {
      defer { drawInvalid() }
      return event()
    }
  }

  /// Draws until nothing is invalid. A field that invalidates itself by being drawn would never let it end.
  private func drawInvalid() {
    var rounds = 0
    while invalid.count > 0, rounds < 100 {
      let fields = invalid.values
      invalid.removeAll()
      for field in fields { field.draw() }
      rounds += 1
    }
    precondition(rounds < 100, "drawing never ends")
  }
}

/// What a field of either kind did.
struct FieldStory: Sendable {
  /// What the user sees.
  var text = ""
  /// What the framework put into it, in order.
  var shown: [String] = []
  /// How often it set its binding.
  var sets = 0

  mutating func show(_ text: String) {
    self.text = text
    shown.append(text)
  }
}

/// A field that is drawn from what its binding reads, like those of SwiftUI.
final class DrawnField: Sendable {
  let binding: StateBinding<String>
  private let loop: FakeRunLoop
  private let state = Shared(FieldStory())

  var story: FieldStory { state.value }

  init(_ binding: StateBinding<String>, in loop: FakeRunLoop) {
    self.binding = binding
    self.loop = loop
    loop.handle { draw() }
  }

  func draw() {
    let text = withObservationTracking {
      binding.value
    } onChange: { [weak self, loop] in
      if let self { loop.invalidate(self) }
    }
    state.withLock { $0.show(text) }
  }

  /// The user has changed the text: an event.
  func type(_ text: String) {
    loop.handle {
      state.withLock {
        $0.text = text
        $0.sets += 1
      }
      binding.set(text)
    }
  }
}

/// A field that is told what to show, like those of UIKit. It cannot tell the user from a program: whatever puts a text
/// into it makes it say that it was edited.
final class ToldField: Sendable {
  let binding: StateBinding<String>
  private let loop: FakeRunLoop
  private let state = Shared(FieldStory())
  private let subscription = Shared<EventSubscription?>(nil)

  var story: FieldStory { state.value }

  init(_ binding: StateBinding<String>, in loop: FakeRunLoop) {
    self.binding = binding
    self.loop = loop
    loop.handle {
      subscription.value = binding.observe { [weak self] text in
        guard let self else { return }
        let isOther = state.withLock { story in
          defer { story.show(text) }
          return story.text != text
        }
        if isOther { edited() }
      }
    }
    state.withLock { $0.sets = 0 }
  }

  func type(_ text: String) {
    loop.handle {
      state.withLock { $0.text = text }
      edited()
    }
  }

  func close() {
    subscription.value?.cancel()
  }

  private func edited() {
    let text = state.withLock {
      $0.sets += 1
      return $0.text
    }
    binding.set(text)
  }
}
