import Testing

@testable import TerminalScreen

/// Obeys the control sequences that a screen uses, to see what would be shown.
private struct TestTerminal {
  var cells: [[Character]]
  var row = 0
  var column = 0

  init(_ size: TerminalSize) {
    cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
  }

  var text: [String] {
    cells.map { row in
      var end = row.count
      while end > 0, row[end - 1] == " " { end -= 1 }
      // The second half of a wide character is kept as a null character.
      return String(row[..<end].filter { $0 != "\0" })
    }
  }

  mutating func obey(_ bytes: [UInt8]) {
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let character = rest.popFirst() {
      guard character == "\u{1B}" else {
        put(character)
        continue
      }
      rest.removeFirst()
      let parameters = rest.prefix { $0.isNumber || $0 == ";" }
      rest = rest.dropFirst(parameters.count)
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      switch rest.removeFirst() {
      case "H": (row, column) = numbers.count == 2 ? (numbers[0] - 1, numbers[1] - 1) : (0, 0)
      case "J": for row in cells.indices { erase(row, from: 0) }
      case "K": erase(row, from: column)
      case "m": break
      case let other: Issue.record("unexpected control sequence \(parameters)\(other)")
      }
    }
  }

  private mutating func erase(_ row: Int, from column: Int) {
    for column in column..<cells[row].count { cells[row][column] = " " }
  }

  private mutating func put(_ character: Character) {
    // Without wrapping the cursor stays on the last column.
    let width = TextWidth.columns(of: character)
    cells[row][min(column, cells[row].count - 1)] = character
    if width == 2, column + 1 < cells[row].count { cells[row][column + 1] = "\0" }
    column = min(column + width, cells[row].count - 1)
  }
}

@Suite("Frames and what changes between them")
struct ScreenTests {
  private let size = TerminalSize(columns: 20, rows: 5)

  private func frame(_ lines: [String], _ size: TerminalSize? = nil) -> Frame {
    var frame = Frame(size: size ?? self.size)
    for (row, line) in lines.enumerated() { frame.write(line, row: row) }
    return frame
  }

  @Test("Text outside a frame is cut off, wherever it is written")
  func clipping() {
    var frame = Frame(size: TerminalSize(columns: 4, rows: 2))
    #expect(frame.write("hounds", row: 0) == 4)
    frame.write("x", row: 2)
    frame.write("x", row: -1)
    frame.write("x", row: 0, column: 4)
    frame.write("x", row: 0, column: -1)
    frame.write("abc", row: 1, column: 2)
    #expect(frame.text == ["hou…", "  a…"])
    #expect(frame == frame)
  }

  @Test("A limit cuts earlier than the edge does")
  func limit() {
    var frame = Frame(size: size)
    #expect(frame.write("hounds", row: 0, limit: 3) == 3)
    #expect(frame.text[0] == "ho…")
  }

  @Test("Overwriting half of a wide character leaves no half behind")
  func halves() {
    var frame = Frame(size: size)
    frame.write("犬犬犬", row: 0)
    frame.write("x", row: 0, column: 3)
    #expect(frame.text[0] == "犬 x犬")
    frame.write("y", row: 0, column: 0)
    #expect(frame.text[0] == "y  x犬")
  }

