import Testing

@testable import TerminalScreen

@Suite("Keys from bytes")
struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.decode(Array(text.utf8)) + decoder.flush()
  }

  @Test(
    "Each key of a keyboard is known",
    arguments: [
      ("a", [Key.character("a")]), ("é", [.character("é")]), ("犬", [.character("犬")]), ("🐕", [.character("🐕")]),
      ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
      ("\u{1B}", [.escape]), ("\u{11}", [.control("q")]), ("\u{15}", [.control("u")]), ("\u{0}", [.control(" ")]),
      ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]),
      ("\u{1B}[H", [.home]), ("\u{1B}[1~", [.home]), ("\u{1B}[7~", [.home]), ("\u{1B}OH", [.home]),
      ("\u{1B}[F", [.end]), ("\u{1B}[4~", [.end]), ("\u{1B}OF", [.end]), ("\u{1B}[5~", [.pageUp]),
      ("\u{1B}[6~", [.pageDown]), ("\u{1B}[2~", [.insert]), ("\u{1B}[3~", [.delete]), ("\u{1B}[Z", [.backTab]),
      ("\u{1B}[1;5A", [.up]), ("\u{1B}[5;2~", [.pageUp]), ("\u{1B}OM", [.enter]),
    ])
  func keyboard(text: String, expected: [Key]) {
    #expect(keys(text) == expected)
  }

  @Test("One read may hold many keys")
  func many() {
    #expect(
      keys("ho\u{1B}[A\u{1B}[6~\r犬\u{7F}")
        == [.character("h"), .character("o"), .up, .pageDown, .enter, .character("犬"), .backspace])
  }

  @Test("However the bytes are cut, the keys are the same")
  func pieces() {
    let text = "aé犬🐕\u{1B}[A\u{1B}[1;5B\u{1B}[6~\u{1B}OHz\r\u{1B}[Z"
    let bytes = Array(text.utf8)
    let whole = keys(text)
    #expect(whole.count == 11)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = KeyDecoder()
        let found =
          decoder.decode(bytes[..<first]) + decoder.decode(bytes[first..<second]) + decoder.decode(bytes[second...])
        #expect(found == whole, "cut at \(first) and \(second)")
      }
    }
  }

  @Test("An escape byte is only the key when nothing follows")
  func escape() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.flush() == [])
    // Pressed twice, and pressed before another key in one read.
    #expect(decoder.decode([0x1B, 0x1B]) == [.escape])
    #expect(decoder.flush() == [.escape])
    #expect(decoder.decode([0x1B, 0x61]) == [.escape, .character("a")])
    #expect(!decoder.isWaiting)
  }

  @Test("Unknown sequences are one unknown key, which is none, and what follows is read")
  func unknown() {
    #expect(keys("\u{1B}[99~a") == [.character("a")])
    #expect(keys("\u{1B}[?1;2ca") == [.character("a")])
    #expect(keys("\u{1B}[" + String(repeating: "1;", count: 5000) + "Xa") == [.character("a")])
    // A function key of the console of Linux.
    #expect(keys("\u{1B}[[Aa") == [.character("a")])
    // Broken off by the next key.
    #expect(keys("\u{1B}[1\u{1B}[A") == [.up])
    #expect(keys("\u{1B}[1") == [])
  }

  @Test("Bytes that are no text are replaced, and end nothing")
  func noText() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0xFF, 0x61]) == [.character("\u{FFFD}"), .character("a")])
    #expect(decoder.decode([0xC3, 0x61]) == [.character("\u{FFFD}"), .character("a")])
    #expect(decoder.decode([0xE7, 0x8A]) == [])
    #expect(decoder.flush() == [.character("\u{FFFD}")])
    #expect(decoder.decode([0xED, 0xA0, 0x80]).count == 1)
  }

  @Test("Random bytes never stop the decoder, and it always finds back")
  func random() {
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
    print("keys from random bytes: seed \(seed)")
    var state = seed
    var decoder = KeyDecoder()
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<16 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 56))
      }
      _ = decoder.decode(bytes)
      _ = decoder.flush()
      #expect(decoder.decode([0x61]) == [.character("a")])
    }
  }
}
