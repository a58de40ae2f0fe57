import Testing

@testable import SampleProgram

private enum Form: String, CaseIterable { case one, two }

@Suite("Options and words of a line")
struct OptionReaderTests {
  @Test("Values are attached or follow, and what is only a switch stands alone")
  func values() throws {
    var reader = OptionReader(program: "p", ["--a=1", "--b", "2", "--c", "--d=x=y", "--e="])
    #expect(reader.next() == "--a")
    #expect(!reader.standsAlone)
    #expect(try reader.value() == "1")
    #expect(reader.next() == "--b")
    #expect(reader.standsAlone)
    #expect(try reader.seconds() == .seconds(2))
    #expect(reader.next() == "--c")
    #expect(reader.next() == "--d")
    #expect(try reader.value() == "x=y")
    #expect(reader.next() == "--e")
    #expect(throws: OptionMistake(description: "--e needs a value; see p --help")) { try reader.value() }
    #expect(reader.next() == nil)
  }

  @Test("A choice is one of its words")
  func choices() throws {
    var reader = OptionReader(program: "p", ["--form", "two", "--form", "three"])
    _ = reader.next()
    let form: Form = try reader.choice()
    #expect(form == .two)
    _ = reader.next()
    #expect(throws: OptionMistake(description: "--form knows only one, two; see p --help")) {
      let _: Form = try reader.choice()
    }
  }

  @Test("The options that every program has are taken, others are left to the program")
  func common() throws {
    var options = ProgramOptions()
    var reader = OptionReader(program: "p", ["--file", "f", "--lines", "-h", "--help=1"])
    var left: [String] = []
    while let name = reader.next() {
      if try !options.take(name, &reader) { left.append(name) }
    }
    #expect(options.file == "f")
    #expect(options.usesLines && options.showsHelp)
    #expect(left == ["--help"])
    #expect(reader.unknown.description == "unknown option \"--help=1\"; see p --help")
  }

  @Test("A line is a command and its argument, whatever its blanks and letters")
  func words() {
    #expect(CommandLineWords(" \t").command == nil)
    let open = CommandLineWords("  OPEN   A  b \r")
    #expect(open.command == "open")
    #expect(open.argument == "A  b")
    #expect(open.surplus == "open stands alone: leave out \"A  b\"")
    #expect(CommandLineWords("quit").surplus == nil)
    #expect(CommandLineWords("Ju\u{7}mp").unknown(["a", "b"]) == "unknown command \"Ju?mp\"; there are: a, b")
  }
}
