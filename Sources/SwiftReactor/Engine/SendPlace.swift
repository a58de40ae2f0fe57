// Says where in the code something was sent, for those who watch.

/// A place in the code that sends: a file and a line.
///
/// It is passed along with what is sent and kept only while somebody watches (``ReactorMiddleware``).
public struct SendPlace: Sendable, CustomStringConvertible {
  /// The file as `Module/File.swift`.
  public let fileID: StaticString
  /// The line, from 1.
  public let line: UInt

  /// Makes a place; by default that where it is written.
  @inlinable
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    self.fileID = fileID
    self.line = line
  }

  /// For a sender that does not say.
  @usableFromInline static var unknown: SendPlace { SendPlace(fileID: "", line: 0) }

  @usableFromInline var known: SendPlace? { line == 0 ? nil : self }

  /// `Module/File.swift:12`
  public var description: String { "\(fileID):\(line)" }
}
