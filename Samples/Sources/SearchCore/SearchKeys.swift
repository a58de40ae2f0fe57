// What the keys of the terminal mean.

internal import SwiftReactor
package import TerminalScreen

/// What a key means, which depends on what is shown.
package enum SearchKey: Sendable, Hashable {
  case action(SearchReactor.Action)
  case quit

  /// Nil for a key that means nothing here. Pure.
  package init?(_ key: Key, in state: SearchReactor.State) {
    if key == .control("q") {
      self = .quit
    } else if let action = state.details == nil ? Self.onList(key, state) : Self.onDetails(key) {
      self = .action(action)
    } else {
      return nil
    }
  }

  private static func onList(_ key: Key, _ state: SearchReactor.State) -> SearchReactor.Action? {
    let text = state.query.text
    return switch key {
    // A combining mark joins the letter before it.
    case .character(let character): .search(text + String(character))
    case .backspace: text.isEmpty ? nil : .search(String(text.dropLast()))
    case .escape where !text.isEmpty, .control("u"): .search("")
    case .escape: .stop
    case .enter: .open
    case .control("p"): .older
    case .control("n"): .newer
    case .control("r"): .load
    default: ListCursor.Move(key).map { .move($0) }
    }
  }

  private static func onDetails(_ key: Key) -> SearchReactor.Action? {
    switch key {
    case .escape, .backspace, .left: .back
    default: nil
    }
  }
}

extension SearchReactor {
  /// Does what a key means; false when it means the end. On the queue: then it is done when this returns.
  package func press(_ key: Key) -> Bool {
    switch SearchKey(key, in: state) {
    case .action(let action): self.action(action)
    case .quit: return false
    case nil: break
    }
    return true
  }
}
