// Stories of bindings: controls that jump back, keep what was refused, set what is gone, or read what is old.

import Dispatch
import Observation
import Testing

@testable import SwiftReactor

/// A reducer that takes five characters and no more.
private func cut(_ text: String) -> CounterReactor.Action {
  .answer { _ in [.change { $0.text = String(text.prefix(5)) }] }
}

@Suite("Bug reports · bindings")
struct BindingBugTests {
  // MARK: B25

  @Test("B25 · What a view sets for a child that is gone comes to nothing, and does not reach its successor")
  func lateSetsForAGoneChild() async {
    let (family, reports) = collectingReports { FamilyReactor() }
    let queue = family.queue
    let (calls, tracked) = (Shared(0), Shared(0))
    let gate = Gate()
    let (place, child, binding, token) = queue.sync {
      let place = family.nest(at: \.detail) { family.makeRow(7) }
      family.change { $0.detail = .init(id: 7) }
      let child = place.reactor!
      let binding = child.binding(\.x, action: RowReactor.Action.move)
      binding.set(3)
      child.action(.gated(gate, id: "late"))
      let token = binding.observe { _ in calls.increment() }
      withObservationTracking {
        _ = binding.value
      } onChange: {
        tracked.increment()
      }
      return (place, child, binding, token)
    }
    #expect(queue.sync { family.detail?.x } == 3)
    await eventually("the effect waits at the gate", on: queue) { gate.waiters == 1 }
    let after = queue.sync {
      family.change { $0.detail = nil }
      return family.state
    }
    calls.value = 0
    tracked.value = 0

    queue.sync {
      child.action(.inc)
      binding.set(99)
    }
    binding.set(98)
    gate.open()
    await settle(queue)
    #expect(family.state == after)
    #expect(calls.value == 0)
    #expect(tracked.value == 0)
    #expect(child.effects.isEmpty)
    #expect(reports.values.map(\.kind) == [.lateArrival, .lateArrival, .lateArrival])

    queue.sync {
      family.change { $0.detail = .init(id: 8) }
      #expect(place.reactor !== child)
      binding.set(97)
    }
    await settle(queue)
    #expect(family.detail == .init(id: 8))
    token.cancel()
  }

  // MARK: B32

  @Test("B32 · An observer, a binding and the state show the same, wherever they are read")
  func oneAnswerEverywhere() async {
    let queue = DispatchQueue(label: "one answer")
    let wrong = Recorder<String>()
    let told = Shared(0)
    let reactor = Shared<CounterReactor?>(nil)
    var hooks = CounterReactor.Hooks()
    hooks.state = { states in
      states.map { state in
        // Not shown yet: here the state is still the one before.
        if let reactor = reactor.value, reactor.state.n > state.n { wrong.append("hook: \(state.n)") }
        return state
      }
    }
    for (name, counter) in [
      ("plain", CounterReactor(queue: queue)), ("with a state hook", CounterReactor(queue: queue, hooks: hooks)),
    ] {
      reactor.value = counter
      let binding = counter.binding(\.n, action: CounterReactor.Action.setN)
      @Sendable func look(_ n: Int, _ place: String) {
        told.increment()
        if counter.state.n != n || binding.value != n || counter.n != n { wrong.append("\(name), \(place): \(n)") }
      }
      @Sendable func track() {
        let n = Shared(counter.n)
        withObservationTracking {
          n.value = counter.n
        } onChange: {
          look(n.value + 1, "tracking")
          track()
        }
      }
      let tokens = queue.sync {
        track()
        return [
          counter.$state.sink { look($0.n, "$state") }, counter.observe(\.n) { look($0, "observe") },
          binding.observe { look($0, "binding") },
        ]
      }
      queue.sync { counter.action(.inc) }
      await counter.perform(.incLater)
      #expect(queue.sync { counter.n } == 2)
      for token in tokens { token.cancel() }
    }
    #expect(wrong.values == [])
    #expect(told.value == 2 * (3 * 3 + 2))
  }

  @Test("B32 · A child's state, read in an observer of its parent, is the one that belongs to the commit")
  func childInAParentsObserver() {
    let family = FamilyReactor()
    let wrong = Recorder<Int>()
    family.queue.sync {
      let row = family.makeRow(1)
      family.nest(row, at: \.left)
      let binding = row.binding(\.x, action: RowReactor.Action.move)
      let token = family.observe(\.left) { left in
        if row.x != left.x || binding.value != left.x { wrong.append(left.x) }
      }
      binding.set(1)
      family.change { $0.left.x = 2 }
      binding.set(3)
      #expect(family.left.x == 3)
      token.cancel()
    }
    #expect(wrong.values == [])
  }

  // MARK: B41

