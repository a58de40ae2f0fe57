// The counter in SwiftUI.

#if canImport(SwiftUI)
  internal import CounterCore
  internal import SwiftReactor
  internal import SwiftReactorUI
  internal import SwiftUI

  struct CounterView: View {
    @EnvironmentReactor() private var reactor: CounterReactor
    @ActionBinding(CounterReactor.self, keyPath: \.step, action: CounterReactor.Action.setStep)
    private var step: String

    var body: some View {
      VStack {
        Text(reactor.text)
        HStack {
          Button("−") { withAnimation { reactor.action(.subtract) } }
          Button("+") { withAnimation { reactor.action(.add) } }
        }
        TextField("Step", text: $step)
        Toggle("Loud", isOn: reactor.mutate(binding: \.isLoud, CounterReactor.Action.setLoud))
        if reactor.isUndoing {
          Button("Keep it") { reactor.action(.keep) }
        } else {
          Button("Undo soon") { reactor.action(.undoSoon) }
        }
      }
    }
  }

  struct CounterPreviews: PreviewProvider {
    static var previews: some View {
      ReactorView(CounterReactor().preview()) { CounterView() }
    }
  }
#endif
