// How a parent's state is divided among children. For a class that conforms to `Reactor` this is the way to nest;
// `BaseReactor` calls it.
//
// What looks into a state is formed here, in inlinable functions, so that it is specialised in the module that knows the
// types: some of it runs after every commit.

extension ReactorCore {
  /// Makes `child` a window on a part of this reactor's state; see ``BaseReactor/nest(_:at:)``.
  public func nest<A, M, S>(_ child: ReactorCore<A, M, S>, at path: WritableKeyPath<State, S>) {
    requireQueue(for: path, orUnused: !child.isUsed)
    let offset = offset(of: path)
    let place = FixedPlace(child.node, in: storage, at: path, range: offset..<offset + MemoryLayout<S>.size)
    node.add(place)
    var commit = TreeCommit(on: lane, isDelivery: false)
    adopt(child, at: place.place, of: path, &commit)
    commit.end()
  }

  /// A child at an optional; see ``BaseReactor/nest(at:_:)``.
  @inlinable
  public func nest<Child: Reactor>(
    at path: WritableKeyPath<State, Child.State?>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    let isSome: (UnsafeRawPointer) -> Bool = { $0.assumingMemoryBound(to: Child.State?.self).pointee != nil }
    let last = Memo(false)
    let access = PartAccess(
      size: MemoryLayout<Child.State?>.size, sharesRange: false, isThere: isSome,
      hasChanged: { part in
        let isThere = part.assumingMemoryBound(to: Child.State?.self).pointee != nil
        if isThere == last.value { return false }
        last.value = isThere
        return true
      },
      step: { Self.optionalStep($0, isSome: isSome) })
    return comeAndGo(at: path, access, make)
  }

