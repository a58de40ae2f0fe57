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
let testing = Target.Dependency.product(name: "SwiftReactorTesting", package: "SwiftReactor")

let package = Package(
  name: "Samples",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [
    .executable(name: "CounterApp", targets: ["CounterApp"]),
    .executable(name: "board", targets: ["board"]),
    .executable(name: "contacts", targets: ["contacts"]),
    .executable(name: "dogs", targets: ["dogs"]),
    .executable(name: "news", targets: ["news"]),
    .executable(name: "search", targets: ["search"]),
    .executable(name: "stress", targets: ["stress"]),
  ],
  dependencies: [
    // By name, because the folder of a clone may be called anything (but Samples, which is the name of this one).
    .package(name: "SwiftReactor", path: "..")
  ],
  targets: [
    // A terminal as a view: keys in, frames out; and the standard streams. Knows nothing of reactors.
    .target(name: "TerminalScreen", swiftSettings: settings),
    .testTarget(name: "TerminalScreenTests", dependencies: ["TerminalScreen"], swiftSettings: settings),

    // What the programs have in common: options, lines, the terminal mode, reading of files.
    .target(name: "SampleProgram", dependencies: [reactor, "TerminalScreen"], swiftSettings: settings),
    .testTarget(
      name: "SampleProgramTests", dependencies: [reactor, testing, "SampleProgram", "TerminalScreen"],
      swiftSettings: settings),

    // dogs: a list and a detail screen, as lines or as a terminal program.
    .target(
      name: "DogsCore", dependencies: [reactor, "SampleProgram", "TerminalScreen"],
      resources: [.copy("Resources/dog-breeds.json")], swiftSettings: settings),
    .executableTarget(name: "dogs", dependencies: ["DogsCore"], swiftSettings: settings),
    .testTarget(
      name: "DogsCoreTests", dependencies: [reactor, testing, "DogsCore", "SampleProgram", "TerminalScreen"],
      swiftSettings: settings),

    // board: columns and cards as nested reactors, as lines or as a terminal program.
    .target(
      name: "BoardCore", dependencies: [reactor, "SampleProgram", "TerminalScreen"],
      resources: [.copy("Resources/issues.jsonl")], swiftSettings: settings),
    .executableTarget(name: "board", dependencies: ["BoardCore"], swiftSettings: settings),
    .testTarget(
      name: "BoardCoreTests", dependencies: [reactor, testing, "BoardCore", "SampleProgram", "TerminalScreen"],
      swiftSettings: settings),

    // search: a list of packages that is searched while it is read, as lines or as a terminal program.
    .target(
      name: "SearchCore", dependencies: [reactor, "SampleProgram", "TerminalScreen"],
      resources: [.copy("Resources/packages.txt")], swiftSettings: settings),
    .executableTarget(name: "search", dependencies: ["SearchCore"], swiftSettings: settings),
    .testTarget(
      name: "SearchCoreTests", dependencies: [reactor, testing, "SearchCore", "SampleProgram", "TerminalScreen"],
      swiftSettings: settings),

    // news: an app and a module, in three forms; as lines or as a terminal program.
    .target(
      name: "NewsCore", dependencies: [reactor, "SampleProgram", "TerminalScreen"],
      resources: [.copy("Resources/uploads.tsv")], swiftSettings: settings),
    .executableTarget(name: "news", dependencies: ["NewsCore"], swiftSettings: settings),
    .testTarget(
      name: "NewsCoreTests", dependencies: [reactor, testing, "NewsCore", "SampleProgram", "TerminalScreen"],
      swiftSettings: settings),

    // contacts: two reducers, parts of one state, actions that are streams; as lines or as a terminal program.
    .target(
      name: "ContactsCore", dependencies: [reactor, "SampleProgram", "TerminalScreen"],
      resources: [.copy("Resources/teams.tsv")], swiftSettings: settings),
    .executableTarget(name: "contacts", dependencies: ["ContactsCore"], swiftSettings: settings),
    .testTarget(
      name: "ContactsCoreTests", dependencies: [reactor, testing, "ContactsCore", "SampleProgram", "TerminalScreen"],
      swiftSettings: settings),

    // CounterApp: SwiftUI and UIKit beside each other, for Apple's systems; its reactor is tested everywhere.
    .target(name: "CounterCore", dependencies: [reactor], swiftSettings: settings),
    .executableTarget(
      name: "CounterApp",
      dependencies: [
        reactor, "CounterCore", .product(name: "SwiftReactorUI", package: "SwiftReactor"),
        .product(name: "SwiftReactorUIKit", package: "SwiftReactor"),
      ], swiftSettings: settings),
    .testTarget(
      name: "CounterCoreTests",
      dependencies: [
        reactor, .product(name: "SwiftReactorTesting", package: "SwiftReactor"), "CounterCore",
      ], swiftSettings: settings),

    // stress: real threads against a reactor, every action accounted for.
    .target(name: "StressCore", dependencies: [reactor, "SampleProgram", "TerminalScreen"], swiftSettings: settings),
    .executableTarget(name: "stress", dependencies: ["StressCore"], swiftSettings: settings),
    .testTarget(
      name: "StressCoreTests", dependencies: [reactor, testing, "SampleProgram", "StressCore"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
