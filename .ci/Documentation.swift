// Checks the documentation, and makes what DocC needs to show compiled snippets. Used by `.ci/docs`.
//
//   coverage GRAPH…              every public symbol has a documentation comment
//   snippets PACKAGE DIR… GRAPH  the snippets of Swift files, as the symbol graph that `@Snippet` reads
//   site FOLDER                  no page of the rendered site is empty, no link leads nowhere
//   markdown FILE…               no relative link or heading link of a file leads nowhere

import Foundation

typealias JSON = [String: Any]

/// What was found; more than none is exit code 1.
struct Findings {
  private(set) var count = 0

  mutating func add(_ text: String) {
    count += 1
    FileHandle.standardError.write(Data("error: \(text)\n".utf8))
  }
}

func readJSON(_ path: String) throws -> JSON {
  let value = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
  return value as? JSON ?? [:]
}

func readLines(_ path: String) throws -> [String] {
  try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
}

func files(in folder: String, ending: String) -> [String] {
  let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
  return all.filter { $0.hasSuffix(ending) }.sorted()
}

// MARK: Coverage

func checkCoverage(_ graphs: [String], _ findings: inout Findings) throws {
  var total = 0
  var documented = 0
  for graph in graphs {
    for symbol in try readJSON(graph)["symbols"] as? [JSON] ?? [] {
      let name = (symbol["pathComponents"] as? [String] ?? []).joined(separator: ".")
      let identifier = (symbol["identifier"] as? JSON)?["precise"] as? String ?? ""
      // What the compiler made: members that a conformance brings, and the `$name` of a wrapped property, which is
      // documented at `name`.
      if identifier.contains("::SYNTHESIZED::") || name.split(separator: ".").last?.first == "$" { continue }
      total += 1
      let lines = (symbol["docComment"] as? JSON)?["lines"] as? [JSON] ?? []
      if lines.contains(where: { ($0["text"] as? String)?.isEmpty == false }) {
        documented += 1
      } else {
        findings.add("\(name) is public and has no documentation")
      }
    }
  }
  if total == 0 { findings.add("no public symbols in \(graphs.joined(separator: ", "))") }
  print("coverage: \(documented) of \(total) public symbols are documented")
}

// MARK: Snippets

/// The parts of a file between `// snippet.name` and `// snippet.end`. They may be nested; marker lines are not shown.
func snippets(of path: String) throws -> [(name: String, lines: [String])] {
  var open: [(name: String, lines: [String])] = []
  var closed: [(name: String, lines: [String])] = []
  for line in try readLines(path) {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    guard trimmed.hasPrefix("// snippet.") else {
      for index in open.indices { open[index].lines.append(line) }
      continue
    }
    let name = String(trimmed.dropFirst("// snippet.".count))
    if name == "end" {
      if let last = open.popLast() { closed.append(last) }
    } else {
      open.append((name, []))
    }
  }
  if let left = open.last { throw Mistake("\(path): the snippet \(left.name) has no end") }
  return closed.map { ($0.name, withoutMargin($0.lines)) }
}

