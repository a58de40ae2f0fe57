// How a parent's state is divided among children. For a class that conforms to `Reactor` this is the way to nest;
// `BaseReactor` calls it.
//
// What looks into a state is formed here, in inlinable functions, so that it is specialised in the module that knows the
// types: some of it runs after every commit.

extension ReactorCore {
  /// Makes `child` a window on a part of this reactor's state; see ``BaseReactor/nest(_:at:)``.
  public func nest<A, M, S>(_ child: ReactorCore<A, M, S>, at path: WritableKeyPath<State, S>) {
    requireQueue(orUnused: !child.isUsed)
    let offset = offset(of: path)
    let place = FixedPlace(child.node, in: storage, range: offset..<offset + MemoryLayout<S>.size)
    node.add(place)
    var commit = TreeCommit(on: lane, isDelivery: false)
    adopt(child, at: place.place, &commit)
    commit.end()
  }

  /// A child at an optional; see ``BaseReactor/nest(at:_:)``.
  @inlinable
  public func nest<Child: Reactor>(
    at path: WritableKeyPath<State, Child.State?>, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    let isSome: (UnsafeRawPointer) -> Bool = { $0.assumingMemoryBound(to: Child.State?.self).pointee != nil }
    var last = false
    let access = PartAccess(
      size: MemoryLayout<Child.State?>.size, sharesRange: false, isThere: isSome,
      hasChanged: { part in
        let isThere = part.assumingMemoryBound(to: Child.State?.self).pointee != nil
        defer { last = isThere }
        return isThere != last
      },
      step: { Self.optionalStep($0, isSome: isSome) })
    return comeAndGo(at: offset(of: path), access, make)
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
    var last = false
    let access = PartAccess(
      size: MemoryLayout<Whole>.size, sharesRange: true,
      isThere: { extract($0.assumingMemoryBound(to: Whole.self).pointee) != nil },
      hasChanged: { part in
        let isThere = extract(part.assumingMemoryBound(to: Whole.self).pointee) != nil
        defer { last = isThere }
        return isThere != last
      },
      step: { FoundStep($0, visit: visit, modify: modify) })
    return comeAndGo(at: offset(of: path), access, make)
  }

