import Testing

@testable import TerminalScreen

@Suite("Text width")
struct TextWidthTests {
  @Test(
    "The columns of a text are what a terminal gives it",
    arguments: [
      ("", 0), ("hound", 5), ("é", 1), ("e\u{301}", 1), ("犬", 2), ("柴犬 shiba", 10), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2),
      ("🐕", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇯🇵", 2), ("❤️", 2), ("❤", 1), ("\u{200B}", 0), ("ｱ", 1), ("Ａ", 2),
      ("\t", 0), ("\r\n", 0), ("न\u{93F}", 1),
    ])
  func columns(text: String, expected: Int) {
    #expect(TextWidth.columns(of: text) == expected)
  }

  @Test("A cut text never takes more columns than it may, and says that it was cut")
  func cutting() {
    #expect(TextWidth.cut("hound", to: 5) == "hound")
    #expect(TextWidth.cut("hound", to: 4) == "hou…")
    #expect(TextWidth.cut("hound", to: 1) == "…")
    #expect(TextWidth.cut("hound", to: 0) == "")
    #expect(TextWidth.cut("hound", to: -3) == "")
    // Half of a wide character is never shown.
    #expect(TextWidth.cut("犬犬犬", to: 5) == "犬犬…")
    #expect(TextWidth.cut("犬犬犬", to: 4) == "犬…")
    #expect(TextWidth.cut("犬犬", to: 4) == "犬犬")
    for limit in 0...12 {
      #expect(TextWidth.columns(of: TextWidth.cut("a犬e\u{301}🐕bcd犬", to: limit)) <= limit)
    }
  }

  @Test("The tail of a text fits, too")
  func tail() {
    #expect(TextWidth.tail(of: "hound", in: 5) == "hound")
    #expect(TextWidth.tail(of: "hound", in: 3) == "und")
    #expect(TextWidth.tail(of: "犬犬x", in: 4) == "犬x")
    #expect(TextWidth.tail(of: "hound", in: 0) == "")
    #expect(TextWidth.tail(of: "hound", in: -1) == "")
  }

  @Test("Control characters are shown, never obeyed")
  func printable() {
    #expect(TextWidth.printable("hound") == "hound")
    #expect(TextWidth.printable("a\u{1B}[2Jb\nc\u{9B}d\u{202E}") == "a?[2Jb?c?d?")
  }
}
