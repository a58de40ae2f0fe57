// Declarations for type-checking only: what the library uses of Darwin, as Apple documents it. Nothing here can run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NoLeadingUnderscores

public typealias pthread_key_t = UInt
public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public struct os_unfair_lock: Sendable {
  public init() { fatalError() }
}

public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { fatalError() }
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { fatalError() }

public func pthread_equal(_ lhs: pthread_t!, _ rhs: pthread_t!) -> Int32 { fatalError() }
public func pthread_self() -> pthread_t { fatalError() }
public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer? { fatalError() }
// What comes from C may be ignored.
@discardableResult public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer?) -> Int32 {
  fatalError()
}
@discardableResult public func pthread_key_create(
  _ key: UnsafeMutablePointer<pthread_key_t>!, _ end: (@convention(c) (UnsafeMutableRawPointer) -> Void)!
) -> Int32 { fatalError() }
@discardableResult
public func write(_ file: Int32, _ bytes: UnsafeRawPointer!, _ count: Int) -> Int { fatalError() }
