// What the screens show, made from the state by pure functions: the same texts for the terminal and as lines.

internal import SampleProgram
internal import TerminalScreen

/// The texts of the list.
package struct SearchViewState: Sendable, Hashable {
  package let title: String
  /// How many packages there are, and how many of them were found.
  package let count: String
  package let query: String
  /// That what is shown was found for the query before.
  package let note: String
  /// How far the reading is, from 0 to 1; nil while nobody knows, and when it is over.
  package let progress: Double?
  /// How the reading goes: empty when all is well.
  package let status: String
  package let isReading: Bool
  /// In place of rows.
  package let message: String?

  package init(_ state: SearchReactor.State) {
    title = "Packages"
    query = TextWidth.printable(state.query.text)
    count = state.results.query.isEmpty ? "\(state.index.count)" : "\(state.results.count) of \(state.index.count)"
    note = state.isSearching ? "searching" : ""
    isReading = state.isReading || state.reading == .notBegun
    if case .running(let bytes, .some(let size)) = state.reading, size > 0 {
      progress = min(1, Double(bytes) / Double(size))
    } else {
      progress = nil
    }
    let broken = state.index.broken
    let left = broken == 0 ? "" : broken == 1 ? "1 broken entry" : "\(broken) broken entries"
    status =
      switch state.reading {
      case .notBegun, .running: progress.map { "\(Int($0 * 100)) %" } ?? "reading"
      case .done: left
      case .stopped: "stopped"
      case .failed(let failure): TextWidth.printable("\(failure.file): \(failure.reason)")
      }
    message =
      if state.results.count > 0 {
        nil
      } else if isReading {
        state.index.isEmpty ? "Reading..." : "Nothing yet."
      } else {
        "No package matches."
      }
  }
}

/// A package as a row.
package struct PackageRow: Sendable, Hashable {
  package let name: String
  package let version: String
  package let summary: String

  package init(_ details: PackageDetails) {
    name = TextWidth.printable(details.name)
    version = TextWidth.printable(details.version)
    summary = TextWidth.printable(details.summary)
  }
}

extension PackageDetails {
  /// What is known besides the name, each with what it is.
  package var facts: [(label: String, value: String)] {
    let size = Int(size).map { "\($0) kB" } ?? size
    return [
      ("Version", version), ("Section", section), ("Size", size), ("Homepage", homepage), ("About", summary),
    ].filter { !$0.1.isEmpty }.map { ($0.0, TextWidth.printable($0.1)) }
  }
}

/// Pictures of the screens as text.
package enum SearchLines {
  /// How many packages a page has.
  package static let page = 10

  /// What was read, and from where.
  package static func start(_ state: SearchReactor.State) -> String {
    let broken = SearchViewState(state).status
    return "\(TextWidth.printable(state.source)): \(packages(state.index.count))"
      + (broken.isEmpty ? "" : ", \(broken) left out") + "\n"
  }

  /// A page of what was found.
  package static func results(_ state: SearchReactor.State) -> String {
    let found = state.results.count
    let rows = state.cursor.visible(count: found, page: page)
    var head =
      state.query.isEmpty ? packages(found) : "\"\(TextWidth.printable(state.query.text))\": \(packages(found))"
    if found > page { head += ", \(rows.lowerBound + 1) to \(rows.upperBound)" }
    let lines = rows.compactMap { state.results[$0] }.map { PackageRow(state.index.details($0)) }
      .map {
        "  \($0.name)" + ($0.version.isEmpty ? "" : " \($0.version)") + ($0.summary.isEmpty ? "" : ": \($0.summary)")
      }
    return ([head] + lines).map { $0 + "\n" }.joined()
  }

  package static func details(_ details: PackageDetails) -> String {
    let facts = details.facts.map { "  \($0.label): \($0.value)" }
    return ([TextWidth.printable(details.name)] + facts).map { $0 + "\n" }.joined()
  }

  package static func history(_ history: SearchHistory) -> String {
    guard !history.entries.isEmpty else { return "nothing was searched for yet\n" }
    return history.entries.enumerated().map { "  \($0 + 1) \(TextWidth.printable($1))\n" }.joined()
  }

  private static func packages(_ count: Int) -> String {
    count == 1 ? "1 package" : "\(count) packages"
  }
}
