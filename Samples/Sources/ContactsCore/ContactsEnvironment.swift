// What the contacts need from the world outside.

internal import SampleProgram

package struct ContactsEnvironment: Sendable {
  package var loadAccount: @Sendable () async throws -> Account
  /// Throws a ``FileFailure``, or `CancellationError` when its task is cancelled.
  package var loadContacts: @Sendable () async throws -> [Contact]

  package init(
    loadAccount: @escaping @Sendable () async throws -> Account,
    loadContacts: @escaping @Sendable () async throws -> [Contact]
  ) {
    self.loadAccount = loadAccount
    self.loadContacts = loadContacts
  }

  /// The account of a name, and the contacts of a file or the built-in ones, after a delay that makes the loading visible.
  package static func live(account: String, file: String?, delay: Duration = .zero) -> ContactsEnvironment {
    ContactsEnvironment {
      if delay > .zero { try await ContinuousClock().sleep(for: delay) }
      return Account(name: account)
    } loadContacts: {
      if delay > .zero { try await ContinuousClock().sleep(for: delay) }
      return try await BlockingWork.run("reading of contacts") { try ContactFile.read(file) }
    }
  }

  /// Answers with these, after `pause`, which may wait or throw.
  package static func fake(
    account: Account, contacts: [Contact],
    pause: @escaping @Sendable (ContactsReactor.Part) async throws -> Void = { _ in }
  ) -> ContactsEnvironment {
    ContactsEnvironment {
      try await pause(.account)
      return account
    } loadContacts: {
      try await pause(.contacts)
      return contacts
    }
  }

  /// Answers every call with a failure, and tells of it.
  package static func failing(_ unexpected: @escaping @Sendable (String) -> Void) -> ContactsEnvironment {
    ContactsEnvironment {
      unexpected("loadAccount")
      throw FileFailure("nowhere", "there is no such file")
    } loadContacts: {
      unexpected("loadContacts")
      throw FileFailure("nowhere", "there is no such file")
    }
  }
}
