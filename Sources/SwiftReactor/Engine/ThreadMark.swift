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
  @usableFromInline
  static func isPushing(_ hook: AnyObject) -> Bool {
    let mark: UnsafeMutableRawPointer? = pthread_getspecific(pushing)
    return mark == Unmanaged.passUnretained(hook).toOpaque()
  }

  /// The thread pushes through `hook` until `endPush`. Returns the hook it was pushing through already.
  @usableFromInline
  static func beginPush(_ hook: AnyObject) -> UnsafeMutableRawPointer? {
    let outer = pthread_getspecific(pushing)
    pthread_setspecific(pushing, Unmanaged.passUnretained(hook).toOpaque())
    return outer
  }

  @usableFromInline
  static func endPush(_ outer: UnsafeMutableRawPointer?) {
    pthread_setspecific(pushing, outer)
  }

  static func withPushing(_ hook: AnyObject, _ body: () -> Void) {
    let outer = beginPush(hook)
    body()
    endPush(outer)
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
