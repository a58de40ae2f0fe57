// B22 to B25: nested state, collections, optional children.

import Dispatch
import SwiftReactor
import Testing

extension OneAtATime {
  @Suite("Bug reports · Nested state, collections, optional children")
  struct NestingBugTests {
    private typealias Row = FamilyReactor.Row

    @Test("B22 · A derived parent value is not computed from a half-updated child")
    func noGlitch() {
      let parent = FamilyReactor()
      let left = parent.makeRow(-1)
      let right = parent.makeRow(-2)
      let log = Recorder<String>()
      parent.queue.sync {
        parent.nest(left, at: \.left)
        parent.nest(right, at: \.right)
        let token = parent.$state.sink { state in
          let agree = state.left == left.state && state.right == right.state
          log.append("\(state.left.x),\(state.left.y) \(agree)")
        }
        left.action(.move(1))
        #expect(log.values == ["0,0 true", "1,1 true"])
        parent.change {
          ($0.left.x, $0.left.y) = (2, 2)
          ($0.right.x, $0.right.y) = (2, 2)
        }
        #expect(log.values == ["0,0 true", "1,1 true", "2,2 true"])
        token.cancel()
      }
    }

    @Test("B23 · Cancelling by id does not hit the sibling")
    func siblingsEffects() async {
      let parent = FamilyReactor()
      let left = Shared<RowReactor?>(parent.makeRow(-1))
      let right = Shared<RowReactor?>(parent.makeRow(-2))
      let gates = [Gate(), Gate()]
      parent.queue.sync {
        parent.nest(left.value!, at: \.left)
        parent.nest(right.value!, at: \.right)
        left.value?.action(.gated(gates[0], id: "load"))
        right.value?.action(.gated(gates[1], id: "load"))
        #expect(left.value?.effects.count == 1)
        #expect(right.value?.effects.count == 1)
      }
      for gate in gates { gate.open() }
      await eventually("both are loaded", of: parent) { $0.left.n == 1 && $0.right.n == 1 }

      let second = Gate()
      parent.queue.sync {
        left.value?.action(.gated(second, id: "load"))
        right.value?.action(.gated(second, id: "load"))
        left.value?.action(.answer { _ in .cancel(id: "load") })
        #expect(left.value?.effects.count == 0)
        #expect(right.value?.effects.count == 1)
        left.value?.action(.gated(second, id: "load"))
        right.value = nil
        #expect(left.value?.effects.count == 1, "a sibling that is freed takes only its own")
      }
      second.open()
      await eventually("the other's effect arrives", of: parent) { $0.left.n == 2 }
      await settle(parent)
      #expect(parent.state.right.n == 1)
    }

    /// A parent of the elements 1, 2 and 3 ("p, q, r"), each with a gated effect.
    private func rows(_ kind: Int) -> (FamilyReactor, KeyedChildren<Int, RowReactor>, [Int: Gate]) {
      let list = (1...3).map { Row(id: $0) }
      let parent = FamilyReactor(.init(rows: list, board: Keyed(list, id: \.id)))
      let make: @Sendable (Int) -> RowReactor = { [queue = parent.queue] id in RowReactor(Row(id: id), queue: queue) }
      let gates = [1: Gate(), 2: Gate(), 3: Gate()]
      let children = parent.queue.sync {
        kind == 0 ? parent.children(at: \.rows, id: \.id, make) : parent.children(at: \.board, id: \.id, make)
      }
      parent.queue.sync {
        for id in 1...3 { children.reactor(for: id).action(.gated(gates[id]!, id: "tick")) }
      }
      return (parent, children, gates)
    }

    /// Read on the queue: ThreadSanitizer takes a read elsewhere of an array that is later changed in place for a race.
    private func n(_ id: Int, _ parent: FamilyReactor, _ kind: Int) -> Int? {
      parent.queue.sync {
        kind == 0 ? parent.state.rows.first { $0.id == id }?.n : parent.state.board[id: id]?.n
      }
    }

