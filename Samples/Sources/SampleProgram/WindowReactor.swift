// The reactor of the terminal's window: its size, and the wheel that turns while one waits.

package import Dispatch
package import SwiftReactor
package import TerminalScreen

/// What a terminal program shows besides its contents.
///
/// The spinner is an effect with an id: starting it again replaces it, and stopping it is a mutation result like any
/// other. A value that was on its way when it was stopped is never seen.
package final class WindowReactor: BaseReactor<WindowReactor.Action, WindowReactor.Mutation, WindowReactor.State>,
  @unchecked Sendable  // Safe to share: its only property is constant; the state is the base class's.
{
  package enum Action: Sendable, Hashable {
    case resize(TerminalSize)
    /// Somebody else has written to the terminal.
    case repaint(TerminalSize)
    case spin(Bool)
  }

  package enum Mutation: Sendable, Hashable {
    case setSize(TerminalSize)
    case paintingIsOld
    case step
  }

  package struct State: Sendable, Hashable {
    package fileprivate(set) var size: TerminalSize
    /// How far the spinner has turned.
    package fileprivate(set) var step = 0
    /// Counts how often everything had to be painted anew.
    package fileprivate(set) var paintings = 0
  }

  private enum Effect { case spinner }

  private let clock: any Clock<Duration>

  package init(size: TerminalSize, clock: any Clock<Duration> = ContinuousClock(), queue: DispatchQueue = .main) {
    self.clock = clock
    super.init(initialState: State(size: size), queue: queue)
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .resize(let size):
      return [.setSize(size)]
    case .repaint(let size):
      return [.setSize(size), .paintingIsOld]
    case .spin(false):
      return .cancel(id: Effect.spinner)
    case .spin(true):
      return .run { [clock] emit in
        while true {
          try await clock.sleep(for: .milliseconds(100))
          await emit.whenDrained(.step)  // a window that is busy is not flooded with steps
        }
      }.effect(id: Effect.spinner)
    }
  }

  package override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setSize(let size): state.size = size
    case .paintingIsOld: state.paintings += 1
    case .step: state.step += 1
    }
  }
}