  @Test("An unchanged frame costs nothing, a changed character a few bytes")
  func smallChanges() {
    var screen = Screen()
    let wide = TerminalSize(columns: 300, rows: 100)
    let lines = (0..<100).map { "  line \($0) " + String(repeating: "text ", count: 50) }
    #expect(screen.update(to: frame(lines, wide)).count > 20_000)
    #expect(screen.update(to: frame(lines, wide)).isEmpty)

    var changed = lines
    changed[50] = "> " + lines[50].dropFirst(2)
    let bytes = screen.update(to: frame(changed, wide))
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[51;1H>")

    // A whole line of an ordinary width.
    changed[50] = String(repeating: "other ", count: 16)
    #expect(screen.update(to: frame(changed, wide)).count <= 200)
  }

  @Test("A shorter line is erased to its end, a style is put on and taken off")
  func erasing() {
    var screen = Screen()
    _ = screen.update(to: frame(["hound", "boxer"]))
    #expect(screen.update(to: frame(["ho", "boxer"])) == Array("\u{1B}[1;3H\u{1B}[K".utf8))
    var bold = frame(["ho", "boxer"])
    bold.write("boxer", row: 1, style: [.bold, .inverse])
    #expect(screen.update(to: bold) == Array("\u{1B}[2;1H\u{1B}[0;1;7mboxer\u{1B}[0m".utf8))
  }

  @Test("Another size and a forgotten screen are drawn from scratch")
  func fromScratch() {
    var screen = Screen()
    let first = frame(["hound"])
    let all = screen.update(to: first)
    #expect(String(decoding: all, as: UTF8.self).contains("\u{1B}[2J"))
    screen.invalidate()
    #expect(screen.update(to: first) == all)
    let other = frame(["hound"], TerminalSize(columns: 21, rows: 5))
    #expect(screen.update(to: other) == all)
  }

  @Test("Whatever follows whatever, the terminal shows the frame")
  func randomFrames() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("random frames: seed \(seed)")
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let words = ["hound", "犬", "e\u{301}te", " ", "    ", "🐕", "-", "basset hound", "한", "x"]
    var screen = Screen()
    var terminal = TestTerminal(size)
    for step in 0..<3_000 {
      var frame = Frame(size: size)
      for row in 0..<size.rows where next(3) > 0 {
        let line = (0..<next(5)).map { _ in words[next(words.count)] }.joined()
        frame.write(line, row: row, column: next(6), style: TextStyle(rawValue: UInt8(next(8))))
      }
      terminal.obey(screen.update(to: frame))
      let expected = frame.text.map { String($0.reversed().drop { $0 == " " }.reversed()) }
      #expect(terminal.text == expected, "step \(step)")
      if terminal.text != expected { return }
    }
  }
}

@Suite("The chosen row of a list")
struct ListCursorTests {
  @Test("It moves by rows and pages, and stops at the ends")
  func moving() {
    var cursor = ListCursor()
    cursor.move(.up, count: 10, page: 3)
    #expect(cursor.selected == 0)
    for _ in 0..<3 { cursor.move(.down, count: 10, page: 3) }
    #expect(cursor.selected == 3)
    #expect(cursor.visible(count: 10, page: 3) == 1..<4)
    cursor.move(.pageDown, count: 10, page: 3)
    #expect(cursor.selected == 6)
    cursor.move(.last, count: 10, page: 3)
    #expect(cursor.selected == 9)
    #expect(cursor.visible(count: 10, page: 3) == 7..<10)
    cursor.move(.pageDown, count: 10, page: 3)
    #expect(cursor.selected == 9)
    cursor.move(.pageUp, count: 10, page: 3)
    #expect(cursor.visible(count: 10, page: 3) == 6..<9)
    cursor.move(.first, count: 10, page: 3)
    #expect(cursor == ListCursor())
  }

  @Test("A list or page that became shorter, or empty, keeps it inside")
  func shrinking() {
    var cursor = ListCursor()
    cursor.move(.last, count: 100, page: 20)
    cursor.fit(count: 50, page: 20)
    #expect(cursor.selected == 49)
    #expect(cursor.visible(count: 50, page: 20) == 30..<50)
    cursor.fit(count: 50, page: 2)
    #expect(cursor.visible(count: 50, page: 2) == 48..<50)
    cursor.fit(count: 50, page: 40)
    #expect(cursor.visible(count: 50, page: 40) == 10..<50)
    cursor.fit(count: 0, page: 40)
    #expect(cursor.selected == 0)
    #expect(cursor.visible(count: 0, page: 40).isEmpty)
    cursor.fit(count: 3, page: 0)
    #expect(cursor.visible(count: 3, page: 0) == 0..<1)
  }

  @Test("Pages turn as a whole, and stay at the ends")
  func pages() {
    var cursor = ListCursor()
    cursor.move(.down, count: 25, page: 10)
    cursor.turn(1, count: 25, page: 10)
    #expect(cursor.visible(count: 25, page: 10) == 10..<20)
    #expect(cursor.selected == 10)
    cursor.turn(5, count: 25, page: 10)
    #expect(cursor.visible(count: 25, page: 10) == 20..<25)
    cursor.turn(-9, count: 25, page: 10)
    #expect(cursor == ListCursor())
    cursor.turn(1, count: 0, page: 0)
    #expect(cursor == ListCursor())
  }
}
