// The way in: everything is in BenchCore, where tests reach it.

internal import BenchCore
internal import Foundation

@main
struct Bench {
  static func main() {
    exit(BenchProgram.run(Array(CommandLine.arguments.dropFirst())))
  }
}