  /// A child at one case of an enum; see ``BaseReactor/nest(at:case:_:)``.
  @inlinable
  public func nest<Whole: Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Whole>, case: Case<Whole, Child.State>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    let (embed, extract) = (`case`.embed, `case`.extract)
    let visit: FoundStep.Access = { whole, body in
      guard var state = extract(whole.assumingMemoryBound(to: Whole.self).pointee) else { return false }
      withUnsafeMutablePointer(to: &state) { body(UnsafeMutableRawPointer($0)) }
      return true
    }
    let modify: FoundStep.Access = { whole, change in
      let whole = whole.assumingMemoryBound(to: Whole.self)
      guard var state = extract(whole.pointee) else { return false }
      // The enum gives its value away while it is changed, so that a collection in it has one owner and is not copied.
      whole.deinitialize(count: 1)
      withUnsafeMutablePointer(to: &state) { change(UnsafeMutableRawPointer($0)) }
      whole.initialize(to: embed(state))
      return true
    }
    let last = Memo(false)
    let access = PartAccess(
      size: MemoryLayout<Whole>.size, sharesRange: true,
      isThere: { extract($0.assumingMemoryBound(to: Whole.self).pointee) != nil },
      hasChanged: { part in
        let isThere = extract(part.assumingMemoryBound(to: Whole.self).pointee) != nil
        if isThere == last.value { return false }
        last.value = isThere
        return true
      },
      step: { FoundStep($0, visit: visit, modify: modify) })
    return comeAndGo(at: path, access, make)
  }

  /// Children of a keyed collection; see ``BaseReactor/children(at:_:)``.
  @inlinable
  public func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Keyed<ID, Child.State>>, _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    typealias Whole = Keyed<ID, Child.State>
    let last = Memo(UInt64.max)
    let access = CollectionAccess<ID>(
      size: MemoryLayout<Whole>.size,
      hasChanged: { whole in
        let version = whole.assumingMemoryBound(to: Whole.self).pointee.version
        if version == last.value { return false }
        last.value = version
        return true
      },
      missing: { whole, ids in
        let positions = whole.assumingMemoryBound(to: Whole.self).pointee.positions
        return ids.filter { positions[$0] == nil }
      },
      contains: { whole, id in whole.assumingMemoryBound(to: Whole.self).pointee.positions[id] != nil },
      step: { whole, id in
        // Where the element was last, and in which version of the keys.
        let last = Memo((index: 0, version: UInt64(0)))
        let find: (UnsafeMutablePointer<Whole>) -> Int? = { whole in
          let version = whole.pointee.version
          if version == last.value.version, version != 0 { return last.value.index }
          guard let found = whole.pointee.positions[id] else { return nil }
          last.value = (found, version)
          return found
        }
        return FoundStep(whole) { whole, body in
          let whole = whole.assumingMemoryBound(to: Whole.self)
          guard let index = find(whole) else { return false }
          // An optional keeps its payload at its own beginning.
          whole.pointee.elements.withUnsafeBufferPointer {
            body(UnsafeMutableRawPointer(mutating: $0.baseAddress! + index))
          }
          return true
        } modify: { whole, change in
          let whole = whole.assumingMemoryBound(to: Whole.self)
          guard let index = find(whole) else { return false }
          whole.pointee.elements.withUnsafeMutableBufferPointer {
            change(UnsafeMutableRawPointer($0.baseAddress! + index))
          }
          return true
        }
      })
    return children(at: path, access, make)
  }

  /// Children of an array; see ``BaseReactor/children(at:id:_:)-(WritableKeyPath<State,[Child.State]>,_,_)``.
  @inlinable
  public func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, [Child.State]>, id: KeyPath<Child.State, ID>,
    _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    typealias Whole = [Child.State]
    let ids = ElementIDs(id)
    let last = Memo<[ID]>([])
    let lastFound = Memo(0)
    let access = CollectionAccess<ID>(
      size: MemoryLayout<Whole>.size,
      hasChanged: { whole in
        let elements = whole.assumingMemoryBound(to: Whole.self)
        if elements.pointee.withUnsafeBufferPointer({ ids.are(last.value, in: $0) }) { return false }
        last.value = elements.pointee.map { $0[keyPath: id] }
        return true
      },
      missing: { _, wanted in
        let present = Set(last.value)
        return wanted.filter { !present.contains($0) }
      },
      contains: { whole, id in
        // Children are often asked for one after the other.
        let elements = whole.assumingMemoryBound(to: Whole.self)
        guard let found = ids.find(id, in: elements.pointee, near: lastFound.value + 1) else { return false }
        lastFound.value = found
        return true
      },
      step: { whole, id in
        let last = Memo(0)
        return FoundStep(whole) { whole, body in
          let whole = whole.assumingMemoryBound(to: Whole.self)
          guard let found = ids.find(id, in: whole.pointee, near: last.value) else { return false }
          last.value = found
          whole.pointee.withUnsafeBufferPointer { body(UnsafeMutableRawPointer(mutating: $0.baseAddress! + found)) }
          return true
        } modify: { whole, change in
          let whole = whole.assumingMemoryBound(to: Whole.self)
          guard let found = ids.find(id, in: whole.pointee, near: last.value) else { return false }
          last.value = found
          whole.pointee.withUnsafeMutableBufferPointer { change(UnsafeMutableRawPointer($0.baseAddress! + found)) }
          return true
        }
      })
    return children(at: path, access, make)
  }

  /// Is the state of this reactor there? See ``BaseReactor/isAttached``.
  public var isAttached: Bool { isStateThere }

  /// Tells the parent something that is no state; see ``BaseReactor/output(_:)``.
  public func output(_ output: some Sendable) { put(out: output) }

  // MARK: Places

  @usableFromInline
  static func optionalStep(_ optional: Place, isSome: @escaping (UnsafeRawPointer) -> Bool) -> Step {
    OptionalStep(optional, isSome: isSome)
  }

  @usableFromInline
  func comeAndGo<Child: Reactor>(
    at path: PartialKeyPath<State>, _ access: PartAccess, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    requireQueue(for: path)
    refuseStateHook()
    let offset = offset(of: path)
    let node = node
    let itself = WeakPlaces()
    let child = OptionalChild<Child>(in: storage, at: path, offset: offset, access, make: make) {
      [weak self, weak node] in
      guard let self else { return false }
      if let places = itself.places { node?.refuseSameCase(as: places) }
      adopt($0.core, at: $1, of: path, &$2)
      return true
    }
    itself.places = child
    node.add(child, hasChanged: access.hasChanged)
    var commit = TreeCommit(on: lane, isDelivery: false)
    // Asked, so that what a later commit changes is compared with what is there now.
    if storage.look(at: offset, access.hasChanged) == true { child.check(&commit) }
    commit.end()
    return child
  }

  @usableFromInline
  func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: PartialKeyPath<State>, _ access: CollectionAccess<ID>, _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    requireQueue(for: path)
    refuseStateHook()
    let offset = offset(of: path)
    let children = KeyedChildren<ID, Child>(in: storage, at: path, offset: offset, access, make: make) { [weak self] in
      guard let self else { return false }
      adopt($0.core, at: $1, of: path, &$2)
      return true
    } requireQueue: { [weak self] in
      guard let self else { return nil }
      self.requireQueue(for: path)
      return TreeCommit(on: lane, isDelivery: false)
    }
    node.add(children, hasChanged: access.hasChanged)
    return children
  }

  /// The distance of a stored property from the beginning of the state.
  private func offset(of path: PartialKeyPath<State>) -> Int {
    guard let offset = MemoryLayout<State>.offset(of: path) else {
      mistake("\(typeName): \(path) is not a stored property: a reactor can only be nested at one.")
    }
    return offset
  }
}
