// The line mode: reads commands, sends actions, prints what came of them.

internal import SwiftReactor

/// A conversation in lines. Each command is done before the next is read, so that the same input always gives the same
/// output.
///
/// It sees the reactor by its parts: who shows the account has a scope that knows only the account.
@MainActor
package struct ContactsLineSession {
  private let reactor: ContactsReactor
  private let account: ReactorScope<ContactsReactor.AccountAction, Account?>
  private let contacts: ReactorScope<ContactsReactor.ContactsAction, [Contact]?>
  private let nextLine: () async throws -> String?
  private let show: (String) throws -> Void

  /// `nextLine` answers nil at the end of the input, `show` writes text as it is. What they throw ends the session.
  package init(
    reactor: ContactsReactor, nextLine: @escaping () async throws -> String?, show: @escaping (String) throws -> Void
  ) {
    self.reactor = reactor
    account = reactor.scope(state: \.account, action: ContactsReactor.Action.account)
    contacts = reactor.scope(state: \.contacts, action: ContactsReactor.Action.contacts)
    self.nextLine = nextLine
    self.show = show
  }

  /// Runs until the user quits or the input ends.
  package func run() async throws {
    let told = Told()
    let subscriptions: Set<EventSubscription> = [
      account.observe(\.self) { _ in told.account += 1 },
      contacts.observe(\.self) { _ in told.contacts += 1 },
    ]
    defer { for subscription in subscriptions { subscription.cancel() } }
    var stream: EventSubject<ContactsReactor.Action>?
    try show(text(told))
    while let line = try await nextLine() {
      let command = ContactsCommand(line)
      if command == .quit { return }
      try show(await answer(to: command, &stream, told))
    }
  }

  private func answer(
    to command: ContactsCommand, _ stream: inout EventSubject<ContactsReactor.Action>?, _ told: Told
  ) async -> String {
    switch command {
    case .step(let step): await reactor.perform(step.action)
    case .rename(let name): account.action(.rename(name))
    case .find(let text): return ContactsLines.found(contacts.state, text)
    case .stream:
      guard stream == nil else { return "there is a stream already; finish ends it\n" }
      let subject = EventSubject<ContactsReactor.Action>()
      stream = subject
      reactor.action(.stream(subject.stream))
    case .emit(let step):
      guard let stream else { return "there is no stream yet: stream\n" }
      stream.send(step.action)
      // An action that an effect sends is a new one: nobody waits for it but by what it does.
      for await loading in reactor.values(of: \.loading) where loading.isEmpty { break }
    case .finish:
      guard let subject = stream else { return "there is no stream yet: stream\n" }
      stream = nil
      subject.finish()
    case .show: break
    case .help: return ContactsCommand.helpText
    case .mistake(let text): return text + "\n"
    case .nothing, .quit: return ""
    }
    return text(told)
  }

  private func text(_ told: Told) -> String {
    let state = reactor.state
    return ContactsLines.account(state.account, told: told.account)
      + ContactsLines.contacts(state.contacts, told: told.contacts)
      + (state.streams == 0 ? "" : "a stream runs\n") + (state.failure.map { "\($0)\n" } ?? "")
  }
}

/// How often the observers of the parts were told.
@MainActor
private final class Told {
  var account = 0
  var contacts = 0
}
