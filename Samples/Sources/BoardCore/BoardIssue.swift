// What is on the board: issues as a tracker exports them, and the columns they begin in. Pure.

package import Foundation

/// One issue. What happens to it on the board is none of its own: see ``CardReactor/State``.
package struct BoardIssue: Sendable, Hashable {
  /// Its identity, also on the board.
  package let number: Int
  package var title = ""
  package var isClosed = false
  package var labels: [String] = []
  /// The login of who is to do it.
  package var assignee: String?
  package var created = Date(timeIntervalSince1970: 0)

  package init(
    number: Int, title: String = "", isClosed: Bool = false, labels: [String] = [], assignee: String? = nil,
    created: Date = Date(timeIntervalSince1970: 0)
  ) {
    self.number = number
    self.title = title
    self.isClosed = isClosed
    self.labels = labels
    self.assignee = assignee
    self.created = created
  }

  /// The column it begins in: a closed issue is done, and a label tells of an open one whether it was begun.
  package var column: ColumnID {
    if isClosed { return .done }
    let labels = labels.map { $0.lowercased() }
    if labels.contains(where: { $0.contains("review") }) { return .review }
    return labels.contains { ["doing", "in progress", "wip"].contains($0) } ? .doing : .todo
  }
}

/// A column of the board, in the order from left to right.
package enum ColumnID: String, Sendable, Hashable, CaseIterable {
  case todo, doing, review, done

  package var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// The column of a name, in upper or lower case.
  package init?(named name: String) {
    self.init(rawValue: name.lowercased())
  }

  /// The column so many steps to the right; nil beside the board.
  package func shifted(by steps: Int) -> ColumnID? {
    let all = Self.allCases
    let index = all.firstIndex(of: self)! + steps
    return all.indices.contains(index) ? all[index] : nil
  }
}

/// A time of work as a text: `0:05`, `12:34`, `1:02:03`.
package enum WorkTime {
  package static func text(_ seconds: Int) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    let end = (rest < 10 ? ":0" : ":") + "\(rest)"
    return hours == 0 ? "\(minutes)\(end)" : "\(hours)" + (minutes < 10 ? ":0" : ":") + "\(minutes)\(end)"
  }
}
