// The options of the program. Pure.

package struct BenchOptions: Sendable, Hashable {
  /// The workloads to run; empty: all.
  package var names: [String] = []
  package var json: String?
  package var compare: String?
  package var effort = Effort()
  package var scales = false
  package var lists = false
  package var showsHelp = false

  /// An option that does not exist or has a value it cannot have: one line.
  package struct Mistake: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  package static var usage: String {
    """
    usage: bench [NAME …] [--json FILE] [--compare FILE] [--scale] [--list]
                 [--repeats N] [--microseconds N] [--trial]

    Measures what a reactor costs, beside what does the same by hand, and shows
    both, their ratio, and what the ratio may be at most. Build it with
    -c release.

      NAME              a workload, as --list shows them; all unless told
      --json FILE       writes the readings into a file
      --compare FILE    shows what has changed since such a file was written
      --scale           shows instead how the cost grows with state, observers,
                        children, depth and senders
      --list            shows the names
      --repeats N       samples of each, 101 unless told
      --microseconds N  how long a sample takes, 500 unless told
      --trial           a hundredth of everything: to see that it runs
      --help            shows these lines

    """
  }

  package init(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--list": lists = true
      case "--scale": scales = true
      case "--trial":
        effort.repeats = 1
        effort.microseconds = 100
        effort.scale = 0.01
      default:
        if argument.hasPrefix("-") { try set(argument, &rest) } else { try add(argument) }
      }
    }
  }

  private mutating func add(_ name: String) throws(Mistake) {
    guard let workload = Workload.all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw Mistake(description: "unknown workload \"\(Self.shown(name))\"; see bench --list")
    }
    if !names.contains(workload.name) { names.append(workload.name) }
  }

  private mutating func set(_ argument: String, _ rest: inout ArraySlice<String>) throws(Mistake) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard ["--json", "--compare", "--repeats", "--microseconds"].contains(parts[0]) else {
      throw Mistake(description: "unknown option \"\(Self.shown(argument))\"; see bench --help")
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
      throw Mistake(description: "\(parts[0]) needs a value; see bench --help")
    }
    switch parts[0] {
    case "--json": json = value
    case "--compare": compare = value
    case "--repeats": effort.repeats = try Self.number(value, 1...10_000, for: parts[0])
    default: effort.microseconds = Double(try Self.number(value, 1...1_000_000, for: parts[0]))
    }
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>, for name: String) throws(Mistake) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Mistake(
        description: "\(name) needs a number from \(range.lowerBound) to \(range.upperBound), not "
          + "\"\(shown(text))\"; see bench --help")
    }
    return number
  }

  /// One line, whatever was typed.
  private static func shown(_ text: String) -> String {
    String(text.prefix(60).map { $0.isASCII && ($0.asciiValue ?? 0) < 0x20 ? "?" : $0 })
  }
}
