// What the board says, made from its state by pure functions: the same words for both faces of the program.

internal import Foundation
internal import SwiftReactor
internal import TerminalScreen

extension BoardTotals {
  package var cardCount: String { count == 1 ? "1 card" : "\(count) cards" }

  /// The sums in words, the longest first: whoever has little room takes a later one.
  package var headers: [String] {
    let work = working == 0 ? [] : ["\(working) working"]
    let archive = archived == 0 ? [] : ["\(archived) archived"]
    let time = "worked \(WorkTime.text(worked))"
    return [
      ([cardCount, time] + work + archive).joined(separator: ", "), ([cardCount, time] + work).joined(separator: ", "),
      "\(cardCount), \(WorkTime.text(worked))", time, WorkTime.text(worked),
    ]
  }
}

extension BoardTotals.Column {
  package var text: String { "\(id.title) \(count), \(WorkTime.text(worked))" }
}

extension CardReactor.State {
  package var title: String { TextWidth.printable("#\(issue.number) \(issue.title)") }

  /// The time, if there is something to say about it.
  package var time: String { worked > 0 || isWorking ? WorkTime.text(worked) : "" }

  /// Everything else that is known of it.
  package var details: String {
    let labels = issue.labels.isEmpty ? [] : ["[\(issue.labels.joined(separator: ", "))]"]
    let assignee = issue.assignee.map { ["@\($0)"] } ?? []
    let day = issue.created.formatted(.iso8601.year().month().day())
    return TextWidth.printable((labels + assignee + [day]).joined(separator: " "))
  }
}

/// The board as lines.
package enum BoardLines {
  /// The sums in one line.
  package static func totals(of state: BoardReactor.State) -> String {
    let totals = BoardTotals(state)
    return "Board: \(totals.headers[0]) | " + totals.columns.map(\.text).joined(separator: " | ") + "\n"
  }

  /// The sums and every card.
  package static func text(of state: BoardReactor.State) -> String {
    var lines = [totals(of: state)]
    for (column, sums) in zip(state.columns, BoardTotals(state).columns) {
      lines.append(sums.text + "\n")
      lines += column.cards.map { line(of: $0) }
    }
    if let archive = state.archive {
      lines.append("Archive \(archive.cards.count), \(WorkTime.text(archive.worked))\n")
      lines += archive.cards.map { line(of: $0.card) }
    }
    return lines.joined()
  }

  /// What there is to say of a card after something was done to it.
  package static func answer(about number: Int, in state: BoardReactor.State) -> String {
    if let archived = state.archive?.cards[id: number] {
      return "#\(number) is in the archive, worked \(WorkTime.text(archived.card.worked))\n"
    }
    guard let column = state.column(of: number), let card = state.card(number) else { return unknown(number) }
    return "#\(number) is in \(column.title), \(card.isWorking ? "working" : "paused"), "
      + "worked \(WorkTime.text(card.worked))\n"
  }

  package static func unknown(_ number: Int) -> String { "there is no card #\(number)\n" }

  private static func line(of card: CardReactor.State) -> String {
    "\(card.isWorking ? "*" : " ") \(card.title) \(card.details)" + (card.time.isEmpty ? "" : " \(card.time)") + "\n"
  }
}
