// Nesting: a child reactor works on a part of its parent's state, in place.

extension BaseReactor {
  /// Makes `child` a window on a part of this reactor's state: from now on there is one storage, and the child's state is
  /// the part at `path`. The parent's value wins; who observes the child hears of the difference.
  ///
  /// ```swift
  /// init() {
  ///   super.init(initialState: State())
  ///   nest(detail, at: \.detail)
  /// }
  /// ```
  ///
  /// The parent holds the child weakly, the child holds the parent's storage: when the parent goes, the child goes on alone.
  /// Call it on the reactors' queue, or before either was used.
  ///
  /// The program stops with a message if the path is not a stored property, if another child has that part or a part of it,
  /// if the child has a parent or another queue, if a reactor would be nested in itself, or if either overrides
  /// ``transform(state:)``.
  ///
  /// **Cost.** An action of a child costs the same however deep it is and however large the state is, but for a few
  /// nanoseconds per ancestor, who is told.
  public final func nest<A, M, S>(_ child: BaseReactor<A, M, S>, at path: WritableKeyPath<State, S>) {
    core.nest(child.core, at: path)
  }

  /// A child at an optional: made when the value appears, let go when it is nil.
  ///
  /// ```swift
  /// private(set) lazy var detail = nest(at: \.detail) { DetailReactor() }
  /// detail.reactor?.action(.load)
  /// ```
  public final func nest<Child: Reactor>(
    at path: WritableKeyPath<State, Child.State?>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    core.nest(at: path, make)
  }

  /// A child at one case of an enum: made when the state is in that case, let go when it leaves it. Several children may
  /// share the enum, each with a case of its own.
  public final func nest<Whole: Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Whole>, case: Case<Whole, Child.State>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    core.nest(at: path, case: `case`, make)
  }

  /// Children for the elements of an array, each made at its first ``KeyedChildren/reactor(for:)``.
  ///
  /// **Cost.** After each commit of this reactor, or an ancestor, the ids are compared: about 3 ns per element while there
  /// are children. With ``Keyed`` it is one comparison in all.
  @inlinable
  public final func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, [Child.State]>, id: KeyPath<Child.State, ID>,
    _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    core.children(at: path, id: id, make)
  }

  /// Children for the elements of a keyed collection, each made at its first ``KeyedChildren/reactor(for:)``.
  public final func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Keyed<ID, Child.State>>, _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    core.children(at: path, make)
  }

  /// The same, for those who name the id as for an array. The collection knows its ids, so `id` has no say.
  public final func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Keyed<ID, Child.State>>, id: KeyPath<Child.State, ID>,
    _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    core.children(at: path, make)
  }

  /// Is the state of this reactor there? False for a child whose element, case or optional is gone: its ``state`` is the
  /// one it was made with, and what it is sent is dropped with a report.
  public final var isAttached: Bool { core.isAttached }

  /// Tells the parent something that is no state: "saved", "cancelled". It is handled in a step of its own, in the same
  /// turn if this is called on the queue. Without a parent it does nothing.
  public final func output(_ output: some Sendable) {
    core.output(output)
  }
}

extension ReactorCore {
  func nest<A, M, S>(_ child: ReactorCore<A, M, S>, at path: WritableKeyPath<State, S>) {
    let offset = offset(of: path)
    let fixed = FixedChild(child, range: offset..<offset + MemoryLayout<S>.size) { [weak self] in
      self.map { ($0.storage.currentTree, $0.storage.place.part(at: offset)) }
    }
    add(fixed)
    adopt(child, at: storage.place.part(at: offset))
  }

  func nest<Child: Reactor>(
    at path: WritableKeyPath<State, Child.State?>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    let offset = offset(of: path)
    return comeAndGo(
      range: offset..<offset + MemoryLayout<Child.State?>.size, make: make,
      isThere: { [weak self] in self?.part(at: offset) { (state: Child.State?) in state != nil } ?? false },
      place: { [weak self] in self.map { .found(OptionalStep($0.storage.place.part(at: offset))) } })
  }

