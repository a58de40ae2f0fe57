// The code of the guide "Looking on": middleware and the logger.

import SwiftReactor
import Testing

// snippet.middleware
struct Journal: ReactorMiddleware {
  let write: @Sendable (String) -> Void

  func willMutate(_ action: any Sendable, in reactor: String, from origin: ReactorOrigin) {
    write("\(action) from \(origin.kind)")
  }

  func didCommit(_ commit: ReactorCommit<PlayerReactor.State>) {
    write("\(commit.mutations) \(commit.before.volume) → \(commit.after.volume)")
  }
}
// snippet.end

@MainActor @Suite("Snippets · Looking on")
struct LookingOnTests {
  @Test("S4 · Every action, every mutation, before and after")
  func middleware() async {
    let (lines, line) = AsyncStream<String>.makeStream()
    // snippet.attach
    let player = PlayerReactor()
    let attachment = player.attach(Journal { line.yield($0) })
    player.action(.up)
    player.action(.reset)
    attachment.cancel()  // from here on nobody looks, and nothing is paid for it
    player.action(.up)
    // snippet.end
    line.finish()
    var all: [String] = []
    for await line in lines { all.append(line) }
    #expect(all.count == 4)
    #expect(all.first == "up from outside")
    #expect(all.last?.hasSuffix("6 → 5") == true)
  }

  @Test("S4 · The logger as an example")
  func logger() async {
    let (lines, line) = AsyncStream<String>.makeStream()
    // snippet.logger
    let player = PlayerReactor()
    let logger = ReactorLogger<PlayerReactor.State>(to: { line.yield($0) })
    let logging = player.attach(logger)
    player.action(.up)
    logger.isOn = false  // switched off it costs nothing
    player.action(.up)
    // snippet.end
    line.finish()
    var all: [String] = []
    for await line in lines { all.append(line) }
    #expect(all.count == 2)
    #expect(all.first?.hasPrefix("PlayerReactor action .up · outside, Snippets/LookingOn.swift:") == true)
    #expect(all.last?.contains("+   volume: 6") == true)
    logging.cancel()
  }
}
