// The contacts: teams and their addresses, and how a file of them is read.

internal import Foundation
package import SampleProgram
internal import TerminalScreen

/// Somebody to write to.
package struct Contact: Sendable, Hashable {
  package let name: String
  package let address: String
  /// How many packages are looked after.
  package let packages: Int

  package init(name: String, address: String, packages: Int) {
    self.name = name
    self.address = address
    self.packages = packages
  }

  /// Whether a text is in name or address, in upper or lower case.
  package func matches(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.isEmpty || name.lowercased().contains(text) || address.lowercased().contains(text)
  }

  /// As a line.
  package var title: String { TextWidth.printable("\(name) <\(address)>") }
  package var note: String { packages == 1 ? "1 package" : "\(packages) packages" }
}

package enum ContactFile {
  /// Reads a file, or the built-in one for nil. Blocks while it reads.
  package static func read(_ path: String?) throws(FileFailure) -> [Contact] {
    guard let path = path ?? builtIn else { throw BuiltInFiles.missing("the built-in contacts") }
    return try contacts(in: try FileReader.contents(of: path, megabytes: 16), file: path)
  }

  /// Takes the contents of a file apart, sorted by name. A line that is no contact makes the file none: addresses that are
  /// silently missing would be worse.
  package static func contacts(in contents: [UInt8], file: String) throws(FileFailure) -> [Contact] {
    if contents.isEmpty { throw FileFailure(file, "the file is empty") }
    var contacts: [Contact] = []
    for (index, line) in contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard let text = String(validating: line, as: UTF8.self) else {
        throw FileFailure(file, "line \(index + 1) is not UTF-8 text")
      }
      if text.allSatisfy(\.isWhitespace) { continue }
      guard let contact = contact(text) else {
        throw FileFailure(
          file, "line \(index + 1) is no contact",
          advice: "needed are name, address and a number, with tabs between them")
      }
      contacts.append(contact)
    }
    if contacts.isEmpty { throw FileFailure(file, "there is no contact in it") }
    return contacts.sorted { ($0.name, $0.address) < ($1.name, $1.address) }
  }

  private static var builtIn: String? {
    BuiltInFiles.areThere(for: "ContactsCore")
      ? Bundle.module.url(forResource: "teams", withExtension: "tsv")?.path : nil
  }

  private static func contact(_ line: String) -> Contact? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard fields.count == 3, !fields[0].isEmpty, fields[1].contains("@"), let packages = Int(fields[2]), packages >= 0
    else { return nil }
    return Contact(name: fields[0], address: fields[1], packages: packages)
  }
}
