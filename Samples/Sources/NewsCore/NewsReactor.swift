// The news as a reactor of its own: for an app that has it beside itself, or nests it.

package import Dispatch
package import SwiftReactor

/// The news module, with an input (the user has changed) and an output (the step has changed).
///
/// The request is started by the state: a query that is there starts it, another one starts it anew, none ends it.
package final class NewsReactor: BaseReactor<NewsReactor.Action, NewsEvent, NewsState>,
  @unchecked Sendable  // Safe to share: a subscription that is set once, in `init`.
{
  package enum Action: Sendable, Hashable {
    /// The input.
    case userChanged(NewsUser)
    case load
    case close
  }

  /// The output.
  package struct StepChanged: Sendable, Hashable {
    package let step: NewsStep
  }

  private var telling: EventSubscription?

  package init(user: NewsUser = .nobody, environment: NewsEnvironment, queue: DispatchQueue = .main) {
    super.init(initialState: NewsState(user: user), reduce: NewsModule.reduce, queue: queue)
    feedback(when: \.query) { user in NewsModule.request(user, from: environment) { $0 } }
    telling = observe(\.step) { [weak self] step in self?.output(StepChanged(step: step)) }
  }

  package override func mutate(action: Action) -> Mutations<NewsEvent> {
    switch action {
    case .userChanged(let user): [.userChanged(user)]
    case .load: [.load]
    case .close: [.close]
    }
  }
}
