// What one writes by hand: a class with one mutex, which does the same as a reactor and promises much less. Nothing is
// serial across objects, an action that is sent inside a `reduce` hangs, an observer may be told of an older state after a
// newer one.

#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// A mutex of the system and nothing around it.
public final class Mutex: @unchecked Sendable {
  // Safe to share: the mutex is only touched by the functions that are made for it.
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// An open mutex.
  public init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Waits until nobody has it, and takes it.
  @inlinable
  public func lock() { pthread_mutex_lock(mutex) }

  /// Gives it back.
  @inlinable
  public func unlock() { pthread_mutex_unlock(mutex) }
}

/// The hand-written class: open `mutate`, in-place `reduce`, one mutex, observers in an array.
open class HandWritten<Action: Sendable, Mutation: Sendable, State: Sendable>: @unchecked Sendable {
  // Safe to share: what changes is only touched under the mutex.
  @usableFromInline final let mutex = Mutex()
  @usableFromInline final var value: State
  @usableFromInline @exclusivity(unchecked) final var observers: [@Sendable (State) -> Void] = []

  /// Begins with a state and without observers.
  public init(initialState: State) {
    value = initialState
  }

  /// Turns an action into a mutation, under the mutex.
  open func mutate(action: Action) -> Mutation? { nil }
  /// Changes the state in place, under the mutex.
  open func reduce(into state: inout State, mutation: Mutation) {}

  /// From any thread. The state is changed and everybody told when it returns.
  @inlinable
  public final func action(_ action: Action) {
    mutex.lock()
    guard let mutation = mutate(action: action) else { return mutex.unlock() }
    reduce(into: &value, mutation: mutation)
    if observers.isEmpty { return mutex.unlock() }
    let (state, observers) = (value, observers)
    mutex.unlock()
    for observer in observers { observer(state) }
  }

  /// A copy, from any thread.
  @inlinable
  public final var state: State {
    mutex.lock()
    defer { mutex.unlock() }
    return value
  }

  /// Told of every change, for ever.
  public final func observe(_ observer: @escaping @Sendable (State) -> Void) {
    mutex.lock()
    observers.append(observer)
    mutex.unlock()
  }
}
