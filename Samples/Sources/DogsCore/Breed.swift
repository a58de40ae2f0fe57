// The breeds of a catalogue, and how a file of them is read. Pure but for the reading itself.

package import Foundation
internal import SampleProgram
internal import TerminalScreen

/// A breed of dogs.
package struct Breed: Sendable, Hashable {
  /// As the catalogue writes it: its identity.
  package let name: String
  package let subBreeds: [String]

  package init(name: String, subBreeds: [String] = []) {
    self.name = name
    self.subBreeds = subBreeds
  }
}

/// Why a catalogue could not be used: always one line, with the file, what is wrong and what to do.
package struct CatalogueError: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: Sendable, Hashable {
    case missing, notBesideProgram, directory, empty, tooLarge, notText, noBreeds
    case unreadable(String)
    case notJSON(String)
    case otherShape(String)
    case status(String)
  }

  package let file: String
  package let reason: Reason

  package init(file: String, reason: Reason) {
    self.file = file
    self.reason = reason
  }

  package var description: String {
    let (wrong, advice) = texts
    // Names of files and texts from files may hold anything, also line ends.
    return TextWidth.printable("\(file): \(wrong); \(advice)")
  }

  private var texts: (wrong: String, advice: String) {
    let other = "give another file with --file PATH, or leave the option out for the built-in list"
    return switch reason {
    case .missing: ("there is no such file", "check the path, or leave --file out for the built-in list")
    case .notBesideProgram:
      ("the folder it comes in is not beside the program", "build the program again, or give a file with --file PATH")
    case .directory: ("this is a directory", "give the file in it that holds the breeds")
    case .empty: ("the file is empty", "download it again, or \(other)")
    case .tooLarge: ("more than \(Catalogue.largestFile / 1_048_576) MB, which is no list of breeds", other)
    case .notText: ("the file is not UTF-8 text", "save it as UTF-8, or \(other)")
    case .noBreeds: ("the list holds no breeds", other)
    case .unreadable(let why): ("the file cannot be read (\(why))", "check its permissions, or \(other)")
    case .notJSON(let why): ("the file is not JSON (\(why))", "mend or download it again, or \(other)")
    case .otherShape(let what):
      (
        "JSON of another shape (\(what))",
        #"needed is {"status": "success", "message": {"BREED": ["SUB-BREED", …], …}}"#
      )
    case .status(let status):
      ("its status is \"\(status)\", not \"success\"", "it is a saved failure: download it again, or \(other)")
    }
  }
}

/// Reads the breeds of a file.
package enum Catalogue {
  /// No list of breeds is longer. The built-in one has 4 KB.
  package static let largestFile = 16 * 1_048_576

  /// The file that comes with the program, or nil when the program was moved away from it.
  package static var builtIn: URL? {
    BuiltInFiles.areThere(for: "DogsCore") ? Bundle.module.url(forResource: "dog-breeds", withExtension: "json") : nil
  }

  /// Reads and checks a file. Blocks while it reads, so call it from an effect.
  package static func breeds(inFile path: String) throws(CatalogueError) -> [Breed] {
    try breeds(in: contents(of: path), file: path)
  }

  /// Checks the contents of a file. Sorted by name, whatever the order in the file.
  package static func breeds(in data: Data, file: String) throws(CatalogueError) -> [Breed] {
    guard !data.isEmpty else { throw CatalogueError(file: file, reason: .empty) }
    guard var text = String(data: data, encoding: .utf8) else {
      throw CatalogueError(file: file, reason: .notText)
    }
    // Some editors put a mark in front of UTF-8, which JSON does not know.
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    guard text.contains(where: { !$0.isWhitespace }) else { throw CatalogueError(file: file, reason: .empty) }

    let names: [String: [String]]
    do {
      names = try JSONDecoder().decode(CatalogueFile.self, from: Data(text.utf8)).message
    } catch {
      throw CatalogueError(file: file, reason: reason(for: error))
    }
    guard !names.isEmpty else { throw CatalogueError(file: file, reason: .noBreeds) }
    return names.sorted { $0.key < $1.key }.map { Breed(name: $0.key, subBreeds: $0.value) }
  }

  private static func contents(of path: String) throws(CatalogueError) -> Data {
    var isDirectory: ObjCBool = false
    guard !path.isEmpty, FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw CatalogueError(file: path.isEmpty ? "\"\"" : path, reason: .missing)
    }
    if isDirectory.boolValue { throw CatalogueError(file: path, reason: .directory) }
    let data: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      // One byte more than is allowed tells that it is too much, also of a file without an end.
      data = try file.read(upToCount: largestFile + 1) ?? Data()
    } catch {
      throw CatalogueError(file: path, reason: .unreadable(plainText(of: error)))
    }
    if data.count > largestFile { throw CatalogueError(file: path, reason: .tooLarge) }
    return data
  }

  private static func plainText(of error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    if cause.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(cause.code))) }
    return error.code == CocoaError.fileReadNoPermission.rawValue ? "permission denied" : "error \(error.code)"
  }

  private static func reason(for error: any Error) -> CatalogueError.Reason {
    switch error {
    case let reason as CatalogueFile.Refusal:
      return reason.reason
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      let cause = context.underlyingError as NSError?
      let text = cause?.userInfo[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription
      return .notJSON(text.trimmingCharacters(in: CharacterSet(charactersIn: ". \n")))
    case DecodingError.keyNotFound(let key, _):
      return .otherShape("\(key.stringValue) is missing")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let place = context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
      return .otherShape("\(place.isEmpty ? "the whole" : place.joined(separator: ".")) is of another kind")
    default:
      return .notJSON("it cannot be decoded")
    }
  }
}

/// The file as its source writes it: `{"message": {"hound": ["afghan", "basset"]}, "status": "success"}`.
private struct CatalogueFile: Decodable {
  let message: [String: [String]]

  /// JSON that is right as such and wrong as a catalogue.
  struct Refusal: Error {
    let reason: CatalogueError.Reason
  }

  private enum Key: String, CodingKey { case status, message }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    // First, because a failure has a text in place of the breeds.
    let status = try values.decode(String.self, forKey: .status)
    guard status == "success" else { throw Refusal(reason: .status(status)) }
    message = try values.decode([String: [String]].self, forKey: .message)
    if message.keys.contains(where: \.isBlank) || message.values.contains(where: { $0.contains(where: \.isBlank) }) {
      throw Refusal(reason: .otherShape("there is a name without letters"))
    }
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
