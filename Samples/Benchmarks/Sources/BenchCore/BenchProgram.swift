// The program: what is run, what is printed, and the exit code.

internal import Foundation

package enum BenchProgram {
  /// Runs with these options and answers with the exit code. On the main thread, which serves the main queue.
  package static func run(_ arguments: [String]) -> Int32 {
    do {
      try run(BenchOptions(arguments))
      return 0
    } catch {
      complain("bench: \(error)")
      return 1
    }
  }

  private static func run(_ options: BenchOptions) throws {
    let then = try options.compare.map(record)
    if let json = options.json { try checkIsFile(json) }
    if options.showsHelp { return try say(BenchOptions.usage, terminator: "") }
    if options.lists {
      for workload in Workload.all { try say("\(workload.name)\t\(workload.title)") }
      return
    }
    Senders.startSecondThread()
    warnOfDebugBuild()
    if options.scales { return try Scale.show(options.effort) { try say($0) } }
    let record = try measure(options)
    if let then {
      try say("\nThen: \(then.machine)")
      for line in ResultTable.comparison(of: record.readings, with: then.readings) { try say(line) }
    }
    guard let json = options.json else { return }
    do { try record.write(to: json) } catch {
      throw BenchOptions.Mistake(description: "\"\(json)\" cannot be written: \(reason(error))")
    }
  }

  /// Before anything is measured, which takes minutes. What is no plain file would be replaced by one.
  private static func checkIsFile(_ path: String) throws(BenchOptions.Mistake) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    if isFolder.boolValue { throw BenchOptions.Mistake(description: "\"\(path)\" cannot be written: it is a folder") }
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    if type != .typeRegular, type != .typeSymbolicLink {
      throw BenchOptions.Mistake(description: "\"\(path)\" cannot be written: it is no plain file")
    }
  }

  /// What the system says, where Foundation has but a number for it.
  private static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    guard let code = (underlying as? POSIXError)?.code else { return error.localizedDescription }
    return String(cString: strerror(code.rawValue))
  }

  private static func record(_ path: String) throws(BenchOptions.Mistake) -> Record {
    do { return try Record(contentsOf: path) } catch {
      throw BenchOptions.Mistake(description: "\"\(path)\" cannot be read as readings: \(reason(error))")
    }
  }

  private static func measure(_ options: BenchOptions) throws -> Record {
    var record = Record(machine: Machine.description, readings: [])
    try say("\(record.machine); \(options.effort.repeats) samples each, medians\n")
    try say(ResultTable.heading)
    for workload in Workload.all where options.names.isEmpty || options.names.contains(workload.name) {
      try say("\(workload.name): \(workload.title)")
      for line in workload.lines(options.effort) {
        let reading = line.measure(for: workload.name, options.effort)
        record.readings.append(reading)
        try say(ResultTable.line(reading))
      }
    }
    return record
  }

  private static func warnOfDebugBuild() {
    #if DEBUG
      complain("bench: this is a debug build; its numbers say nothing. Build it with -c release.")
    #endif
  }

  private static func say(_ line: String, terminator: String = "\n") throws(BenchOptions.Mistake) {
    do { try FileHandle.standardOutput.write(contentsOf: Data((line + terminator).utf8)) } catch {
      throw BenchOptions.Mistake(description: "cannot write to standard output")
    }
  }

  private static func complain(_ line: String) {
    // If that cannot be written there is nobody to tell.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
