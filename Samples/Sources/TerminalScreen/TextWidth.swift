// How many columns a text takes in a terminal. Pure, and independent of the locale: a terminal that runs without a
// UTF-8 locale still gets the same layout.

/// Measures and cuts texts by terminal columns.
package enum TextWidth {
  /// The columns of a text: the sum of its characters.
  package static func columns(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The columns of what a user sees as one character: 0, 1 or 2.
  ///
  /// An emoji that is joined from several (a family, a flag, a skin tone) counts as the one picture it is.
  package static func columns(of character: Character) -> Int {
    // Nearly everything is ASCII; this is also the answer for CR LF, which is one character.
    if character.isASCII { return isPrintable(character) ? 1 : 0 }
    let scalars = character.unicodeScalars
    var widest = 0
    for scalar in scalars {
      // Variation selector 16 asks for the coloured picture, which is wide.
      if scalar.value == 0xFE0F, widest > 0, scalars.first?.properties.isEmoji == true { return 2 }
      widest = max(widest, columns(of: scalar))
    }
    // Two regional indicators are a flag.
    if scalars.count > 1, let first = scalars.first, (0x1F1E6...0x1F1FF).contains(first.value) { return 2 }
    return widest
  }

  /// The beginning of `text` that fits into `limit` columns, with `…` at its end when something was cut off.
  package static func cut(_ text: String, to limit: Int) -> String {
    guard limit > 0 else { return "" }
    // A longest prefix of one column less, in case the mark is needed.
    var used = 0
    var kept = ""
    var keptWithMark = ""
    for character in text {
      let width = columns(of: character)
      if used + width > limit { return keptWithMark + "…" }
      used += width
      kept.append(character)
      if used <= limit - 1 { keptWithMark = kept }
    }
    return kept
  }

  /// The end of `text` that fits into `limit` columns.
  package static func tail(of text: String, in limit: Int) -> String {
    var used = 0
    let tail = text.reversed().prefix { character in
      used += columns(of: character)
      return used <= limit
    }
    return String(tail.reversed())
  }

  /// `text` without anything a terminal would obey instead of showing: control characters become `?`.
  package static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isControl(scalar) ? "?" : scalar) }
    return String(result)
  }

  private static func isPrintable(_ character: Character) -> Bool {
    guard let value = character.asciiValue, character.unicodeScalars.count == 1 else { return false }
    return value >= 0x20 && value != 0x7F
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Line and paragraph separators, and the marks that turn the direction of what follows.
    case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 {
      // 00AD, the soft hyphen, is shown by terminals; 0080–009F are control characters.
      return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // The vowels and final consonants of a Korean syllable are drawn into its first letter.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
  }

  /// The blocks that East Asian typography sets in full width.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F,  // first letters of Korean syllables
      0x2E80...0x303E,  // radicals, strokes, CJK punctuation
      0x3041...0x33FF,  // kana, bopomofo, compatibility letters, squared words
      0x3400...0x4DBF, 0x4E00...0x9FFF,  // ideographs
      0xA000...0xA4CF,  // Yi
      0xA960...0xA97F, 0xAC00...0xD7A3,  // Korean
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,  // compatibility forms
      0xFF00...0xFF60, 0xFFE0...0xFFE6,  // full-width forms
      0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,  // Tangut, kana supplements
      0x1F200...0x1F251,  // enclosed ideographs
      0x20000...0x3FFFD:  // ideographs outside the first plane
      true
    default:
      false
    }
  }
}
