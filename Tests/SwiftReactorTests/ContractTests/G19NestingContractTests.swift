// G19: a nested reactor is a window on its parent's state, not a copy.

import Dispatch
import Foundation
import SwiftReactor
import Testing

@Suite("G19 · A nested reactor is a window on its parent's state, not a copy")
struct G19NestingContractTests {
  private typealias Row = FamilyReactor.Row

  /// A parent with a child at `\.left` and one at `\.right`.
  private func family() -> (FamilyReactor, RowReactor, RowReactor) {
    let parent = FamilyReactor()
    let left = parent.makeRow(-1)
    let right = parent.makeRow(-2)
    parent.queue.sync {
      parent.nest(left, at: \.left)
      parent.nest(right, at: \.right)
    }
    return (parent, left, right)
  }

  @Test("There is one storage: on the queue child and parent always agree")
  func oneStorage() {
    let (parent, left, right) = family()
    parent.queue.sync {
      left.action(.inc)
      #expect(parent.state.left.n == 1)
      #expect(left.state.n == 1)
      parent.change { $0.left.n = 5 }
      #expect(left.state.n == 5)
      left.action(.inc)
      #expect(parent.state.left.n == 6)
      #expect(right.state.n == 0)
    }
  }

  @Test("From elsewhere any one read shows one commit, and the child's part of it is the child's state")
  func readsFromElsewhere() async {
    let (parent, left, _) = family()
    let torn = Shared(0)
    let readers = [
      await Companion.start { _ in
        let state = parent.state
        if state.left.x != state.left.y || state.right.x != state.left.x { torn.increment() }
      },
      await Companion.start { _ in
        let state = left.state
        if state.x != state.y { torn.increment() }
      },
    ]
    await onThread {
      for number in 1...2000 {
        parent.queue.sync {
          parent.change {
            ($0.left.x, $0.left.y) = (number, number)
            ($0.right.x, $0.right.y) = (number, number)
          }
        }
      }
    }
    for reader in readers { _ = await reader.stop() }
    #expect(torn.value == 0)
  }

  @Test("A child's commit is the parent's commit; one parent mutation may change many children in one commit")
  func oneCommit() {
    let (parent, left, right) = family()
    let parentCommits = Recorder<[Int]>()
    let childCommits = Recorder<String>()
    parent.queue.sync {
      let tokens = [
        parent.$state.sink { parentCommits.append([$0.left.n, $0.right.n]) },
        left.observe(\.n) { childCommits.append("left \($0)") },
        right.observe(\.n) { childCommits.append("right \($0)") },
      ]
      left.action(.inc)
      parent.change {
        $0.left.n += 1
        $0.right.n += 1
      }
      #expect(parentCommits.values == [[0, 0], [1, 0], [2, 1]])
      #expect(childCommits.values == ["left 0", "right 0", "left 1", "left 2", "right 1"])
      for token in tokens { token.cancel() }
    }
  }

  @Test("Nothing is copied")
  func nothingCopied() {
    let copies = Shared(0)
    let queue = DispatchQueue(label: "big family")
    let parent = BigParentReactor(
      initialState: .init(child: .init(big: CopyCounting(copies: copies))), queue: queue)
    let child = BigStateReactor(initialState: .init(big: CopyCounting(copies: Shared(0))), queue: queue)
    queue.sync {
      parent.nest(child, at: \.child)
      for _ in 0..<100 {
        child.action(.bump)
        parent.action(())
      }
      #expect(parent.state.child.big.value == 200)
    }
    #expect(copies.value == 0)
  }

  @Test("The parent's state wins at nest; a child whose state differs hears one commit, an equal one no change")
  func parentWins() {
    let parent = FamilyReactor(.init(left: .init(id: -1, n: 7)))
    let child = parent.makeRow(-1)
    let same = parent.makeRow(-2)
    let seen = Recorder<Int>()
    let sameSeen = Recorder<Int>()
    let parentSeen = Recorder<Int>()
    parent.queue.sync {
      let tokens = [
        child.observe(\.n) { seen.append($0) },
        same.observe(\.n) { sameSeen.append($0) },
        parent.observe(\.left.n) { parentSeen.append($0) },
      ]
      parent.nest(child, at: \.left)
      parent.nest(same, at: \.right)
      #expect(seen.values == [0, 7])
      #expect(sameSeen.values == [0])
      #expect(parentSeen.values == [7], "no extra call for the child's initial state")
      for token in tokens { token.cancel() }
    }
  }

  @Test("Told of a commit: the reactor whose step it was, its ancestors upwards, then the children with observers")
  func orderOfTelling() {
    let (parent, left, right) = family()
    let told = Recorder<String>()
    parent.queue.sync {
      let tokens = [
        right.$state.sink { _ in told.append("right") },
        parent.$state.sink { _ in told.append("parent") },
        left.$state.sink { _ in told.append("left") },
      ]
      told.removeAll()
      left.action(.inc)
      #expect(told.values == ["left", "parent"], "not its siblings")
      told.removeAll()
      parent.change { $0.left.n += 1 }
      #expect(told.values.first == "parent")
      #expect(Set(told.values) == ["parent", "left", "right"])
      #expect(told.count == 3)
      for token in tokens { token.cancel() }
    }
  }

