// The code of the article "UIKit". It is compiled where UIKit is, and type-checked everywhere by `.ci/apple`.

#if canImport(UIKit)
  import SwiftReactor
  import SwiftReactorUIKit
  import UIKit

  // snippet.controller
  final class ExampleController: BaseReactorViewController<ExampleReactor> {
    private let label = UILabel(frame: .zero)
    private let field = UITextField(frame: .zero)

    override func viewDidLoad() {
      view.addSubview(label)
      view.addSubview(field)
      super.viewDidLoad()  // binds, if a reactor is set
    }

    override func bind(reactor: ExampleReactor) {
      reactor.observe(\.count) { [label] count in label.text = "\(count)" }.store(in: &subscriptions)

      let text = reactor.binding(\.text, action: ExampleReactor.Action.setText)
      text.observe { [field] text in
        if field.text != text { field.text = text }  // also when the reducer has cut what was typed
      }
      .store(in: &subscriptions)
      field.addAction(UIAction { [weak field] _ in text.value = field?.text ?? "" }, for: .editingChanged)
    }
  }
  // snippet.end

  // snippet.use
  @MainActor
  func showExample(in parent: UIViewController) {
    let controller = ExampleController()
    controller.reactor = ExampleReactor()  // bound when the view has loaded
    parent.present(controller, animated: true)
  }
  // snippet.end

  // snippet.cell
  final class ExampleCell: UIView, ReactorUIView {
    var reactor: ExampleReactor?
    var subscriptions: Set<EventSubscription> = []
    private let label = UILabel(frame: .zero)

    func bind(reactor: ExampleReactor) {
      reactor.observe(\.text) { [label] text in label.text = text }.store(in: &subscriptions)
    }
  }

  @MainActor
  func reuse(_ cell: ExampleCell, for reactor: ExampleReactor?) {
    cell.setAndBind(reactor: reactor)  // what was bound before is unbound; nil only unbinds
  }
// snippet.end
#endif