  @Test("B41 · Typing a hundred characters beside a flood: nothing jumps back, and each set is one action")
  func noJumpBack() async {
    await watched("typing beside a flood") {
      let sets = Shared(0)
      var hooks = CounterReactor.Hooks()
      hooks.onMutate = { _, action in if case .setText = action { sets.increment() } }
      let reactor = CounterReactor.onOwnQueue(hooks: hooks)
      let loop = FakeRunLoop(queue: reactor.queue)
      let seen = Recorder<String>()
      let token = reactor.observe(\.text) { seen.append($0) }
      let binding = reactor.binding(\.text, action: CounterReactor.Action.setText)
      let fields = [0, 1].map { _ in DrawnField(binding, in: loop) }
      let told = ToldField(binding, in: loop)
      // Paced, so that the queue is not all its own.
      let flood = await Companion.start { _ in reactor.onQueue { $0.action(.inc) } }
      var text = ""
      for index in 0..<100 {
        text += String(index % 10)
        fields[0].type(text)
        #expect(fields[0].binding.value == text)
        #expect(fields[0].story.text == text)
      }
      _ = await flood.stop()
      await settle(reactor)
      #expect(reactor.text == text)
      #expect(fields[1].story.text == text)
      #expect(told.story.text == text)
      #expect(zip(seen.values, seen.values.dropFirst()).allSatisfy { $0.count < $1.count })
      #expect(zip(fields[1].story.shown, fields[1].story.shown.dropFirst()).allSatisfy { $0.count < $1.count })
      // The field that was told once answers each text that it did not have with the same text.
      #expect(sets.value == 100 + told.story.sets)
      token.cancel()
      told.close()
    }
  }

  @Test("B41 · An answer that comes later is shown later: until then the old value, and then the new one for good")
  func laterAnswer() async {
    let reactor = CounterReactor.onOwnQueue()
    let gate = Gate()
    let loop = FakeRunLoop(queue: reactor.queue)
    let field = DrawnField(
      reactor.binding(\.text) { text in
        .answer { _ in
          .run { emit in
            await gate.wait()
            emit(.setText(text))
          }
        }
      }, in: loop)
    field.type("new")
    #expect(field.story.text == "")
    gate.open()
    await eventually("the answer is there", of: reactor) { $0.text == "new" }
    loop.handle {}
    #expect(field.story.shown == ["", "", "new"])
  }

  // MARK: B42

  @Test("B42 · What the reducer cut is shown again, once, without a second set; observers hear nothing")
  func correctedValueIsShownAgain() {
    let reactor = CounterReactor.onOwnQueue(.init(text: "abcde"))
    let loop = FakeRunLoop(queue: reactor.queue)
    let drawn = DrawnField(reactor.binding(\.text, action: cut), in: loop)
    let told = ToldField(reactor.binding(\.text, action: cut), in: loop)
    let heard = Recorder<String>()
    let token = loop.handle { reactor.observe(\.text) { heard.append($0) } }

    drawn.type("abcdef")
    #expect(reactor.text == "abcde")
    #expect(drawn.story.text == "abcde")
    #expect(drawn.story.shown == ["abcde", "abcde"])
    #expect(drawn.story.sets == 1)

    told.type("abcdeX")
    #expect(told.story.text == "abcde")
    #expect(told.story.sets == 2, "the user's, and the one with what it was told, which is where it ends")
    #expect(drawn.story.text == "abcde")
    #expect(heard.values == ["abcde"])

    // A correction that does change something is told once, like any change.
    drawn.type("vwxyz!")
    #expect(drawn.story.text == "vwxyz")
    #expect(told.story.text == "vwxyz")
    #expect(heard.values == ["abcde", "vwxyz"])
    token.cancel()
    told.close()
  }

  @Test("B42 · The same from elsewhere, with a mutation, and for those who follow the whole state or every commit")
  func correctedFromElsewhere() async {
    let reactor = CounterReactor.onOwnQueue(.init(text: "abcde"))
    let binding = reactor.binding(\.text, mutation: { text in .change { $0.text = String(text.prefix(5)) } })
    let (whole, announced) = (Shared(0), Shared(0))
    let shown = Recorder<String>()
    let tokens = reactor.onQueue { reactor in
      withObservationTracking {
        _ = reactor.state
      } onChange: {
        whole.increment()
      }
      return [binding.observe { shown.append($0) }, reactor.core.announceCommits { announced.increment() }]
    }
    binding.set("abcdef")
    await settle(reactor)
    #expect(shown.values == ["abcde", "abcde"])
    #expect(whole.value == 1)
    #expect(announced.value == 2, "a commit, and something to show again")

    for token in tokens { token.cancel() }
    binding.set("abcdefg")
    await settle(reactor)
    #expect(shown.count == 2)
    #expect(announced.value == 2)
    #expect(reactor.core.sharedParts?.controls.isEmpty == true)
  }

  @Test("B42 · A field that an observer closes meanwhile is not told any more")
  func closedWhileShown() {
    let reactor = CounterReactor.onOwnQueue(.init(text: "abcde"))
    let second = Shared<EventSubscription?>(nil)
    let shown = Recorder<String>()
    reactor.onQueue { reactor in
      let binding = reactor.binding(\.text, action: cut)
      let first = binding.observe { _ in second.value?.cancel() }
      second.value = binding.observe { shown.append($0) }
      binding.set("abcdef")
      first.cancel()
    }
    #expect(shown.values == ["abcde"])
  }
}
