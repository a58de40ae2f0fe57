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
  @inlinable
  public final func nest<Child: Reactor>(
    at path: WritableKeyPath<State, Child.State?>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    core.nest(at: path, make)
  }

  /// A child at one case of an enum: made when the state is in that case, let go when it leaves it. Several children may
  /// share the enum, each with a case of its own.
  @inlinable
  public final func nest<Whole: Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Whole>, case: Case<Whole, Child.State>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    core.nest(at: path, case: `case`, make)
  }

  /// Children for the elements of an array, each made at its first ``KeyedChildren/reactor(for:)``.
  ///
  /// The ids must be unique. Nobody checks it: of several elements with one id it is not defined which of them the child
  /// shows and changes. A ``Keyed`` collection has each id once.
  ///
  /// **Cost.** After each commit of this reactor, or an ancestor, the ids are compared: about a nanosecond per element while there
  /// are children. With ``Keyed`` it is one comparison in all.
  @inlinable
  public final func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, [Child.State]>, id: KeyPath<Child.State, ID>,
    _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    core.children(at: path, id: id, make)
  }

  /// Children for the elements of a keyed collection, each made at its first ``KeyedChildren/reactor(for:)``.
  @inlinable
  public final func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Keyed<ID, Child.State>>, _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    core.children(at: path, make)
  }

  /// The same, for those who name the id as for an array. The collection knows its ids, so `id` has no say.
  @inlinable
  public final func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Keyed<ID, Child.State>>, id: KeyPath<Child.State, ID>,
    _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    core.children(at: path, make)
  }

  /// Is the state of this reactor there? False for a child whose element, case or optional is gone: its ``state`` is the
  /// one it was made with, and what it is sent is dropped with a report.
  ///
  /// From any thread. True for a reactor that was never nested.
  public final var isAttached: Bool { core.isAttached }

  /// Tells the parent something that is no state: "saved", "cancelled". It is handled in a step of its own, in the same
  /// turn if this is called on the queue. Without a parent it does nothing; of a child whose state is gone it is dropped with
  /// a report. From any thread.
  public final func output(_ output: some Sendable) {
    core.output(output)
  }
}
