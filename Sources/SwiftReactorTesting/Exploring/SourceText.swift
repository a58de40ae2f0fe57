// Steps as they are written in a test: what scripts are printed with.

internal import SwiftReactor

/// A step as it is written in a test.
struct SourceText: Sendable {
  var line: String
  /// It certainly compiles.
  let isSource: Bool
  /// What a script says in its place, if it may not compile.
  var reference: StepPlace?

  init(line: String, isSource: Bool) {
    self.line = line
    self.isSource = isSource
  }

  init(_ name: String, _ value: ValueTree) {
    self.init(line: ".\(name)(\(value.line))", isSource: value.isSource)
  }

  /// An action for a nested reactor. Some key paths have no text that could be pasted.
  init<Root, Child>(_ action: ValueTree, to path: KeyPath<Root, Child>) {
    let text = "\(path)"
    let isPath = text.allSatisfy { $0.isLetter || $0.isNumber || "\\._".contains($0) }
    self.init(
      line: isPath ? ".send(\(action.line), to: \(text))" : "send \(action.line) to a nested \(Child.self)",
      isSource: isPath && action.isSource)
  }

  init(_ name: String, _ argument: String, _ number: Int) {
    let more = number == 1 ? "" : ", number: \(number)"
    self.init(line: ".\(name)(\(argument.debugDescription)\(more))", isSource: true)
  }

  /// The line of a script.
  func scriptLine(isLast: Bool) -> String {
    let comma = isLast ? "" : ","
    return reference.map { "\($0.text)\(comma)  // \(line)" } ?? line + comma
  }

  static func duration(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    if attoseconds == 0 { return seconds == 0 ? ".zero" : ".seconds(\(seconds))" }
    if attoseconds % 1_000_000_000_000_000 == 0 {
      return ".milliseconds(\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))"
    }
    return ".nanoseconds(\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))"
  }
}

/// Where a step stands in a scenario.
struct StepPlace: Sendable {
  /// From 1.
  let number: Int
  /// Nil for the beginning.
  let sender: String?

  var text: String { ".step(\(number), of: \(sender?.debugDescription ?? "nil"))" }
}

extension ValueTree {
  /// Is its line certainly an expression that makes the value? Enum cases, numbers, texts, and lists of these.
  var isSource: Bool {
    switch self {
    case .leaf(let text):
      guard let first = text.first else { return false }
      return first == "\"" || first == "." || ["nil", "true", "false", "[:]"].contains(text) || Double(text) != nil
    case .branch(let branch):
      let isPlain = branch.kind != .members || branch.open == "(" || branch.open.hasPrefix(".")
      return isPlain && branch.parts.allSatisfy(\.value.isSource)
    }
  }
}
