import SampleProgram
import SwiftReactor
import SwiftReactorTesting
import Testing

@testable import ContactsCore
@testable import TerminalScreen

let ada = Account(name: "ada")
let teams = [
  Contact(name: "Games Team", address: "games@example.org", packages: 817),
  Contact(name: "KDE Team", address: "kde@example.org", packages: 1),
]

@MainActor
@Suite("Contacts: two reducers, one state", .timeLimit(.minutes(1)))
struct ContactsReactorTests {
  private let environment = ContactsEnvironment.fake(account: ada, contacts: teams)

  @Test("Each reducer handles its own, one after the other")
  func reducers() {
    var state = ContactsReactor.State()
    ContactsReactor.reduce(into: &state, .account(.set(ada)))
    #expect(state.account == ada)
    #expect(state.contacts == nil)
    ContactsReactor.reduce(into: &state, .contacts(.set(teams)))
    #expect(state.account == ada)
    #expect(state.contacts == teams)
    ContactsReactor.reduce(into: &state, .account(.rename("bob")))
    #expect(state.account?.name == "bob")
    ContactsReactor.reduce(into: &state, .account(.set(nil)))
    // There is no name to change.
    ContactsReactor.reduce(into: &state, .account(.rename("eve")))
    #expect(state.account == nil)
    #expect(state.contacts == teams)
  }

  @Test("Loading is told, and both parts come")
  func loading() async {
    let test = TestReactor(ContactsReactor(environment: environment))
    await test.send(.account(.load)) { $0.loading = [.account] }
    await test.receive(.account(.set(ada))) { $0.account = ada }
    await test.receive(.loading(.account, false)) { $0.loading = [] }
    await test.send(.contacts(.load)) { $0.loading = [.contacts] }
    await test.receive(.contacts(.set(teams))) { $0.contacts = teams }
    await test.receive(.loading(.contacts, false)) { $0.loading = [] }
    await test.finish()
  }

  @Test("An observer of the account is not told of contacts, nor of an equal account")
  func observing() async {
    let reactor = ContactsReactor(environment: environment)
    var told: [Account?] = []
    let subscription = reactor.observe(\.account) { told.append($0) }
    await reactor.perform(.account(.load))
    await reactor.perform(.contacts(.load))
    await reactor.perform(.account(.load))
    #expect(told == [nil, ada])
    reactor.action(.account(.rename("ada")))
    #expect(told == [nil, ada])
    reactor.action(.account(.rename("bob")))
    #expect(told == [nil, ada, Account(name: "bob")])
    subscription.cancel()
  }

  @Test("Who has a scope of a part knows only that part")
  func scopes() async {
    let reactor = ContactsReactor(environment: environment)
    let account = reactor.scope(state: \.account, action: ContactsReactor.Action.account)
    let contacts = reactor.scope(state: \.contacts, action: ContactsReactor.Action.contacts)
    var told: [Account?] = []
    let subscription = account.observe(\.self) { told.append($0) }
    await account.perform(.load)
    await contacts.perform(.load)
    account.action(.rename("bob"))
    #expect(told == [nil, ada, Account(name: "bob")])
    #expect(contacts.state == teams)
    #expect(reactor.state.account?.name == "bob")
    subscription.cancel()
  }

  @Test("A stream that brings an action later works as if the action had been sent then")
  func stream() async {
    let clock = ManualClock()
    let test = TestReactor(ContactsReactor(environment: environment))
    test.exhaustivity = .off
    await test.send(.stream(ContactsReactor.both(clock: clock))) { $0.streams = 1 }
    await clock.advance(by: .milliseconds(999))
    #expect(test.state.account == nil)
    await clock.advance(by: .milliseconds(1))
    #expect(test.state.account == ada)
    #expect(test.state.contacts == nil)
    await clock.advance(by: .seconds(1))
    #expect(test.state.contacts == teams)
    #expect(test.state.streams == 0)
    await test.finish()
  }

  @Test("Streams of streams, and what a stream has at once")
  func streams() async {
    let test = TestReactor(ContactsReactor(environment: environment))
    test.exhaustivity = .off
    let inner = EventStream<ContactsReactor.Action>([.account(.load), .account(.rename("nobody yet"))])
    await test.send(.stream(EventStream([.stream(inner), .contacts(.load)])))
    await test.settle()
    #expect(test.state.account == ada)
    #expect(test.state.contacts == teams)
    #expect(test.state.streams == 0)
    await test.finish()
  }

