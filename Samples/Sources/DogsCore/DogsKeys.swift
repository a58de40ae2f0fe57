// What the keys of the terminal mean.

internal import SwiftReactor
package import TerminalScreen

/// What a key means, which depends on what is shown.
package enum DogsKey: Sendable, Hashable {
  case list(DogsReactor.Action)
  case breed(BreedReactor.Action)
  case quit

  /// Nil for a key that means nothing here. Pure.
  package init?(_ key: Key, in state: DogsReactor.State) {
    if key == .control("q") {
      self = .quit
    } else if state.isLoading {
      return nil
    } else if let move = ListCursor.Move(key) {
      self = state.detail == nil ? .list(.move(move)) : .breed(.move(move))
    } else if let action = state.detail == nil ? Self.onList(key, state) : Self.onBreed(key) {
      self = .list(action)
    } else {
      return nil
    }
  }

  private static func onList(_ key: Key, _ state: DogsReactor.State) -> DogsReactor.Action? {
    switch key {
    case .character(let character):
      // A combining mark joins the letter before it.
      .filter(state.query + String(character))
    case .backspace:
      state.query.isEmpty ? nil : .filter(String(state.query.dropLast()))
    case .escape, .control("u"):
      state.query.isEmpty ? nil : .filter("")
    case .enter:
      state.chosen.map { .open($0.name) }
    default:
      nil
    }
  }

  private static func onBreed(_ key: Key) -> DogsReactor.Action? {
    switch key {
    case .escape, .backspace, .left: .back
    default: nil
    }
  }
}

extension DogsReactor {
  /// Does what a key means; false when it means the end.
  ///
  /// On the queue, outside a turn: all that the key sets off, in the list and in the breed, is done when this returns. So
  /// the next key meets the screen that this one has left, and none is lost with a screen that was left in between.
  package func press(_ key: Key) -> Bool {
    switch DogsKey(key, in: state) {
    case .list(let action): self.action(action)
    case .breed(let action): detail.reactor?.action(action)
    case .quit: return false
    case nil: break
    }
    return true
  }
}
