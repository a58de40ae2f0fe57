// An ordered collection whose elements have ids, made for nested reactors.

/// An ordered collection of elements, each under an id, that counts the changes of its keys.
///
/// In a state it lets a parent have thousands of child reactors at no cost for the parent's own actions: whether an element
/// came or went is one comparison, and an element is found in constant time. It is a value like an array.
///
/// ```swift
/// struct Board { var cards = Keyed<Int, Card>() }
/// board.cards.append(Card(title: "Write"), id: 1)
/// board.cards[id: 1]?.title = "Rewrite"
/// board.cards.remove(1)
/// ```
///
/// **Cost.** Look-up by id O(1), changing an element in place O(1), `append` amortised O(1), `remove`, `insert` and `move`
/// O(n).
public struct Keyed<ID: Hashable & Sendable, Element> {
  @usableFromInline var keys: [ID] = []
  // Optional so that an element can be moved out while it is changed. None is nil at rest.
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var positions: [ID: Int] = [:]
  /// Changes when an id comes, goes or moves. Two collections with the same version have the same ids in the same order.
  @usableFromInline var version: UInt64 = 0

  /// Makes an empty collection.
  public init() {}

  /// Makes a collection of elements that carry their ids. Of elements with the same id the last one counts, at the place
  /// of the first.
  public init(_ elements: some Sequence<Element>, id: (Element) -> ID) {
    for element in elements { add(element, id: id(element), at: count) }
    if !isEmpty { version = ChangeNumber.next() }
  }

  /// The ids in order.
  public var ids: [ID] { keys }

  /// How many elements there are.
  public var count: Int { keys.count }

  /// Is there no element?
  public var isEmpty: Bool { keys.isEmpty }

  /// The elements in order, as an array that is made for the call.
  @inlinable
  public var values: [Element] { elements.map { $0! } }

  /// The element under an id. Setting a new one appends it, setting nil removes it.
  @inlinable
  public subscript(id id: ID) -> Element? {
    get { positions[id].flatMap { elements[$0] } }
    _modify {
      // The element is moved out and back, so that it has one owner while it is changed.
      let position = positions[id]
      var element = position.flatMap { elements[$0].take() }
      defer { put(element, under: id, at: position) }
      yield &element
    }
  }

  /// The place of an id in the order.
  @inlinable
  public func index(of id: ID) -> Int? { positions[id] }

  /// Is there an element under this id?
  @inlinable
  public func contains(_ id: ID) -> Bool { positions[id] != nil }

  /// Adds an element at the end, or replaces the one under its id where it is.
  @inlinable
  public mutating func append(_ element: Element, id: ID) {
    insert(element, id: id, at: count)
  }

  /// Adds an element at a place in the order, or replaces the one under its id where it is. A place that is not between 0
  /// and ``count`` stops the program.
  @inlinable
  public mutating func insert(_ element: Element, id: ID, at index: Int) {
    require(index >= 0 && index <= count, "\(Self.self).insert(\(id), at: \(index)): there are \(count) elements")
    if add(element, id: id, at: index) { version = ChangeNumber.next() }
  }

  /// Takes the element under an id out.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: ID) -> Element? {
    guard let position = positions.removeValue(forKey: id) else { return nil }
    keys.remove(at: position)
    let element = elements.remove(at: position)
    if position < count { renumber(position...count - 1) }
    version = ChangeNumber.next()
    return element
  }

  /// Takes everything out.
  public mutating func removeAll() {
    if isEmpty { return }
    self = Keyed()
    version = ChangeNumber.next()
  }

  /// Puts an element at another place in the order. Unknown ids are ignored; a place that is not below ``count`` stops the
  /// program.
  @inlinable
  public mutating func move(_ id: ID, to index: Int) {
    guard let position = positions[id] else { return }
    require(index >= 0 && index < count, "\(Self.self).move(\(id), to: \(index)): there are \(count) elements")
    if index == position { return }
    keys.insert(keys.remove(at: position), at: index)
    elements.insert(elements.remove(at: position), at: index)
    renumber(Swift.min(position, index)...Swift.max(position, index))
    version = ChangeNumber.next()
  }

  /// True if the id is new.
  @inlinable
  @discardableResult
  mutating func add(_ element: Element, id: ID, at index: Int) -> Bool {
    if let position = positions[id] {
      elements[position] = element
      return false
    }
    keys.insert(id, at: index)
    elements.insert(element, at: index)
    renumber(index...count - 1)
    return true
  }

  /// Puts back what the subscript has handed out.
  @inlinable
  mutating func put(_ element: Element?, under id: ID, at position: Int?) {
    if let position, element != nil {
      elements[position] = element
    } else if let element {
      append(element, id: id)
    } else {
      remove(id)
    }
  }

  @inlinable
  mutating func renumber(_ places: ClosedRange<Int>) {
    for place in places { positions[keys[place]] = place }
  }
}

extension Keyed where Element: Identifiable, Element.ID == ID {
  /// Makes a collection of elements under their own ids.
  public init(_ elements: some Sequence<Element>) {
    self.init(elements, id: { $0.id })
  }

  /// Adds an element under its own id at the end, or replaces the one that is there.
  @inlinable
  public mutating func append(_ element: Element) {
    append(element, id: element.id)
  }
}

extension Keyed: Sequence {
  /// Goes through the elements in order.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(elements.makeIterator()) }

  /// Goes through the elements of a keyed collection.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var elements: IndexingIterator<[Element?]>

    @usableFromInline
    init(_ elements: IndexingIterator<[Element?]>) {
      self.elements = elements
    }

    /// The next element; nil at the end.
    @inlinable
    public mutating func next() -> Element? { elements.next() ?? nil }
  }

  /// How many elements there are at least, which is how many there are.
  public var underestimatedCount: Int { count }
}

extension Keyed: Sendable where Element: Sendable {}

extension Keyed: Equatable where Element: Equatable {
  /// True if both have the same elements under the same ids in the same order.
  public static func == (lhs: Keyed, rhs: Keyed) -> Bool { lhs.keys == rhs.keys && lhs.elements == rhs.elements }
}

extension Keyed: Hashable where Element: Hashable {
  /// Hashes ids and elements in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
    hasher.combine(elements)
  }
}