  @Test("A stream ends with the reactor, which it does not keep")
  func lifetime() {
    let subject = EventSubject<ContactsReactor.Action>()
    weak var gone: ContactsReactor?
    do {
      let reactor = ContactsReactor(environment: .failing { Issue.record("unexpected call of \($0)") })
      gone = reactor
      reactor.action(.stream(subject.stream))
      #expect(reactor.state.streams == 1)
    }
    #expect(gone == nil)
    subject.send(.account(.load))
  }

  @Test("Forgetting ends a load: its late answer is never seen")
  func forgetting() async {
    let answered = Gate("answer")
    let test = TestReactor(
      ContactsReactor(
        environment: .fake(account: ada, contacts: teams, pause: { _ in await answered.waitStubbornly() })))
    await test.send(.account(.load)) { $0.loading = [.account] }
    await test.send(.account(.forget)) { $0.loading = [] }
    answered.open()
    await test.settle()
    await test.finish()
  }

  @Test("A failure is told, and the next load takes it away")
  func failing() async {
    let failure = FileFailure("f", "there is no such file")
    let isThere = Gate("file")
    let reactor = ContactsReactor(
      environment: .fake(
        account: ada, contacts: teams, pause: { part in if part == .contacts, !isThere.isOpen { throw failure } }))
    await reactor.perform(.contacts(.load))
    #expect(reactor.state.failure == failure)
    #expect(reactor.state.contacts == nil)
    #expect(reactor.state.loading.isEmpty)
    isThere.open()
    await reactor.perform(.contacts(.load))
    #expect(reactor.state.failure == nil)
    #expect(reactor.state.contacts == teams)
  }
}

@MainActor
@Suite("Contacts in lines and on a terminal", .timeLimit(.minutes(1)))
struct ContactsFacesTests {
  private func run(_ lines: [String]) async throws -> String {
    var shown = ""
    var rest = lines[...]
    try await ContactsLineSession(
      reactor: ContactsReactor(environment: .fake(account: ada, contacts: teams)), nextLine: { rest.popFirst() },
      show: { shown += $0 }
    ).run()
    return shown
  }

