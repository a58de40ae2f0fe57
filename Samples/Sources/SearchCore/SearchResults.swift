// What a query finds, the best first. Pure.

/// The packages that a query finds in an index, as far as it was read. They grow with the index, and shrink with a query
/// that becomes longer, without being searched for anew.
package struct SearchResults: Sendable, Hashable {
  package private(set) var query: SearchQuery
  /// Of which index.
  package private(set) var generation: Int
  /// How many segments of it were searched.
  package private(set) var segments = 0
  /// For each rank the numbers of the packages, in the order of the index. Empty while the query is.
  private var ranked: [[UInt32]] = SearchRank.allCases.map { _ in [] }
  package private(set) var count = 0

  /// Nothing yet, of an index.
  package init(_ query: SearchQuery = SearchQuery(""), generation: Int = 0) {
    self.query = query
    self.generation = generation
  }

  /// Searches all of an index. May be called anywhere; it takes a millisecond for some twenty thousand packages.
  package init(_ query: SearchQuery, in index: PackageIndex) {
    self.init(query, generation: index.generation)
    extend(to: index)
  }

  /// Searches what was read since.
  package mutating func extend(to index: PackageIndex) {
    for segment in segments..<index.segments.count {
      if query.isEmpty {
        count += index.segments[segment].count
      } else {
        let first = index.first(of: segment)
        search(index.segments[segment], first: first, 0..<index.segments[segment].count)
      }
    }
    segments = index.segments.count
  }

  /// Keeps what a query that narrows this one finds.
  package mutating func narrow(to query: SearchQuery, in index: PackageIndex) {
    guard !self.query.isEmpty else {
      self = SearchResults(query, in: index)
      return
    }
    let before = ranked
    self.query = query
    ranked = SearchRank.allCases.map { _ in [] }
    count = 0
    for numbers in before {
      let lengths = ranked.map(\.count)
      narrow(numbers, in: index)
      // Most keep their rank, and are in order. Where others were there before, both are: merging them costs little.
      for rank in ranked.indices where lengths[rank] > 0 && ranked[rank].count > lengths[rank] { ranked[rank].sort() }
    }
  }

  /// Searches some packages, which are in the order of the index: those of one segment after the other.
  private mutating func narrow(_ numbers: [UInt32], in index: PackageIndex) {
    var rest = numbers[...]
    while let number = rest.first {
      let segment = index.place(of: Int(number)).segment
      let first = index.first(of: segment)
      let end = UInt32(first + index.segments[segment].count)
      let own = rest.prefix { $0 < end }
      search(index.segments[segment], first: first, own.lazy.map { Int($0) - first })
      rest = rest.dropFirst(own.count)
    }
  }

  /// The number of the package in a row.
  package subscript(row: Int) -> Int? {
    guard (0..<count).contains(row) else { return nil }
    if query.isEmpty { return row }
    var row = row
    for numbers in ranked {
      if row < numbers.count { return Int(numbers[row]) }
      row -= numbers.count
    }
    return nil
  }

  /// The row of a package.
  package func row(of number: Int) -> Int? {
    if query.isEmpty { return number < count ? number : nil }
    var before = 0
    for numbers in ranked {
      var low = 0
      var high = numbers.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[middle] < UInt32(number) { low = middle + 1 } else { high = middle }
      }
      if low < numbers.count, numbers[low] == UInt32(number) { return before + low }
      before += numbers.count
    }
    return nil
  }

  private mutating func search(_ segment: IndexSegment, first: Int, _ candidates: some Sequence<Int>) {
    segment.forEachMatch(of: query, in: candidates) { index, rank in
      ranked[rank.rawValue].append(UInt32(first + index))
      count += 1
    }
  }
}
