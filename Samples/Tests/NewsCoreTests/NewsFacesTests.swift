import SampleProgram
import SwiftReactor
import Testing

@testable import NewsCore
@testable import TerminalScreen

@MainActor
@Suite("The news in lines and on a terminal", .timeLimit(.minutes(1)))
struct NewsFacesTests {
  private func run(_ lines: [String], _ form: NewsForm) async throws -> String {
    var shown = ""
    var rest = lines[...]
    try await NewsLineSession(
      app: form.app(.fake(uploads)), nextLine: { rest.popFirst() }, show: { shown += $0 }
    ).run()
    return shown
  }

  @Test("A session: the same output each time, and in each form", arguments: NewsForm.allCases)
  func session(form: NewsForm) async throws {
    let shown = try await run(
      ["open", "user  ada", "open", "user bob  tmux", "reload", "close", "close", "show", "quit", "open"], form)
    #expect(
      shown == """
        User: nobody; news: closed
        there is no user yet: user NAME
        User: ada; news: closed
        News for ada (2)
          2026-02-01 tmux 3.3 in unstable
          2026-01-01 bash 5.2 in security, high
        News for bob, who follows tmux (1 of 2)
          2026-02-01 tmux 3.3 in unstable
        News for bob, who follows tmux (1 of 2)
          2026-02-01 tmux 3.3 in unstable
        User: bob, who follows tmux; news: closed
        the news are closed
        User: bob, who follows tmux; news: closed

        """)
  }

  @Test("Mistakes get one line each, and nothing ends")
  func mistakes() async throws {
    let shown = try await run(["jump", "", "user", "reload", "open x", "user a\u{7}", "help"], .combined)
    #expect(
      shown == """
        User: nobody; news: closed
        unknown command "jump"; there are: user, open, reload, close, show, help, quit
        user needs a name: user NAME
        the news are closed
        open stands alone: leave out "x"
        User: a?; news: closed
        \(NewsCommand.helpText)
        """)
  }

  @Test("Options are read, and each mistake is one line")
  func options() throws {
    #expect(try NewsOptions([]).form == .combined)
    let options = try NewsOptions(["--form=nested", "--file", "x", "--delay", "1"])
    #expect(options.form == .nested && options.common.file == "x" && options.delay == .seconds(1))
    for (arguments, told) in [
      (["--form", "x"], "--form knows only combined, separate, nested; see news --help"),
      (["news"], "unknown option \"news\"; see news --help"),
    ] {
      #expect(throws: OptionMistake(description: told)) { try NewsOptions(arguments) }
    }
  }

  @Test("Keys sign in, open, move, reload and close", arguments: NewsForm.allCases)
  func keys(form: NewsForm) async {
    let app = form.app(.fake(uploads))
    let desk = ListDeskReactor()
    func press(_ keys: Key...) { for key in keys { #expect(app.press(key, at: desk)) } }
    press(.enter)
    #expect(app.picture.news == nil)
    press(.character("a"), .character("b"), .backspace, .character("d"), .character("a"))
    #expect(desk.state.draft == "ada")
    press(.enter)
    #expect(app.picture.user == ada)
    #expect(desk.state.draft == "")
    await app.settled()
    desk.action(.fit(count: 2, rows: 10))
    press(.down, .down, .character("x"))
    #expect(desk.state.cursor.selected == 1)
    #expect(desk.state.draft == "")
    press(.control("r"))
    #expect(app.picture.news?.step == .loading)
    press(.escape)
    #expect(app.picture.news == nil)
    press(.character("z"), .escape, .enter)
    #expect(app.picture.user == ada)
    #expect(app.picture.news?.step == .loading)
    #expect(!app.press(.control("q"), at: desk))
  }

  private func picture(_ picture: NewsPicture, _ columns: Int, _ rows: Int, step: Int = 0) -> [String] {
    NewsTerminalView.frame(
      of: picture, desk: ListDeskReactor.State(), size: TerminalSize(columns: columns, rows: rows), step: step
    ).text
  }

  @Test("The screens in an ordinary window and in one of twenty columns and five rows")
  func screens() {
    let closed = NewsPicture(user: .nobody, news: nil, status: "closed")
    #expect(
      picture(closed, 70, 6) == [
        "News  User: nobody", "User:  ", "  A name, and perhaps a word to follow: ada security", "", "",
        "Type a name  Enter opens the news  Esc clears  Ctrl-Q quits",
      ])
    #expect(picture(closed, 20, 5) == ["News  User: nobody", "User:  ", "  A name, and perha…", "", "^Q quits"])
    var news = NewsState(user: ada)
    news.step = .loading
    #expect(
      picture(NewsPicture(user: ada, news: news, status: ""), 40, 4, step: 1)
        == ["News for ada", "  / Loading...", "", "Esc closes  Ctrl-R reloads  Ctrl-Q quits"])
    news.step = .loaded(list(ada))
    #expect(
      picture(NewsPicture(user: ada, news: news, status: ""), 20, 5)
        == ["News for ada  2", "> 2026-02-01 tmux 3…", "  2026-01-01 bash 5…", "", "Esc back  ^Q quits"])
    news.step = .failed(FileFailure("news", "there is no such file", advice: "look\nfor it"))
    #expect(
      picture(NewsPicture(user: ada, news: news, status: ""), 60, 4)[1] == "  news: there is no such file; look?for it")
  }

  @Test("There is a picture for every size")
  func everySize() {
    var news = NewsState(user: bob)
    news.step = .loaded(NewsList(uploads: uploads, all: 2, broken: 1))
    for columns in [1, 2, 3, 5, 8, 20, 79, 300] {
      for rows in [1, 2, 3, 4, 5, 6, 24, 100] {
        for shown in [nil, news] {
          let lines = picture(NewsPicture(user: bob, news: shown, status: ""), columns, rows)
          #expect(lines.count == rows)
          #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
        }
      }
    }
  }
}

@Suite("A file of uploads")
struct UploadFileTests {
  private func read(_ text: String) throws -> NewsList { try UploadFile.uploads(in: Array(text.utf8), file: "f") }

  @Test("Lines become uploads, broken ones are counted")
  func lines() throws {
    let list = try read(
      "2026-02-01\ttmux\t3.3\tunstable\tmedium\n\n  \nx\ty\n2026-2-1\ta\tb\tc\td\n2026-01-01\tbash\t5.2\tsecurity\thigh"
    )
    #expect(list == NewsList(uploads: uploads, all: 2, broken: 2))
  }

  @Test("A file without uploads is told")
  func failures() {
    #expect(throws: FileFailure("f", "the file is empty")) { try read("") }
    #expect(throws: FileFailure.self) { try read("Dear reader\n") }
    #expect(throws: FileFailure.self) { try UploadFile.uploads(in: [0xFF, 0x0A], file: "f") }
  }

  @Test("The built-in file has uploads and nothing broken")
  func builtIn() throws {
    let list = try UploadFile.read(nil)
    #expect(list.all >= 300)
    #expect(list.broken == 0)
  }

  @Test("A word is looked for in package, suite and urgency, in upper or lower case")
  func words() {
    #expect(uploads.filter { $0.isAbout("TMUX") }.count == 1)
    #expect(uploads.filter { $0.isAbout("secur") }.count == 1)
    #expect(uploads.filter { $0.isAbout("3.3") }.isEmpty)
    #expect(uploads.filter { $0.isAbout("") }.count == 2)
    #expect(NewsUser(typed: "  ada   high  urgency ") == NewsUser(name: "ada", follows: "high urgency"))
    #expect(NewsUser(typed: "  ") == nil)
  }
}
