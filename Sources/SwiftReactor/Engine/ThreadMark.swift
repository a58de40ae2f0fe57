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

/// Marks of the running thread: is it inside a `reduce`, and for which core does it pass something through hooks.
@usableFromInline
enum ThreadMark {
  static let reducing = UInt32(makeKey())
  static let passing = UInt32(makeKey())
  /// Set when Observation took notice of a read; see TrackingProbe.
  static let tracked = UInt32(makeKey())

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
  static var isReducing: Bool { isSet(reducing) }

  /// `mark` is `reducing`, kept by those who ask often because a static is dearer to ask.
  static func beginReduce(_ mark: UInt32 = reducing) {
    pthread_setspecific(pthread_key_t(mark), UnsafeMutableRawPointer(bitPattern: 1))
  }

  static func endReduce(_ mark: UInt32 = reducing) {
    pthread_setspecific(pthread_key_t(mark), nil)
  }

  static func set(_ mark: UInt32) {
    pthread_setspecific(pthread_key_t(mark), UnsafeMutableRawPointer(bitPattern: 1))
  }

  static func clear(_ mark: UInt32) {
    pthread_setspecific(pthread_key_t(mark), nil)
  }

  static func isSet(_ mark: UInt32) -> Bool { pthread_getspecific(pthread_key_t(mark)) != nil }

  /// Does the thread pass something through the hooks of this core? `mark` is `passing`, kept by the hook because a static
  /// is dearer to ask.
  @usableFromInline
  static func isSet(_ mark: UInt32, _ core: UnsafeRawPointer) -> Bool {
    let current: UnsafeMutableRawPointer? = pthread_getspecific(pthread_key_t(mark))
    return current.map { UnsafeRawPointer($0) } == core
  }

  /// What the mark was before; marks may nest, when the output of one hook goes into another reactor's.
  @usableFromInline
  struct Outer {
    fileprivate let core: UnsafeMutableRawPointer?
  }

  /// The thread passes things through the hooks of `core` until `end`.
  @usableFromInline
  static func begin(_ core: AnyObject) -> Outer {
    let outer = Outer(core: pthread_getspecific(pthread_key_t(passing)))
    pthread_setspecific(pthread_key_t(passing), Unmanaged.passUnretained(core).toOpaque())
    return outer
  }

  @usableFromInline
  static func end(_ outer: Outer) {
    pthread_setspecific(pthread_key_t(passing), outer.core)
  }
}
