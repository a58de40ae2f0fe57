// Declarations for type-checking only: what is used of UIKit, as Apple documents it, with its isolation. Nothing here can
// run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NoLeadingUnderscores

@_exported import Foundation

public struct CGPoint: Equatable, Sendable {}
public struct CGSize: Equatable, Sendable {}

public struct CGRect: Equatable, Sendable {
  public static var zero: CGRect { fatalError() }
}

@MainActor @preconcurrency open class UIResponder: NSObject {
  nonisolated public override init() { fatalError() }
}

@MainActor @preconcurrency open class UIView: UIResponder {
  public init(frame: CGRect) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
  open func addSubview(_ view: UIView) { fatalError() }
  open func setNeedsLayout() { fatalError() }
  open var backgroundColor: UIColor? {
    get { fatalError() }
    set { fatalError() }
  }
  open var frame: CGRect {
    get { fatalError() }
    set { fatalError() }
  }
}

open class UIColor: NSObject, @unchecked Sendable {
  // Safe: it never exists.
  open class var systemGreen: UIColor { fatalError() }
  open class var systemBackground: UIColor { fatalError() }
}

@MainActor @preconcurrency open class UILabel: UIView {
  open var text: String? {
    get { fatalError() }
    set { fatalError() }
  }
}

@MainActor @preconcurrency open class UIStackView: UIView {
  public init(arrangedSubviews views: [UIView]) { fatalError() }
  public required init(coder: NSCoder) { fatalError() }
}

@MainActor @preconcurrency open class UIAction: NSObject {
  public typealias UIActionHandler = @MainActor (UIAction) -> Void
  public convenience init(title: String = "", handler: @escaping UIActionHandler) { fatalError() }
}

@MainActor @preconcurrency open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static var touchUpInside: Event { fatalError() }
    public static var editingChanged: Event { fatalError() }
    public static var valueChanged: Event { fatalError() }
  }

  open func addAction(_ action: UIAction, for events: Event) { fatalError() }
}

@MainActor @preconcurrency open class UITextField: UIControl {
  open var text: String? {
    get { fatalError() }
    set { fatalError() }
  }
}

@MainActor @preconcurrency open class UISwitch: UIControl {
  open var isOn: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  open func setOn(_ isOn: Bool, animated: Bool) { fatalError() }
}

@MainActor @preconcurrency open class UIButton: UIControl {
  public convenience init(frame: CGRect = .zero, primaryAction: UIAction?) { fatalError() }
}

@MainActor @preconcurrency open class UIViewController: UIResponder {
  public init(nibName: String?, bundle: Bundle?) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
  public override convenience init() { fatalError() }
  open var view: UIView! {
    get { fatalError() }
    set { fatalError() }
  }
  open var isViewLoaded: Bool { fatalError() }
  open func loadView() { fatalError() }
  open func viewDidLoad() { fatalError() }
  open func viewWillAppear(_ animated: Bool) { fatalError() }
  open func viewDidDisappear(_ animated: Bool) { fatalError() }
  open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) { fatalError() }
}
