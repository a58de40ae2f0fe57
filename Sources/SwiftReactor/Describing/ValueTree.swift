// A value as a tree of texts: what logs and failures of tests show, and what they compare line by line.

/// A value as text, in parts. Two values of the same kind give the same text, whatever order their sets and dictionaries
/// have at the moment.
package indirect enum ValueTree: Sendable {
  case leaf(String)
  case branch(Branch)

  package struct Branch: Sendable {
    package enum Kind: Sendable {
      /// Parts with names: a struct, a class, the payload of an enum case, a tuple.
      case members
      /// Parts in an order: an array.
      case list
      /// Parts without an order, sorted by their text: a set, or a dictionary by its keys.
      case sorted
    }

    package var kind: Kind
    package var open: String
    package var parts: [Part]
    package var close: String
  }

  package struct Part: Sendable {
    package var label: String?
    package var value: ValueTree

    package var line: String { label.map { "\($0): \(value.line)" } ?? value.line }
  }

  package init(_ value: Any) {
    self = ValueTree.make(value, path: [], depth: 0)
  }

  /// Everything on one line.
  package var line: String {
    switch self {
    case .leaf(let text): return text
    case .branch(let branch):
      return branch.open + branch.parts.map(\.line).joined(separator: ", ") + branch.close
    }
  }

  /// One line of bearable length.
  package var shortLine: String {
    let line = line
    return line.count > 60 ? line.prefix(57) + "…" : line
  }

  /// The same without what reads like one of `lines`: there is `placeholder` in its place.
  package func hiding(_ lines: Set<String>, by placeholder: String) -> ValueTree {
    if lines.isEmpty { return self }
    if lines.contains(line) { return .leaf(placeholder) }
    guard case .branch(var branch) = self else { return self }
    branch.parts = branch.parts.map { part in
      Part(
        label: part.label.map { lines.contains($0) ? placeholder : $0 },
        value: part.value.hiding(lines, by: placeholder))
    }
    return .branch(branch)
  }

  /// Deeper parts are not shown.
  private static let deepest = 24

  private static func make(_ value: Any, path: [ObjectIdentifier], depth: Int) -> ValueTree {
    if depth > deepest { return .leaf("…") }
    if let text = text(of: value) { return .leaf(text) }
    let mirror = Mirror(reflecting: value)
    func child(_ value: Any) -> ValueTree { make(value, path: path, depth: depth + 1) }
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { child($0.value) } ?? .leaf("nil")
    case .collection:
      return list(mirror.children.map { Part(label: nil, value: child($0.value)) })
    case .set:
      return sorted("Set([", mirror.children.map { Part(label: nil, value: child($0.value)) }, "])")
    case .dictionary:
      let parts = mirror.children.map { pair -> Part in
        let pair = Mirror(reflecting: pair.value).children.map(\.value)
        return Part(label: child(pair[0]).line, value: child(pair[1]))
      }
      return parts.isEmpty ? .leaf("[:]") : sorted("[", parts, "]")
    case .tuple:
      return members("(", mirror.children.map { Part(label: name(of: $0.label), value: child($0.value)) })
    case .enum:
      guard let payload = mirror.children.first, let name = payload.label else { return .leaf(".\(value)") }
      let inner = Mirror(reflecting: payload.value)
      // Several associated values are a tuple, one with a label too.
      guard inner.displayStyle == .tuple else {
        return members(".\(name)(", [Part(label: nil, value: child(payload.value))])
      }
      return members(
        ".\(name)(", inner.children.map { Part(label: self.name(of: $0.label), value: child($0.value)) })
    case .class:
      let object = value as AnyObject
      let type = "\(Swift.type(of: value))"
      if path.contains(ObjectIdentifier(object)) { return .leaf("\(type)(…)") }
      let path = path + [ObjectIdentifier(object)]
      return members(
        "\(type)(",
        properties(of: mirror).map {
          Part(label: name(of: $0.label), value: make($0.value, path: path, depth: depth + 1))
        })
    case .struct:
      return members(
        "\(Swift.type(of: value))(", mirror.children.map { Part(label: name(of: $0.label), value: child($0.value)) })
    default:
      return .leaf(mirror.children.isEmpty ? String(describing: value) : "\(Swift.type(of: value))(…)")
    }
  }

  private static func members(_ open: String, _ parts: [Part]) -> ValueTree {
    .branch(Branch(kind: .members, open: open, parts: parts, close: ")"))
  }

  private static func list(_ parts: [Part]) -> ValueTree {
    .branch(Branch(kind: .list, open: "[", parts: parts, close: "]"))
  }

  private static func sorted(_ open: String, _ parts: [Part], _ close: String) -> ValueTree {
    .branch(Branch(kind: .sorted, open: open, parts: parts.sorted { $0.line < $1.line }, close: close))
  }

  /// The inherited properties first.
  private static func properties(of mirror: Mirror) -> [Mirror.Child] {
    (mirror.superclassMirror.map(properties(of:)) ?? []) + mirror.children
  }

  /// Positions in a tuple are no names; the storage of a wrapped property is called like the property.
  private static func name(of label: String?) -> String? {
    guard let label, !label.hasPrefix(".") else { return nil }
    return label.hasPrefix("_") ? String(label.dropFirst()) : label
  }

  /// The text of a value that has a better one than its parts.
  private static func text(of value: Any) -> String? {
    switch value {
    case let string as String: return string.debugDescription
    case let string as Substring: return string.debugDescription
    case let character as Character: return "\"\(character)\""
    case let type as Any.Type: return "\(type).self"
    case let shown as any ShownInPlace: return ValueTree(shown.shownValue).line
    default: break
    }
    guard value is any CustomStringConvertible else { return nil }
    switch Mirror(reflecting: value).displayStyle {
    case .struct?, .class?, .enum?, nil:
      // Types of the system are known by their text.
      let module = String(reflecting: type(of: value)).prefix { $0 != "." }
      return ["Swift", "Foundation", "FoundationEssentials", "Dispatch", "_Concurrency"].contains(String(module))
        ? String(describing: value) : nil
    default: return nil
    }
  }
}

/// A wrapper whose bookkeeping is nobody's business.
private protocol ShownInPlace {
  var shownValue: Any { get }
}

extension Pulse: ShownInPlace {
  fileprivate var shownValue: Any { wrappedValue }
}

/// Compares two values of one type: by `==` if they have it, by what can be seen of them if not.
package func looksEqual<Value>(_ one: Value, _ other: Value) -> Bool {
  if let one = one as? any Equatable { return isEqual(one, other) }
  return ValueTree(one).line == ValueTree(other).line
}

private func isEqual<Value: Equatable>(_ one: Value, _ other: Any) -> Bool {
  (other as? Value) == one
}
