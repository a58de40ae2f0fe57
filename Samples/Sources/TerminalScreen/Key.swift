// What a user can press.

/// One key, as a program sees it.
package enum Key: Sendable, Hashable {
  /// A printable character. A mark that combines with the one before it comes on its own.
  case character(Character)
  /// A letter pressed together with Control, in lower case.
  case control(Character)
  case enter, tab, backTab, backspace, delete, insert, escape
  case up, down, left, right, pageUp, pageDown, home, end
}
