import SwiftReactor
import Testing

@testable import DogsCore
@testable import TerminalScreen

private let breeds = [
  Breed(name: "affenpinscher"), Breed(name: "bulldog", subBreeds: ["boston", "english", "french"]),
  Breed(name: "corgi", subBreeds: ["cardigan"]), Breed(name: "柴犬", subBreeds: ["豆"]), Breed(name: "a\u{1B}[2Jb"),
]

@MainActor
private func state(_ actions: DogsReactor.Action..., size: TerminalSize? = nil) async -> DogsReactor.State {
  let dogs = DogsReactor(environment: .fake(breeds))
  if let size { dogs.action(.laidOut(DogsLayout(size: size))) }
  await dogs.perform(.load)
  for action in actions { dogs.action(action) }
  await pictureIsThere(dogs)
  return dogs.state
}

@MainActor
private func state(pressing keys: [Key], size: TerminalSize? = nil) async -> DogsReactor.State {
  let dogs = DogsReactor(environment: .fake(breeds))
  if let size { dogs.action(.laidOut(DogsLayout(size: size))) }
  await dogs.perform(.load)
  for key in keys { _ = dogs.press(key) }
  await pictureIsThere(dogs)
  return dogs.state
}

@MainActor
private func pictureIsThere(_ dogs: DogsReactor) async {
  guard let detail = dogs.detail.reactor else { return }
  for await picture in detail.values(of: \.picture) where picture != .loading { return }
}

@Suite("View states and pictures")
struct ViewTests {
  private func picture(_ state: DogsReactor.State, _ columns: Int, _ rows: Int, step: Int = 0) -> [String] {
    DogsTerminalView.frame(of: state, size: TerminalSize(columns: columns, rows: rows), step: step).text
  }

  @Test("The list has the first letters in upper case, and notes for sub-breeds")
  func listViewState() async {
    let view = ListViewState(await state())
    #expect(view.title == "Dogs")
    #expect(view.count == "5")
    #expect(view.message == nil)
    #expect(view.rows.map(\.title) == ["Affenpinscher", "Bulldog", "Corgi", "柴犬", "A?[2Jb"])
    #expect(view.rows.map(\.note) == ["", "3 sub-breeds", "1 sub-breed", "1 sub-breed", ""])
    #expect(view.rows(3..<99).count == 2)
  }

  @Test("The list says that it is loading, and that nothing matches")
  func listMessages() async {
    let loading = ListViewState(DogsReactor.State())
    #expect(loading.message == "Loading...")
    #expect(loading.count == "")
    let none = ListViewState(await state(.filter("xyz")))
    #expect(none.message == "No breed matches.")
    #expect(none.count == "0 of 5")
    #expect(ListViewState(await state(.filter("BU"))).count == "1 of 5")
  }

  @Test("A breed has its name and its sub-breeds")
  func breedViewState() {
    let bulldog = BreedViewState(BreedReactor.State(breeds[1], page: 10))
    #expect(bulldog.title == "Bulldog")
    #expect(bulldog.count == "3 sub-breeds")
    #expect(bulldog.rows == ["Boston", "English", "French"])
    #expect(bulldog.message == nil)
    #expect(bulldog.picture == "Looking for a picture...")
    #expect(bulldog.isWaiting)
    var alone = BreedReactor.State(breeds[0], page: 10)
    alone.picture = .missing(PictureError("none\u{7} today"))
    #expect(BreedViewState(alone).picture == "No picture: none? today")
    #expect(!BreedViewState(alone).isWaiting)
    check(alone: BreedViewState(alone))
  }

  private func check(alone: BreedViewState) {
    #expect(alone.count == "no sub-breeds")
    #expect(alone.message == "This breed has no sub-breeds.")
  }