/// The lines without blank ones at both ends, and without the indentation that all share.
func withoutMargin(_ lines: [String]) -> [String] {
  let isBlank: (String) -> Bool = { $0.allSatisfy(\.isWhitespace) }
  var lines = Array(lines.drop(while: isBlank))
  while let last = lines.last, isBlank(last) { lines.removeLast() }
  let margin = lines.filter { !isBlank($0) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
  return lines.map { String($0.dropFirst(margin)) }
}

func makeSnippetGraph(package: String, folders: [String], to output: String, _ findings: inout Findings) throws {
  var symbols: [JSON] = []
  var names: Set<String> = []
  for folder in folders {
    for file in files(in: folder, ending: ".swift") {
      let stem = (file as NSString).lastPathComponent.dropLast(".swift".count)
      for snippet in try snippets(of: "\(folder)/\(file)") {
        let name = "\(stem)-\(snippet.name)"
        if !names.insert(name).inserted { findings.add("two snippets are called \(name)") }
        let uri = URL(fileURLWithPath: "\(folder)/\(file)").absoluteString
        symbols.append([
          "identifier": ["precise": "$snippet__\(package).\(name)", "interfaceLanguage": "swift"],
          "kind": ["identifier": "snippet", "displayName": "Snippet"],
          "accessLevel": "public",
          "names": ["title": name],
          "pathComponents": ["Snippets", name],
          "docComment": ["uri": uri, "lines": [JSON]()],
          "snippet": ["language": "swift", "lines": snippet.lines, "slices": JSON()],
          "location": ["uri": uri, "position": ["line": 0, "character": 0]],
        ])
      }
    }
  }
  let graph: JSON = [
    "metadata": ["formatVersion": ["major": 0, "minor": 1, "patch": 0], "generator": "Documentation.swift"],
    "module": ["name": package, "platform": ["operatingSystem": ["name": ""]], "isVirtual": true],
    "symbols": symbols,
    "relationships": [JSON](),
  ]
  try JSONSerialization.data(withJSONObject: graph).write(to: URL(fileURLWithPath: output))
  print("snippets: \(symbols.count)")
}

// MARK: The site

func checkSite(_ folder: String, _ findings: inout Findings) throws {
  let pages = files(in: "\(folder)/data", ending: ".json")
  var links = 0
  for page in pages {
    let data = try readJSON("\(folder)/data/\(page)")
    let html = "\(folder)/\(page.dropLast(".json".count))/index.html"
    if !FileManager.default.fileExists(atPath: html) { findings.add("\(page): there is no \(html)") }
    if !hasContent(data) { findings.add("\(page): the page is empty") }
    for case let reference as JSON in (data["references"] as? JSON ?? [:]).values {
      guard let url = reference["url"] as? String, url.hasPrefix("/") else { continue }
      links += 1
      let target = url.split(separator: "#")[0]
      if !FileManager.default.fileExists(atPath: "\(folder)/data\(target).json") {
        findings.add("\(page): the link to \(url) leads nowhere")
      }
    }
  }
  if pages.isEmpty { findings.add("\(folder) has no pages") }
  print("site: \(pages.count) pages, \(links) links")
}

/// Does a page say anything besides its title?
func hasContent(_ page: JSON) -> Bool {
  let parts = ["abstract", "primaryContentSections", "topicSections", "relationshipsSections"]
  return parts.contains { (page[$0] as? [Any])?.isEmpty == false }
}

// MARK: Markdown files

func checkMarkdown(_ file: String, _ findings: inout Findings) throws {
  let text = try String(contentsOfFile: file, encoding: .utf8)
  let folder = (file as NSString).deletingLastPathComponent
  var links = 0
  for match in text.matches(of: /\]\(([^)\s]+)\)/) {
    let link = String(match.output.1)
    if link.contains("://") { continue }
    links += 1
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let target = parts[0].isEmpty ? file : (folder as NSString).appendingPathComponent(parts[0])
    if !FileManager.default.fileExists(atPath: target) {
      findings.add("\(file): \(link) leads nowhere")
    } else if parts.count == 2, !headings(of: try String(contentsOfFile: target, encoding: .utf8)).contains(parts[1]) {
      findings.add("\(file): \(target) has no heading #\(parts[1])")
    }
  }
  print("\(file): \(links) links")
}

/// The anchors that a viewer makes of headings.
func headings(of text: String) -> Set<String> {
  var anchors: Set<String> = []
  for line in text.components(separatedBy: "\n") where line.hasPrefix("#") {
    let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
    anchors.insert(
      String(title.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.map { $0 == " " ? "-" : $0 }))
  }
  return anchors
}

// MARK: The program

struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

@main
enum Documentation {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let command = arguments.first else { throw Mistake("say what to check") }
    let rest = Array(arguments.dropFirst())
    var findings = Findings()
    switch command {
    case "coverage":
      try checkCoverage(rest, &findings)
    case "snippets" where rest.count > 2:
      try makeSnippetGraph(
        package: rest[0], folders: Array(rest[1..<(rest.count - 1)]), to: rest[rest.count - 1], &findings)
    case "site":
      for folder in rest { try checkSite(folder, &findings) }
    case "markdown":
      for file in rest { try checkMarkdown(file, &findings) }
    default:
      throw Mistake("unknown: \(arguments.joined(separator: " "))")
    }
    if findings.count > 0 { exit(1) }
  }
}
