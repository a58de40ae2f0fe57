// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "SwiftReactor",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
  products: [
    .library(name: "SwiftReactor", targets: ["SwiftReactor"]),
    .library(name: "SwiftReactorTesting", targets: ["SwiftReactorTesting"]),
    .library(name: "SwiftReactorUI", targets: ["SwiftReactorUI"]),
    .library(name: "SwiftReactorUIKit", targets: ["SwiftReactorUIKit"]),
  ],
  targets: [
    .target(name: "SwiftReactor", swiftSettings: settings),
    .target(name: "SwiftReactorTesting", dependencies: ["SwiftReactor"], swiftSettings: settings),
    // For Apple's systems. Elsewhere there is next to nothing in them; `.ci/apple` type-checks the rest.
    .target(name: "SwiftReactorUI", dependencies: ["SwiftReactor"], swiftSettings: settings),
    .target(name: "SwiftReactorUIKit", dependencies: ["SwiftReactor"], swiftSettings: settings),
    .testTarget(name: "SwiftReactorTestingTests", dependencies: ["SwiftReactorTesting"], swiftSettings: settings),
    .testTarget(
      name: "SwiftReactorTests",
      dependencies: ["SwiftReactor", "SwiftReactorUIKit", "CompileChecksSwift6", "CompileChecksMainActorModule"],
      swiftSettings: settings),
    // Nothing of these is run: that they compile is the test.
    .target(
      name: "CompileChecksSwift6", dependencies: ["SwiftReactor"], path: "Tests/CompileChecks/Swift6",
      swiftSettings: settings + [.treatAllWarnings(as: .error)]),
    .target(
      name: "CompileChecksUserInterface", dependencies: ["SwiftReactor", "SwiftReactorUI", "SwiftReactorUIKit"],
      path: "Tests/CompileChecks/UserInterface", swiftSettings: settings + [.treatAllWarnings(as: .error)]),
    .target(
      name: "CompileChecksMainActorModule", dependencies: ["SwiftReactor"], path: "Tests/CompileChecks/MainActorModule",
      swiftSettings: settings + [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
    // Small programs that the tests run: some things can only be seen in a process of its own.
    .executableTarget(
      name: "DispatchMainProgram", dependencies: ["SwiftReactor"], path: "Tests/Programs/DispatchMainProgram",
      swiftSettings: settings),
    .executableTarget(
      name: "AsyncMainProgram", dependencies: ["SwiftReactor"], path: "Tests/Programs/AsyncMainProgram",
      swiftSettings: settings),
    .executableTarget(
      name: "MemoryProgram", dependencies: ["SwiftReactor"], path: "Tests/Programs/MemoryProgram",
      swiftSettings: settings),
    // The code of the README and of the articles, and the tests that keep the texts true.
    .testTarget(
      name: "Snippets", dependencies: ["SwiftReactor", "SwiftReactorUI", "SwiftReactorUIKit"], swiftSettings: settings),
    .testTarget(
      name: "TestingSnippets", dependencies: ["SwiftReactor", "SwiftReactorTesting"], swiftSettings: settings),
    .testTarget(
      name: "MainActorSnippets", dependencies: ["SwiftReactor"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(name: "DocumentationTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
