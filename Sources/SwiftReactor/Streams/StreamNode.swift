// What a stream is made of: nodes that can be subscribed to, and the events that come out of them.

/// What a node hands to its receiver. After `finished` nothing follows.
@usableFromInline
enum StreamEvent<Element: Sendable>: Sendable {
  case value(Element)
  /// A source inside the stream ended with an error. It is a notice that passes every operator as it is and ends
  /// nothing but its own source, which says `finished` right after it (Contract G16).
  case failure(any Error)
  case finished
}

/// What a subscriber lends to everything upstream of it.
@usableFromInline
struct StreamContext: Sendable {
  /// Makes the tasks of asynchronous sources and timed operators.
  var runner: any EffectRunner = DetachedEffectRunner()
  /// How full the subscriber is, for ``Emitter/whenDrained(_:)``; nil for subscribers that handle a value at once.
  var backlog: (any StreamBacklog)?
  /// The receiver is a main actor closure: a source that belongs to another queue says so at once.
  var requiresMainQueue = false
  /// Where the receiver keeps this subscription; nil if it never ends it while it is being made. A source that has
  /// much to hand on at once asks it between values, since its subscription cannot be cancelled before it is returned.
  @usableFromInline var slot: SubscriptionSlot?
}

extension StreamContext {
  /// What a plain receiver lends.
  @usableFromInline
  init(requiresMainQueue: Bool) {
    self.init()
    self.requiresMainQueue = requiresMainQueue
  }
}

/// A subscriber that has a queue of its own behind it.
protocol StreamBacklog: Sendable {
  /// Returns as soon as fewer than `bound` values of this subscription wait, or the subscription has ended, or the
  /// calling task is cancelled.
  func waitUntilBelow(_ bound: Int) async
}

/// One source or operator. A node that has no subscriber does nothing.
@usableFromInline
class StreamNode<Element: Sendable>: @unchecked Sendable {
  // Safe to share: subclasses hold constants, or guard what changes with a lock of their own.
  @inlinable
  init() {}

  /// Starts the flow into `receive`: one event at a time, in one order, on whatever thread emits. Values that the
  /// source has at once come before this returns. After the returned subscription was cancelled no call begins.
  @usableFromInline
  func subscribe(
    in context: StreamContext, _ receive: @escaping @Sendable (StreamEvent<Element>) -> Void
  ) -> EventSubscription {
    preconditionFailure("\(Self.self) does not say how to subscribe")
  }

  /// This source, if it is nothing but code that runs in a task. All others have to be subscribed to.
  @usableFromInline
  var task: TaskNode<Element>? { nil }
}

/// An operator or source that is told by one closure how to subscribe.
@usableFromInline
final class ClosureNode<Element: Sendable>: StreamNode<Element>, @unchecked Sendable {
  // Safe to share: a constant.
  @usableFromInline typealias Receive = @Sendable (StreamEvent<Element>) -> Void

  private let start: @Sendable (StreamContext, @escaping Receive) -> EventSubscription

  @usableFromInline
  init(_ start: @escaping @Sendable (StreamContext, @escaping Receive) -> EventSubscription) {
    self.start = start
  }

  @usableFromInline
  override func subscribe(in context: StreamContext, _ receive: @escaping Receive) -> EventSubscription {
    start(context, receive)
  }
}
