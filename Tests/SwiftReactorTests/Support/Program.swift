// Runs the small programs of the tests, which have been built next to the test bundle: some things can only be seen in
// a process of its own.

import Foundation

/// A program that ran to its end.
struct Program: Sendable, CustomStringConvertible {
  let name: String
  /// The exit code, or minus the signal that ended it.
  let status: Int32
  let output: String
  let errors: String

  var description: String { "\(name) ended with \(status)\noutput: \(output)\nerrors: \(errors)" }

  struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    let folders: [String]
    var description: String { "\(name) is not in \(folders.joined(separator: ", "))" }
  }

  /// Runs a program and waits for its end. After `seconds` it is killed, which shows as its status.
  static func run(_ name: String, _ arguments: [String] = [], seconds: Double = 20) async throws -> Program {
    try await run(executable: folder(of: name).appendingPathComponent(name), arguments, seconds: seconds)
  }

  /// The same for a program that is not one of the package.
  static func run(executable: URL, _ arguments: [String], seconds: Double) async throws -> Program {
    let name = executable.lastPathComponent
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    // Read while it runs: a program that crashes prints more than a pipe holds.
    async let outputData = onThread { output.fileHandleForReading.readDataToEndOfFile() }
    async let errorData = onThread { errors.fileHandleForReading.readDataToEndOfFile() }
    let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { ended in
        let code = ended.terminationStatus
        continuation.resume(returning: ended.terminationReason == .exit ? code : -code)
      }
      do {
        try process.run()
        let pid = process.processIdentifier
        let deadline = Thread {
          Thread.sleep(forTimeInterval: seconds)
          if process.isRunning { kill(pid, SIGKILL) }
        }
        deadline.start()
      } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
    return await Program(
      name: name, status: status, output: String(decoding: outputData, as: UTF8.self),
      errors: String(decoding: errorData, as: UTF8.self))
  }

  /// Where a built program is: beside the running test binary, or beside the bundle that it was loaded from.
  static func folder(of name: String) throws -> URL {
    var folders: [URL] = []
    #if os(Linux)
      if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
        folders.append(URL(fileURLWithPath: path).deletingLastPathComponent())
      }
    #endif
    folders += Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
      .map { $0.bundleURL.deletingLastPathComponent() }
    folders.append(URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent())
    for folder in folders {
      let candidate = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return folder }
    }
    throw NotBuilt(name: name, folders: folders.map(\.path))
  }
}
