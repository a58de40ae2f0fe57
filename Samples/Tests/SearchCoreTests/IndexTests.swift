import SampleProgram
import Testing

@testable import SearchCore

/// What a parser makes of a text, whatever pieces it comes in.
func parsed(_ text: String, piece: Int = .max) -> (index: PackageIndex, broken: Int) {
  parsed(Array(text.utf8), piece: piece)
}

func parsed(_ bytes: [UInt8], piece: Int = .max) -> (index: PackageIndex, broken: Int) {
  var parser = IndexParser()
  var index = PackageIndex()
  var broken = 0
  var rest = bytes[...]
  while !rest.isEmpty {
    let part = parser.take(Array(rest.prefix(piece)))
    rest = rest.dropFirst(piece)
    index.append(part.segment)
    broken += part.broken
  }
  let end = parser.finish()
  index.append(end.segment)
  return (index, broken + end.broken)
}

/// Entries of names and descriptions.
func segment(_ packages: [(name: String, summary: String)]) -> IndexSegment {
  var builder = IndexSegment.Builder()
  for package in packages {
    builder.append([Array(package.name.utf8), [], [], [], [], Array(package.summary.utf8)])
  }
  return IndexSegment(builder)
}

private let status = """
  Package: apt
  Status: install ok installed
  Section: admin
  Installed-Size: 4232
  Version: 2.6.2
  Homepage: https://example.org/apt
  Conffiles:
   /etc/apt.conf 0123
  Description: package manager
   It manages packages.
   .
   Version: not this one

  Package: tmux
  Version: 3.3a-3
  Description-en: terminal multiplexer
  Description-md5: 0123

  """

@Suite("Reading an index")
struct IndexParserTests {
  @Test("The fields that are shown are taken, all others passed over")
  func fields() {
    let (index, broken) = parsed(status)
    #expect(broken == 0)
    #expect(index.count == 2)
    var apt = PackageDetails(name: "apt")
    apt.version = "2.6.2"
    apt.section = "admin"
    apt.size = "4232"
    apt.homepage = "https://example.org/apt"
    apt.summary = "package manager"
    #expect(index.details(0) == apt)
    var tmux = PackageDetails(name: "tmux")
    tmux.version = "3.3a-3"
    tmux.summary = "terminal multiplexer"
    #expect(index.details(1) == tmux)
  }

  @Test("However the bytes are cut, the same packages come of them", arguments: [1, 2, 3, 7, 64, 200])
  func pieces(size: Int) {
    let whole = parsed(status)
    let cut = parsed(status, piece: size)
    #expect(cut.broken == whole.broken)
    #expect((0..<cut.index.count).map(cut.index.details) == (0..<whole.index.count).map(whole.index.details))
  }

  @Test("Lines may end as on other systems, several may separate entries, and the last needs no end")
  func lineEnds() {
    let (index, broken) = parsed(
      "\r\n\r\nPackage: a\r\nVersion: 1\r\n\r\n \t\r\n# a remark\r\nPackage:\tb  \r\nVersion: 2")
    #expect(broken == 0)
    #expect((0..<index.count).map(index.details).map { "\($0.name) \($0.version)" } == ["a 1", "b 2"])
  }

  @Test(
    "A broken entry is counted and left out, and those around it are kept",
    arguments: [
      "Version: 1\nDescription: no name", "Package:\nVersion: 1", "Package: a b", "Package: x\nthis is no field",
      "Package: x\nPackage: y", " a line that goes on with nothing", "Package: x\nVersion: \u{0}1",
    ])
  func broken(entry: String) {
    let (index, broken) = parsed("Package: before\n\n\(entry)\n\nPackage: after\n")
    #expect(broken == 1)
    #expect((0..<index.count).map(index.details).map(\.name) == ["before", "after"])
  }

  @Test("Bytes that are no text, and a line without an end, break their entry only")
  func noText() {
    let bytes = Array("Package: x\nDescription: ".utf8) + [0xFF, 0xFE] + Array("\n\nPackage: after\n".utf8)
    #expect(parsed(bytes).broken == 1)
    #expect(parsed(bytes).index.count == 1)
    let long = Array("Package: x\nDescription: ".utf8) + [UInt8](repeating: 0x61, count: 2_000_000)
    let (index, broken) = parsed(long + Array("\n\nPackage: after\n".utf8), piece: 65_536)
    #expect(broken == 1)
    #expect((0..<index.count).map(index.details).map(\.name) == ["after"])
  }

  @Test("An index without anything is one without packages")
  func empty() {
    #expect(parsed("").index.isEmpty)
    #expect(parsed("\n\n \n").broken == 0)
  }
}

@Suite("What a query finds")
struct SearchResultsTests {
  private let segments = [
    segment([("libapt", "for apt"), ("apt", "manager"), ("aptitude", "text interface"), ("dpkg", "used by APT")]),
    segment([("Apt-Utils", "tools"), ("wrap", "adapter"), ("éclair", "Ärger mit ÄPFELN"), ("zsh", "shell")]),
  ]

  private func index(_ count: Int = 2) -> PackageIndex {
    var index = PackageIndex()
    for segment in segments.prefix(count) { index.append(segment) }
    return index
  }

