// B59: what must compile cleanly is compiled by the targets under CompileChecks; what must be rejected is given to the
// compiler here, file by file.

import Foundation
import Testing

extension OneAtATime {
  @Suite("Bug reports · Swift 6")
  struct CompileCheckTests {
    private static let folder = "Tests/CompileChecks/Rejected"

    @Test(
      "B59 · What may not cross isolations is rejected by the compiler, and what may is not",
      arguments: ["Accepted", "NonSendableAction", "CapturedBox", "EffectCapture", "ActorIsolatedState"])
    func rejected(name: String) async throws {
      let file = SourceTree.root.appendingPathComponent("\(Self.folder)/\(name).swift")
      let first = try String(contentsOf: file, encoding: .utf8).prefix { $0 != "\n" }
      let modules = try Program.folder(of: "DispatchMainProgram").appendingPathComponent("Modules").path
      let run = try await Program.run(
        executable: URL(fileURLWithPath: "/usr/bin/env"),
        [
          "swiftc", "-swift-version", "6", "-parse-as-library", "-I", modules, "-emit-sil", "-o", "/dev/null",
          file.path,
        ], seconds: 120)
      if first == "// accepted" {
        #expect(run.status == 0, "\(run)")
        #expect(run.errors == "", "\(run)")
      } else {
        let reason = try #require(first.components(separatedBy: "rejected: ").dropFirst().first)
        #expect(run.status == 1, "\(run)")
        #expect(run.errors.contains("error: "), "\(run)")
        #expect(run.errors.contains(reason), "\(run)")
      }
    }

    @Test("Every file that must be rejected is asked about")
    func complete() throws {
      let files = try SourceTree.files(under: Self.folder).map(\.name).sorted()
      #expect(
        files == [
          "Accepted.swift", "ActorIsolatedState.swift", "CapturedBox.swift", "EffectCapture.swift",
          "NonSendableAction.swift",
        ])
    }
  }
}
