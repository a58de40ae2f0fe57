// The one reactor of CounterApp. It knows no user interface, so it is tested where there is none.

package import SwiftReactor

/// Counts, in steps of a size that is typed, and takes back what was done, after a moment.
package final class CounterReactor: BaseReactor<CounterReactor.Action, CounterReactor.Mutation, CounterReactor.State>,
  @unchecked Sendable  // safe: its properties are constants
{
  package enum Action: Sendable, Equatable {
    case add, subtract
    /// What was typed into the field for the step.
    case setStep(String)
    case setLoud(Bool)
    /// Takes the last change back, after a moment in which another tap stops it.
    case undoSoon
    case keep
  }

  package enum Mutation: Sendable, Equatable {
    case add(Int)
    case setStep(String)
    case setLoud(Bool)
    case setUndoing(Bool)
    case undo
  }

  package struct State: Sendable, Equatable {
    package var count = 0
    /// A number from 1 to 99, as text: what else is typed does not get here.
    package var step = "1"
    package var isLoud = false
    package var isUndoing = false
    fileprivate var last = 0

    package init() {}

    package var text: String { isLoud ? "\(count)!" : "\(count)" }
  }

  private let clock: any Clock<Duration>

  package init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    super.init(initialState: State())
  }

  package override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .add: [.add(Int(state.step) ?? 1)]
    case .subtract: [.add(-(Int(state.step) ?? 1))]
    case .setStep(let text): [.setStep(text)]
    case .setLoud(let isLoud): [.setLoud(isLoud)]
    case .undoSoon:
      [.setUndoing(true)]
        + .run { [clock] emit in
          try await clock.sleep(for: .seconds(2))
          emit(.undo)
        }.effect(id: "undo")
    case .keep: [.setUndoing(false)] + .cancel(id: "undo")
    }
  }

  package override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let number):
      state.count += number
      state.last = number
    case .setStep(let text):
      // A control that shows something else is told to show this again.
      let digits = text.filter { $0.isASCII && $0.isNumber }.prefix(2)
      if let number = Int(digits), number > 0 { state.step = "\(number)" }
    case .setLoud(let isLoud): state.isLoud = isLoud
    case .setUndoing(let isUndoing): state.isUndoing = isUndoing
    case .undo:
      state.count -= state.last
      state.last = 0
      state.isUndoing = false
    }
  }
}
