// The options of the program. Pure.

package struct StressOptions: Sendable, Hashable {
  package var actions = 1_000_000
  package var senders = 8
  package var kind = StressKind.sync
  /// Nil: another one each time.
  package var seed: UInt64?
  /// Nil: one round.
  package var minutes: Double?
  package var plant: Plant?
  package var patience = 30.0
  package var showsHelp = false

  /// An option that does not exist or has a value it cannot have: one line.
  package struct Mistake: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  private static let kinds = StressKind.allCases.map(\.rawValue).joined(separator: "|")
  private static let plants = Plant.allCases.map(\.rawValue).joined(separator: "|")

  package static var usage: String {
    """
    usage: stress [--actions N] [--senders N] [--kind \(kinds)]
                  [--seed N] [--minutes N] [--plant \(plants)] [--patience SECONDS]

    Threads, and one sender on the queue, send numbered actions to a reactor.
    Ends with code 1 if one is lost, comes twice or out of order, or if nothing moves.

      --actions N         how many actions in a round, 1000000 unless told
      --senders N         how many threads send, 8 unless told
      --kind KIND         sync: one mutation each; async: one effect each; mixed: half
                          and half; reentrant: each action sends three more;
                          nested: half to a parent, half to children in its state
      --seed N            the same pauses and the same planted fault again
      --minutes N         repeats rounds for so long, and shows the memory after each
      --plant FAULT       sends wrongly on purpose, to see that it is found
      --patience SECONDS  how long nothing may move, 30 unless told
      --help              shows these lines

    """
  }

  package init(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts.first ?? ""
      if name == "--help" || name == "-h", parts.count == 1 {
        showsHelp = true
        continue
      }
      guard Self.names.contains(name) else {
        throw Mistake(description: "unknown option \"\(Self.shown(argument))\"; see stress --help")
      }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw Mistake(description: "\(name) needs a value; see stress --help")
      }
      try set(name, to: value)
    }
    if plant != nil, actions < (senders + 1) * StressPlan.fewestForPlant {
      throw Mistake(
        description: "--plant needs at least \((senders + 1) * StressPlan.fewestForPlant) actions for "
          + "\(senders) senders; see stress --help")
    }
  }

  private static let names: Set = [
    "--actions", "--senders", "--kind", "--seed", "--minutes", "--plant", "--patience",
  ]

  private mutating func set(_ name: String, to value: String) throws(Mistake) {
    func need<Value>(_ what: String, _ found: Value?) throws(Mistake) -> Value {
      guard let found else {
        throw Mistake(description: "\(name) needs \(what), not \"\(Self.shown(value))\"; see stress --help")
      }
      return found
    }
    switch name {
    case "--actions": actions = try need("a number from 1 to 1000000000", Self.integer(value, 1...1_000_000_000))
    case "--senders": senders = try need("a number from 1 to 256", Self.integer(value, 1...256))
    case "--kind": kind = try need("one of \(Self.kinds)", StressKind(rawValue: value))
    case "--seed": seed = try need("a number from 0 to \(UInt64.max)", UInt64(value))
    case "--minutes": minutes = try need("a number above 0 and up to 1440", Self.decimal(value, 1440))
    case "--plant": plant = try need("one of \(Self.plants)", Plant(rawValue: value))
    default: patience = try need("a number above 0 and up to 3600", Self.decimal(value, 3600))
    }
  }

  private static func integer(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func decimal(_ text: String, _ most: Double) -> Double? {
    Double(text).flatMap { $0 > 0 && $0 <= most ? $0 : nil }
  }

  /// One line, whatever was typed.
  private static func shown(_ text: String) -> String {
    String(text.prefix(60).map { $0.isASCII && ($0.asciiValue ?? 0) < 0x20 ? "?" : $0 })
  }
}
