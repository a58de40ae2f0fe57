// Where a nested state lies: a chain of steps from the root of the tree.
//
// A stored property is a distance from the root, however deep. Everything that can come and go — an optional, a case, an
// element — is found each time, in place, without copying what lies around it.

/// Where a state lies in its tree.
enum Place<State: Sendable>: @unchecked Sendable {
  // Safe to share: steps are constants; what an element's step remembers is only touched under the tree's lock.
  case direct(Int)
  case found(Step<State>)

  /// Shows the state; false if it is not there. Under the tree's lock.
  func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafePointer<State>) -> Void) -> Bool {
    switch self {
    case .direct(let offset):
      body(UnsafePointer((base + offset).assumingMemoryBound(to: State.self)))
      return true
    case .found(let step):
      return step.visit(base, body)
    }
  }

  /// Changes the state in place; false if it is not there. Under the tree's lock.
  func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    switch self {
    case .direct(let offset):
      change((base + offset).assumingMemoryBound(to: State.self))
      return true
    case .found(let step):
      return step.modify(base, change)
    }
  }

  /// A stored part of the state.
  func part<Part: Sendable>(at offset: Int) -> Place<Part> {
    switch self {
    case .direct(let own): .direct(own + offset)
    case .found(let step): .found(StoredStep(step, offset))
    }
  }
}

/// One way of finding a state.
class Step<State: Sendable> {
  func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafePointer<State>) -> Void) -> Bool { false }
  func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutablePointer<State>) -> Void) -> Bool { false }
}

/// A stored property of something that has to be found.
final class StoredStep<Whole: Sendable, State: Sendable>: Step<State> {
  private let whole: Step<Whole>
  private let offset: Int

  init(_ whole: Step<Whole>, _ offset: Int) {
    self.whole = whole
    self.offset = offset
  }

  override func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafePointer<State>) -> Void) -> Bool {
    whole.visit(base) { body((UnsafeRawPointer($0) + offset).assumingMemoryBound(to: State.self)) }
  }

  override func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    whole.modify(base) { change((UnsafeMutableRawPointer($0) + offset).assumingMemoryBound(to: State.self)) }
  }
}

/// What is in an optional.
final class OptionalStep<State: Sendable>: Step<State> {
  private let optional: Place<State?>

  init(_ optional: Place<State?>) {
    self.optional = optional
  }

  override func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafePointer<State>) -> Void) -> Bool {
    var isThere = false
    _ = optional.visit(base) { optional in
      guard let state = optional.pointee else { return }
      isThere = true
      withUnsafePointer(to: state, body)
    }
    return isThere
  }

  override func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    var isThere = false
    _ = optional.modify(base) { optional in
      guard optional.pointee != nil else { return }
      isThere = true
      withUnsafeMutablePointer(to: &optional.pointee!, change)
    }
    return isThere
  }
}

/// What is in one case of an enum.
final class CaseStep<Whole: Sendable, State: Sendable>: Step<State> {
  private let whole: Place<Whole>
  private let path: Case<Whole, State>

  init(_ whole: Place<Whole>, _ path: Case<Whole, State>) {
    self.whole = whole
    self.path = path
  }

  override func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafePointer<State>) -> Void) -> Bool {
    var isThere = false
    _ = whole.visit(base) { whole in
      guard let state = path.extract(whole.pointee) else { return }
      isThere = true
      withUnsafePointer(to: state, body)
    }
    return isThere
  }

  override func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    var isThere = false
    _ = whole.modify(base) { whole in
      guard var state = path.extract(whole.pointee) else { return }
      isThere = true
      // The enum gives its value away while it is changed, so that a collection in it has one owner and is not copied.
      whole.deinitialize(count: 1)
      withUnsafeMutablePointer(to: &state, change)
      whole.initialize(to: path.embed(state))
    }
    return isThere
  }
}

/// An element of an array, found by its id.
final class ElementStep<ID: Hashable & Sendable, State: Sendable>: Step<State> {
  private let array: Place<[State]>
  private let id: ID
  private let idOf: (State) -> ID
  /// Where it was last.
  private var index = 0

  init(_ array: Place<[State]>, id: ID, idOf: @escaping (State) -> ID) {
    self.array = array
    self.id = id
    self.idOf = idOf
  }

  override func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafePointer<State>) -> Void) -> Bool {
    var isThere = false
    _ = array.visit(base) { array in
      guard let index = find(in: array.pointee) else { return }
      isThere = true
      array.pointee.withUnsafeBufferPointer { body($0.baseAddress! + index) }
    }
    return isThere
  }

  override func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    var isThere = false
    _ = array.modify(base) { array in
      guard let index = find(in: array.pointee) else { return }
      isThere = true
      withUnsafeMutablePointer(to: &array.pointee[index], change)
    }
    return isThere
  }

  private func find(in array: [State]) -> Int? {
    if index < array.count, idOf(array[index]) == id { return index }
    guard let found = array.firstIndex(where: { idOf($0) == id }) else { return nil }
    index = found
    return found
  }
}

/// An element of a keyed collection.
final class KeyedStep<ID: Hashable & Sendable, State: Sendable>: Step<State> {
  private let collection: Place<Keyed<ID, State>>
  private let id: ID
  /// Where it was last, and in which version of the keys.
  private var index = 0
  private var version: UInt64 = 0

  init(_ collection: Place<Keyed<ID, State>>, id: ID) {
    self.collection = collection
    self.id = id
  }

  override func visit(_ base: UnsafeMutableRawPointer, _ body: (UnsafePointer<State>) -> Void) -> Bool {
    var isThere = false
    _ = collection.visit(base) { collection in
      guard let index = find(in: collection.pointee) else { return }
      isThere = true
      withUnsafePointer(to: collection.pointee.elements[index]!, body)
    }
    return isThere
  }

  override func modify(_ base: UnsafeMutableRawPointer, _ change: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    var isThere = false
    _ = collection.modify(base) { collection in
      guard let index = find(in: collection.pointee) else { return }
      isThere = true
      withUnsafeMutablePointer(to: &collection.pointee.elements[index]!, change)
    }
    return isThere
  }

  private func find(in collection: borrowing Keyed<ID, State>) -> Int? {
    if collection.version == version, version != 0 { return index }
    guard let found = collection.index(of: id) else { return nil }
    index = found
    version = collection.version
    return found
  }
}
