// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let reactor = Target.Dependency.product(name: "SwiftReactor", package: "SwiftReactor")

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "bench", targets: ["bench"]),
    .executable(name: "instructions", targets: ["instructions"]),
  ],
  dependencies: [
    // By name, because the folder of a clone may be called anything.
    .package(name: "SwiftReactor", path: "../..")
  ],
  targets: [
    // Counts what is taken from the heap, in the whole process.
    .target(name: "AllocationCounter"),
    // What people write by hand instead.
    .target(name: "BenchmarkBaselines", swiftSettings: settings),
    // The reactors that are measured: in a module of their own, as an app's are.
    .target(name: "BenchmarkReactors", dependencies: [reactor, "BenchmarkBaselines"], swiftSettings: settings),
    // bench: the workloads, how they are measured, and what is printed of it.
    .target(
      name: "BenchCore", dependencies: [reactor, "AllocationCounter", "BenchmarkBaselines", "BenchmarkReactors"],
      swiftSettings: settings),
    .executableTarget(name: "bench", dependencies: ["BenchCore"], swiftSettings: settings),
    .testTarget(name: "BenchCoreTests", dependencies: ["BenchCore"], swiftSettings: settings),
    // instructions: a number of actions and nothing else, for a machine that counts instructions.
    .executableTarget(name: "instructions", dependencies: [reactor, "BenchmarkReactors"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