  /// Children of a keyed collection; see ``BaseReactor/children(at:_:)``.
  @inlinable
  public func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, Keyed<ID, Child.State>>, _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    typealias Whole = Keyed<ID, Child.State>
    var last: UInt64 = .max
    let access = CollectionAccess<ID>(
      size: MemoryLayout<Whole>.size,
      hasChanged: { whole in
        let version = whole.assumingMemoryBound(to: Whole.self).pointee.version
        if version == last { return false }
        last = version
        return true
      },
      missing: { whole, ids in
        let positions = whole.assumingMemoryBound(to: Whole.self).pointee.positions
        return ids.filter { positions[$0] == nil }
      },
      contains: { whole, id in whole.assumingMemoryBound(to: Whole.self).pointee.positions[id] != nil },
      step: { whole, id in
        // Where the element was last, and in which version of the keys.
        var (index, version): (Int, UInt64) = (0, 0)
        let find: (UnsafeMutablePointer<Whole>) -> Bool = { whole in
          if whole.pointee.version == version, version != 0 { return true }
          guard let found = whole.pointee.positions[id] else { return false }
          (index, version) = (found, whole.pointee.version)
          return true
        }
        return FoundStep(whole) { whole, body in
          let whole = whole.assumingMemoryBound(to: Whole.self)
          guard find(whole) else { return false }
          // An optional keeps its payload at its own beginning.
          whole.pointee.elements.withUnsafeBufferPointer {
            body(UnsafeMutableRawPointer(mutating: $0.baseAddress! + index))
          }
          return true
        } modify: { whole, change in
          let whole = whole.assumingMemoryBound(to: Whole.self)
          guard find(whole) else { return false }
          whole.pointee.elements.withUnsafeMutableBufferPointer {
            change(UnsafeMutableRawPointer($0.baseAddress! + index))
          }
          return true
        }
      })
    return children(at: offset(of: path), access, make)
  }

  /// Children of an array; see ``BaseReactor/children(at:id:_:)``.
  @inlinable
  public func children<ID: Hashable & Sendable, Child: Reactor>(
    at path: WritableKeyPath<State, [Child.State]>, id: KeyPath<Child.State, ID>,
    _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    typealias Whole = [Child.State]
    let idOffset = MemoryLayout<Child.State>.offset(of: id)
    // A stored id is read where it lies.
    let hasID: (UnsafePointer<Child.State>, ID) -> Bool = { element, wanted in
      guard let idOffset else { return element.pointee[keyPath: id] == wanted }
      return (UnsafeRawPointer(element) + idOffset).assumingMemoryBound(to: ID.self).pointee == wanted
    }
    /// Looks outwards from where it was last: what comes and goes elsewhere moves an element a little.
    let find: (Whole, ID, Int) -> Int? = { elements, wanted, start in
      elements.withUnsafeBufferPointer { elements in
        var (before, after) = (min(start, elements.count) - 1, min(start, elements.count))
        while before >= 0 || after < elements.count {
          if after < elements.count, hasID(elements.baseAddress! + after, wanted) { return after }
          if before >= 0, hasID(elements.baseAddress! + before, wanted) { return before }
          before -= 1
          after += 1
        }
        return nil
      }
    }
    var last: [ID] = []
    var lastFound = 0
    let access = CollectionAccess<ID>(
      size: MemoryLayout<Whole>.size,
      hasChanged: { whole in
        let isSame = whole.assumingMemoryBound(to: Whole.self).pointee.withUnsafeBufferPointer { elements in
          elements.count == last.count
            && last.withUnsafeBufferPointer { last in
              for index in 0..<last.count where !hasID(elements.baseAddress! + index, last[index]) { return false }
              return true
            }
        }
        if isSame { return false }
        last = whole.assumingMemoryBound(to: Whole.self).pointee.map { $0[keyPath: id] }
        return true
      },
      missing: { _, ids in
        let present = Set(last)
        return ids.filter { !present.contains($0) }
      },
      contains: { whole, id in
        // Children are often asked for one after the other.
        guard let found = find(whole.assumingMemoryBound(to: Whole.self).pointee, id, lastFound + 1) else { return false }
        lastFound = found
        return true
      },
      step: { whole, id in
        var index = 0
        return FoundStep(whole) { whole, body in
          let whole = whole.assumingMemoryBound(to: Whole.self)
          guard let found = find(whole.pointee, id, index) else { return false }
          index = found
          whole.pointee.withUnsafeBufferPointer { body(UnsafeMutableRawPointer(mutating: $0.baseAddress! + found)) }
          return true
        } modify: { whole, change in
          let whole = whole.assumingMemoryBound(to: Whole.self)
          guard let found = find(whole.pointee, id, index) else { return false }
          index = found
          whole.pointee.withUnsafeMutableBufferPointer { change(UnsafeMutableRawPointer($0.baseAddress! + found)) }
          return true
        }
      })
    return children(at: offset(of: path), access, make)
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
    at offset: Int, _ access: PartAccess, _ make: @escaping @Sendable () -> Child
  ) -> OptionalChild<Child> {
    requireQueue()
    refuseStateHook()
    let node = node
    let itself = WeakPlaces()
    let child = OptionalChild<Child>(in: storage, at: offset, access, make: make) { [weak self, weak node] in
      guard let self else { return false }
      if let places = itself.places { node?.refuseSameCase(as: places) }
      adopt($0.core, at: $1, &$2)
      return true
    }
    itself.places = child
    node.add(child, hasChanged: access.hasChanged)
    var commit = TreeCommit(on: lane, isDelivery: false)
    child.check(&commit)
    commit.end()
    return child
  }

  @usableFromInline
  func children<ID: Hashable & Sendable, Child: Reactor>(
    at offset: Int, _ access: CollectionAccess<ID>, _ make: @escaping @Sendable (ID) -> Child
  ) -> KeyedChildren<ID, Child> {
    requireQueue()
    refuseStateHook()
    let children = KeyedChildren<ID, Child>(in: storage, at: offset, access, make: make) { [weak self] in
      guard let self else { return false }
      adopt($0.core, at: $1, &$2)
      return true
    } requireQueue: { [weak self] in
      guard let self else { return nil }
      self.requireQueue()
      return TreeCommit(on: lane, isDelivery: false)
    }
    node.add(children, hasChanged: access.hasChanged)
    return children
  }

  /// The distance of a stored property from the beginning of the state.
  @usableFromInline
  func offset<Part>(of path: KeyPath<State, Part>) -> Int {
    guard let offset = MemoryLayout<State>.offset(of: path) else {
      mistake("\(path) is not a stored property: a reactor can only be nested at one.")
    }
    return offset
  }
}
