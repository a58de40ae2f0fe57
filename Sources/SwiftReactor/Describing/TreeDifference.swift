// The difference of two values as lines: what was expected, what is there, and little of what is the same.

/// Lines that show where two values differ.
///
/// Lines that begin with `-` are the first value's, with `+` the second one's. Parts that are equal are only counted.
package struct TreeDifference: Sendable {
  package private(set) var lines: [String] = []

  package init(from old: ValueTree, to new: ValueTree) {
    compare(old, new, label: nil, indent: 0, isLast: true)
  }

  package var text: String { lines.joined(separator: "\n") }

  /// Values that take more than this on one line are shown in several.
  private static let width = 60

  // MARK: Comparing

  private mutating func compare(_ old: ValueTree, _ new: ValueTree, label: String?, indent: Int, isLast: Bool) {
    if case .branch(let one) = old, case .branch(let other) = new, one.open == other.open,
      !one.parts.isEmpty, !other.parts.isEmpty
    {
      add(" ", label, one.open, indent)
      switch one.kind {
      case .members: compareMembers(one.parts, other.parts, indent + 2)
      case .list: compareList(one.parts, other.parts, indent + 2)
      case .sorted: compareSorted(one.parts, other.parts, indent + 2)
      }
      add(" ", nil, one.close + (isLast ? "" : ","), indent)
    } else {
      show(old, "-", label, indent, isLast)
      show(new, "+", label, indent, isLast)
    }
  }

  private mutating func compareMembers(_ old: [ValueTree.Part], _ new: [ValueTree.Part], _ indent: Int) {
    guard old.map(\.label) == new.map(\.label) else { return replace(old, new, indent) }
    var equal = 0
    for index in old.indices {
      if old[index].value.line == new[index].value.line {
        equal += 1
        continue
      }
      skip(&equal, indent)
      compare(
        old[index].value, new[index].value, label: old[index].label, indent: indent,
        isLast: index == old.indices.last)
    }
    skip(&equal, indent)
  }

  private mutating func compareSorted(_ old: [ValueTree.Part], _ new: [ValueTree.Part], _ indent: Int) {
    // What has no name of its own is its own name: the element of a set.
    func key(_ part: ValueTree.Part) -> String { part.label ?? part.value.line }
    let olds = Dictionary(old.map { (key($0), $0) }) { first, _ in first }
    let news = Dictionary(new.map { (key($0), $0) }) { first, _ in first }
    let keys = Set(olds.keys).union(news.keys).sorted()
    var equal = 0
    for (index, key) in keys.enumerated() {
      let isLast = index == keys.count - 1
      if olds[key]?.line == news[key]?.line {
        equal += 1
        continue
      }
      skip(&equal, indent)
      if let one = olds[key], let other = news[key] {
        compare(one.value, other.value, label: one.label, indent: indent, isLast: isLast)
      } else {
        if let one = olds[key] { show(one.value, "-", one.label, indent, isLast) }
        if let other = news[key] { show(other.value, "+", other.label, indent, isLast) }
      }
    }
    skip(&equal, indent)
  }

  private mutating func compareList(_ old: [ValueTree.Part], _ new: [ValueTree.Part], _ indent: Int) {
    let olds = old.map(\.value.line)
    let news = new.map(\.value.line)
    var position = (old: 0, new: 0)
    var equal = 0
    for step in Self.alignment(olds, news) {
      guard case .changed(let removed, let inserted) = step else {
        equal += 1
        position = (position.old + 1, position.new + 1)
        continue
      }
      skip(&equal, indent)
      for offset in 0..<max(removed, inserted) {
        let one = offset < removed ? position.old + offset : nil
        let other = offset < inserted ? position.new + offset : nil
        let isLast = one.map { $0 == old.count - 1 } ?? true && other.map { $0 == new.count - 1 } ?? true
        if let one, let other {
          compare(old[one].value, new[other].value, label: "[\(other)]", indent: indent, isLast: isLast)
        } else if let one {
          show(old[one].value, "-", "[\(one)]", indent, isLast)
        } else if let other {
          show(new[other].value, "+", "[\(other)]", indent, isLast)
        }
      }
      position = (position.old + removed, position.new + inserted)
    }
    skip(&equal, indent)
  }

  // MARK: Lists

  private enum Step: Equatable {
    case same
    case changed(removed: Int, inserted: Int)
  }

  /// What has to be changed to get from one list to the other.
  private static func alignment(_ old: [String], _ new: [String]) -> [Step] {
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let olds = Array(old[start..<old.count - end])
    let news = Array(new[start..<new.count - end])
    let same = [Step](repeating: .same, count: start)
    let tail = [Step](repeating: .same, count: end)
    // The exact way is quadratic in the number of changes.
    guard olds.count + news.count <= 2_000 else {
      return same + [.changed(removed: olds.count, inserted: news.count)] + tail
    }
    return same + middle(olds, news) + tail
  }

  private static func middle(_ old: [String], _ new: [String]) -> [Step] {
    let difference = new.difference(from: old)
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var steps: [Step] = []
    var position = (old: 0, new: 0)
    while position.old < old.count || position.new < new.count {
      var gone = 0
      while removed.contains(position.old + gone) { gone += 1 }
      var come = 0
      while inserted.contains(position.new + come) { come += 1 }
      if gone + come > 0 {
        steps.append(.changed(removed: gone, inserted: come))
        position = (position.old + gone, position.new + come)
      } else {
        steps.append(.same)
        position = (position.old + 1, position.new + 1)
      }
    }
    return steps
  }

  // MARK: Lines

  private mutating func replace(_ old: [ValueTree.Part], _ new: [ValueTree.Part], _ indent: Int) {
    for (index, part) in old.enumerated() { show(part.value, "-", part.label, indent, index == old.count - 1) }
    for (index, part) in new.enumerated() { show(part.value, "+", part.label, indent, index == new.count - 1) }
  }

  private mutating func show(_ tree: ValueTree, _ sign: String, _ label: String?, _ indent: Int, _ isLast: Bool) {
    let comma = isLast ? "" : ","
    let line = tree.line
    guard case .branch(let branch) = tree, line.count > Self.width else {
      return add(sign, label, line + comma, indent)
    }
    add(sign, label, branch.open, indent)
    let shown = branch.parts.count > 12 ? 10 : branch.parts.count
    for (index, part) in branch.parts.prefix(shown).enumerated() {
      show(part.value, sign, part.label, indent + 2, index == branch.parts.count - 1)
    }
    if shown < branch.parts.count { add(sign, nil, "… \(branch.parts.count - shown) more", indent + 2) }
    add(sign, nil, branch.close + comma, indent)
  }

  private mutating func skip(_ equal: inout Int, _ indent: Int) {
    if equal > 0 { add(" ", nil, "… \(equal) unchanged", indent) }
    equal = 0
  }

  private mutating func add(_ sign: String, _ label: String?, _ text: String, _ indent: Int) {
    let label = label.map { "\($0): " } ?? ""
    lines.append("\(sign) \(String(repeating: " ", count: indent))\(label)\(text)")
  }
}
