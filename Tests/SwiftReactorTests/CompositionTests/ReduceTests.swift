// Reducers as values: scenario S5, both forms of a reactor, and the laws of putting reducers together, with random data.

import Dispatch
import SwiftReactor
import Testing

/// A small world with a bit of everything, whose reducers are made by chance.
private enum World {
  struct Row: Equatable, Sendable {
    var id: Int
    var log: [Int] = []
  }

  struct State: Equatable, Sendable {
    var number = 0
    var log: [Int] = []
    var row: Row?
    var rows: [Row] = []
    var keyed = Keyed<Int, Row>()
  }

  static func reducer(_ random: inout SeededGenerator) -> Reduce<State, Int> {
    let factor = Int.random(in: 1...5, using: &random)
    let kind = Int.random(in: 0...4, using: &random)
    return Reduce { state, mutation in
      switch kind {
      case 0: state.number = state.number &* factor &+ mutation
      case 1: state.log.append(state.number &+ mutation)
      case 2: state.row = mutation % 3 == 0 ? nil : Row(id: mutation, log: state.log)
      case 3: state.row?.log.append(mutation)
      default: state.rows.append(Row(id: state.rows.count, log: [mutation]))
      }
    }
  }

  static func state(_ random: inout SeededGenerator) -> State {
    var state = State()
    state.number = Int.random(in: -9...9, using: &random)
    let ids = Array(0..<Int.random(in: 0...6, using: &random)).shuffled(using: &random)
    state.rows = ids.map { Row(id: $0, log: [$0]) }
    state.keyed = Keyed(state.rows) { $0.id }
    state.row = state.rows.first
    return state
  }

  static let row = Reduce<Row, Int> { row, mutation in row.log.append(mutation) }
}

@Suite("Reducers as values")
struct ReduceTests {
  /// Runs `body` with many random worlds; what fails names the seed.
  private func laws(_ body: (inout SeededGenerator, UInt64) -> Void) {
    let first = UInt64.random(in: 0..<1 << 48)
    for seed in first..<first + 500 {
      var random = SeededGenerator(seed: seed)
      body(&random, seed)
    }
  }

  private func result(_ reduce: Reduce<World.State, Int>, _ state: World.State, _ mutations: [Int]) -> World.State {
    var state = state
    for mutation in mutations { reduce(into: &state, mutation) }
    return state
  }

  @Test("combine is associative, and its order is the order of its parts")
  func combine() {
    laws { random, seed in
      let (a, b, c) = (World.reducer(&random), World.reducer(&random), World.reducer(&random))
      let state = World.state(&random)
      let mutations = (0..<8).map { _ in Int.random(in: 0...9, using: &random) }
      let all = result(.combine(a, b, c), state, mutations)
      #expect(all == result(.combine(.combine(a, b), c), state, mutations), "seed \(seed)")
      #expect(all == result(.combine(a, .combine(b, c)), state, mutations), "seed \(seed)")
      #expect(all == result(a.combined(with: b).combined(with: c), state, mutations), "seed \(seed)")
      #expect(all == result(.combine(.nothing, a, b, c, .nothing), state, mutations), "seed \(seed)")
      var byHand = state
      for mutation in mutations { for part in [a, b, c] { part(into: &byHand, mutation) } }
      #expect(all == byHand, "seed \(seed)")
      #expect(result(.combine([]), state, mutations) == state)
    }
  }

  @Test("A pullback along an identity changes nothing, along two paths it is that along both")
  func pullback() {
    laws { random, seed in
      let reduce = World.reducer(&random)
      let state = World.state(&random)
      let mutations = (0..<8).map { _ in Int.random(in: 0...9, using: &random) }
      let along: Reduce<World.State, Int> = reduce.pullback(state: \.self) { $0 }
      #expect(result(along, state, mutations) == result(reduce, state, mutations), "seed \(seed)")

      // Through a stored path, a computed one, and both in a row.
      let inner = Reduce<Int, Int> { number, mutation in number = number &* 3 &+ mutation }
      let stored: Reduce<World.State, Int> = inner.pullback(state: \.number)
      let computed: Reduce<World.State, Int> = inner.pullback(state: \.numberTwice)
      let once: Reduce<Outer, Int> = inner.pullback(state: \.world.number)
      let twice: Reduce<Outer, Int> = stored.pullback(state: \.world)
      var expected = state
      var twofold = state
      for mutation in mutations {
        expected.number = expected.number &* 3 &+ mutation
        twofold.numberTwice = twofold.numberTwice &* 3 &+ mutation
      }
      #expect(result(stored, state, mutations) == expected, "seed \(seed)")
      #expect(result(computed, state, mutations) == twofold, "seed \(seed)")
      var (one, two) = (Outer(world: state), Outer(world: state))
      for mutation in mutations {
        once(into: &one, mutation)
        twice(into: &two, mutation)
      }
      #expect(one == two && one.world == expected, "seed \(seed)")
    }
  }

