// The way in: everything is in BoardCore, where tests reach it.

internal import BoardCore
internal import Foundation

@main
struct Board {
  static func main() async {
    let code = await BoardProgram.run(Array(CommandLine.arguments.dropFirst()))
    exit(code)
  }
}