  @Test("The screens as lines")
  func lines() async {
    #expect(DogsLines.text(of: DogsReactor.State()) == "Dogs\n  Loading...\n")
    #expect(
      DogsLines.text(of: await state(.filter("corgi"))) == "Dogs (1 of 5), filter: corgi\n  Corgi (1 sub-breed)\n")
    #expect(DogsLines.text(of: await state(.filter("zz"))) == "Dogs (0 of 5), filter: zz\n  No breed matches.\n")
    #expect(
      DogsLines.text(of: await state(.open("bulldog")))
        == "Bulldog (3 sub-breeds)\n  Boston\n  English\n  French\nPicture: picture of bulldog\n")
    #expect(
      DogsLines.text(of: await state(.open("affenpinscher")))
        == "Affenpinscher (no sub-breeds)\nPicture: picture of affenpinscher\n")
  }

  @Test("The list on a terminal, in a window of twenty columns and five rows")
  func smallList() async {
    let size = TerminalSize(columns: 20, rows: 5)
    #expect(
      picture(await state(size: size), 20, 5)
        == ["Dogs  5", "Filter:  ", "> Affenpinscher", "  Bulldog  3 sub-br…", "^Q quits"])
    #expect(
      picture(await state(pressing: [.end, .up], size: size), 20, 5)
        == ["Dogs  5", "Filter:  ", "> 柴犬  1 sub-breed", "  A?[2Jb", "^Q quits"])
  }

  @Test("The list on a terminal in an ordinary window")
  func list() async {
    #expect(
      picture(await state(pressing: [.down]), 80, 24).filter { !$0.isEmpty } == [
        "Dogs  5", "Filter:  ", "  Affenpinscher", "> Bulldog  3 sub-breeds", "  Corgi  1 sub-breed",
        "  柴犬  1 sub-breed", "  A?[2Jb", "Type to filter  Enter opens  Esc clears  Ctrl-Q quits",
      ])
  }

  @Test("The spinner turns while it is loading")
  func spinner() {
    let marks = (0..<5).map { picture(DogsReactor.State(), 40, 10, step: $0)[2] }
    #expect(marks == ["  | Loading...", "  / Loading...", "  - Loading...", "  \\ Loading...", "  | Loading..."])
  }

  @Test("A breed on a terminal")
  func breed() async {
    let size = TerminalSize(columns: 40, rows: 6)
    #expect(
      picture(await state(pressing: [.down, .enter, .down], size: size), 40, 6)
        == [
          "Bulldog  3 sub-breeds", "Picture: picture of bulldog", "  Boston", "> English", "  French",
          "Esc goes back  Ctrl-Q quits",
        ])
    #expect(
      picture(await state(.open("affenpinscher"), size: size), 40, 6)
        == [
          "Affenpinscher  no sub-breeds", "Picture: picture of affenpinscher", "  This breed has no sub-breeds.", "",
          "",
          "Esc goes back  Ctrl-Q quits",
        ])
  }

  @Test("A breed in a window of five rows has no row for the picture, and the wheel turns in a larger one")
  func smallBreed() async {
    let size = TerminalSize(columns: 20, rows: 5)
    #expect(
      picture(await state(.open("bulldog"), size: size), 20, 5)
        == ["Bulldog  3 sub-bree…", "> Boston", "  English", "  French", "Esc back  ^Q quits"])
    var waiting = DogsReactor.State()
    waiting.detail = BreedReactor.State(breeds[1], page: 4)
    #expect(picture(waiting, 40, 10, step: 1)[1] == "/ Looking for a picture...")
  }

  @Test("The end of a long query is in sight")
  func longQuery() async {
    let query = String(repeating: "a", count: 50) + "犬z"
    #expect(picture(await state(.filter(query)), 20, 5)[1] == "Filter: aaaaaaaa犬z ")
  }

  @Test("There is a picture for every size, and the chosen row is in it")
  func everySize() async {
    for columns in [1, 2, 3, 5, 8, 20, 79, 300] {
      for rows in [1, 2, 3, 4, 5, 6, 24, 100] {
        let size = TerminalSize(columns: columns, rows: rows)
        let list = DogsTerminalView.frame(of: await state(pressing: [.end], size: size), size: size, step: 0)
        #expect(list.text.count == rows)
        #expect(list.text.contains { $0.hasPrefix(">") }, "\(columns)x\(rows)")
        let breed = DogsTerminalView.frame(of: await state(.open("bulldog"), size: size), size: size, step: 0)
        #expect(breed.text.allSatisfy { TextWidth.columns(of: $0) <= columns })
        #expect(rows == 1 || breed.text.contains { $0.hasPrefix(">") }, "\(columns)x\(rows)")
      }
    }
  }

  @Test("A key that changes one line costs at most two hundred bytes, in any window")
  func bytes() async {
    for (columns, rows) in [(20, 5), (80, 24), (300, 100)] {
      let size = TerminalSize(columns: columns, rows: rows)
      let before = await state(.filter("b"), size: size)
      var screen = Screen()
      _ = screen.update(to: DogsTerminalView.frame(of: before, size: size, step: 0))
      // The choice moves: two marks.
      let moved = await state(pressing: [.character("b"), .down], size: size)
      let moving = screen.update(to: DogsTerminalView.frame(of: moved, size: size, step: 0))
      #expect((1...200).contains(moving.count), "\(moving.count) bytes")
      // A letter more, and the list is the same.
      let typed = await state(.filter("bu"), .move(.down), size: size)
      let again = await state(.filter("bul"), .move(.down), size: size)
      _ = screen.update(to: DogsTerminalView.frame(of: typed, size: size, step: 0))
      let typing = screen.update(to: DogsTerminalView.frame(of: again, size: size, step: 0))
      #expect((1...200).contains(typing.count), "\(typing.count) bytes")
      // A key without a meaning: nothing.
      #expect(screen.update(to: DogsTerminalView.frame(of: again, size: size, step: 0)).isEmpty)
    }
  }
}