  @Test("A mutation that is none of the part's business changes nothing")
  func extraction() {
    let odd: Reduce<World.State, Int> = Reduce<Int, Int> { $0 += $1 }.pullback(state: \.number) {
      $0 % 2 == 0 ? nil : $0
    }
    #expect(result(odd, .init(), [1, 2, 3, 4]).number == 4)
    let half = Case<Int, Int>(embed: { $0 * 2 }, extract: { $0 % 2 == 0 ? $0 / 2 : nil })
    let even: Reduce<World.State, Int> = Reduce<Int, Int> { $0 += $1 }.pullback(state: \.number, mutation: half)
    #expect(result(even, .init(), [1, 2, 3, 4]).number == 3)
    let byValue: Reduce<World.State, Int> = Reduce<Int, Int>.by { $0 + $1 }.pullback(state: \.number)
    #expect(result(byValue, .init(), [1, 2]).number == 3)
  }

  @Test("optional on nil does nothing, otherwise what the reducer does")
  func optional() {
    laws { random, seed in
      let state = World.state(&random)
      let mutation = Int.random(in: 0...9, using: &random)
      var row = state.row
      World.row.optional()(into: &row, mutation)
      var expected = state.row
      expected?.log.append(mutation)
      #expect(row == expected, "seed \(seed)")
    }
    var none: World.Row?
    World.row.optional()(into: &none, 1)
    #expect(none == nil)
  }

  @Test("forEach touches one element, in an array and in a keyed collection; an unknown id touches none")
  func forEach() {
    let inArray: Reduce<World.State, (id: Int, mutation: Int)> = World.row.forEach(id: \.id).pullback(state: \.rows)
    let inKeyed: Reduce<World.State, (id: Int, mutation: Int)> = World.row.forEach(id: \.id).pullback(state: \.keyed)
    let byKey: Reduce<World.State, (id: Int, mutation: Int)> = World.row.forEach().pullback(state: \.keyed)
    laws { random, seed in
      let state = World.state(&random)
      let id = Int.random(in: 0...6, using: &random)
      var (array, keyed, again) = (state, state, state)
      inArray(into: &array, (id, 77))
      inKeyed(into: &keyed, (id, 77))
      byKey(into: &again, (id: id, mutation: 77))
      let expected = state.rows.map { $0.id == id ? World.Row(id: id, log: $0.log + [77]) : $0 }
      #expect(array.rows == expected, "seed \(seed)")
      #expect(keyed.keyed == Keyed(expected) { $0.id }, "seed \(seed)")
      #expect(again.keyed == keyed.keyed, "seed \(seed)")
      array.rows = state.rows
      #expect(array == state, "the rest stays as it is, seed \(seed)")
    }
  }

  @Test("Of several elements with one id the first is changed")
  func sameIDs() {
    var rows = [World.Row(id: 1), World.Row(id: 1)]
    World.row.forEach(id: \.id)(into: &rows, (1, 5))
    #expect(rows == [.init(id: 1, log: [5]), .init(id: 1)])
  }

