// Reads the form in which Debian keeps its packages: paragraphs of `Field: value`. Pure, on bytes.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Takes the bytes of an index as they come, cut anywhere, and answers with the packages that they complete.
///
/// Fields that are not shown are passed over. An entry that cannot be understood (no name, a line that is no field, bytes
/// that are no text) is counted and left out.
package struct IndexParser {
  /// A longer line than any field has: what it belongs to is broken.
  private static let longestLine = 1_048_576

  /// Name, version, section, size, homepage, description of the entry that is being read.
  private var lines: [[UInt8]] = Array(repeating: [], count: 6)
  private var hasBegun = false
  private var isBroken = false
  /// The beginning of a line whose end has not come.
  private var carried: [UInt8] = []
  private var isSkippingLine = false
  private var segment = IndexSegment.Builder()
  private var broken = 0

  private static let fields: [(name: StaticString, line: Int)] = [
    ("Package:", 0), ("Version:", 1), ("Section:", 2), ("Installed-Size:", 3), ("Homepage:", 4), ("Description:", 5),
    ("Description-en:", 5),
  ]

  package init() {}

  /// What came of some bytes.
  package struct Piece {
    package let segment: IndexSegment
    package let broken: Int
  }

  package mutating func take(_ bytes: [UInt8]) -> Piece {
    bytes.withUnsafeBytes { take($0) }
    return hand()
  }

  /// The end of the file, which ends the last entry.
  package mutating func finish() -> Piece {
    let rest = carried
    carried = []
    if !rest.isEmpty { rest.withUnsafeBytes { takeLine($0) } }
    endEntry()
    return hand()
  }

  private mutating func hand() -> Piece {
    defer {
      segment = IndexSegment.Builder()
      broken = 0
    }
    return Piece(segment: IndexSegment(segment), broken: broken)
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var start = 0
    while start < bytes.count, let end = memchr(base + start, 0x0A, bytes.count - start) {
      let line = UnsafeRawBufferPointer(rebasing: bytes[start..<(UnsafeRawPointer(end) - base)])
      start += line.count + 1
      if carried.isEmpty, !isSkippingLine {
        takeLine(line)
      } else {
        carried.append(contentsOf: line)
        let whole = carried
        carried.removeAll(keepingCapacity: true)
        if isSkippingLine { isSkippingLine = false } else { whole.withUnsafeBytes { takeLine($0) } }
      }
    }
    if !isSkippingLine { carried.append(contentsOf: bytes[start...]) }
    if carried.count > Self.longestLine {
      carried = []
      isSkippingLine = true
      hasBegun = true
      isBroken = true
    }
  }

  private mutating func takeLine(_ bytes: UnsafeRawBufferPointer) {
    var line = bytes
    if line.last == 0x0D { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    guard let first = line.first, let base = line.baseAddress else { return endEntry() }
    switch first {
    case UInt8(ascii: "#"):
      return
    case 0x20, 0x09:
      // A field goes on: none that is shown. A line of blanks ends an entry as an empty one does.
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { endEntry() } else if !hasBegun { begin(isBroken: true) }
      return
    default:
      break
    }
    hasBegun = true
    guard memchr(base, 0x3A, line.count) != nil, memchr(base, 0, line.count) == nil else {
      isBroken = true
      return
    }
    // Most lines are none of these, and their first letter says so.
    guard [0x50, 0x56, 0x53, 0x49, 0x48, 0x44].contains(first) else { return }
    for field in Self.fields where line.count >= field.name.utf8CodeUnitCount {
      guard memcmp(base, field.name.utf8Start, field.name.utf8CodeUnitCount) == 0 else { continue }
      setLine(field.line, line.dropFirst(field.name.utf8CodeUnitCount))
      return
    }
  }

  private mutating func begin(isBroken: Bool) {
    hasBegun = true
    self.isBroken = isBroken
  }

  private mutating func setLine(_ number: Int, _ value: Slice<UnsafeRawBufferPointer>) {
    // A second name: the line between two entries is missing, and nothing tells which field is whose.
    if number == 0, !lines[0].isEmpty { isBroken = true }
    guard lines[number].isEmpty else { return }
    var value = value.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
    lines[number].append(contentsOf: value)
  }

  private mutating func endEntry() {
    guard hasBegun else { return }
    let isName = !lines[0].isEmpty && lines[0].allSatisfy { $0 > 0x20 && $0 != 0x7F }
    if !isBroken, isName, lines.allSatisfy(Self.isText) { segment.append(lines) } else { broken += 1 }
    for number in lines.indices { lines[number].removeAll(keepingCapacity: true) }
    hasBegun = false
    isBroken = false
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return true }
    return String(validating: bytes, as: UTF8.self) != nil
  }
}
