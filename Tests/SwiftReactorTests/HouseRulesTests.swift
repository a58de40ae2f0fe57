// The rules of the house that a compiler does not check, asked of the library's own sources.

import Foundation
import Testing

/// A source file of the package, with its lines.
struct SourceFile: Sendable {
  let name: String
  let text: String

  var lines: [String] { text.components(separatedBy: "\n") }

  /// The lines that are code, with their numbers: comments are cut off.
  var code: [(Int, String)] {
    lines.enumerated().compactMap { index, line in
      let code = line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
      return code.allSatisfy(\.isWhitespace) ? nil : (index + 1, code)
    }
  }
}

/// The package's sources, found from where this file was compiled.
enum SourceTree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static var library: [SourceFile] {
    get throws { try files(under: "Sources") }
  }

  static func files(under folder: String) throws -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    guard let walk = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else { return [] }
    return try walk.compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }
      .map { SourceFile(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
  }
}

@Suite("House rules")
struct HouseRulesTests {
  /// What takes a promise from the compiler, and therefore has to say why the promise holds.
  static let promises = ["@unchecked Sendable", "nonisolated(unsafe)", "unsafeBitCast"]

  /// Places that are never compiled as code: documentation shows these words to users.
  private func uses(of word: String, in file: SourceFile) -> [Int] {
    file.code.filter { $0.1.contains(word) }.map(\.0)
  }

  @Test("Every promise to the compiler has a comment beside it that says why it is safe", arguments: promises)
  func promisesAreExplained(word: String) throws {
    var found = 0
    for file in try SourceTree.library {
      let lines = file.lines
      for number in uses(of: word, in: file) {
        found += 1
        let near = lines[max(0, number - 4)...min(lines.count - 1, number + 2)]
        let comments = near.compactMap { line in line.range(of: "//").map { line[$0.lowerBound...].lowercased() } }
        #expect(
          comments.contains { $0.contains("safe") || $0.contains("guard") || $0.contains("because") },
          "\(file.name):\(number) uses \(word) and does not say why it is safe")
      }
    }
    print("house rules: \(word) is used \(found) times in the library")
  }

  @Test("Promises stay few: whoever needs one more changes this number and says why")
  func promisesAreFew() throws {
    let files = try SourceTree.library
    #expect(!files.isEmpty)
    let count = files.reduce(0) { sum, file in
      sum + Self.promises.reduce(0) { $0 + uses(of: $1, in: file).count }
    }
    #expect(count > 0, "the search finds what it looks for")
    // Nearly twenty of them carry what Observation, Combine and SwiftUI do not mark as `Sendable`.
    #expect(count <= 120)
  }

  @Test("No file has more than 500 lines")
  func filesAreShort() throws {
    for file in try SourceTree.library + SourceTree.files(under: "Tests") {
      #expect(file.lines.count <= 501, "\(file.name) has \(file.lines.count) lines")
    }
  }

  @Test("The core imports no Foundation")
  func noFoundation() throws {
    for file in try SourceTree.files(under: "Sources/SwiftReactor") {
      for (number, line) in file.code {
        #expect(!line.contains("import Foundation"), "\(file.name):\(number)")
      }
    }
  }

  @Test("Every file of the library opens with what it does")
  func filesOpenWithAComment() throws {
    for file in try SourceTree.library {
      #expect(file.text.hasPrefix("//"), "\(file.name)")
    }
  }

  @Test("No file is named after what it is not")
  func namesSayWhatIsInside() throws {
    for file in try SourceTree.library {
      for word in ["Util", "Helper", "Internal", "Extensions", "Misc"] {
        #expect(!file.name.contains(word), "\(file.name)")
      }
    }
  }

  @Test("No task is made outside the one place for it")
  func tasksAreMadeInOnePlace() throws {
    for file in try SourceTree.files(under: "Sources/SwiftReactor") where file.name != "EffectRunner.swift" {
      for (number, line) in file.code {
        #expect(!line.contains("Task {") && !line.contains("Task.detached"), "\(file.name):\(number)")
      }
    }
  }

  @Test("No work item: one that is put into a queue while it runs there may release the queue twice")
  func noWorkItems() throws {
    for file in try SourceTree.library {
      for (number, line) in file.code { #expect(!line.contains("DispatchWorkItem"), "\(file.name):\(number)") }
    }
  }

  @Test("Nothing waits on a queue or a semaphore")
  func nothingWaits() throws {
    for file in try SourceTree.files(under: "Sources/SwiftReactor") {
      for (number, line) in file.code {
        for word in ["queue.sync {", ".sync(", "DispatchSemaphore", "DispatchGroup"] {
          #expect(!line.contains(word), "\(file.name):\(number) has '\(word)'")
        }
      }
    }
  }

  @Test("No test is skipped, and nothing is left for later")
  func nothingIsLeft() throws {
    let words = ["TO" + "DO", "FIX" + "ME", ".disa" + "bled("]
    for file in try SourceTree.library + SourceTree.files(under: "Tests") {
      for (index, line) in file.lines.enumerated() {
        for word in words { #expect(!line.contains(word), "\(file.name):\(index + 1)") }
      }
    }
  }
}