    @Test("B24 · A late value does not reach the neighbour of a removed element", arguments: [0, 1])
    func removed(kind: Int) async {
      let (parent, children, gates) = rows(kind)
      let gone = parent.queue.sync { () -> RowReactor in
        let gone: RowReactor = children.reactor(for: 1)
        parent.change {
          $0.rows.removeAll { $0.id == 1 }
          $0.board.remove(1)
        }
        #expect(gone.effects.isEmpty, "its effect is cancelled in that step")
        return gone
      }
      gates[1]!.open()
      gates[2]!.open()
      await eventually("the other one's value arrives", on: parent.queue) { n(2, parent, kind) == 1 }
      await settle(parent)
      #expect(n(3, parent, kind) == 0)
      #expect(n(1, parent, kind) == nil)
      #expect(gone.state == Row(id: 1))
      gates[3]!.open()
    }

    @Test("B24 · Nor the one that stands at its old place after a move", arguments: [0, 1])
    func moved(kind: Int) async {
      let (parent, children, gates) = rows(kind)
      parent.queue.sync {
        parent.change {
          $0.rows.insert($0.rows.removeLast(), at: 0)
          $0.board.move(3, to: 0)
        }
      }
      gates[3]!.open()
      await eventually("it arrives at the moved one", on: parent.queue) { n(3, parent, kind) == 1 }
      #expect(n(1, parent, kind) == 0)
      #expect(n(2, parent, kind) == 0)
      for gate in gates.values { gate.open() }
      withExtendedLifetime(children) {}
    }

    @Test("B24 · Nor is it out of range after the last one went", arguments: [0, 1])
    func lastRemoved(kind: Int) async {
      let (parent, children, gates) = rows(kind)
      parent.queue.sync {
        parent.change {
          $0.rows.removeLast()
          $0.board.remove(3)
        }
      }
      let before = parent.state
      gates[3]!.open()
      await settle(parent)
      #expect(parent.state == before)
      for gate in gates.values { gate.open() }
      withExtendedLifetime(children) {}
    }

    @Test(
      "B24 · Nor a new element under the same id, whether it came in a later commit or by renew", arguments: [0, 1])
    func sameIdAgain(kind: Int) async {
      let (parent, children, gates) = rows(kind)
      parent.queue.sync {
        parent.change {
          $0.rows.removeAll { $0.id == 1 }
          $0.board.remove(1)
        }
        parent.change {
          $0.rows.append(Row(id: 1))
          $0.board.append(Row(id: 1), id: 1)
        }
        children.renew(id: 2)
        #expect(children.reactor(for: 1).effects.isEmpty)
        #expect(children.reactor(for: 2).effects.isEmpty)
      }
      for gate in gates.values { gate.open() }
      await eventually("the third one's value arrives", on: parent.queue) { n(3, parent, kind) == 1 }
      await settle(parent)
      #expect(n(1, parent, kind) == 0)
      #expect(n(2, parent, kind) == 0)
    }

    @Test("B25 · An action for an optional child that is already gone changes nothing")
    func goneOptional() async {
      let (parent, reports) = collectingReports { FamilyReactor() }
      let gate = Gate()
      let calls = Recorder<Int>()
      let (detail, child, token) = parent.queue.sync {
        () -> (OptionalChild<RowReactor>, RowReactor, EventSubscription) in
        let detail = parent.nest(at: \.detail) { [queue = parent.queue] in
          ReactorReports.withTestHandler({ reports.append($0) }) { RowReactor(queue: queue) }
        }
        parent.change { $0.detail = Row(id: 1) }
        let child = detail.reactor!
        child.action(.gated(gate, id: "load"))
        return (detail, child, child.observe(\.n) { calls.append($0) })
      }
      let late = child.action
      parent.queue.sync { parent.change { $0.detail = nil } }
      let dismissed = parent.state
      #expect(child.effects.isEmpty, "its effect is cancelled")
      child.action(.inc)
      late.send(.inc)
      parent.queue.sync { child.mutation.send(.inc) }
      gate.open()
      await settle(parent)
      #expect(parent.state == dismissed)
      #expect(detail.reactor == nil)
      #expect(calls.values == [0], "its observers keep what they last got")
      #expect(reports.count == 3, "one diagnostic for each late arrival: \(reports.values)")
      parent.queue.sync {
        parent.change { $0.detail = Row(id: 2) }
        #expect(detail.reactor?.state == Row(id: 2))
      }
      await settle(parent)
      #expect(parent.state.detail == Row(id: 2), "none of the late things arrived at the new one")
      token.cancel()
    }
  }
}
