// A reactor as an ObservableObject, for views that follow objects.

#if canImport(Combine)
  public import Combine
  internal import Dispatch

  /// `@StateObject`, `@ObservedObject` and `@EnvironmentObject` take a reactor like any other object.
  extension BaseReactor: ObservableObject {
    /// Fires with every commit, on the main queue: on the commit itself if that is the reactor's queue, otherwise soon after
    /// it. It also fires when a ``StateBinding`` has something to show again.
    ///
    /// Unlike with `@Published` the change has already happened: reading gives the new state.
    ///
    /// **Cost.** Nothing until somebody asks for it, which counts as an observation: the hooks are called, if they were
    /// not before.
    public final var objectWillChange: ObservableObjectPublisher { core.objectWillChange }
  }

  extension ReactorCore {
    var objectWillChange: ObservableObjectPublisher {
      if let known = storage.lock.withLock({ sharedParts?.viewPublisher }) { return known.publisher }
      let made = ViewPublisher()
      let kept = storage.lock.withLock {
        let shared = madeSharedParts
        if shared.viewPublisher == nil { shared.viewPublisher = made }
        return shared.viewPublisher!
      }
      guard kept === made else { return kept.publisher }
      let isMain = lane.isMain
      made.follow(
        announceCommits { [weak made] in
          if isMain { made?.publisher.send() } else { DispatchQueue.main.async { made?.publisher.send() } }
        })
      return made.publisher
    }
  }

  /// The publisher of a reactor, and what feeds it.
  final class ViewPublisher: @unchecked Sendable {
    // Safe to share: the publisher is thread-safe, the subscription is set once by who made it and never read.
    let publisher = ObservableObjectPublisher()
    private var subscription: EventSubscription?

    func follow(_ subscription: EventSubscription) {
      self.subscription = subscription
    }
  }
#endif