  func nest<Whole: Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Whole>, case: Case<Whole, Child.State>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    let offset = offset(of: path)
    return comeAndGo(
      range: offset..<offset + MemoryLayout<Whole>.size, sharesRange: true, make: make,
      isThere: { [weak self] in
        self?.part(at: offset) { (whole: Whole) in `case`.extract(whole) != nil } ?? false
      },
      place: { [weak self] in self.map { .found(CaseStep($0.storage.place.part(at: offset), `case`)) } })
  }

  private func comeAndGo<Child: Reactor>(
    range: Range<Int>, sharesRange: Bool = false, make: @escaping @Sendable () -> Child,
    isThere: @escaping () -> Bool, place: @escaping () -> Place<Child.State>?
  ) -> OptionalChild<Child> {
    let child = OptionalChild(
      range: range, sharesRange: sharesRange, make: make, isThere: isThere, place: place,
      tree: { [weak self] in self?.storage.currentTree },
      adopt: { [weak self] in self?.adopt($0, at: $1) })
    requireQueue()
    refuseStateHook()
    add(child)
    membership().node.add(check: child)
    child.check()
    return child
  }

  @usableFromInline
  func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Keyed<ID, Child.State>>, _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    let offset = offset(of: path)
    let keys = CollectionKeys<ID, Child.State> { [weak self] body in self?.visitPart(at: offset, body) }
    return children(
      range: offset..<offset + MemoryLayout<Keyed<ID, Child.State>>.size, keys: keys, make: make,
      place: { [weak self] id in self.map { .found(KeyedStep($0.storage.place.part(at: offset), id: id)) } })
  }

  @inlinable
  func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, [Child.State]>, id: KeyPath<Child.State, ID>,
    _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    // Formed here so that it is specialised in the module that knows the types: it runs after every commit.
    let idOffset = MemoryLayout<Child.State>.offset(of: id)
    let isSame: ([Child.State], [ID]) -> Bool = { elements, ids in
      guard elements.count == ids.count else { return false }
      return elements.withUnsafeBufferPointer { elements in
        for index in 0..<ids.count {
          if let idOffset {
            let place = UnsafeRawPointer(elements.baseAddress! + index) + idOffset
            if place.assumingMemoryBound(to: ID.self).pointee != ids[index] { return false }
          } else if elements[index][keyPath: id] != ids[index] {
            return false
          }
        }
        return true
      }
    }
    return children(at: path, idOf: { $0[keyPath: id] }, isSame: isSame, make)
  }

  @usableFromInline
  func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, [Child.State]>, idOf: @escaping (Child.State) -> ID,
    isSame: @escaping ([Child.State], [ID]) -> Bool, _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    let offset = offset(of: path)
    let keys = ArrayKeys<ID, Child.State>(
      visit: { [weak self] body in self?.visitPart(at: offset, body) }, idOf: idOf, isSame: isSame)
    return children(
      range: offset..<offset + MemoryLayout<[Child.State]>.size, keys: keys, make: make,
      place: { [weak self] id in
        self.map { .found(ElementStep($0.storage.place.part(at: offset), id: id, idOf: idOf)) }
      })
  }

  private func children<ID: Hashable & Sendable, Child: Reactor>(
    range: Range<Int>, keys: any KeyObserver<ID>, make: @escaping @Sendable (ID) -> Child,
    place: @escaping (ID) -> Place<Child.State>?
  ) -> KeyedChildren<ID, Child> {
    let children = KeyedChildren<ID, Child>(
      range: range, keys: keys, make: make, place: place,
      tree: { [weak self] in self?.storage.currentTree },
      adopt: { [weak self] in self?.adopt($0, at: $1) },
      requireQueue: { [weak self] in self?.requireQueue() })
    requireQueue()
    refuseStateHook()
    add(children)
    membership().node.add(check: children)
    return children
  }

  private func requireQueue() {
    require(
      lane.isCurrent || !isUsed, "Children are made and renewed on the reactor's queue, or before it was used.")
  }

  /// Looks at a stored part of the state. In a turn.
  private func part<Part: Sendable, Answer>(at offset: Int, _ ask: (Part) -> Answer) -> Answer? {
    var answer: Answer?
    visitPart(at: offset) { (part: Part) in answer = ask(part) }
    return answer
  }

  private func visitPart<Part: Sendable>(at offset: Int, _ body: (borrowing Part) -> Void) {
    storage.look { state in
      body((UnsafeRawPointer(state) + offset).assumingMemoryBound(to: Part.self).pointee)
    }
  }
}
