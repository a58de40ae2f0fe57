import SampleProgram
import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import NewsCore

let ada = NewsUser(name: "ada")
let bob = NewsUser(name: "bob", follows: "tmux")
let uploads = [
  Upload(date: "2026-02-01", package: "tmux", version: "3.3", suite: "unstable", urgency: "medium"),
  Upload(date: "2026-01-01", package: "bash", version: "5.2", suite: "security", urgency: "high"),
]

func list(_ user: NewsUser) -> NewsList { NewsList(uploads: uploads, all: 2).filtered(for: user) }

@MainActor
@Suite("The news as a module", .timeLimit(.minutes(1)))
struct NewsModuleTests {
  @Test("One state, two modules: from nobody and initial to a user, then step loading; without news nothing")
  func combinedReducers() {
    var app = CombinedNewsReactor.State()
    app.news = NewsState(user: .nobody)
    CombinedNewsReactor.reduce(into: &app, .user(ada))
    #expect(app.user == ada)
    #expect(app.news?.user == ada)
    #expect(app.news?.step == .initial)
    CombinedNewsReactor.reduce(into: &app, .news(.load))
    #expect(app.news?.user == ada)
    #expect(app.news?.step == .loading)
    CombinedNewsReactor.reduce(into: &app, .closeNews)
    let before = app
    CombinedNewsReactor.reduce(into: &app, .news(.load))
    #expect(app == before)
  }

  @Test("The request is started by the state, and ends with it")
  func query() async {
    let answered = Gate("answer")
    let test = TestReactor(
      CombinedNewsReactor(environment: .fake(uploads, pause: { _ in try await answered.wait() })))
    await test.send(.user(ada)) { $0.user = ada }
    await test.send(.openNews) { $0.news = NewsState(user: ada) }
    await test.send(.news(.load)) { $0.news?.step = .loading }
    #expect(test.reactor.effects.count == 1)
    // The same once more is no other query.
    await test.send(.news(.load)) { _ in }
    #expect(test.reactor.effects.count == 1)
    await test.send(.closeNews) { $0.news = nil }
    #expect(test.reactor.effects.isEmpty)
    await test.send(.openNews) { $0.news = NewsState(user: ada) }
    await test.send(.news(.load)) { $0.news?.step = .loading }
    answered.open()
    await test.receive(.news(.answered(.loaded(list(ada)), to: ada))) { $0.news?.step = .loaded(list(ada)) }
    await test.finish()
  }

  @Test("Another user's news are asked for anew, and a late answer to the first is never seen")
  func otherUser() async {
    let first = Gate("answer to ada")
    let test = TestReactor(
      CombinedNewsReactor(
        environment: .fake(uploads, pause: { user in if user == ada { await first.waitStubbornly() } })))
    await test.send(.user(ada)) { $0.user = ada }
    await test.send(.openNews) { $0.news = NewsState(user: ada) }
    await test.send(.news(.load)) { $0.news?.step = .loading }
    await test.send(.user(bob)) {
      $0.user = bob
      $0.news?.user = bob
    }
    await test.receive(.news(.answered(.loaded(list(bob)), to: bob))) { $0.news?.step = .loaded(list(bob)) }
    first.open()
    await test.settle()
    await test.finish()
  }

  @Test("A restored state that is loading starts the request")
  func restored() async {
    let answered = Gate("answer")
    let test = TestReactor {
      let news = NewsReactor(environment: .fake(uploads, pause: { _ in try await answered.wait() }))
      var state = NewsState(user: bob)
      state.step = .loading
      news.restore(state)
      return news
    }
    // Not before the table is there: it would have missed it.
    answered.open()
    await test.receive(.answered(.loaded(list(bob)), to: bob)) { $0.step = .loaded(list(bob)) }
    await test.finish()
  }

  @Test("A failure is a step like another, and loading again mends it")
  func failing() async {
    let failure = FileFailure("news", "there is no such file")
    let isThere = Gate("file")
    let news = NewsReactor(user: ada, environment: .fake(uploads, pause: { _ in if !isThere.isOpen { throw failure } }))
    await news.perform(.load)
    #expect(news.state.step == .failed(failure))
    isThere.open()
    await news.perform(.load)
    #expect(news.state.step == .loaded(list(ada)))
  }

