// What the keys of the terminal mean. Pure: a key and a state give mutations.

package import TerminalScreen

package enum DogsKeys {
  /// The mutations of a key, none for a key that means nothing here.
  package static func mutations(for key: Key, in state: DogsReactor.State) -> [DogsReactor.Mutation] {
    if key == .control("q") { return [.end] }
    if state.isLoading { return [] }
    if let move = move(for: key) { return [.move(move)] }
    return state.breed == nil ? onList(key, state) : onBreed(key)
  }

  private static func onList(_ key: Key, _ state: DogsReactor.State) -> [DogsReactor.Mutation] {
    switch key {
    case .character(let character):
      // A combining mark joins the letter before it.
      return [.setQuery(state.query + String(character))]
    case .backspace:
      return state.query.isEmpty ? [] : [.setQuery(String(state.query.dropLast()))]
    case .escape, .control("u"):
      return state.query.isEmpty ? [] : [.setQuery("")]
    case .enter:
      let selected = state.listCursor.selected
      return state.visible.indices.contains(selected) ? [.open(state.visible[selected])] : []
    default:
      return []
    }
  }

  private static func onBreed(_ key: Key) -> [DogsReactor.Mutation] {
    switch key {
    case .escape, .backspace, .left: [.leave]
    default: []
    }
  }

  private static func move(for key: Key) -> ListCursor.Move? {
    switch key {
    case .up: .up
    case .down: .down
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .home: .first
    case .end: .last
    default: nil
    }
  }
}
