// A use of every public name of SwiftReactorUI, SwiftReactorUIKit and the Combine bridge, in Swift 6 mode with warnings as
// errors. Nothing here is run: that it compiles is the test, where the frameworks are, and everywhere in `.ci/apple`.

import SwiftReactor

/// A reactor with another one beside it and one nested in it.
final class ScreenReactor: BaseReactor<ScreenReactor.Action, ScreenReactor.Mutation, ScreenReactor.State>,
  @unchecked Sendable  // safe: its properties are constants
{
  enum Action { case setText(String), setOn(Bool), load }
  enum Mutation { case setText(String), setOn(Bool) }
  struct State {
    var text = ""
    var isOn = false
    var detail = PartReactor.State()
  }

  let beside = PartReactor()
  let detail = PartReactor()

  init() {
    super.init(initialState: State())
    nest(detail, at: \.detail)
  }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .setText(let text): [.setText(text)]
    case .setOn(let isOn): [.setOn(isOn)]
    case .load: .none
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    switch mutation {
    case .setText(let text): state.text = text
    case .setOn(let isOn): state.isOn = isOn
    }
  }
}

/// The other one.
final class PartReactor: BaseReactor<PartReactor.Action, PartReactor.Action, PartReactor.State>,
  @unchecked Sendable  // safe: it has no stored property
{
  enum Action { case setCount(Int) }
  struct State { var count = 0 }

  init() { super.init(initialState: State()) }

  override func mutate(action: Action) -> Mutations<Action> { [action] }
}

#if canImport(SwiftUI)
  import Combine
  import SwiftReactorUI
  import SwiftUI

  /// Property wrappers, the environment, bindings.
  struct NamesView: View {
    @EnvironmentReactor() private var screen: ScreenReactor
    @EnvironmentReactor(\ScreenReactor.beside) private var beside
    @EnvironmentReactor(\ScreenReactor.detail) private var detail: PartReactor
    @ActionBinding(\ScreenReactor.self, keyPath: \.text, action: ScreenReactor.Action.setText) private var text: String
    @ActionBinding(ScreenReactor.self, keyPath: \.isOn, action: { .setOn($0) }) private var isOn
    @ActionBinding(\ScreenReactor.detail, keyPath: \.count, action: PartReactor.Action.setCount) private var count: Int

    var body: some View {
      VStack {
        TextField("Text", text: $text)
        Toggle("On", isOn: $isOn)
        Stepper("Count", value: $count)
        Button("Clear") {
          text = ""
          count = 0
        }
        Text("\(screen.text) \(beside.count) \(detail.count)")
        TextField("Action", text: screen.mutate(binding: \.text) { .setText($0) })
        TextField("Action", text: screen.mutate(binding: \.text, ScreenReactor.Action.setText))
        Toggle("Mutation", isOn: screen.reduce(binding: \.isOn) { .setOn($0) })
        Toggle("Mutation", isOn: screen.reduce(binding: \.isOn, ScreenReactor.Mutation.setOn))
        TextField("Plain", text: Binding(screen.binding(\.text, action: ScreenReactor.Action.setText)))
      }
      .refreshable { await screen.perform(.load) }
      .task { await screen.action(.load, while: { $0.isOn }) }
    }
  }

  /// The ways to own a reactor, before Observation.
  struct OwnersView: View {
    @StateObject private var owned = ScreenReactor()
    @ObservedObject var observed: ScreenReactor
    @EnvironmentObject private var shared: ScreenReactor

    var body: some View {
      ReactorView(ScreenReactor()) { NamesView() }
      ReactorView(ScreenReactor().preview()) { NamesView() }
      ReactorView(ScreenReactor().preview(.init(text: "preview"))) { NamesView() }
      NamesView().reactor(owned)
      NamesView().environmentObject(observed)
      Text(shared.text)
    }
  }

  /// And with it.
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
  struct ObservingOwnersView: View {
    @State private var owned = ScreenReactor()
    @Environment(ScreenReactor.self) private var shared
    @Environment(PartReactor.self) private var perhaps: PartReactor?

    var body: some View {
      Text(owned.text)
      Text(shared.text)
      Text("\(perhaps?.count ?? 0)")
      NamesView().environment(owned)
    }
  }
#endif

#if canImport(UIKit)
  import SwiftReactorUIKit
  import UIKit

  /// A view by protocol only.
  final class NamesCell: UIView, ReactorUIView {
    var reactor: PartReactor?
    var subscriptions: Set<EventSubscription> = []
    let label = UILabel(frame: .zero)

    func bind(reactor: PartReactor) {
      reactor.observe(\.count) { [label] in label.text = "\($0)" }.store(in: &subscriptions)
    }
  }

  /// A view by class.
  final class NamesUIView: BaseReactorView<PartReactor> {
    private let label = UILabel(frame: .zero)

    override func bind(reactor: PartReactor) {
      reactor.observe(\.count) { [weak self] in self?.label.text = "\($0)" }.store(in: &subscriptions)
    }
  }

  /// A controller whose label follows the count.
  final class NamesController: BaseReactorViewController<PartReactor> {
    private let label = UILabel(frame: .zero)
    private let cell = NamesCell(frame: .zero)
    private let other = NamesUIView(frame: .zero)

    override func viewDidLoad() {
      view.addSubview(label)
      super.viewDidLoad()
    }

    override func bind(reactor: PartReactor) {
      reactor.observe(\.count) { [label] count in label.text = "\(count)" }.store(in: &subscriptions)
      cell.setAndBind(reactor: reactor)
      other.reactor = reactor
      other.setAndBind(reactor: nil)
    }
  }

  @MainActor
  func setAnywhere<V: ReactorUIView>(_ view: V, _ reactor: V.Reactor) {
    view.setAndBind(reactor: reactor)
    view.setAndBind(reactor: nil)
    view.reactor = reactor
    view.subscriptions.removeAll()
  }
#endif

#if canImport(Combine)
  import Combine

  /// Streams as publishers, publishers as streams, a reactor as an object.
  @MainActor
  final class NamesOfCombine {
    var text: String? = ""
    var count = 0
    var cancellables: Set<AnyCancellable> = []
    var subscriptions: Set<EventSubscription> = []

    func use(_ reactor: ScreenReactor, _ part: PartReactor) {
      reactor.$state.map { $0.text }.assign(to: \.text, on: self).store(in: &cancellables)
      part.$state.map(\.count).removeDuplicates().assign(to: \.count, on: self).store(in: &cancellables)
      part.$state.map { $0.count }.sink { _ in }.store(in: &subscriptions)
      part.$state.map { $0.count }.sink(receiveValue: { _ in }).store(in: &cancellables)
      part.$state.eraseToAnyPublisher().map { $0.count }.sink { _ in }.store(in: &cancellables)
      reactor.objectWillChange.sink { _ in }.store(in: &cancellables)
      part.core.$state.map { "\($0.count)" }.assign(to: \.text, on: self).store(in: &cancellables)
    }
  }

  func mutationsOfPublishers(
    _ safe: PassthroughSubject<Int, Never>, _ failing: AnyPublisher<Int, any Error>
  ) -> [Mutations<Int>] {
    [
      Mutations(sync: 1, async: safe), Mutations(sync: [1, 2], async: failing),
      Mutations(async: Just(1).map { $0 + 1 }),
      Mutations(async: EventStream(failing).map { $0 + 1 }).effect(id: "ints"),
      Mutations(sync: 1, async: safe.map { $0 + 1 }) + .run { emit in emit(1) },
    ]
  }
#endif
