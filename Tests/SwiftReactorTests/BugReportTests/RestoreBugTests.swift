// B52: a state that was saved by an older version, or not well.

import Dispatch
import Foundation
import SwiftReactor
import Testing

/// Version 2 of a state: the gallery is new, and the title was optional once.
private struct SavedState: Equatable, Sendable, Decodable {
  struct Layout: Equatable, Sendable, Decodable {
    var columns = 2
    var gallery = "grid"

    init() {}

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      let standard = Self()
      columns = try values.decodeIfPresent(Int.self, forKey: .columns) ?? standard.columns
      gallery = try values.decodeIfPresent(String.self, forKey: .gallery) ?? standard.gallery
    }

    private enum Keys: CodingKey { case columns, gallery }
  }

  var n = 0
  var title = "untitled"
  var layout = Layout()

  init() {}

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    let standard = Self()
    n = try values.decodeIfPresent(Int.self, forKey: .n) ?? standard.n
    title = try values.decodeIfPresent(String.self, forKey: .title) ?? standard.title
    layout = try values.decodeIfPresent(Layout.self, forKey: .layout) ?? standard.layout
  }

  private enum Keys: CodingKey { case n, title, layout }
}

private final class SavedReactor: BaseReactor<SavedReactor.Action, Int, SavedState>, @unchecked Sendable {
  // Safe to share: adds no stored property.
  enum Action: Sendable { case incLater }

  init() { super.init(initialState: SavedState(), queue: DispatchQueue(label: "saved")) }

  override func mutate(action: Action) -> Mutations<Int> { .run { emit in emit(1) } }
  override func reduce(into state: inout SavedState, mutation: Int) { state.n += mutation }

  @discardableResult
  func restore(json: String) -> Bool {
    restore(from: { try JSONDecoder().decode(SavedState.self, from: Data(json.utf8)) })
  }
}

@Suite("Bug reports · Saved states")
struct RestoreBugTests {
  private static let old = #"{"n": 41, "title": null, "layout": {"columns": 3}, "theme": "dark"}"#

  @Test("B52 · An older JSON: what is missing or null has its default, the rest is kept, unknown keys are ignored")
  func olderVersion() async {
    let (reactor, reports) = collectingReports { SavedReactor() }
    #expect(reactor.restore(json: Self.old))
    var expected = SavedState()
    expected.n = 41
    expected.layout.columns = 3
    #expect(reactor.state == expected)
    await reactor.perform(.incLater)
    expected.n = 42
    #expect(reactor.state == expected, "what was restored is the base")
    #expect(reports.values.isEmpty)
  }

  @Test("B52 · The same for a reactor that is in use: it comes on the queue, and is the base from then on")
  func inUse() async {
    let reactor = SavedReactor()
    await reactor.perform(.incLater)
    reactor.restore(json: Self.old)
    await reactor.perform(.incLater)
    #expect(reactor.state.n == 42 && reactor.state.layout == .init(columns: 3))
  }

  @Test(
    "B52 · A broken JSON: the default state, one reported error, no crash", arguments: ["", "{", "[]", #"{"n": "x"}"#])
  func broken(json: String) async {
    let (reactor, reports) = collectingReports { SavedReactor() }
    #expect(!reactor.restore(json: json))
    #expect(reactor.state == SavedState())
    #expect(reports.values.map(\.kind) == [.restoreFailed])
    #expect(reports.values.first?.reactor == "SavedReactor")
    await reactor.perform(.incLater)
    #expect(reactor.state.n == 1)
  }
}

extension SavedState.Layout {
  fileprivate init(columns: Int) {
    self.init()
    self.columns = columns
  }
}
