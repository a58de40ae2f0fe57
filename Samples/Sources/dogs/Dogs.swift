// The way in: everything is in DogsCore, where tests reach it.

internal import DogsCore
internal import Foundation

@main
struct Dogs {
  static func main() async {
    let code = await DogsProgram.run(Array(CommandLine.arguments.dropFirst()))
    exit(code)
  }
}
