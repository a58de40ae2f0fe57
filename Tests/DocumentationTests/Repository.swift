// The files of the repository, as the tests of the texts read them.

import Foundation

enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let catalogue = "Sources/SwiftReactor/SwiftReactor.docc"

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// The paths of the files in a folder whose name has that ending.
  static func files(in folder: String, ending: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
  }

  /// The README, the CHANGELOG and the articles.
  static var texts: [String] { ["README.md", "CHANGELOG.md"] + files(in: catalogue, ending: ".md") }

  /// The blocks of code of a text that are marked with `language`.
  static func blocks(_ language: String, in text: String) -> [[String]] {
    var blocks: [[String]] = []
    var block: [String]?
    for line in text.components(separatedBy: "\n") {
      if let open = block {
        if line == "```" {
          blocks.append(open)
          block = nil
        } else {
          block = open + [line]
        }
      } else if line == "```\(language)" {
        block = []
      }
    }
    return blocks
  }
}
