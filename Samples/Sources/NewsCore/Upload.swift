// The news: uploads of packages, and how a file of them is read.

internal import Foundation
package import SampleProgram
internal import TerminalScreen

/// A version of a package that came somewhere.
package struct Upload: Sendable, Hashable {
  package let date: String
  package let package: String
  package let version: String
  package let suite: String
  package let urgency: String

  package init(date: String, package: String, version: String, suite: String, urgency: String) {
    self.date = date
    self.package = package
    self.version = version
    self.suite = suite
    self.urgency = urgency
  }

  /// Whether a word is in it, in upper or lower case.
  package func isAbout(_ word: String) -> Bool {
    let word = word.lowercased()
    return word.isEmpty || [package, suite, urgency].contains { $0.lowercased().contains(word) }
  }

  /// As a line.
  package var headline: String {
    let urgent = urgency == "medium" || urgency == "low" ? "" : ", \(urgency)"
    return TextWidth.printable("\(date) \(package) \(version) in \(suite)\(urgent)")
  }
}

package enum UploadFile {
  /// Reads a file, or the built-in one for nil. Blocks while it reads.
  package static func read(_ path: String?) throws(FileFailure) -> NewsList {
    guard let path = path ?? builtIn else { throw BuiltInFiles.missing("the built-in news") }
    return try uploads(in: try FileReader.contents(of: path, megabytes: 16), file: path)
  }

  /// Takes the contents of a file apart. Blank lines say nothing.
  package static func uploads(in contents: [UInt8], file: String) throws(FileFailure) -> NewsList {
    if contents.isEmpty { throw FileFailure(file, "the file is empty") }
    var list = NewsList(uploads: [], all: 0)
    for line in contents.split(separator: UInt8(ascii: "\n")) {
      guard let text = String(validating: line, as: UTF8.self) else {
        list.broken += 1
        continue
      }
      if text.allSatisfy(\.isWhitespace) { continue }
      if let upload = upload(text) { list.uploads.append(upload) } else { list.broken += 1 }
    }
    guard !list.uploads.isEmpty else {
      throw FileFailure(
        file, "there is no upload in it",
        advice: "needed are lines of date, package, version, suite and urgency, with tabs between them")
    }
    list.all = list.uploads.count
    return list
  }

  private static var builtIn: String? {
    BuiltInFiles.areThere(for: "NewsCore") ? Bundle.module.url(forResource: "uploads", withExtension: "tsv")?.path : nil
  }

  private static func upload(_ line: String) -> Upload? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard fields.count == 5, fields.allSatisfy({ !$0.isEmpty }), isDate(fields[0]) else { return nil }
    return Upload(date: fields[0], package: fields[1], version: fields[2], suite: fields[3], urgency: fields[4])
  }

  private static func isDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.allSatisfy(\.isNumber) }
  }
}
