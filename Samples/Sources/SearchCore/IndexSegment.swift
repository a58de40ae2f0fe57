// A part of the index, as it was read: bytes that are laid out for searching, and never change.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// What is known of a package.
package struct PackageDetails: Sendable, Hashable {
  package var name: String
  package var version = ""
  package var section = ""
  /// In units of 1 024 bytes, as the index says it.
  package var size = ""
  package var homepage = ""
  package var summary = ""

  package init(name: String) { self.name = name }
}

/// Some hundred packages. It is made once, by a reader, and then shared by the state and by searches that run.
///
/// For each package there is one text to search in, in lower case: the name, a line end, the description, and a zero. The C
/// library finds a word in it faster than anything written here could, also in a debug build, and stops at the zero. What
/// is only shown lies apart, as lines in the order of ``PackageDetails``.
package final class IndexSegment: Sendable {
  private let searched: [UInt8]
  /// Where each text begins.
  private let starts: [UInt32]
  /// Where the name in it ends.
  private let nameEnds: [UInt32]
  private let shown: [UInt8]
  private let shownStarts: [UInt32]

  package var count: Int { starts.count }
  /// The bytes that are kept.
  package var byteCount: Int { searched.count + shown.count + 12 * count }

  /// Filled by whoever reads, then made into a segment.
  package struct Builder: Sendable {
    fileprivate var searched: [UInt8] = []
    fileprivate var starts: [UInt32] = []
    fileprivate var nameEnds: [UInt32] = []
    fileprivate var shown: [UInt8] = []
    fileprivate var shownStarts: [UInt32] = []

    package init() {}

    package var count: Int { starts.count }

    /// Adds a package by its lines: name, version, section, size, homepage, description. None of them may hold a line end
    /// or a zero.
    package mutating func append(_ lines: [[UInt8]]) {
      starts.append(UInt32(searched.count))
      appendLowercase(lines[0])
      nameEnds.append(UInt32(searched.count))
      searched.append(UInt8(ascii: "\n"))
      appendLowercase(lines[5])
      searched.append(0)
      shownStarts.append(UInt32(shown.count))
      for line in lines {
        shown.append(contentsOf: line)
        shown.append(UInt8(ascii: "\n"))
      }
    }

    private mutating func appendLowercase(_ text: [UInt8]) {
      if text.contains(where: { $0 >= 0x80 }) {
        searched.append(contentsOf: String(decoding: text, as: UTF8.self).lowercased().utf8)
      } else {
        for byte in text { searched.append((65...90).contains(byte) ? byte + 32 : byte) }
      }
    }
  }

  package init(_ builder: Builder) {
    // Exactly as long as they are: arrays that grew have room to spare.
    searched = Array(builder.searched[...])
    starts = Array(builder.starts[...])
    nameEnds = Array(builder.nameEnds[...])
    shown = Array(builder.shown[...])
    shownStarts = Array(builder.shownStarts[...])
  }

  /// All that is known of a package.
  package func details(_ index: Int) -> PackageDetails {
    let end = index + 1 < count ? Int(shownStarts[index + 1]) : shown.count
    let lines = shown[Int(shownStarts[index])..<end]
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    var details = PackageDetails(name: lines[0])
    details.version = lines[1]
    details.section = lines[2]
    details.size = lines[3]
    details.homepage = lines[4]
    details.summary = lines[5]
    return details
  }

  /// Calls `match` for each package that the query finds among `candidates`, in their order.
  package func forEachMatch(
    of query: SearchQuery, in candidates: some Sequence<Int>, _ match: (Int, SearchRank) -> Void
  ) {
    query.withWords { words in
      searched.withUnsafeBytes { bytes in
        let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        for index in candidates {
          guard let text else { return }
          let start = text + Int(starts[index])
          if let rank = rank(of: words, from: start, nameLength: Int(nameEnds[index] - starts[index])) {
            match(index, rank)
          }
        }
      }
    }
  }

  /// How well all words fit a text; nil if one is not in it.
  @inline(__always)
  private func rank(
    of words: UnsafeBufferPointer<SearchQuery.Word>, from start: UnsafePointer<CChar>, nameLength: Int
  ) -> SearchRank? {
    var isInName = true
    var isAtStart = false
    for (number, word) in words.enumerated() {
      // The first place: a word that is in the name at all is found there.
      guard let place = strstr(start, word.text) else { return nil }
      let offset = UnsafePointer(place) - start
      if offset > nameLength { isInName = false }
      if number == 0, offset == 0 { isAtStart = true }
    }
    guard isInName else { return .inDescription }
    guard isAtStart else { return .inName }
    return words.count == 1 && words[0].length == nameLength ? .name : .beginning
  }
}

extension IndexSegment: Hashable {
  package static func == (left: IndexSegment, right: IndexSegment) -> Bool {
    left === right || (left.starts == right.starts && left.shown == right.shown)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(shown.count)
  }
}
