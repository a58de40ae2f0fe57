import Foundation
import Testing

@testable import TerminalScreen

@Suite("Lines of standard input")
struct LineReaderTests {
  @Test("Lines come one by one, the last one also without an end")
  func reader() async throws {
    let pipe = Pipe()
    let reader = LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
    let long = String(repeating: "x", count: 70_000)
    let text = "one\n\ntwo\r\nb\u{E9}\n\(long)\nlast"
    Thread { [handle = pipe.fileHandleForWriting] in
      handle.write(Data(text.utf8))
      try? handle.close()
    }.start()
    var lines: [String] = []
    while let line = try await reader.next() { lines.append(line) }
    #expect(
      lines == ["one", "", "two\r", "bé", String(long.prefix(65_536)), String(long.dropFirst(65_536)), "last"])
    #expect(try await reader.next() == nil)
  }
}
