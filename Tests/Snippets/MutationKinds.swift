// The code of the article "Sync and async mutations".

import SwiftReactor
import Testing

final class PlayerReactor: BaseReactor<PlayerReactor.Action, PlayerReactor.Mutation, PlayerReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case up, mute, reset, look, load, later }
  enum Mutation { case setVolume(Int), setTrack(String), setLoading(Bool) }
  struct State {
    var volume = 5
    var track = ""
    var isLoading = false
  }

  init() { super.init(initialState: State()) }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    // snippet.answers
    case .up:
      [.setVolume(state.volume + 1)]  // nothing comes between this read and the commit
    case .reset:
      [.setVolume(5), .setTrack("")]  // two mutations, one commit
    case .look:
      .none  // no commit, nobody is told
    case .mute:
      state.volume == 0 ? .none : [.setVolume(0)]
    case .load:
      [.setLoading(true)]  // now
        + .run { emit in  // later; each value is a commit of its own
          emit(.setTrack(try await firstTrack()))
          emit(.setLoading(false))
        }
    case .later:
      Mutations(async: EventStream([.setVolume(1), .setVolume(2)]))  // any stream will do
    // snippet.end
    }
  }

  // snippet.reduce
  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setVolume(let volume): state.volume = min(max(volume, 0), 10)
    case .setTrack(let track): state.track = track
    case .setLoading(let isLoading): state.isLoading = isLoading
    }
  }
  // snippet.end
}

func firstTrack() async throws -> String { "Overture" }

@MainActor @Suite("Snippets · Sync and async mutations")
struct MutationKindsTests {
  @Test("Now and later")
  func nowAndLater() async {
    let player = PlayerReactor()
    player.action(.up)
    #expect(player.volume == 6)
    player.action(.load)
    #expect(player.isLoading)
    #expect(player.track == "")
    await player.perform(.look)
    await player.perform(.load)
    #expect(player.track == "Overture")
    #expect(!player.isLoading)
  }

  @Test("Values that a stream has at once are handled in the same call, each as a commit")
  func atOnce() {
    let player = PlayerReactor()
    var volumes: [Int] = []
    let subscription = player.observe(\.volume) { volumes.append($0) }
    player.action(.later)
    #expect(volumes == [5, 1, 2])
    subscription.cancel()
  }
}
