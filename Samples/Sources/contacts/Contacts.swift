// The way in: everything is in ContactsCore, where tests reach it.

internal import ContactsCore
internal import Foundation

@main
struct Contacts {
  static func main() async {
    let code = await ContactsProgram.run(Array(CommandLine.arguments.dropFirst()))
    exit(code)
  }
}
