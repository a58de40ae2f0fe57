// Protects: the one lock type of the framework. Every lane, state tree and stream gate has its own.
// Never: held while user code runs (the state lock is the one exception, see Contract G1), never taken twice by a thread.
// Guarded by: itself; the mutex sits in memory that is allocated together with the object.

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

/// A mutual exclusion lock. On Linux a pthread mutex: under contention it is a hundred times cheaper than
/// `Synchronization.Mutex`, and ThreadSanitizer understands it. On Apple's systems `os_unfair_lock`.
@usableFromInline
package final class Lock: @unchecked Sendable {
  // Safe to share: the mutex is only touched by the functions that are made for it.
  private let mutex: UnsafeMutablePointer<Mutex>

  @usableFromInline
  package init() {
    mutex = .allocate(capacity: 1)
    #if canImport(Darwin)
      mutex.initialize(to: os_unfair_lock())
    #else
      mutex.initialize(to: pthread_mutex_t())
      Lock.initialize(mutex)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(mutex)
    #endif
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  #if !canImport(Darwin)
    /// Where the C library can, a waiting thread looks a few more times before it sleeps: what is guarded here takes less
    /// time than falling asleep and being woken.
    private static func initialize(_ mutex: UnsafeMutablePointer<Mutex>) {
      #if canImport(Glibc)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
      #else
        pthread_mutex_init(mutex, nil)
      #endif
    }
  #endif

  @usableFromInline
  package func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(mutex)
    #else
      pthread_mutex_lock(mutex)
    #endif
  }

  @usableFromInline
  package func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(mutex)
    #else
      pthread_mutex_unlock(mutex)
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
