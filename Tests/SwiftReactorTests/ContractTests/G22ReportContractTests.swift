// G20 and G22: what can be seen from outside of the one state machine, and the one place for reports.

import Dispatch
import Foundation
import SwiftReactor
import Testing

@Suite("G20 · One mind")
struct G20MachineContractTests {
  @Test("One pure state machine: a struct without lock, task, closure call or import")
  func pureMachine() throws {
    let files = try SourceTree.library.filter { $0.name.hasPrefix("ReactorMachine") }
    #expect(!files.isEmpty, "the machine lives in files of its own")
    #expect(files.contains { $0.text.contains("struct ReactorMachine") })
    for file in files {
      for (number, line) in file.code {
        #expect(!line.contains("import "), "\(file.name):\(number)")
        for word in [
          "Lock(", "withLock", "Task", "await ", "DispatchQueue", "class ", "@escaping", ": () ->", ") -> Void)",
        ] {
          #expect(!line.contains(word), "\(file.name):\(number) has '\(word)'")
        }
      }
    }
  }

  @Test("What the machine knows of effects is what runs: listed while they run or wait, gone when they ended")
  func effectsAreKnown() async {
    let reactor = CounterReactor.onOwnQueue()
    let gates = (0..<3).map { _ in Gate() }
    reactor.onQueue { reactor in
      for gate in gates { reactor.action(.gated(gate, id: "q", .queued)) }
      #expect(reactor.effects.count == 3)
    }
    for (index, gate) in gates.enumerated() {
      gate.open()
      await eventually("one more has ended", on: reactor.queue) { reactor.state.n == index + 1 }
      await eventually("and is no longer known", on: reactor.queue) { reactor.effects.count == 2 - index }
    }
  }
}

@Suite("G22 · One place for reports")
struct G22ReportContractTests {
  @Test("A report goes to the handler once, with kind, reactor, action and text")
  func onceWithAllParts() async throws {
    let (reactor, reports) = collectingReports { CounterReactor.onOwnQueue() }
    await reactor.perform(.answer { _ in Answer.run { _ in throw StoryError(name: "broken") } })
    await eventually("it is reported", on: reactor.queue) { reports.count > 0 }
    await settle(reactor)
    #expect(reports.count == 1)
    let report = try #require(reports.last)
    #expect(report.reactor?.contains("CounterReactor") == true)
    #expect(report.action?.contains("answer") == true)
    #expect(report.message.contains("broken"))
    #expect(!"\(report.kind)".isEmpty)
  }

  @Test("Each reactor reports to the handler it was made under")
  func captured() async {
    let (first, firstReports) = collectingReports { CounterReactor.onOwnQueue() }
    let (second, secondReports) = collectingReports { CounterReactor.onOwnQueue() }
    let fails: CounterReactor.Action = .answer { _ in Answer.run { _ in throw StoryError() } }
    await first.perform(fails)
    await first.perform(fails)
    await second.perform(fails)
    await eventually("all are reported", on: first.queue) { firstReports.count == 2 && secondReports.count == 1 }
  }

  @Test("By default it is a line on standard error, never a trap")
  func standardError() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let dog = Watchdog("the default report", seconds: 180)
      let reactor = CounterReactor(queue: DispatchQueue(label: "reports"))
      await reactor.perform(.answer { _ in Answer.run { _ in throw StoryError(name: "broken pipe") } })
      await settle(reactor)
      dog.finish()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("broken pipe") }
    #expect(lines.count == 1, "one line, once: \(text)")
    #expect(lines.first?.contains("CounterReactor") == true)
  }

  @Test("The handler is replaceable")
  func replaceable() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let dog = Watchdog("a replaced report handler", seconds: 180)
      ReactorReports.handler = { print("mine: \($0.message)") }
      let reactor = CounterReactor(queue: DispatchQueue(label: "reports"))
      await reactor.perform(.answer { _ in Answer.run { _ in throw StoryError(name: "broken pipe") } })
      await settle(reactor)
      fflush(nil)
      dog.finish()
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("mine: "))
    #expect(!errors.contains("broken pipe"))
  }

  @Test("A main actor closure on a reactor of another queue stops with a message at observe")
  func mainActorClosure() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let dog = Watchdog("observing another queue's reactor from the main actor", seconds: 180)
      await observeFromMainActor(CounterReactor(queue: DispatchQueue(label: "not main")))
      print("observe returned")
      dog.finish()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.lowercased().contains("main"), "the message says what is wrong: \(text)")
    #expect(text.contains("observe") || text.contains("queue"), "and where: \(text)")
  }

  @Test("An endless turn of a million steps is reported once, naming reactor and action")
  func endlessTurn() async {
    let (reactor, reports) = collectingReports { CounterReactor.onOwnQueue() }
    let left = Shared(1_000_100)
    let chain = Shared<(@Sendable (CounterReactor) -> Mutations<CounterReactor.Mutation>)?>(nil)
    chain.value = { reactor in
      if left.withLock({
        $0 -= 1; return $0 > 0
      }), let next = chain.value {
        reactor.action(.answer(next))
      }
      return .none
    }
    await watched("a turn of a million steps", seconds: 120) {
      await onThread { reactor.onQueue { $0.action(.answer(chain.value!)) } }
    }
    #expect(left.value == 0, "nothing was stopped")
    await settle(reactor)
    #expect(reports.values.filter { $0.message.contains("step") || $0.message.contains("turn") }.count >= 1)
    #expect(Set(reports.values.map { "\($0.kind)" }).count == reports.count, "each kind once")
    #expect(reports.last?.reactor?.contains("CounterReactor") == true)
    #expect(reports.last?.action?.contains("answer") == true)
    chain.value = nil
  }
}

/// Observes with a closure of the main actor.
@MainActor
private func observeFromMainActor(_ reactor: CounterReactor) {
  let token = reactor.observe(\.n) { n in
    MainActor.assertIsolated()
    print(n)
  }
  token.cancel()
}
