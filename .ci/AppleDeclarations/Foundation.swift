// Declarations for type-checking only: what UIKit's signatures need of Foundation. Nothing here can run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NoLeadingUnderscores

open class NSObject {
  public init() { fatalError() }
}

open class NSCoder: NSObject {}

open class Bundle: NSObject, @unchecked Sendable {
  // Safe: it never exists.
}