  @Test("Three generations: a grandchild's commit is everybody's")
  func grandchildren() {
    let (parent, left, _) = family()
    let inner = InnerReactor(initialState: .init(), queue: parent.queue)
    let told = Recorder<String>()
    parent.queue.sync {
      left.nest(inner, at: \.inner)
      let tokens = [
        parent.observe(\.left.inner.depth) { told.append("parent \($0)") },
        left.observe(\.inner.depth) { told.append("left \($0)") },
        inner.observe(\.depth) { told.append("inner \($0)") },
      ]
      told.removeAll()
      inner.action(3)
      #expect(told.values == ["inner 3", "left 3", "parent 3"])
      #expect(parent.state.left.inner.depth == 3)
      parent.change { $0.left.inner.depth = 9 }
      #expect(inner.state.depth == 9)
      for token in tokens { token.cancel() }
    }
  }

  @Test("An optional child is made after the commit that brings its state and before delivery, and gone with it")
  func optionalChild() {
    let parent = FamilyReactor()
    let made = Recorder<Int>()
    let detail = parent.queue.sync {
      parent.nest(at: \.detail) { [queue = parent.queue] in
        made.append(1)
        return RowReactor(queue: queue)
      }
    }
    parent.queue.sync {
      #expect(detail.reactor == nil)
      let seen = Recorder<Bool>()
      let token = parent.observe(\.detail?.id) { _ in seen.append(detail.reactor != nil) }
      parent.change { $0.detail = Row(id: 4, n: 1) }
      #expect(seen.values == [false, true], "it is there when its state is shown")
      let child = detail.reactor
      #expect(child?.state == Row(id: 4, n: 1))
      #expect(child?.isAttached == true)
      child?.action(.inc)
      #expect(parent.state.detail?.n == 2)
      parent.change {
        $0.detail = nil
        $0.detail = Row(id: 5)
      }
      #expect(detail.reactor === child, "what goes and comes back inside one commit is the same element")
      #expect(child?.state.id == 5)
      parent.change { $0.detail = nil }
      #expect(detail.reactor == nil)
      #expect(child?.isAttached == false)
      #expect(child?.state == Row(), "the state that it was made with")
      parent.change { $0.detail = Row(id: 6) }
      #expect(detail.reactor != nil && detail.reactor !== child)
      #expect(made.count == 2)
      token.cancel()
    }
  }

  @Test("A child at a case lives as long as the enum is in that case")
  func caseChild() {
    let parent = FamilyReactor()
    let make: @Sendable () -> RowReactor = { [queue = parent.queue] in RowReactor(queue: queue) }
    parent.queue.sync {
      let edit = parent.nest(at: \.screen, case: .edit, make)
      let show = parent.nest(at: \.screen, case: .show, make)
      #expect(edit.reactor == nil && show.reactor == nil)
      parent.change { $0.screen = .edit(Row(id: 1)) }
      let first = edit.reactor
      #expect(first != nil && show.reactor == nil)
      first?.action(.inc)
      #expect(parent.state.screen == .edit(Row(id: 1, n: 1)))
      parent.change { $0.screen = .edit(Row(id: 2)) }
      #expect(edit.reactor === first, "the same case is the same child")
      parent.change { $0.screen = .show(Row(id: 2)) }
      #expect(edit.reactor == nil && show.reactor?.state.id == 2)
      #expect(first?.isAttached == false)
    }
  }

  @Test(
    "children makes a child at its first reactor(for:); an element is the same while its id is there",
    arguments: [0, 1])
  func keyedChildren(kind: Int) {
    let parent = FamilyReactor(
      .init(rows: [Row(id: 1), Row(id: 2), Row(id: 3)], board: Keyed([Row(id: 1), Row(id: 2), Row(id: 3)], id: \.id)))
    let made = Recorder<Int>()
    let make: @Sendable (Int) -> RowReactor = { [queue = parent.queue] id in
      made.append(id)
      return RowReactor(Row(id: id), queue: queue)
    }
    parent.queue.sync {
      let children =
        kind == 0 ? parent.children(at: \.rows, id: \.id, make) : parent.children(at: \.board, id: \.id, make)
      #expect(made.values == [])
      let second: RowReactor? = children.reactor(for: 2)
      #expect(children.reactor(for: 2) === second)
      #expect(children.reactor(for: 9) == nil)
      #expect(made.values == [2])
      parent.change {
        $0.rows.reverse()
        $0.board.move(2, to: 0)
      }
      second?.action(.inc)
      #expect(parent.state.rows.first { $0.id == 2 }?.n == (kind == 0 ? 1 : 0))
      #expect(parent.state.board[id: 2]?.n == (kind == 0 ? 0 : 1))
      parent.change {
        $0.rows.removeAll { $0.id == 2 }
        $0.board.remove(2)
      }
      #expect(second?.isAttached == false)
      #expect(children.reactor(for: 2) == nil)
      parent.change {
        $0.rows.append(Row(id: 2, n: 50))
        $0.board.append(Row(id: 2, n: 50), id: 2)
      }
      let again: RowReactor? = children.reactor(for: 2)
      #expect(again !== second)
      #expect(again?.state.n == 50)
    }
  }

