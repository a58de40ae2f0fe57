// All packages that were read so far, in the order of the file. Pure.

/// The index: segments one after the other. A package has the number of its place in all of them.
///
/// Copying it copies a list of references, one for some hundred packages: a search may have it while reading goes on.
package struct PackageIndex: Sendable, Hashable {
  package private(set) var segments: [IndexSegment] = []
  /// The number of the first package of each segment.
  private var firsts: [Int] = []
  package private(set) var count = 0
  /// Entries that could not be understood.
  package internal(set) var broken = 0
  /// Another one each time that reading begins anew: numbers of one mean nothing in another.
  package let generation: Int

  package init(generation: Int = 0) { self.generation = generation }

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ segment: IndexSegment) {
    guard segment.count > 0 else { return }
    segments.append(segment)
    firsts.append(count)
    count += segment.count
  }

  package func details(_ number: Int) -> PackageDetails {
    let (segment, index) = place(of: number)
    return segments[segment].details(index)
  }

  /// The package of a name; the last one if there are several, as of several versions.
  package func package(named name: String) -> PackageDetails? {
    let query = SearchQuery(name)
    guard query.words.count == 1 else { return nil }
    for segment in segments.reversed() {
      var found: Int?
      segment.forEachMatch(of: query, in: 0..<segment.count) { index, rank in if rank == .name { found = index } }
      if let found { return segment.details(found) }
    }
    return nil
  }

  /// The number of the first package of a segment.
  func first(of segment: Int) -> Int { firsts[segment] }

  /// In which segment a package is, and where in it.
  func place(of number: Int) -> (segment: Int, index: Int) {
    var low = 0
    var high = firsts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if firsts[middle] <= number { low = middle } else { high = middle }
    }
    return (low, number - firsts[low])
  }
}
