// Bytes from a terminal, turned into keys. Pure: it reads nothing, waits for nothing and knows no clock.

/// One key, as a program sees it.
package enum Key: Sendable, Hashable {
  /// A printable character. A mark that combines with the one before it comes on its own.
  case character(Character)
  /// A letter pressed together with Control, in lower case.
  case control(Character)
  case enter, tab, backTab, backspace, delete, insert, escape
  case up, down, left, right, pageUp, pageDown, home, end
}

/// Turns the bytes of a terminal into keys, however they are cut into pieces: one read may hold several keys, a part of
/// an escape sequence or a part of a character.
///
/// The escape key is the same byte that begins every sequence. While only that much is known, `isWaiting` is true: call
/// ``flush()`` when nothing followed for a short while (some 50 milliseconds).
///
/// ```swift
/// var decoder = KeyDecoder()
/// decoder.decode([0x61, 0x1B, 0x5B])   // [.character("a")]
/// decoder.decode([0x41])               // [.up]
/// ```
package struct KeyDecoder: Sendable {
  private enum Expecting {
    case anything
    /// An escape byte came.
    case afterEscape
    /// `ESC [`, and the parameters so far.
    case sequence([UInt8])
    /// `ESC [ [`, with which the console of Linux begins a function key.
    case functionKey
    /// `ESC O`.
    case letter
    /// The first bytes of a character, and how many it has.
    case character([UInt8], count: Int)
  }

  /// Longer sequences than any key has are thrown away up to their end, without being kept.
  private static let longestSequence = 32

  private var expecting = Expecting.anything

  package init() {}

  /// Whether a key has begun that only more bytes, or ``flush()``, can decide.
  package var isWaiting: Bool {
    if case .anything = expecting { false } else { true }
  }

  /// The keys that these bytes complete.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, into: &keys) }
    return keys
  }

  /// The keys that have to be taken as they are, since nothing more came: an escape, or a broken character.
  package mutating func flush() -> [Key] {
    defer { expecting = .anything }
    switch expecting {
    case .anything, .sequence, .functionKey: return []
    case .afterEscape: return [.escape]
    case .letter: return [.escape, .character("O")]
    case .character: return [.character("\u{FFFD}")]
    }
  }

  private mutating func take(_ byte: UInt8, into keys: inout [Key]) {
    switch expecting {
    case .anything:
      takeFirst(byte, into: &keys)
    case .afterEscape:
      switch byte {
      case 0x5B: expecting = .sequence([])
      case 0x4F: expecting = .letter
      default:
        // Escape, and then another key in the same read.
        expecting = .anything
        keys.append(.escape)
        takeFirst(byte, into: &keys)
      }
    case .letter:
      expecting = .anything
      if let key = Self.key(final: byte, parameters: []) { keys.append(key) }
    case .functionKey:
      expecting = .anything
    case .sequence(let parameters):
      takeSequence(byte, after: parameters, into: &keys)
    case .character(let start, let count):
      takeCharacter(byte, after: start, count: count, into: &keys)
    }
  }

  private mutating func takeFirst(_ byte: UInt8, into keys: inout [Key]) {
    switch byte {
    case 0x1B: expecting = .afterEscape
    case 0x0D, 0x0A: keys.append(.enter)
    case 0x09: keys.append(.tab)
    case 0x7F, 0x08: keys.append(.backspace)
    case 0x00: keys.append(.control(" "))
    case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x1C...0x1F: break
    case 0x20..<0x7F: keys.append(.character(Character(Unicode.Scalar(byte))))
    case 0xC2...0xDF: expecting = .character([byte], count: 2)
    case 0xE0...0xEF: expecting = .character([byte], count: 3)
    case 0xF0...0xF4: expecting = .character([byte], count: 4)
    default: keys.append(.character("\u{FFFD}"))
    }
  }

  private mutating func takeSequence(_ byte: UInt8, after parameters: [UInt8], into keys: inout [Key]) {
    switch byte {
    case 0x5B where parameters.isEmpty:
      expecting = .functionKey
    case 0x40...0x7E:
      expecting = .anything
      if let key = Self.key(final: byte, parameters: parameters) { keys.append(key) }
    case 0x20..<0x40:
      expecting = .sequence(parameters.count < Self.longestSequence ? parameters + [byte] : parameters)
    default:
      // Not part of a sequence: it was broken off, and this byte is the next key.
      expecting = .anything
      takeFirst(byte, into: &keys)
    }
  }

  private mutating func takeCharacter(_ byte: UInt8, after start: [UInt8], count: Int, into keys: inout [Key]) {
    guard (0x80..<0xC0).contains(byte) else {
      expecting = .anything
      keys.append(.character("\u{FFFD}"))
      takeFirst(byte, into: &keys)
      return
    }
    let bytes = start + [byte]
    guard bytes.count == count else {
      expecting = .character(bytes, count: count)
      return
    }
    expecting = .anything
    // Overlong forms and surrogates are repaired into replacement characters: one key all the same.
    keys.append(.character(String(decoding: bytes, as: UTF8.self).first ?? "\u{FFFD}"))
  }

  /// Parameters such as the `;5` of a key pressed with Control are left out of account.
  private static func key(final: UInt8, parameters: [UInt8]) -> Key? {
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "M"): return .enter
    case UInt8(ascii: "Z"): return .backTab
    case UInt8(ascii: "~"):
      switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
      case "1", "7": return .home
      case "2": return .insert
      case "3": return .delete
      case "4", "8": return .end
      case "5": return .pageUp
      case "6": return .pageDown
      default: return nil
      }
    default: return nil
    }
  }
}