  @Test("Nothing is copied on the way through combine, pullback, optional and forEach")
  func inPlace() {
    struct Big: Sendable {
      var rows: [World.Row]?
      var keyed = Keyed<Int, World.Row>()
    }
    let inArray: Reduce<Big, (id: Int, mutation: Int)> = World.row.forEach(id: \.id).optional().pullback(state: \.rows)
    let inKeyed: Reduce<Big, (id: Int, mutation: Int)> = World.row.forEach().pullback(state: \.keyed)
    let reduce = Reduce.combine(inArray, inKeyed)
    var state = Big(rows: (0..<4).map { World.Row(id: $0, log: Array(repeating: 0, count: 100)) })
    state.keyed = Keyed(state.rows!.map { World.Row(id: $0.id, log: $0.log + [0]) }) { $0.id }
    reduce(into: &state, (2, 1))
    let before = addresses(&state)
    for _ in 0..<20 { reduce(into: &state, (2, 1)) }
    #expect(addresses(&state) == before, "the same memory, so nothing was copied")
    #expect(state.rows?[2].log.count == 121 && state.keyed[id: 2]?.log.count == 122)

    func addresses(_ state: inout Big) -> [UInt] {
      var found: [UInt] = []
      state.rows!.withUnsafeMutableBufferPointer { rows in
        found.append(UInt(bitPattern: rows.baseAddress))
        rows[2].log.reserveCapacity(1000)
        rows[2].log.withUnsafeMutableBufferPointer { found.append(UInt(bitPattern: $0.baseAddress)) }
      }
      state.keyed[id: 2]!.log.reserveCapacity(1000)
      state.keyed[id: 2]!.log.withUnsafeMutableBufferPointer { found.append(UInt(bitPattern: $0.baseAddress)) }
      return found
    }
  }

  // MARK: In reactors

  @Test("S5 · One state, two modules, reducers composed: user 1, step loading; with news nil nothing changes")
  func modules() {
    let queue = DispatchQueue(label: "modules")
    let reactor = ModulesReactor(queue: queue)
    queue.sync {
      reactor.action(.newUser("user 1"))
      reactor.action(.news(.load))
      #expect(reactor.state == .init(user: "user 1", news: .init(user: "user 1", step: .loading)))
      reactor.action(.closeNews)
      reactor.action(.news(.load))
      #expect(reactor.state == .init(user: "user 1", news: nil))
    }
  }

  @Test("Both forms take a reducer in place of a reduce")
  func bothForms() {
    let queue = DispatchQueue(label: "both")
    let count = Reduce<Int, Int> { $0 += $1 }
    let base = AddingReactor(initialState: 1, reduce: count, queue: queue)
    let plain = PlainAddingReactor(count, queue: queue)
    queue.sync {
      for reactor in [base, plain] as [any Reactor<Int, Int, Int>] {
        reactor.action(2)
        reactor.mutation.send(3)
        #expect(reactor.state == 6)
      }
    }
    #expect(AddingReactor(initialState: 1, queue: queue).state == 1)
  }
}

private struct Outer: Equatable, Sendable { var world: World.State }

extension World.State {
  fileprivate var numberTwice: Int {
    get { number &* 2 }
    set { number = newValue / 2 }
  }
}

/// S5: the app's reducer, and the news' one, which knows nothing of the app.
private final class ModulesReactor: BaseReactor<ModulesReactor.Event, ModulesReactor.Event, ModulesReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  struct News: Equatable, Sendable {
    enum Step: Sendable { case initial, loading }
    enum Event: Sendable { case load }
    var user = ""
    var step = Step.initial

    static let reduce = Reduce<News, Event> { news, event in
      switch event {
      case .load: news.step = .loading
      }
    }
  }

  struct State: Equatable, Sendable {
    var user = ""
    var news: News? = News()
  }

  enum Event: Sendable { case newUser(String), closeNews, news(News.Event) }

  init(queue: DispatchQueue) {
    let app = Reduce<State, Event> { state, event in
      switch event {
      case .newUser(let user):
        state.user = user
        state.news?.user = user
      case .closeNews: state.news = nil
      case .news: break
      }
    }
    let news: Reduce<State, Event> = News.reduce.optional().pullback(state: \.news) { event in
      if case .news(let event) = event { event } else { nil }
    }
    super.init(initialState: State(), reduce: .combine(app, news), queue: queue)
  }

  override func mutate(action: Event) -> Mutations<Event> { [action] }
}

private final class AddingReactor: BaseReactor<Int, Int, Int>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  override func mutate(action: Int) -> Mutations<Int> { [action] }
}

private final class PlainAddingReactor: Reactor {
  let core: ReactorCore<Int, Int, Int>

  init(_ reduce: Reduce<Int, Int>, queue: DispatchQueue) {
    core = ReactorCore(initialState: 1, reduce: reduce, queue: queue)
    core.connect(self)
  }
}
