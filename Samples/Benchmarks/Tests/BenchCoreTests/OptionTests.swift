// The options of the program.

import BenchCore
import Testing

@Suite("Options")
struct OptionTests {
  @Test("Without options everything is measured")
  func nothing() throws {
    let options = try BenchOptions([])
    #expect(options.names.isEmpty)
    #expect(options.json == nil)
  }
}
