// What came out of one line, and the file that keeps it.

internal import Foundation

/// What came out of one line.
package struct Reading: Codable, Sendable, Hashable {
  package var workload: String
  package var label: String
  package var unit: String
  /// Nanoseconds per action, unless `unit` says otherwise; the median.
  package var value: Double
  /// In parts of the value; see ``Samples/spread``.
  package var spread: Double
  package var baseline: Baseline?
  /// What is allowed: of the ratio if there is a baseline, otherwise of the value. Nil: it is only shown.
  package var most: Double?
  package var holds: Bool

  /// The same done in another way, in the same run.
  package struct Baseline: Codable, Sendable, Hashable {
    package var name: String
    package var value: Double
    package var ratio: Double
    package var ratioSpread: Double

    package init(name: String, value: Double, ratio: Double, ratioSpread: Double) {
      self.name = name
      self.value = value
      self.ratio = ratio
      self.ratioSpread = ratioSpread
    }
  }

  package init(
    workload: String, label: String, unit: String, value: Double, spread: Double, baseline: Baseline? = nil,
    most: Double?, holds: Bool
  ) {
    self.workload = workload
    self.label = label
    self.unit = unit
    self.value = value
    self.spread = spread
    self.baseline = baseline
    self.most = most
    self.holds = holds
  }

  /// What changes from run to run the least: the ratio, if there is one.
  package var figure: Double { baseline?.ratio ?? value }
}

/// All readings of a run.
package struct Record: Codable, Sendable, Hashable {
  package var machine: String
  package var readings: [Reading]

  package init(machine: String, readings: [Reading]) {
    self.machine = machine
    self.readings = readings
  }

  package func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  package init(contentsOf path: String) throws {
    self = try JSONDecoder().decode(Record.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

/// What the program runs on.
package enum Machine {
  /// Processors and system, in a few words.
  package static var description: String {
    let information = ProcessInfo.processInfo
    let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)).flatMap(model)
    let cores = information.activeProcessorCount
    return "\(cores) \(cores == 1 ? "core" : "cores")\(processor.map { " of \($0)" } ?? ""), \(system)"
  }

  /// The processor's name in the text of `/proc/cpuinfo`.
  package static func model(inInformation text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("model name") }.flatMap { line in
      line.split(separator: ":").dropFirst().first.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private static var system: String {
    let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
    let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    return name.map { $0.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\""]) }
      ?? ProcessInfo.processInfo.operatingSystemVersionString
  }
}
