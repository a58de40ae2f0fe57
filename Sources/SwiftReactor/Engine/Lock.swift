// Protects: the one lock type of the framework. Every lane, state tree and stream gate has its own.
// Never: held while user code runs (the state lock is the one exception, see Contract G1), never taken twice by a thread.
// Guarded by: itself; the mutex lies in the one object that a lock is, and does not move.

#if canImport(Darwin)
  import Darwin
  private typealias Mutex = os_unfair_lock
#elseif canImport(Glibc)
  import Glibc
  private typealias Mutex = pthread_mutex_t
#elseif canImport(Musl)
  import Musl
  private typealias Mutex = pthread_mutex_t
#endif

/// A mutual exclusion lock: copies of the value are the same lock. On Linux a pthread mutex: under contention it is a
/// hundred times cheaper than `Synchronization.Mutex`, and ThreadSanitizer understands it. On Apple's systems
/// `os_unfair_lock`.
@usableFromInline
package struct Lock: @unchecked Sendable {
  // Safe to share: the mutex is only touched by the functions that are made for it, the room by whoever asked for it.
  private let memory: LockMemory

  @usableFromInline
  package init() {
    self.init(room: 0)
  }

  /// A lock with room for what it guards, so that both are one allocation.
  ///
  /// - Parameter room: How many bytes; see ``room``.
  init(room: Int) {
    memory = LockMemory.make(room: room)
  }

  /// The memory that was asked for, as long as the lock lives, aligned to eight bytes. The owner fills and empties it.
  var room: UnsafeMutableRawPointer { memory.room }

  @usableFromInline
  package func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(memory.mutex)
    #else
      pthread_mutex_lock(memory.mutex)
    #endif
  }

  @usableFromInline
  package func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(memory.mutex)
    #else
      pthread_mutex_unlock(memory.mutex)
    #endif
  }

  @inlinable
  package func withLock<Result: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// One allocation: the mutex, then the room.
private final class LockMemory: ManagedBuffer<Void, UInt64> {
  private static let mutexWords = (MemoryLayout<Mutex>.size + 7) / 8

  static func make(room: Int) -> LockMemory {
    // Safe: `create` makes an object of the class that it is called on.
    let memory = unsafeDowncast(create(minimumCapacity: mutexWords + (room + 7) / 8) { _ in }, to: LockMemory.self)
    initialize(memory.mutex)
    return memory
  }

  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(mutex)
    #endif
  }

  var mutex: UnsafeMutablePointer<Mutex> {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Mutex.self) }
  }

  var room: UnsafeMutableRawPointer {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0 + LockMemory.mutexWords) }
  }

  private static func initialize(_ mutex: UnsafeMutablePointer<Mutex>) {
    #if canImport(Darwin)
      mutex.initialize(to: os_unfair_lock())
    #elseif canImport(Glibc)
      // Where the C library can, a waiting thread looks a few more times before it sleeps: what is guarded here takes less
      // time than falling asleep and being woken.
      mutex.initialize(to: pthread_mutex_t())
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
      pthread_mutex_init(mutex, &attributes)
      pthread_mutexattr_destroy(&attributes)
    #else
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
    #endif
  }
}
