// What the screens show, made from a picture by pure functions.

internal import TerminalScreen

extension NewsUser {
  /// Who it is, as it is shown.
  package var title: String {
    if name.isEmpty { return "nobody" }
    return TextWidth.printable(follows.isEmpty ? name : "\(name), who follows \(follows)")
  }
}

/// The texts of the news.
package struct NewsViewState: Sendable, Hashable {
  package let title: String
  package let count: String
  /// In place of rows.
  package let message: String?
  package let isLoading: Bool
  package let rows: [String]

  package init(_ news: NewsState) {
    title = "News for \(news.user.title)"
    isLoading = news.step == .loading
    switch news.step {
    case .initial:
      (count, message, rows) = ("", nil, [])
    case .loading:
      (count, message, rows) = ("", "Loading...", [])
    case .loaded(let list):
      let broken = list.broken == 0 ? "" : list.broken == 1 ? ", 1 broken line" : ", \(list.broken) broken lines"
      count = (list.uploads.count == list.all ? "\(list.all)" : "\(list.uploads.count) of \(list.all)") + broken
      message = list.uploads.isEmpty ? "There are no such news." : nil
      rows = list.uploads.map(\.headline)
    case .failed(let failure):
      (count, message, rows) = ("", TextWidth.printable("\(failure)"), [])
    }
  }
}

/// Pictures of the screens as text.
package enum NewsLines {
  private static let longest = 10

  package static func text(of picture: NewsPicture) -> String {
    guard let news = picture.news else { return "User: \(picture.user.title); news: \(picture.status)\n" }
    let view = NewsViewState(news)
    var lines = [view.title + (view.count.isEmpty ? "" : " (\(view.count))")]
    lines += (view.rows.prefix(longest) + (view.message.map { [$0] } ?? [])).map { "  \($0)" }
    if view.rows.count > longest { lines.append("  and \(view.rows.count - longest) more") }
    return lines.map { $0 + "\n" }.joined()
  }
}
