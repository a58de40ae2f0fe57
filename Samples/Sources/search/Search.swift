// The way in: everything is in SearchCore, where tests reach it.

internal import Foundation
internal import SearchCore

@main
struct Search {
  static func main() async {
    let code = await SearchProgram.run(Array(CommandLine.arguments.dropFirst()))
    exit(code)
  }
}
