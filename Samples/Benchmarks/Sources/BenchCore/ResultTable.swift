// What is printed of the readings. Pure.

internal import Foundation

package enum ResultTable {
  static let widths = [6, 58, 13, 7, 26, 9, 10]

  package static var heading: String {
    row(["", "", "per action", "±", "compared with", "ratio", "at most"])
  }

  package static func line(_ reading: Reading) -> String {
    row([
      reading.workload, reading.label, amount(reading.value, reading.unit),
      reading.baseline == nil ? "" : percent(reading.spread),
      reading.baseline.map { "\($0.name) \(amount($0.value, reading.unit))" } ?? "",
      reading.baseline.map { times($0.ratio) } ?? "",
      reading.most.map { reading.baseline == nil ? amount($0, reading.unit) : times($0) } ?? "",
    ]) + (reading.holds ? "" : "  over")
  }

  /// One line per reading that both runs have: the figure that is compared, then and now.
  package static func comparison(of now: [Reading], with then: [Reading]) -> [String] {
    var lines: [String] = []
    for reading in now {
      guard let old = then.first(where: { $0.workload == reading.workload && $0.label == reading.label }) else {
        lines.append(row([reading.workload, reading.label, "", "", "was not measured then", figure(reading), ""]))
        continue
      }
      let change = old.figure == 0 ? 0 : reading.figure / old.figure - 1
      lines.append(
        row([reading.workload, reading.label, "", "", "was \(figure(old))", figure(reading), signed(change)])
          + remark(change, noise: max(reading.noise, old.noise)))
    }
    return lines
  }

  private static func remark(_ change: Double, noise: Double) -> String {
    // Less than the noise of either run, or than a tenth, is no change.
    if abs(change) < max(0.1, noise * 2) { return "" }
    return change > 0 ? "  slower" : "  faster"
  }

  private static func figure(_ reading: Reading) -> String {
    reading.baseline.map { times($0.ratio) } ?? amount(reading.value, reading.unit)
  }

  package static func amount(_ value: Double, _ unit: String) -> String {
    let text = value < 9.95 ? decimal(value, 2) : value < 999.5 ? decimal(value, 1) : decimal(value, 0)
    return "\(text) \(unit)"
  }

  package static func times(_ ratio: Double) -> String { "\(decimal(ratio, ratio < 9.95 ? 2 : 1)) ×" }

  private static func percent(_ part: Double) -> String { "\(decimal(part * 100, part < 0.0995 ? 1 : 0)) %" }

  private static func signed(_ part: Double) -> String { (part < 0 ? "−" : "+") + percent(abs(part)) }

  package static func decimal(_ value: Double, _ places: Int) -> String {
    String(format: "%.\(places)f", value)
  }

  /// Texts on the left, numbers on the right of their columns.
  private static func row(_ cells: [String]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let blanks = String(repeating: " ", count: max(1, widths[column] - cell.count))
      line += column < 2 ? cell + blanks : blanks + cell
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}

extension Reading {
  /// How much of the compared figure is noise.
  var noise: Double { baseline?.ratioSpread ?? spread }
}