  @Test("Nothing but a state that loads calls the environment")
  func noOtherCalls() async {
    let environment = NewsEnvironment.failing { Issue.record("unexpected call of \($0)") }
    for form in NewsForm.allCases {
      let app = form.app(environment)
      app.signIn(ada)
      app.close()
      app.signIn(bob)
      await app.settled()
      #expect(app.picture == NewsPicture(user: bob, news: nil, status: "closed"))
    }
  }

  @Test("An answer that is not asked for changes nothing, and the same user is no change")
  func reducer() {
    var state = NewsState(user: ada)
    NewsModule.reduce(into: &state, .answered(.loaded(list(ada)), to: ada))
    #expect(state == NewsState(user: ada))
    NewsModule.reduce(into: &state, .load)
    NewsModule.reduce(into: &state, .answered(.loaded(list(bob)), to: bob))
    #expect(state.step == .loading)
    NewsModule.reduce(into: &state, .answered(.loaded(list(ada)), to: ada))
    NewsModule.reduce(into: &state, .userChanged(ada))
    #expect(state.step == .loaded(list(ada)))
    NewsModule.reduce(into: &state, .userChanged(bob))
    #expect(state.step == .loading)
  }
}

@MainActor
@Suite("The app around the news, in each of its forms", .timeLimit(.minutes(1)))
struct NewsFormTests {
  @Test("All forms show the same for the same", arguments: NewsForm.allCases)
  func forms(form: NewsForm) async {
    let app = form.app(.fake(uploads))
    #expect(app.picture == NewsPicture(user: .nobody, news: nil, status: "closed"))
    app.signIn(ada)
    app.open()
    #expect(app.picture.news?.step == .loading)
    #expect(app.picture.status == "loading")
    await app.settled()
    var news = NewsState(user: ada)
    news.step = .loaded(list(ada))
    #expect(app.picture == NewsPicture(user: ada, news: news, status: "2 uploads"))
    app.signIn(bob)
    #expect(app.picture.news?.user == bob)
    #expect(app.picture.news?.step == .loading)
    await app.settled()
    #expect(app.picture.status == "1 upload")
    app.open()
    #expect(app.picture.news?.step == .loading)
    app.close()
    #expect(app.picture == NewsPicture(user: bob, news: nil, status: "closed"))
    app.open()
    await app.settled()
    #expect(app.picture.status == "1 upload")
  }

  @Test("A late answer for closed news changes nothing", arguments: NewsForm.allCases)
  func late(form: NewsForm) async {
    let answered = Gate("answer")
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let app = form.app(
      .fake(
        uploads,
        pause: { _ in
          await answered.waitStubbornly()
          arrival.yield()
        }))
    app.signIn(ada)
    app.open()
    while answered.waiting == 0 { await Task.yield() }
    app.close()
    answered.open()
    for await _ in arrivals { break }
    for _ in 0..<100 { await Task.yield() }
    #expect(app.picture == NewsPicture(user: ada, news: nil, status: "closed"))
  }

  @Test("Whoever observes is told of everything that the picture shows", arguments: NewsForm.allCases)
  func observing(form: NewsForm) async {
    let app = form.app(.fake(uploads))
    var pictures: [NewsPicture] = []
    let subscriptions = app.observe { if pictures.last != app.picture { pictures.append(app.picture) } }
    app.signIn(ada)
    app.open()
    await app.settled()
    app.close()
    #expect(pictures.last == app.picture)
    #expect(pictures.contains { $0.news?.step == .loading })
    #expect(pictures.contains { $0.news?.step == .loaded(list(ada)) })
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("Separate: neither knows the other, and what each hears comes over one wire")
  func separate() async {
    let app = SeparateNews(environment: .fake(uploads))
    app.account.action(.signIn(name: "ada", follows: ""))
    #expect(app.news.state.user == ada)
    app.news.action(.load)
    #expect(app.account.state.newsStatus == "loading")
    // What only one of them is told, the other does not see.
    app.news.action(.userChanged(bob))
    #expect(app.account.state.name == "ada")
  }

  @Test("Nested: there is one user, app and news agree at once, and the app hears the step")
  func nested() async {
    let app = NestedNews(environment: .fake(uploads))
    app.portal.news.action(.userChanged(ada))
    #expect(app.portal.state.user == ada)
    app.portal.action(.signIn(bob))
    #expect(app.portal.news.state.user == bob)
    await app.portal.news.perform(.load)
    #expect(app.portal.state.news.step == .loaded(list(bob)))
    #expect(app.portal.state.newsStatus == "1 upload")
  }
}
