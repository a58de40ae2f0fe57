// The counter in UIKit.

#if canImport(UIKit)
  internal import CounterCore
  internal import SwiftReactor
  internal import SwiftReactorUIKit
  internal import SwiftUI
  internal import UIKit

  final class CounterController: BaseReactorViewController<CounterReactor> {
    private let label = UILabel(frame: .zero)
    private let step = UITextField(frame: .zero)
    private let loud = UISwitch(frame: .zero)

    override func viewDidLoad() {
      let minus = UIButton(primaryAction: UIAction(title: "−") { [weak self] _ in self?.reactor?.action(.subtract) })
      let plus = UIButton(primaryAction: UIAction(title: "+") { [weak self] _ in self?.reactor?.action(.add) })
      view.addSubview(UIStackView(arrangedSubviews: [label, minus, plus, step, loud]))
      step.addAction(
        UIAction { [weak self] _ in self?.reactor?.action(.setStep(self?.step.text ?? "")) }, for: .editingChanged)
      loud.addAction(
        UIAction { [weak self] _ in self?.reactor?.action(.setLoud(self?.loud.isOn ?? false)) }, for: .valueChanged)
      super.viewDidLoad()
    }

    override func bind(reactor: CounterReactor) {
      reactor.observe(\.text) { [label] in label.text = $0 }.store(in: &subscriptions)
      reactor.observe(\.isLoud) { [loud] in loud.setOn($0, animated: true) }.store(in: &subscriptions)
      reactor.binding(\.step, action: CounterReactor.Action.setStep)
        .observe { [step] text in if step.text != text { step.text = text } }
        .store(in: &subscriptions)
    }
  }

  /// The controller as a view of SwiftUI.
  struct CounterControllerView: UIViewControllerRepresentable {
    let reactor: CounterReactor

    func makeUIViewController(context: Context) -> CounterController {
      let controller = CounterController()
      controller.reactor = reactor
      return controller
    }

    func updateUIViewController(_ controller: CounterController, context: Context) {
      if controller.reactor !== reactor { controller.reactor = reactor }
    }
  }
#endif
