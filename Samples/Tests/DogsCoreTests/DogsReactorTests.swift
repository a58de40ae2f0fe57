import Dispatch
import SwiftReactor
import Testing

@testable import DogsCore
@testable import TerminalScreen

private let breeds = [
  Breed(name: "affenpinscher"), Breed(name: "bouvier"), Breed(name: "hound", subBreeds: ["afghan", "basset"]),
  Breed(name: "otterhound"), Breed(name: "柴犬", subBreeds: ["豆"]),
]

/// On the main actor, which is the reactor's queue: an action is in the state when its call returns.
@MainActor
@Suite("The reactor of the dogs")
struct DogsReactorTests {
  private func loaded() async -> DogsReactor {
    let dogs = DogsReactor(environment: .fake(breeds))
    await dogs.perform(.load)
    return dogs
  }

  private func press(_ dogs: DogsReactor, _ keys: Key...) {
    for key in keys { _ = dogs.press(key) }
  }

  // MARK: Loading

  @Test("It is loading until the breeds are there")
  func loading() async {
    let dogs = DogsReactor(environment: .fake(breeds))
    var seen: [DogsReactor.Loading] = []
    let subscription = dogs.observe(\.loading) { seen.append($0) }
    #expect(dogs.state.isLoading)
    await dogs.perform(.load)
    #expect(seen == [.notBegun, .running, .done])
    #expect(!dogs.state.isLoading)
    #expect(dogs.state.visible == breeds)
    subscription.cancel()
  }

  @Test("A failure ends the loading and is in the state")
  func failing() async {
    var unexpected: [String] = []
    let (calls, call) = AsyncStream.makeStream(of: String.self)
    let dogs = DogsReactor(environment: .failing { call.yield($0) })
    await dogs.perform(.load)
    call.finish()
    for await name in calls { unexpected.append(name) }
    #expect(unexpected == ["loadBreeds"])
    #expect(dogs.state.failure == CatalogueError(file: "nowhere", reason: .missing))
    #expect(!dogs.state.isLoading)
  }

  @Test("Nothing but loading calls the environment")
  func noOtherCalls() {
    let dogs = DogsReactor(environment: .failing { Issue.record("unexpected call of \($0)") })
    dogs.action(.filter("x"))
    dogs.action(.open("hound"))
    dogs.action(.back)
    press(dogs, .character("a"), .enter, .escape, .down)
    #expect(dogs.state.detail == nil)
  }

  @Test("Loading that runs is not begun again")
  func loadingOnce() async {
    let (calls, call) = AsyncStream.makeStream(of: Void.self)
    var environment = DogsEnvironment.fake(breeds)
    environment.loadBreeds = {
      call.yield()
      return breeds
    }
    let dogs = DogsReactor(environment: environment)
    dogs.action(.load)
    await dogs.perform(.load)
    while dogs.state.isLoading { await Task.yield() }
    call.finish()
    var count = 0
    for await _ in calls { count += 1 }
    #expect(count == 1)
  }

  // MARK: Filtering

  @Test("The query leaves breeds that contain it, in upper or lower case")
  func filtering() async {
    let dogs = await loaded()
    dogs.action(.filter("HOU"))
    #expect(dogs.state.visible.map(\.name) == ["hound", "otterhound"])
    dogs.action(.filter("犬"))
    #expect(dogs.state.visible.map(\.name) == ["柴犬"])
    dogs.action(.filter("xyz"))
    #expect(dogs.state.visible.isEmpty)
    dogs.action(.filter(""))
    #expect(dogs.state.visible == breeds)
  }

  @Test("A query that was set before the breeds came is applied to them")
  func filteringEarly() async {
    let dogs = DogsReactor(environment: .fake(breeds))
    dogs.action(.filter("otter"))
    await dogs.perform(.load)
    #expect(dogs.state.visible.map(\.name) == ["otterhound"])
  }

  @Test("Typing filters, backspace and escape take it back")
  func typing() async {
    let dogs = await loaded()
    press(dogs, .character("h"), .character("o"), .character("u"))
    #expect(dogs.state.query == "hou")
    press(dogs, .backspace)
    #expect(dogs.state.query == "ho")
    press(dogs, .escape)
    #expect(dogs.state.query == "")
    press(dogs, .backspace, .escape)
    #expect(dogs.state.visible == breeds)
    // A combining mark joins its letter, and both are taken back together.
    press(dogs, .character("e"), .character("\u{301}"))
    #expect(dogs.state.query == "é")
    press(dogs, .backspace)
    #expect(dogs.state.query == "")
    press(dogs, .character("x"), .control("u"))
    #expect(dogs.state.query == "")
  }

  @Test("While it is loading only leaving has a meaning")
  func typingEarly() {
    let dogs = DogsReactor(environment: .fake(breeds))
    press(dogs, .character("h"), .enter, .down)
    #expect(dogs.state == DogsReactor.State())
    #expect(dogs.press(.character("q")))
    #expect(!dogs.press(.control("q")))
  }

  // MARK: Navigation

  @Test("Opening makes the breed's screen, leaving clears it")
  func navigation() async {
    let dogs = await loaded()
    dogs.action(.open("Hound"))
    #expect(dogs.state.detail?.breed == breeds[2])
    dogs.action(.back)
    #expect(dogs.state.detail == nil)
    dogs.action(.open("nobody"))
    #expect(dogs.state.detail == nil)
    dogs.action(.open("柴犬"))
    dogs.action(.filter("hou"))
    #expect(dogs.state.detail == nil)
    #expect(dogs.state.query == "hou")
  }

  @Test("Keys choose, open and go back")
  func keys() async {
    let dogs = await loaded()
    press(dogs, .down, .down, .enter)
    #expect(dogs.state.detail?.breed.name == "hound")
    // The breed's own list moves, the other one stays.
    press(dogs, .down, .down, .down)
    #expect(dogs.state.detail?.cursor.selected == 1)
    #expect(dogs.state.cursor.selected == 2)
    // Letters mean nothing here.
    press(dogs, .character("x"), .enter)
    #expect(dogs.state.query == "")
    press(dogs, .escape)
    #expect(dogs.state.detail == nil)
    press(dogs, .end, .enter)
    #expect(dogs.state.detail?.breed.name == "柴犬")
    press(dogs, .backspace, .home, .enter)
    #expect(dogs.state.detail?.breed.name == "affenpinscher")
  }

  @Test("Nothing opens from an empty list")
  func emptyList() async {
    let dogs = await loaded()
    press(dogs, .character("#"), .enter, .down, .up)
    #expect(dogs.state.detail == nil)
    #expect(dogs.state.cursor == ListCursor())
  }

  @Test("A smaller window keeps the chosen breed in sight")
  func layout() async {
    let dogs = await loaded()
    press(dogs, .end)
    dogs.action(.laidOut(DogsLayout(size: TerminalSize(columns: 20, rows: 5))))
    #expect(dogs.state.cursor.visible(count: 5, page: 2) == 3..<5)
  }

  @Test("Every commit is seen once, in order")
  func commits() async {
    let dogs = await loaded()
    var queries: [String] = []
    let subscription = dogs.observe(\.query) { queries.append($0) }
    press(dogs, .character("a"), .character("b"), .backspace)
    subscription.cancel()
    press(dogs, .character("c"))
    #expect(queries == ["", "a", "ab", "a"])
  }
}
