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
  static let reducing = UInt32(makeKey())
  static let pushing = UInt32(makeKey())

  private static func makeKey() -> pthread_key_t {
    var key = pthread_key_t()
    require(pthread_key_create(&key, nil) == 0, "the system has no thread-specific key left")
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
  static var isReducing: Bool { pthread_getspecific(pthread_key_t(reducing)) != nil }

  /// `mark` is `reducing`, kept by those who ask often because a static is dearer to ask.
  static func beginReduce(_ mark: UInt32 = reducing) {
    pthread_setspecific(pthread_key_t(mark), UnsafeMutableRawPointer(bitPattern: 1))
  }

  static func endReduce(_ mark: UInt32 = reducing) {
    pthread_setspecific(pthread_key_t(mark), nil)
  }

  /// Is the thread pushing through this hook? `mark` is `pushing`, kept by the hook because a static is dearer to ask.
  @usableFromInline
  static func isSet(_ mark: UInt32, _ hook: AnyObject) -> Bool {
    let current: UnsafeMutableRawPointer? = pthread_getspecific(pthread_key_t(mark))
    return current == Unmanaged.passUnretained(hook).toOpaque()
  }

  /// The thread pushes through `hook` until `end`. Returns the hook it was pushing through already: pushes may nest,
  /// when the output of one hook goes into another reactor's.
  @usableFromInline
  static func begin(_ mark: UInt32, _ hook: AnyObject) -> UnsafeMutableRawPointer? {
    let outer = pthread_getspecific(pthread_key_t(mark))
    pthread_setspecific(pthread_key_t(mark), Unmanaged.passUnretained(hook).toOpaque())
    return outer
  }

  @usableFromInline
  static func end(_ mark: UInt32, _ outer: UnsafeMutableRawPointer?) {
    pthread_setspecific(pthread_key_t(mark), outer)
  }

  @usableFromInline
  static func stopIfReducing() {
    require(
      !isReducing,
      """
      `state` was read inside `reduce`. A reducer is a function of its parameters: use the `state` parameter, \
      or read the other reactor's state in `mutate(action:)` and put it into the mutation.
      """)
  }
}
