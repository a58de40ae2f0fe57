// Keeps the README and the articles true: code is compiled code, tests that are named exist, so do files.

import Foundation
import Testing

@Suite("Texts")
struct TextTests {
  @Test("The README's Swift code is the code of the snippets that the build compiles")
  func readmeCode() throws {
    let snippets = try Repository.text(of: "Tests/Snippets/Readme.swift")
    let blocks = Repository.blocks("swift", in: try Repository.text(of: "README.md"))
      // The manifest is no snippet: `.ci/readme` builds with it.
      .filter { $0.first?.hasPrefix("// swift-tools-version") != true }
    #expect(blocks.count == 2)
    for block in blocks {
      // What only a file of the reader's package needs.
      let code = block.filter { line in
        !["import ", "@testable import ", "// Sources/", "// Tests/"].contains { line.hasPrefix($0) }
      }
      let text = code.joined(separator: "\n").trimmingCharacters(in: .newlines)
      #expect(snippets.contains(text), "this block of the README is in no snippet:\n\(text)")
    }
  }

  @Test("The contract has a heading for each guarantee, in order")
  func contractHeadings() throws {
    let lines = try Repository.text(of: "\(Repository.catalogue)/Contract.md").components(separatedBy: "\n")
    let numbers = lines.filter { $0.hasPrefix("### G") }.map { $0.dropFirst(4).prefix { $0 != " " } }
    #expect(numbers == (1...22).map { "G\($0)" })
  }

  @Test("Every guarantee names its tests, and they exist")
  func contractTests() throws {
    let suites = try Repository.files(in: "Tests", ending: ".swift").map { try Repository.text(of: $0) }
    let article = try Repository.text(of: "\(Repository.catalogue)/Contract.md")
    for section in article.components(separatedBy: "\n### ").dropFirst() {
      let title = section.prefix { $0 != "\n" }
      let named = section.matches(of: /(?m)^- \*\*Tests\.\*\* ((?:.|\n(?!\n|-))+)/)
        .flatMap { $0.output.1.matches(of: /“([^”]+)”/).map { $0.output.1.replacing(/\s+/, with: " ") } }
      #expect(!named.isEmpty, "\(title) names no test")
      for name in named {
        let isKnown = suites.contains { $0.contains("@Test(\"\(name)\"") || $0.contains("@Suite(\"\(name)\"") }
        #expect(isKnown, "\(title): there is no test or suite called “\(name)”")
      }
    }
  }

  @Test("Every file and folder that a text names exists")
  func paths() throws {
    for text in Repository.texts {
      for match in try Repository.text(of: text).matches(of: /`((?:Sources|Tests|Samples|\.ci)\/[^`\s…<]+)`/) {
        let path = String(match.output.1)
        // Those of the package that the reader makes.
        if path.contains("/Counter") { continue }
        #expect(Repository.exists(path), "\(text) names \(path)")
      }
    }
  }

  @Test("Every article shows compiled code only")
  func articleCode() throws {
    for article in Repository.files(in: Repository.catalogue, ending: ".md") {
      let blocks = Repository.blocks("swift", in: try Repository.text(of: article))
      #expect(blocks.isEmpty, "\(article): use @Snippet")
    }
  }
}
