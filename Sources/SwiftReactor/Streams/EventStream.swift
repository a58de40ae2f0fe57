// The public face of a stream: a value that knows its source.

/// A push stream of values that never fails.
@frozen
public struct EventStream<Element: Sendable>: Sendable {
  /// The sources that need no object, and all others.
  @usableFromInline
  enum Source: Sendable {
    case empty
    case never
    case just(Element)
    case node(StreamNode<Element>)
  }

  @usableFromInline let source: Source

  @usableFromInline
  init(_ source: Source) {
    self.source = source
  }
}
