// One state with two parts, two reducers that know one part each, and actions that are streams of actions.

package import Dispatch
package import SampleProgram
package import SwiftReactor

/// The one who is signed in.
package struct Account: Sendable, Hashable {
  package internal(set) var name: String

  package init(name: String) { self.name = name }
}

/// An account and contacts, each of which is there or not.
///
/// The reducers of the two parts are values. Each is written for its own part and its own mutations, and pulled back to
/// the whole along a key path, which is the lens here: what it reads and writes is the part in place.
///
/// ```swift
/// let contacts = ContactsReactor(environment: .fake(account: Account(name: "ada"), contacts: []))
/// let account = contacts.scope(state: \.account, action: ContactsReactor.Action.account)
/// await account.perform(.load)
/// contacts.state.account?.name   // "ada"
/// ```
package final class ContactsReactor: BaseReactor<
  ContactsReactor.Action, ContactsReactor.Mutation, ContactsReactor.State
>,
@unchecked Sendable  // Safe to share: its only property is constant; the state is the base class's.
{
  package enum Action: Sendable {
    case account(AccountAction)
    case contacts(ContactsAction)
    /// Each action of the stream is handled as if it had been sent when the stream brings it.
    indirect case stream(EventStream<Action>)
  }

  package enum AccountAction: Sendable, Hashable {
    case load, forget
    case rename(String)
  }

  package enum ContactsAction: Sendable, Hashable {
    case load, forget
  }

  package enum Mutation: Sendable, Hashable {
    case account(AccountMutation)
    case contacts(ContactsMutation)
    case loading(Part, Bool)
    case failed(FileFailure)
    case streams(Int)
  }

  package enum AccountMutation: Sendable, Hashable {
    case set(Account?)
    case rename(String)
  }

  package enum ContactsMutation: Sendable, Hashable {
    case set([Contact]?)
  }

  package enum Part: String, Sendable, Hashable, CaseIterable { case account, contacts }

  package struct State: Sendable, Hashable {
    package internal(set) var account: Account?
    package internal(set) var contacts: [Contact]?
    package internal(set) var loading: Set<Part> = []
    package internal(set) var failure: FileFailure?
    /// The streams that have not come to their end.
    package internal(set) var streams = 0

    package init() {}
  }

  /// The account alone: it never sees a contact.
  package static let reduceAccount = Reduce<Account?, AccountMutation> { account, mutation in
    switch mutation {
    case .set(let new): account = new
    case .rename: break
    }
  }

  /// The name of an account that is there.
  package static let reduceName = Reduce<String, AccountMutation> { name, mutation in
    if case .rename(let new) = mutation { name = new }
  }

  /// The contacts alone.
  package static let reduceContacts = Reduce<[Contact]?, ContactsMutation> { contacts, mutation in
    switch mutation {
    case .set(let new): contacts = new
    }
  }

  /// The whole: one reducer after the other, each with what is its own.
  package static let reduce = Reduce<State, Mutation>.combine(
    reduceAccount.combined(with: reduceName.pullback(state: \Account.name).optional())
      .pullback(state: \.account) { if case .account(let mutation) = $0 { mutation } else { nil } },
    reduceContacts.pullback(state: \.contacts) { if case .contacts(let mutation) = $0 { mutation } else { nil } },
    Reduce { state, mutation in
      switch mutation {
      case .account, .contacts: break
      case .loading(let part, true):
        state.loading.insert(part)
        state.failure = nil
      case .loading(let part, false): state.loading.remove(part)
      case .failed(let failure): state.failure = failure
      case .streams(let change): state.streams += change
      }
    })

  private let environment: ContactsEnvironment

  package init(environment: ContactsEnvironment, queue: DispatchQueue = .main) {
    self.environment = environment
    super.init(initialState: State(), reduce: Self.reduce, queue: queue)
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .account(.load):
      load(.account) { [environment] in .account(.set(try await environment.loadAccount())) }
    case .account(.forget):
      [.account(.set(nil)), .loading(.account, false)] + .cancel(id: Part.account)
    case .account(.rename(let name)):
      [.account(.rename(name))]
    case .contacts(.load):
      load(.contacts) { [environment] in .contacts(.set(try await environment.loadContacts())) }
    case .contacts(.forget):
      [.contacts(.set(nil)), .loading(.contacts, false)] + .cancel(id: Part.contacts)
    case .stream(let actions):
      // What it brings is sent, and becomes no mutation; its end is one. It does not keep the reactor alive.
      Mutations(
        sync: .streams(1),
        async: actions.compactMap { [action = self.action] next in
          action.send(next)
          return nil
        }.append(.streams(-1)))
    }
  }

  /// The newest load of a part wins.
  private func load(_ part: Part, _ load: @escaping @Sendable () async throws -> Mutation) -> Mutations<Mutation> {
    [.loading(part, true)]
      + .run { emit in
        do {
          emit(try await load())
        } catch let failure as FileFailure {
          emit(.failed(failure))
        }
        emit(.loading(part, false))
      }.effect(id: part)
  }
}
