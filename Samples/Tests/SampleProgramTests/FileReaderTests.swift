import Foundation
import Testing

@testable import SampleProgram

@Suite("Reading files")
struct FileReaderTests {
  @Test("A file is read in pieces, and its size is known")
  func pieces() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pieces-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("hello world".utf8).write(to: URL(fileURLWithPath: path))
    let file = try FileReader(path)
    #expect(file.size == 11)
    // A file that disappears while it is open can be read to its end.
    try FileManager.default.removeItem(atPath: path)
    #expect(try file.read(upTo: 5) == Array("hello".utf8))
    #expect(try file.read(upTo: 100) == Array(" world".utf8))
    #expect(try file.read(upTo: 100).isEmpty)
    #expect(throws: FileFailure(path, "there is no such file", advice: "check the path, or leave --file out")) {
      try FileReader(path)
    }
  }

  @Test("A directory, an endless file and one that cannot be read are told in one line")
  func failures() throws {
    #expect(throws: FileFailure("/", "this is a directory", advice: "give a file in it")) { try FileReader("/") }
    #expect(FileFailure("a\nb", "x", advice: "y").description == "a?b: x; y")
    #expect(FileFailure("", "x").description == "\"\": x; \(FileFailure.anotherFile)")
    if FileManager.default.fileExists(atPath: "/dev/zero") {
      #expect(throws: FileFailure("/dev/zero", "more than 1 MB")) {
        try FileReader.contents(of: "/dev/zero", megabytes: 1)
      }
      #expect(try FileReader("/dev/zero").size == nil)
      #expect(try FileReader.contents(of: "/dev/null", megabytes: 1).isEmpty)
    }
  }
}
