// Time, and what can be said of many samples of it.

/// A clock that is read twice.
struct Stopwatch {
  private let begun = ContinuousClock.now

  /// Nanoseconds since it was made.
  var nanoseconds: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - begun).components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }
}

/// How long something takes that is over when it returns.
@inline(__always)
func time(_ body: () -> Void) -> Double {
  let watch = Stopwatch()
  body()
  return watch.nanoseconds
}

/// Numbers that were measured in the same way.
package struct Samples {
  private let sorted: [Double]

  package init(_ values: [Double]) {
    sorted = values.sorted()
  }

  package var median: Double { quantile(0.5) }

  /// Half of the distance between the quartiles, in parts of the median: so much is noise.
  package var spread: Double {
    median == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / 2 / median
  }

  package func quantile(_ part: Double) -> Double {
    guard let last = sorted.indices.last else { return 0 }
    let position = part * Double(last)
    let below = Int(position)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
  }
}