  @Test("Outputs of a child are actions of the parent, in a step of their own")
  func outputs() {
    let (parent, left, _) = family()
    parent.queue.sync {
      left.action(.say("saved"))
      #expect(parent.state.said == ["saved"])
      left.output("cancelled")
      left.output(7)
      #expect(parent.state.said == ["saved", "cancelled"])
    }
  }

  @Test("When the parent goes, its children go on alone on the last state")
  func parentGoes() async {
    let queue = DispatchQueue(label: "family")
    let child = RowReactor(queue: queue)
    let seen = Recorder<Int>()
    var parent: FamilyReactor? = FamilyReactor(queue: queue)
    weak let observed = parent
    let token = queue.sync {
      parent?.nest(child, at: \.left)
      child.action(.inc)
      return child.observe(\.n) { seen.append($0) }
    }
    parent = nil
    #expect(observed == nil, "a child holds the parent's storage, not the parent")
    await settle(queue)
    queue.sync {
      #expect(child.state.n == 1)
      child.action(.inc)
      #expect(child.state.n == 2)
    }
    #expect(seen.values == [1, 2])
    token.cancel()
  }

  @Test("The parent holds given children weakly and keeps those it made itself")
  func whoHoldsWhom() {
    let parent = FamilyReactor(.init(detail: Row(id: 1)))
    let freed = Recorder<String>()
    parent.queue.sync {
      do {
        let given = parent.makeRow(-1) { freed.append("given") }
        parent.nest(given, at: \.left)
      }
      #expect(freed.values == ["given"])
      let detail = parent.nest(at: \.detail) { [queue = parent.queue] in
        RowReactor(queue: queue) { freed.append("made") }
      }
      #expect(detail.reactor != nil)
      #expect(freed.values == ["given"])
      parent.change { $0.detail = nil }
      #expect(freed.values == ["given", "made"])
      parent.nest(parent.makeRow(-1), at: \.left)
      #expect(parent.state.left == Row(id: -1), "the place of a child that is gone is free again")
    }
  }

  @Test(
    "A second parent, another queue, a computed path, overlapping paths, a cycle: stops with a message",
    arguments: NestingMistake.allCases)
  func mistakes(mistake: NestingMistake) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
      let dog = Watchdog("a mistake in nesting", seconds: 180)
      mistake.make()
      dog.finish()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("SwiftReactor: "), "\(mistake): it says what is wrong: \(text)")
    #expect(!text.contains("HANG"))
  }
}

/// What must not be nested.
enum NestingMistake: String, CaseIterable, Codable, Sendable {
  case secondParent, otherQueue, computedPath, overlap, samePath, shownState

  func make() {
    let parent = FamilyReactor()
    let child = parent.makeRow(1)
    parent.queue.sync {
      switch self {
      case .secondParent:
        parent.nest(child, at: \.left)
        FamilyReactor(queue: parent.queue).nest(child, at: \.left)
      case .otherQueue:
        parent.nest(RowReactor(queue: DispatchQueue(label: "other")), at: \.left)
      case .computedPath:
        parent.nest(child, at: \.computed)
      case .overlap:
        parent.nest(child, at: \.left)
        parent.nest(InnerReactor(initialState: .init(), queue: parent.queue), at: \.left.inner)
      case .samePath:
        parent.nest(child, at: \.left)
        parent.nest(parent.makeRow(2), at: \.left)
        withExtendedLifetime(child) {}
      case .shownState:
        let shown = CounterReactor(
          queue: parent.queue, hooks: .init(state: { $0.map { $0 } }))
        shown.action(.inc)
        let outer = CounterParentReactor(initialState: .init(), queue: parent.queue)
        outer.nest(shown, at: \.counter)
      }
      withExtendedLifetime(child) {}
    }
  }
}

extension FamilyReactor.State {
  fileprivate var computed: FamilyReactor.Row {
    get { left }
    set { left = newValue }
  }
}

private final class InnerReactor: BaseReactor<Int, Int, RowReactor.Inner>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  override func mutate(action: Int) -> Mutations<Int> { [action] }
  override func reduce(into state: inout RowReactor.Inner, mutation: Int) { state.depth = mutation }
}

private final class CounterParentReactor: BaseReactor<Int, Int, CounterParentReactor.State>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  struct State: Sendable { var counter = CounterReactor.State() }
}

private final class BigParentReactor: BaseReactor<Void, Void, BigParentReactor.State>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  struct State: Sendable { var child: BigStateReactor.State }
  override func mutate(action: Void) -> Mutations<Void> { [()] }
  override func reduce(into state: inout State, mutation: Void) { state.child.big.bump() }
}
