// The code of the article "SwiftUI". It is compiled where SwiftUI is, and type-checked everywhere by `.ci/apple`.

#if canImport(SwiftUI)
  import SwiftReactor
  import SwiftReactorUI
  import SwiftUI

  // snippet.app
  struct ExampleApp: App {
    var body: some Scene {
      WindowGroup {
        ReactorView(ExampleReactor()) {  // makes it once, and puts it into the environment
          ExampleView()
        }
      }
    }
  }
  // snippet.end

  // snippet.view
  struct ExampleView: View {
    @EnvironmentReactor() private var reactor: ExampleReactor
    @ActionBinding(ExampleReactor.self, keyPath: \.text, action: ExampleReactor.Action.setText)
    private var text: String
    @ActionBinding(ExampleReactor.self, keyPath: \.isOn, action: ExampleReactor.Action.setSwitch)
    private var isOn: Bool
    @ActionBinding(\ExampleReactor.detail, keyPath: \.note, action: DetailReactor.Action.setNote)
    private var note: String
    @State private var isSheetShown = false

    var body: some View {
      VStack {
        TextField("Text", text: $text)
        TextField("Note", text: $note)
        Toggle("Switch", isOn: $isOn)
        Toggle(
          "Switch that flips back",
          isOn: reactor.mutate(binding: \.isLaterOn, ExampleReactor.Action.setLaterSwitch))
        Button("Change the colour") {
          withAnimation { reactor.action(.paint(.green)) }
        }
        Button("Show a sheet") { isSheetShown = true }
        NavigationLink("Push a screen") {
          ReactorView(ExampleReactor()) { ExampleView() }  // a reactor of its own
        }
      }
      .background(reactor.tint.color)
      .sheet(isPresented: $isSheetShown) {
        ReactorView(ExampleReactor()) { ExampleView() }
      }
    }
  }

  extension ExampleReactor.Tint {
    var color: Color {
      switch self {
      case .clear: .clear
      case .red: .red
      case .green: .green
      case .blue: .blue
      }
    }
  }
  // snippet.end

  // snippet.stateObject
  struct OwningView: View {
    @StateObject private var reactor = ExampleReactor()

    var body: some View {
      Text("\(reactor.count)")
      UsingView().environmentObject(reactor)
    }
  }

  struct UsingView: View {
    @EnvironmentObject private var reactor: ExampleReactor

    var body: some View {
      Button("Add to \(reactor.count)") { reactor.action(.count) }
    }
  }
  // snippet.end

  // snippet.observation
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
  struct ModernOwningView: View {
    @State private var reactor = ExampleReactor()

    var body: some View {
      Text(reactor.text)  // drawn anew when the text changes, and not when the count does
      ModernUsingView().environment(reactor)
    }
  }

  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
  struct ModernUsingView: View {
    @Environment(ExampleReactor.self) private var reactor

    var body: some View {
      Button("Add to \(reactor.count)") { reactor.action(.count) }
    }
  }
  // snippet.end

  // snippet.refreshable
  struct RefreshedList: View {
    @EnvironmentReactor() private var reactor: ExampleReactor

    var body: some View {
      List { Text("\(reactor.count)") }
        .refreshable { await reactor.perform(.refresh) }  // as long as the effects of the action run
        .task { await reactor.action(.refresh, while: { $0.count < 10 }) }  // as long as the state says so
    }
  }
  // snippet.end

  // snippet.preview
  struct ExamplePreviews: PreviewProvider {
    static var previews: some View {
      ReactorView(ExampleReactor().preview(.init(text: "A long text", count: 3))) {
        ExampleView()  // shows the state; nothing that is tapped does anything
      }
    }
  }
// snippet.end
#endif
