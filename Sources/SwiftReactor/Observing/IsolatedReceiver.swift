// Calls a user's closure that may belong to an actor, synchronously, from code that belongs to none.
// Never: hops, waits, or calls a closure on an actor it cannot vouch for.
// Guarded by: nothing, it is a constant.

import Dispatch

/// Where a closure wants to be called.
@usableFromInline
enum ReceiverIsolation: Sendable {
  /// Anywhere.
  case none
  /// On the main queue.
  case mainActor
  /// On an actor that no dispatch queue of ours stands for.
  case otherActor
}

/// A closure of `sink` or `observe`, with the isolation it was formed in.
///
/// The language only lets one `await` a closure whose isolation is known at run time. The framework hands values over
/// synchronously, so it asks for the isolation once, when the closure is given, and calls it like a plain one
/// afterwards: a closure of the main actor on the main queue, one without isolation anywhere.
@usableFromInline
struct IsolatedReceiver<Value>: Sendable {
  /// Where the closure wants to be called.
  @usableFromInline let isolation: ReceiverIsolation

  @usableFromInline let plain: @Sendable (Value) -> Void

  /// Takes the closure and notes its isolation. Nothing is checked yet: the caller knows on which queue it will call.
  @usableFromInline
  init(@_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Value) -> Void) {
    switch receive.isolation {
    case nil: isolation = .none
    case let actor? where actor === MainActor.shared: isolation = .mainActor
    case _?: isolation = .otherActor
    }
    // Safe: a synchronous `@isolated(any)` function has the representation and calling convention of a plain one;
    // the isolation is only a note in its context. Both boxes hold the closure at the same level of abstraction.
    plain = unsafeBitCast(IsolatedBox(closure: receive), to: PlainBox<Value>.self).closure
  }

  /// Calls the closure. The caller has made sure of the isolation.
  @inlinable
  func callAsFunction(_ value: Value) {
    plain(value)
  }

  /// Stops the program because of a closure that cannot be called synchronously from anywhere.
  @usableFromInline
  static func stopForOtherActor() -> Never {
    mistake(
      """
      sink of \(Value.self): the closure is isolated to an actor that is not the main actor, and values are handed over \
      synchronously. Iterate over `values` inside that actor instead.
      """)
  }
}

private struct IsolatedBox<Value> {
  let closure: @isolated(any) @Sendable (Value) -> Void
}

private struct PlainBox<Value> {
  let closure: @Sendable (Value) -> Void
}

/// Tells whether the running code is on the main queue. Asked of the queue, not of the thread: on Linux any thread may
/// serve the main queue (Contract G5).
@usableFromInline
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Stops the program if a value for a closure of the main actor comes elsewhere.
  @usableFromInline
  static func check<Value>(of _: Value.Type) {
    if isCurrent { return }
    mistake(
      """
      sink of \(Value.self): a closure of the main actor got a value off the main queue. Put `.receive(on: .main)` \
      before `sink`.
      """)
  }
}