  @Test("A session: parts, streams, and who is told of what")
  func session() async throws {
    let shown = try await run([
      "load account", "load ACCOUNT", "load contacts", "stream", "emit forget account", "emit load account", "finish",
      "rename bob", "find GAMES", "forget contacts", "find", "quit", "show",
    ])
    #expect(
      shown == """
        account: none, told once
        contacts: none, told once
        account: ada, told 2 times
        contacts: none, told once
        account: ada, told 2 times
        contacts: none, told once
        account: ada, told 2 times
        contacts: 2, told 2 times
        account: ada, told 2 times
        contacts: 2, told 2 times
        a stream runs
        account: none, told 3 times
        contacts: 2, told 2 times
        a stream runs
        account: ada, told 4 times
        contacts: 2, told 2 times
        a stream runs
        account: ada, told 4 times
        contacts: 2, told 2 times
        account: bob, told 5 times
        contacts: 2, told 2 times
        1 of 2 contacts
          Games Team <games@example.org>, 817 packages
        account: bob, told 5 times
        contacts: none, told 3 times
        there are no contacts yet: load contacts

        """)
  }

  @Test("Mistakes get one line each, and nothing ends")
  func mistakes() async throws {
    let shown = try await run([
      "jump", "", "load", "forget all", "rename", "emit", "emit load account", "finish", "stream", "stream", "finish x",
      "help",
    ])
    #expect(
      shown == """
        account: none, told once
        contacts: none, told once
        unknown command "jump"; there are: load, forget, rename, find, stream, emit, finish, show, help, quit
        load needs a part: account or contacts
        forget needs a part: account or contacts
        rename needs a name: rename NAME
        emit needs an action: emit load account
        there is no stream yet: stream
        there is no stream yet: stream
        account: none, told once
        contacts: none, told once
        a stream runs
        there is a stream already; finish ends it
        finish stands alone: leave out "x"
        \(ContactsCommand.helpText)
        """)
  }

  @Test("Options are read, and each mistake is one line")
  func options() throws {
    #expect(try ContactsOptions([]).account == "guest")
    let options = try ContactsOptions(["--account=ada", "--file", "x", "--delay", "1", "--lines"])
    #expect(options.account == "ada" && options.common.file == "x" && options.delay == .seconds(1))
    #expect(throws: OptionMistake(description: "unknown option \"x\"; see contacts --help")) {
      try ContactsOptions(["x"])
    }
  }

  @Test("Keys find, load, forget and move")
  func keys() async {
    let reactor = ContactsReactor(environment: .fake(account: ada, contacts: teams))
    let desk = ListDeskReactor()
    func press(_ keys: Key...) {
      for key in keys { #expect(reactor.press(key, at: desk, stream: ContactsReactor.both(clock: ImmediateClock()))) }
    }
    press(.enter, .control("r"))
    for await loading in reactor.values(of: \.loading) where loading.isEmpty { break }
    #expect(reactor.state.account == ada)
    #expect(reactor.state.contacts == teams)
    press(.character("k"), .character("x"), .backspace)
    #expect(desk.state.draft == "k")
    desk.action(.fit(count: 2, rows: 1))
    press(.down)
    #expect(desk.state.cursor.selected == 1)
    press(.control("f"), .escape)
    #expect(reactor.state.account == nil && reactor.state.contacts == nil)
    #expect(desk.state.draft == "")
    press(.control("s"))
    for await state in reactor.states where state.streams == 0 && state.contacts != nil { break }
    #expect(reactor.state.account == ada)
    #expect(!reactor.press(.control("q"), at: desk))
  }

  private func picture(_ state: ContactsReactor.State, _ columns: Int, _ rows: Int, finding text: String = "") async
    -> [String]
  {
    let desk = ListDeskReactor()
    desk.action(.type(text))
    return ContactsTerminalView.frame(
      of: state, desk: desk.state, size: TerminalSize(columns: columns, rows: rows), step: 1
    ).text
  }

  @Test("The screen in an ordinary window and in one of twenty columns and five rows")
  func screens() async {
    var state = ContactsReactor.State()
    #expect(
      await picture(state, 50, 5) == [
        "Contacts  User: nobody", "Find:  ", "  There are no contacts yet.", "",
        "Enter signs in  ^R contacts  ^S stream  ^Q quits",
      ])
    state.loading = [.account, .contacts]
    state.streams = 1
    #expect(
      await picture(state, 40, 5).prefix(3) == ["Contacts  User: loading", "Find:   1 stream", "  / Loading..."])
    state.loading = []
    state.streams = 0
    state.account = ada
    state.contacts = teams
    #expect(
      await picture(state, 60, 6, finding: "kde") == [
        "Contacts  1 of 2  User: ada", "Find: kde ", "> KDE Team <kde@example.org>  1 package", "", "",
        "Enter signs in  ^R contacts  ^S stream  ^Q quits",
      ])
    #expect(
      await picture(state, 20, 5)
        == ["Contacts  2  User: …", "Find:  ", "> Games Team <games…", "  KDE Team <kde@exa…", "^R contacts  ^Q quits"]
        .dropLast()
        + ["^Q quits"])
    #expect(await picture(state, 40, 5, finding: "zzz")[2] == "  No contact matches.")
  }

  @Test("There is a picture for every size")
  func everySize() async {
    var state = ContactsReactor.State()
    state.contacts = teams
    for columns in [1, 2, 3, 5, 8, 20, 79, 300] {
      for rows in [1, 2, 3, 4, 5, 6, 24, 100] {
        let lines = await picture(state, columns, rows)
        #expect(lines.count == rows)
        #expect(lines.contains { $0.hasPrefix(">") })
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
      }
    }
  }
}

@Suite("A file of contacts")
struct ContactFileTests {
  private func read(_ text: String) throws -> [Contact] { try ContactFile.contacts(in: Array(text.utf8), file: "f") }

  @Test("Lines become contacts, sorted by name")
  func lines() throws {
    #expect(try read("KDE Team\tkde@example.org\t1\n\nGames Team\tgames@example.org\t817") == teams)
    #expect(try ContactFile.read(nil).count == 60)
  }

  @Test("A line that is no contact makes the file none, and says which")
  func failures() {
    #expect(throws: FileFailure("f", "the file is empty")) { try read("") }
    #expect(throws: FileFailure("f", "there is no contact in it")) { try read("\n \n") }
    #expect(throws: FileFailure("f", "line 2 is not UTF-8 text")) {
      try ContactFile.contacts(in: Array("A\ta@b\t1\n".utf8) + [0xFF], file: "f")
    }
    let needed = "needed are name, address and a number, with tabs between them"
    for line in ["A", "A\tab\t1", "A\ta@b\tx", "A\ta@b\t-1", "\ta@b\t1", "A\ta@b\t1\tx"] {
      #expect(throws: FileFailure("f", "line 1 is no contact", advice: needed)) { try read(line) }
    }
  }
}
