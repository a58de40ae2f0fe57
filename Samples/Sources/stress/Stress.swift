// The way in: everything is in StressCore, where tests reach it.

internal import Foundation
internal import StressCore

@main
struct Stress {
  static func main() {
    exit(StressProgram.run(Array(CommandLine.arguments.dropFirst())))
  }
}
