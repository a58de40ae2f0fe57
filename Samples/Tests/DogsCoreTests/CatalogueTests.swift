import Foundation
import Testing

@testable import DogsCore

@Suite("Reading a catalogue")
struct CatalogueTests {
  /// A folder that is removed at the end of a test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("dogs-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ data: Data, _ name: String = "breeds.json") throws -> String {
      let file = url.appendingPathComponent(name)
      try data.write(to: file)
      return file.path
    }
  }

  private func message(_ text: String) -> String? { message(Data(text.utf8)) }

  private func message(_ data: Data) -> String? {
    do throws(CatalogueError) {
      _ = try Catalogue.breeds(in: data, file: "x.json")
      return nil
    } catch {
      return error.description
    }
  }

  private let other = "give another file with --file PATH, or leave the option out for the built-in list"
  private let needed = #"needed is {"status": "success", "message": {"BREED": ["SUB-BREED", …], …}}"#

  @Test("The built-in list has all its breeds, sorted by name")
  func builtIn() throws {
    let file = try #require(Catalogue.builtIn)
    let breeds = try Catalogue.breeds(inFile: file.path)
    #expect(breeds.count == 106)
    #expect(breeds.map(\.name) == breeds.map(\.name).sorted())
    let hound = try #require(breeds.first { $0.name == "hound" })
    #expect(hound.subBreeds == ["afghan", "basset", "blood", "english", "ibizan", "plott", "walker"])
  }

  @Test("A good file may have a byte order mark, other keys and any order")
  func good() throws {
    let text = "\u{FEFF}\n{\"code\": 1, \"status\": \"success\", \"message\": {\"b\": [], \"a\": [\"z\", \"y\"]}}\n"
    let breeds = try Catalogue.breeds(in: Data(text.utf8), file: "x.json")
    #expect(breeds == [Breed(name: "a", subBreeds: ["z", "y"]), Breed(name: "b")])
  }

  @Test("An empty or blank file is told")
  func empty() {
    let expected = "x.json: the file is empty; download it again, or \(other)"
    #expect(message("") == expected)
    #expect(message(" \n\t ") == expected)
    #expect(message("\u{FEFF}") == expected)
  }

  @Test("A file that is not UTF-8 is told")
  func notText() {
    let expected = "x.json: the file is not UTF-8 text; save it as UTF-8, or \(other)"
    #expect(message(Data([0x7B, 0xFF, 0xFE, 0x7D])) == expected)
    #expect(message(Data("{\"status\"".data(using: .utf16)!)) == expected)
  }

  @Test("A file that is not JSON is told", arguments: ["{", "hello", "{\"status\": \"success\",", "<html></html>"])
  func notJSON(text: String) throws {
    let told = try #require(message(text))
    #expect(told.hasPrefix("x.json: the file is not JSON ("))
    #expect(told.hasSuffix("); mend or download it again, or \(other)"))
    #expect(!told.contains("\n"))
  }

  @Test("JSON without an end to its brackets is told, not a crash")
  func deep() throws {
    let told = try #require(message(String(repeating: "[", count: 100_000)))
    #expect(told.hasPrefix("x.json: the file is not JSON ("))
  }

  @Test(
    "JSON of another shape is told with the place that is wrong",
    arguments: [
      ("[]", "the whole is of another kind"), ("1", "the whole is of another kind"),
      ("null", "the whole is of another kind"), ("{}", "status is missing"),
      ("{\"status\": 1}", "status is of another kind"), ("{\"status\": \"success\"}", "message is missing"),
      ("{\"status\": \"success\", \"message\": []}", "message is of another kind"),
      ("{\"status\": \"success\", \"message\": null}", "message is of another kind"),
      ("{\"status\": \"success\", \"message\": {\"a\": 1}}", "message.a is of another kind"),
      ("{\"status\": \"success\", \"message\": {\"a\": [\"b\", 2]}}", "message.a.2 is of another kind"),
      ("{\"status\": \"success\", \"message\": {\"\": []}}", "there is a name without letters"),
      ("{\"status\": \"success\", \"message\": {\"a\": [\" \"]}}", "there is a name without letters"),
    ])
  func otherShape(text: String, place: String) {
    #expect(message(text) == "x.json: JSON of another shape (\(place)); \(needed)")
  }

  @Test("A status that is not success is told, whatever the message is")
  func status() {
    let advice = "it is a saved failure: download it again, or \(other)"
    let expected = "x.json: its status is \"error\", not \"success\"; \(advice)"
    #expect(message("{\"status\": \"error\", \"message\": \"Breed not found\"}") == expected)
    #expect(message("{\"status\": \"error\", \"message\": {\"a\": []}}") == expected)
    #expect(message("{\"status\": \"a\\nb\"}") == "x.json: its status is \"a?b\", not \"success\"; \(advice)")
  }

  @Test("A list without breeds is told")
  func noBreeds() {
    #expect(
      message("{\"status\": \"success\", \"message\": {}}") == "x.json: the list holds no breeds; \(other)")
  }

  @Test("A file that is not there, a directory and an endless file are told")
  func files() throws {
    let folder = try Folder()
    let missing = folder.url.appendingPathComponent("none.json").path
    func told(_ path: String) -> String? {
      do throws(CatalogueError) {
        _ = try Catalogue.breeds(inFile: path)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(
      told(missing) == "\(missing): there is no such file; check the path, or leave --file out for the built-in list")
    #expect(
      told(folder.url.path)
        == "\(folder.url.path): this is a directory; give the file in it that holds the breeds")
    #expect(told("/dev/zero") == "/dev/zero: more than 16 MB, which is no list of breeds; \(other)")
    let good = try folder.file(Data("{\"status\": \"success\", \"message\": {\"a\": []}}".utf8))
    #expect(told(good) == nil)
    #expect(told("a\nb")?.hasPrefix("a?b: there is no such file") == true)
  }

  @Test("A file that cannot be read is told with the reason")
  func unreadable() {
    let error = CatalogueError(file: "x.json", reason: .unreadable("Permission denied"))
    #expect(
      error.description
        == "x.json: the file cannot be read (Permission denied); check its permissions, or \(other)")
  }

  @Test("A program that was moved away from its list says so")
  func notBesideProgram() {
    #expect(
      CatalogueError(file: "the built-in list", reason: .notBesideProgram).description
        == "the built-in list: the folder it comes in is not beside the program; build the program again, or give a "
        + "file with --file PATH")
  }

  @Test("A file that fails while it is read is told", .enabled(if: FileManager.default.fileExists(atPath: "/proc")))
  func failsInTheMiddle() throws {
    #expect {
      try Catalogue.breeds(inFile: "/proc/self/mem")
    } throws: { error in
      guard case .unreadable = (error as? CatalogueError)?.reason else { return false }
      return true
    }
  }
}
