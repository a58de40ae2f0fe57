// What is made of the samples: medians, the table, the file, the comparison, the chart.

import BenchCore
import Foundation
import Testing

@Suite("Readings")
struct ReadingTests {
  private func reading(
    _ label: String, value: Double = 80, ratio: Double? = 2, spread: Double = 0.01, most: Double? = 4,
    holds: Bool = true
  ) -> Reading {
    Reading(
      workload: "W1", label: label, unit: "ns", value: value, spread: spread,
      baseline: ratio.map { Reading.Baseline(name: "by hand", value: value / $0, ratio: $0, ratioSpread: spread) },
      most: most, holds: holds)
  }

  @Test("The median does not see one sample that was interrupted")
  func median() {
    #expect(Samples([10, 1_000, 11]).median == 11)
    #expect(Samples([1, 2, 3, 4]).median == 2.5)
    #expect(Samples([]).median == 0)
  }

  @Test("The spread is half of what lies between the quartiles, in parts of the median")
  func spread() {
    #expect(Samples([8, 9, 10, 11, 12]).spread == 0.1)
    #expect(Samples([5, 5, 5]).spread == 0)
  }

  @Test("A line shows the figure, the baseline, the ratio and what is allowed; what is above that is marked")
  func table() {
    let line = ResultTable.line(reading("no observer", ratio: 5, holds: false))
    for part in ["W1 ", "no observer", "80.0 ns", "1.0 %", "by hand 16.0 ns", "5.00 ×", "4.00 ×"] {
      #expect(line.contains(part), "\(part)")
    }
    #expect(line.hasSuffix("over"))
    #expect(!ResultTable.line(reading("no observer")).hasSuffix("over"))
  }

  @Test("The file holds what was read")
  func file() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let record = Record(machine: "2 cores", readings: [reading("a"), reading("b", ratio: nil, most: nil)])
    try record.write(to: path)
    #expect(try Record(contentsOf: path) == record)
  }

  @Test("Compared are the ratios; what is less than the noise is no change")
  func comparison() {
    let then = [reading("same"), reading("worse"), reading("better"), reading("noisy", spread: 0.4)]
    let now = [
      reading("same", ratio: 2.1), reading("worse", ratio: 3), reading("better", ratio: 1),
      reading("noisy", ratio: 2.9, spread: 0.4), reading("new"),
    ]
    let lines = ResultTable.comparison(of: now, with: then)
    #expect(lines.count == 5)
    #expect(lines[0].contains("was 2.00 ×") && lines[0].contains("2.10 ×") && lines[0].hasSuffix("+5.0 %"))
    #expect(lines[1].hasSuffix("+50 %  slower"))
    #expect(lines[2].hasSuffix("−50 %  faster"))
    #expect(lines[3].hasSuffix("+45 %"))
    #expect(lines[4].contains("was not measured then"))
  }

  @Test("Growth is drawn as bars, and says whether it should be flat")
  func growth() {
    let growth = Growth(title: "observers", sizes: [1, 10], costs: [50, 100], isFlat: false)
    let lines = growth.lines
    #expect(lines[0] == "observers: grows, × 2.00")
    #expect(lines[1].split(separator: " ") == ["1", "10"])
    #expect(lines[2].contains("50.0 ns") && lines[2].contains("100.0 ns"))
    // Four rows: the larger fills all of them, the smaller half.
    #expect(lines.count == 7)
    #expect(lines[3].filter { $0 == "█" }.count == 5)
    #expect(lines[6].filter { $0 == "█" }.count == 10)
    #expect(Growth(title: "size", sizes: [1], costs: [1], isFlat: true).lines[0] == "size: should be flat, × 1.00")
  }

  @Test("The processor's name is found where Linux tells it")
  func processor() {
    #expect(Machine.model(inInformation: "processor\t: 0\nmodel name\t: Some CPU\nflags\t: a b\n") == "Some CPU")
    #expect(Machine.model(inInformation: "") == nil)
  }
}
