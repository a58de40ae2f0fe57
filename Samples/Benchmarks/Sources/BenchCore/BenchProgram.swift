// The program: what is run, what is printed, and the exit code.

internal import Foundation

package enum BenchProgram {
  /// Runs with these options and answers with the exit code. On the main thread, which serves the main queue.
  package static func run(_ arguments: [String]) -> Int32 {
    let options: BenchOptions
    let then: Record?
    do {
      options = try BenchOptions(arguments)
      then = try options.compare.map(record)
    } catch {
      complain("bench: \(error)")
      return 1
    }
    if options.showsHelp {
      say(BenchOptions.usage, terminator: "")
      return 0
    }
    if options.lists {
      for workload in Workload.all { say("\(workload.name)\t\(workload.title)") }
      return 0
    }
    Senders.startSecondThread()
    warnOfDebugBuild()
    if options.scales {
      Scale.show(options.effort) { say($0) }
      return 0
    }
    let record = measure(options)
    if let then {
      say("\nThen: \(then.machine)")
      for line in ResultTable.comparison(of: record.readings, with: then.readings) { say(line) }
    }
    guard let json = options.json else { return 0 }
    do {
      try record.write(to: json)
      return 0
    } catch {
      complain("bench: \"\(json)\" cannot be written: \(error.localizedDescription)")
      return 1
    }
  }

  private static func record(_ path: String) throws(BenchOptions.Mistake) -> Record {
    do { return try Record(contentsOf: path) } catch {
      throw BenchOptions.Mistake(description: "\"\(path)\" cannot be read as readings: \(error.localizedDescription)")
    }
  }

  private static func measure(_ options: BenchOptions) -> Record {
    var record = Record(machine: Machine.description, readings: [])
    say("\(record.machine); \(options.effort.repeats) samples each, medians\n")
    say(ResultTable.heading)
    for workload in Workload.all where options.names.isEmpty || options.names.contains(workload.name) {
      say("\(workload.name): \(workload.title)")
      for line in workload.lines(options.effort) {
        let reading = line.measure(for: workload.name, options.effort)
        record.readings.append(reading)
        say(ResultTable.line(reading))
      }
    }
    return record
  }

  private static func warnOfDebugBuild() {
    #if DEBUG
      complain("bench: this is a debug build; its numbers say nothing. Build it with -c release.")
    #endif
  }

  private static func say(_ line: String, terminator: String = "\n") {
    FileHandle.standardOutput.write(Data((line + terminator).utf8))
  }

  private static func complain(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
