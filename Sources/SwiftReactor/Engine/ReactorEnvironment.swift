// The seam for tests: what a reactor takes from its surroundings when it is made.

package import Dispatch

/// What a reactor is made in. A test binds `current` while it creates a reactor, and puts its own task runner and its own
/// lane in the place of the real ones.
package struct ReactorEnvironment: Sendable {
  /// Nil: the usual one.
  package var runner: (any EffectRunner)?
  package var lane: @Sendable (DispatchQueue) -> Lane
  /// Is told of every reactor that is made.
  package var didMake: (@Sendable (any RestingReactor) -> Void)?

  package init(
    runner: (any EffectRunner)? = nil,
    lane: @escaping @Sendable (DispatchQueue) -> Lane = { Lane.of($0) },
    didMake: (@Sendable (any RestingReactor) -> Void)? = nil
  ) {
    self.runner = runner
    self.lane = lane
    self.didMake = didMake
  }

  @TaskLocal package static var current = ReactorEnvironment()
}
