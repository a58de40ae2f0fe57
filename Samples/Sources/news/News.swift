// The way in: everything is in NewsCore, where tests reach it.

internal import Foundation
internal import NewsCore

@main
struct News {
  static func main() async {
    let code = await NewsProgram.run(Array(CommandLine.arguments.dropFirst()))
    exit(code)
  }
}