  private func names(_ results: SearchResults, in index: PackageIndex) -> [String] {
    (0..<results.count).compactMap { results[$0] }.map { index.details($0).name }
  }

  private func found(_ text: String) -> [String] {
    let index = index()
    return names(SearchResults(SearchQuery(text), in: index), in: index)
  }

  @Test("The name itself comes first, then names that begin so, names that contain it, descriptions")
  func ranks() {
    #expect(found("apt") == ["apt", "aptitude", "Apt-Utils", "libapt", "dpkg", "wrap"])
    #expect(found("APT") == found("apt"))
  }

  @Test("All words have to be there, in name or description")
  func words() {
    #expect(found("apt utils") == ["Apt-Utils"])
    #expect(found("  manager   apt ") == ["apt"])
    #expect(found("apt nothing").isEmpty)
  }

  @Test("Letters of other scripts are found in upper or lower case; a zero is a blank")
  func otherLetters() {
    #expect(found("äpfel") == ["éclair"])
    #expect(found("ÉCLAIR") == ["éclair"])
    #expect(found("zsh\0") == ["zsh"])
  }

  @Test("Without words everything is found, in the order of the index")
  func everything() {
    let index = index()
    let all = SearchResults(SearchQuery(" "), in: index)
    #expect(all.count == 8)
    #expect(names(all, in: index) == (0..<8).map { index.details($0).name })
    #expect(all[8] == nil)
    #expect(all.row(of: 7) == 7)
    #expect(all.row(of: 8) == nil)
  }

  @Test("Growing with the index gives what a search of the whole gives", arguments: ["", "apt", "e", "zz"])
  func growing(text: String) {
    var results = SearchResults(SearchQuery(text), in: index(1))
    results.extend(to: index())
    #expect(results == SearchResults(SearchQuery(text), in: index()))
  }

  @Test("Each row has its package, and each package its row")
  func rows() {
    let results = SearchResults(SearchQuery("apt"), in: index())
    for row in 0..<results.count {
      #expect(results[row].flatMap(results.row) == row)
    }
    #expect(results.row(of: 7) == nil)
  }

  @Test("Narrowing gives what a search of the whole gives, for random packages and queries")
  func narrowing() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    func text(_ lengths: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: lengths, using: &random)).map { _ in "ab ".randomElement(using: &random) ?? "a" })
    }
    for _ in 0..<200 {
      var index = PackageIndex()
      for _ in 0..<3 {
        index.append(
          segment((0..<20).map { _ in (text(1...6).replacing(" ", with: "-"), text(0...12)) }))
      }
      var query = ""
      var results = SearchResults(SearchQuery(query), in: index)
      for _ in 0..<6 {
        query += text(1...2)
        let next = SearchQuery(query)
        #expect(next.narrows(results.query), "seed \(seed)")
        results.narrow(to: next, in: index)
        let whole = SearchResults(next, in: index)
        #expect(names(results, in: index) == names(whole, in: index), "seed \(seed), \"\(query)\"")
      }
    }
  }

  @Test("A query narrows another when all that the other wants is in its words")
  func narrows() {
    #expect(SearchQuery("apt").narrows(SearchQuery("ap")))
    #expect(SearchQuery("apt x").narrows(SearchQuery("pt")))
    #expect(SearchQuery("x apt").narrows(SearchQuery("apt x")))
    #expect(SearchQuery("a").narrows(SearchQuery("")))
    #expect(!SearchQuery("ap").narrows(SearchQuery("apt")))
    #expect(!SearchQuery("apt").narrows(SearchQuery("apt x")))
  }

  @Test("A package is found by its name, the last of several")
  func byName() {
    var index = index()
    #expect(index.package(named: "APT")?.summary == "manager")
    #expect(index.package(named: "ap") == nil)
    #expect(index.package(named: "apt manager") == nil)
    #expect(index.package(named: "") == nil)
    index.append(segment([("apt", "newer"), ("other", "")]))
    #expect(index.package(named: "apt")?.summary == "newer")
  }
}

@Suite("The history of searches")
struct SearchHistoryTests {
  @Test("The newest is in front, none is there twice, and not more than twenty")
  func entries() {
    var history = SearchHistory()
    for text in ["a", "b", " ", "", "a"] { history.remember(text) }
    #expect(history.entries == ["a", "b"])
    for number in 0..<30 { history.remember("\(number)") }
    #expect(history.entries.count == 20)
    #expect(history.entries.first == "29")
  }

  @Test("Steps go back to the oldest, and forward to what was being typed")
  func steps() {
    var history = SearchHistory()
    for text in ["one", "two", "three"] { history.remember(text) }
    #expect(history.older(than: "th") == "three")
    #expect(history.older(than: "three") == "two")
    #expect(history.older(than: "two") == "one")
    #expect(history.older(than: "one") == nil)
    #expect(history.newer() == "two")
    #expect(history.newer() == "three")
    #expect(history.newer() == "th")
    #expect(history.newer() == nil)
  }

  @Test("What is there already is no step")
  func same() {
    var history = SearchHistory()
    for text in ["one", "two"] { history.remember(text) }
    #expect(history.older(than: "two") == "one")
    #expect(history.newer() == "two")
    #expect(history.newer() == "two")
  }
}
