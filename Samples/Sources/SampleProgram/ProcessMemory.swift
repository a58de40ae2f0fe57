// How much memory the process takes.

internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

package enum ProcessMemory {
  /// The most memory the process has ever had, in bytes.
  package static var peak: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      // There the constant is of a type of its own.
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1024
    #endif
  }

  /// What it has now; where the system does not tell in a file, the peak.
  package static var current: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return resident(inStatus: status) ?? peak
  }

  /// The resident bytes in the text of `/proc/self/status`.
  package static func resident(inStatus text: String) -> Int? {
    for line in text.split(separator: "\n") where line.hasPrefix("VmRSS:") {
      return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
        .map { $0 * 1024 }
    }
    return nil
  }

  package static func megabytes(_ bytes: Int) -> String {
    let tenths = (bytes * 10 + 524_288) / 1_048_576
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}
