// What the screens show, made from states by pure functions.

internal import TerminalScreen

/// The texts of the list, for a text that is searched for.
package struct ContactsViewState: Sendable, Hashable {
  package let title = "Contacts"
  package let count: String
  package let account: String
  package let streams: String
  /// In place of rows.
  package let message: String?
  package let isLoading: Bool
  package let rows: [Contact]

  package init(_ state: ContactsReactor.State, finding text: String) {
    let all = state.contacts ?? []
    rows = all.filter { $0.matches(text) }
    count = state.contacts == nil ? "" : rows.count == all.count ? "\(all.count)" : "\(rows.count) of \(all.count)"
    account =
      state.account.map { TextWidth.printable($0.name) } ?? (state.loading.contains(.account) ? "loading" : "nobody")
    streams = state.streams == 0 ? "" : state.streams == 1 ? "1 stream" : "\(state.streams) streams"
    isLoading = state.loading.contains(.contacts)
    message =
      if let failure = state.failure {
        TextWidth.printable("\(failure)")
      } else if isLoading, rows.isEmpty {
        "Loading..."
      } else if state.contacts == nil {
        "There are no contacts yet."
      } else {
        rows.isEmpty ? "No contact matches." : nil
      }
  }
}

/// Pictures of the parts as text, each from its own part alone.
package enum ContactsLines {
  private static let longest = 10

  package static func account(_ account: Account?, told: Int) -> String {
    "account: \(account.map { TextWidth.printable($0.name) } ?? "none"), \(times(told))\n"
  }

  package static func contacts(_ contacts: [Contact]?, told: Int) -> String {
    "contacts: \(contacts.map { "\($0.count)" } ?? "none"), \(times(told))\n"
  }

  package static func found(_ contacts: [Contact]?, _ text: String) -> String {
    guard let contacts else { return "there are no contacts yet: load contacts\n" }
    let found = contacts.filter { $0.matches(text) }
    var lines = ["\(found.count) of \(contacts.count) contacts"]
    lines += found.prefix(longest).map { "  \($0.title), \($0.note)" }
    if found.count > longest { lines.append("  and \(found.count - longest) more") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func times(_ told: Int) -> String { told == 1 ? "told once" : "told \(told) times" }
}
