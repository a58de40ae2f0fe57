// Remembers, per thread, what the framework is doing further down the stack.
// Never: shared between threads, so it needs no lock.
// Guarded by: being thread-specific.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Marks of the running thread: is it inside a `reduce`, and which hook is it pushing an input through.
@usableFromInline
enum ThreadMark {
  private static let reducing = makeKey()
  private static let pushing = makeKey()

  private static func makeKey() -> pthread_key_t {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "SwiftReactor: the system has no thread-specific key left")
    return key
  }

  /// A number that tells this thread from all other running ones.
  static var thread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// User code that a state lock protects runs on this thread: a `reduce`, or what it drops.
  @usableFromInline
  static var isReducing: Bool { pthread_getspecific(reducing) != nil }

  @usableFromInline
  static func beginReduce() {
    pthread_setspecific(reducing, UnsafeMutableRawPointer(bitPattern: 1))
  }

  @usableFromInline
  static func endReduce() {
    pthread_setspecific(reducing, nil)
  }

  /// Is the thread pushing an input through this hook?
  static func isPushing(_ hook: AnyObject) -> Bool {
    pthread_getspecific(pushing) == UnsafeRawPointer(Unmanaged.passUnretained(hook).toOpaque())
  }

  /// Runs `body` with the mark of `hook`; pushes may nest, when one hook's output goes into the next hook.
  static func withPushing(_ hook: AnyObject, _ body: () -> Void) {
    let outer = pthread_getspecific(pushing)
    pthread_setspecific(pushing, Unmanaged.passUnretained(hook).toOpaque())
    body()
    pthread_setspecific(pushing, outer)
  }

  @usableFromInline
  static func stopIfReducing() {
    precondition(
      !isReducing,
      """
      `state` was read inside `reduce`. A reducer is a function of its parameters: use the `state` parameter, \
      or read the other reactor's state in `mutate(action:)` and put it into the mutation.
      """)
  }
}
