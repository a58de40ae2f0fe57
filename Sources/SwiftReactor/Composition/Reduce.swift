// Reducers as values: made of closures, put together, and handed to a reactor.

/// A reducer as a value: what a mutation does to a state.
///
/// ```swift
/// let user = Reduce<App, Event> { app, event in
///   if case .user(let name) = event { app.user = name }
/// }
/// let news = Reduce<News, NewsEvent> { news, event in
///   if case .load = event { news.step = .loading }
/// }
/// let app = Reduce.combine(
///   user,
///   news.optional().pullback(state: \.news) { event in
///     if case .news(let event) = event { event } else { nil }
///   })
/// ```
///
/// Hand it to a reactor instead of overriding `reduce`: ``BaseReactor/init(initialState:reduce:queue:)``.
///
/// **Threads.** It is called where `reduce` is: on the queue, under the state's lock. It must not wait, nor read a
/// reactor's `state`.
///
/// **Cost.** The state is changed in place: nothing is copied, however reducers are combined and pulled back. Each of
/// them is a call of a closure; a pullback along a stored property adds no more than that.
public struct Reduce<State, Mutation>: Sendable {
  @usableFromInline let body: @Sendable (inout State, Mutation) -> Void

  /// Makes a reducer of a closure that changes the state in place.
  @inlinable
  public init(_ body: @escaping @Sendable (inout State, Mutation) -> Void) {
    self.body = body
  }

  /// Makes a reducer of a closure that returns the new state. A collection that is changed in it is copied.
  @inlinable
  public static func by(_ next: @escaping @Sendable (State, Mutation) -> State) -> Self {
    Self { state, mutation in state = next(state, mutation) }
  }

  /// Changes nothing: the neutral one among reducers.
  @inlinable
  public static var nothing: Self { Self { _, _ in } }

  /// Lets the mutation change the state.
  @inlinable
  public func callAsFunction(into state: inout State, _ mutation: Mutation) {
    body(&state, mutation)
  }

  // MARK: Side by side

  /// One reducer out of several: each gets the mutation, in this order, and sees what the ones before it did.
  @inlinable
  public static func combine(_ reducers: Self...) -> Self {
    combine(reducers)
  }

  /// The same for a list of reducers.
  public static func combine(_ reducers: [Self]) -> Self {
    switch reducers.count {
    case 0: .nothing
    case 1: reducers[0]
    default: Self { state, mutation in for reducer in reducers { reducer.body(&state, mutation) } }
    }
  }

  /// This reducer, then another one.
  @inlinable
  public func combined(with next: Self) -> Self {
    Self { [body] state, mutation in
      body(&state, mutation)
      next.body(&state, mutation)
    }
  }

  // MARK: From the part to the whole

  /// The reducer of a whole that changes a part of it.
  ///
  /// - Parameters:
  ///   - path: Where the part is.
  ///   - extract: The part's mutation in one of the whole's; nil if it is none of the part's business.
  @inlinable
  public func pullback<Whole, WholeMutation>(
    state path: WritableKeyPath<Whole, State>, mutation extract: @escaping @Sendable (WholeMutation) -> Mutation?
  ) -> Reduce<Whole, WholeMutation> {
    let part = ReducedPart(path)
    return Reduce<Whole, WholeMutation> { [body] whole, mutation in
      if let mutation = extract(mutation) { part.change(&whole) { body(&$0, mutation) } }
    }
  }

  /// The same for mutations that are a case of the whole's.
  @inlinable
  public func pullback<Whole, WholeMutation>(
    state path: WritableKeyPath<Whole, State>, mutation: Case<WholeMutation, Mutation>
  ) -> Reduce<Whole, WholeMutation> {
    pullback(state: path, mutation: mutation.extract)
  }

  /// The same for a part that takes the whole's mutations as they are.
  @inlinable
  public func pullback<Whole>(state path: WritableKeyPath<Whole, State>) -> Reduce<Whole, Mutation> {
    pullback(state: path) { $0 }
  }

  /// The reducer of a state that may not be there: on nil a mutation does nothing.
  @inlinable
  public func optional() -> Reduce<State?, Mutation> {
    Reduce<State?, Mutation> { [body] state, mutation in
      if state != nil { body(&state!, mutation) }
    }
  }

  // MARK: From an element to the collection

  /// The reducer of an array: each mutation names the element that it is for. If none has that id nothing happens, if
  /// several have it the first is changed.
  ///
  /// ```swift
  /// row.forEach(id: \.id).pullback(state: \.rows) { mutation in
  ///   if case .row(let id, let mutation) = mutation { (id, mutation) } else { nil }
  /// }
  /// ```
  ///
  /// **Cost.** The element is searched for, from the beginning. With ``Keyed`` it is found at once.
  @inlinable
  public func forEach<ID: Equatable & Sendable>(id path: KeyPath<State, ID>) -> Reduce<
    [State], (id: ID, mutation: Mutation)
  > {
    let id = ReducedID(path)
    return Reduce<[State], (id: ID, mutation: Mutation)> { [body] elements, mutation in
      guard let index = elements.firstIndex(where: { id.read($0) == mutation.id }) else { return }
      body(&elements[index], mutation.mutation)
    }
  }

  /// The reducer of a keyed collection: each mutation names the element that it is for. If none has that id nothing
  /// happens.
  @inlinable
  public func forEach<ID: Hashable & Sendable>() -> Reduce<Keyed<ID, State>, (id: ID, mutation: Mutation)> {
    Reduce<Keyed<ID, State>, (id: ID, mutation: Mutation)> { [body] elements, mutation in
      guard let index = elements.index(of: mutation.id) else { return }
      body(&elements.elements[index]!, mutation.mutation)
    }
  }

  /// The same, for those who name the id as for an array. The collection knows its ids, so `id` has no say.
  @inlinable
  @_disfavoredOverload
  public func forEach<ID: Hashable & Sendable>(
    id: KeyPath<State, ID>
  ) -> Reduce<Keyed<ID, State>, (id: ID, mutation: Mutation)> {
    forEach()
  }
}

/// Where a part is in a whole.
@usableFromInline
struct ReducedPart<Whole, Part>: @unchecked Sendable {
  // Safe to share: constants, and key paths are immutable.
  @usableFromInline let path: WritableKeyPath<Whole, Part>
  /// The part's distance from the beginning of the whole, if it is a stored property: quicker than the path.
  @usableFromInline let offset: Int?

  @inlinable
  init(_ path: WritableKeyPath<Whole, Part>) {
    self.path = path
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  @inlinable
  func change(_ whole: inout Whole, _ change: (inout Part) -> Void) {
    guard let offset else { return change(&whole[keyPath: path]) }
    withUnsafeMutablePointer(to: &whole) {
      change(&(UnsafeMutableRawPointer($0) + offset).assumingMemoryBound(to: Part.self).pointee)
    }
  }
}

/// How an element is asked for its id.
@usableFromInline
struct ReducedID<Element, ID>: @unchecked Sendable {
  // Safe to share: a constant, and key paths are immutable.
  @usableFromInline let path: KeyPath<Element, ID>

  @inlinable
  init(_ path: KeyPath<Element, ID>) {
    self.path = path
  }

  @inlinable
  func read(_ element: Element) -> ID { element[keyPath: path] }
}
