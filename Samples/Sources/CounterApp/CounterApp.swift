// One reactor, shown by SwiftUI and by UIKit beside each other: what is done in one is seen in the other.

#if canImport(SwiftUI)
  internal import CounterCore
  internal import SwiftReactor
  internal import SwiftReactorUI
  internal import SwiftUI

  @main
  struct CounterApp: App {
    var body: some Scene {
      WindowGroup {
        ReactorView(CounterReactor()) { BothViews() }
      }
    }
  }

  /// The two halves of the screen.
  struct BothViews: View {
    @EnvironmentReactor() private var reactor: CounterReactor

    var body: some View {
      VStack {
        CounterView()
        #if canImport(UIKit)
          CounterControllerView(reactor: reactor)
        #endif
      }
    }
  }
#else
  /// Elsewhere there is nothing to show it with.
  @main
  struct CounterApp {
    static func main() {
      print("CounterApp is for Apple's systems: open the package in Xcode. Its reactor is in CounterCore.")
    }
  }
#endif
