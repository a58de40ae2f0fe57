// Finds: the engine of a reactor by its number, and what is the same for all reactors of one type.
// Never: keeps a reactor alive, calls code of the user's.
// Guarded by: the table by the lane's lock, the list of types by a lock of its own.

/// What a lane wants of a reactor's engine.
protocol LaneTenant: AnyObject, Sendable {
  /// Calls the hooks. In a turn.
  func start()
  /// Handles arrivals as long as the next one is the tenant's own, and returns what comes after them. In a turn.
  func work() -> Lane.Following
  /// Its first turn is over: most reactors are done for now.
  func rest()
}

/// The way from a reactor to its engine. One for each type of reactor, made once and never released.
class ReactorType: @unchecked Sendable {
  // Safe to share: subclasses have constants only.

  /// The class of the reactors.
  final let name: AnyObject.Type

  init(_ name: AnyObject.Type) {
    self.name = name
  }

  /// The engine of a reactor of this type. It is the reactor that holds it, so it is there as long as the reactor is.
  func engine(of reactor: AnyObject) -> any LaneTenant { mistake("\(Self.self) knows no engine") }

  static func notConnected(_ state: Any.Type? = nil) -> String {
    let which = state.map { "The ReactorCore with the state \($0)" } ?? "A ReactorCore"
    return "\(which) has no reactor: call core.connect(self) last in the reactor's init."
  }

  // MARK: All types

  private struct Key: Hashable {
    /// The class, and the type as which it was connected: mostly a superclass.
    let reactor: ObjectIdentifier
    let connected: ObjectIdentifier
  }

  private static let lock = Lock()
  // Safe: only touched under `lock`.
  nonisolated(unsafe) private static var known: [Key: ReactorType] = [:]

  /// The one of a class that was connected as another type; `make` makes it at the first call.
  static func of(_ reactor: AnyObject.Type, as connected: Any.Type, _ make: () -> ReactorType) -> ReactorType {
    let key = Key(reactor: ObjectIdentifier(reactor), connected: ObjectIdentifier(connected))
    return lock.withLock {
      if let found = known[key] { return found }
      let made = make()
      known[key] = made
      return made
    }
  }
}

/// The reactors of a lane, by number.
struct Tenants {
  private struct Entry {
    var generation: UInt32 = .max
    weak var reactor: AnyObject?
    var type: Unmanaged<ReactorType>?
  }

  // Looked at in place: a copy of a weak reference is dear.
  private var entries: ContiguousArray<Entry> = []

  mutating func add(_ reactor: AnyObject, _ type: Unmanaged<ReactorType>, as key: SlotKey) {
    while entries.count <= Int(key.index) {
      entries.growByQuarter()
      entries.append(Entry())
    }
    entries[Int(key.index)] = Entry(generation: key.generation, reactor: reactor, type: type)
  }

  mutating func remove(_ key: SlotKey) {
    if isKnown(key) { entries[Int(key.index)] = Entry() }
  }

  /// Was it connected, and has it not been removed?
  func isKnown(_ key: SlotKey) -> Bool {
    Int(key.index) < entries.count && entries[Int(key.index)].generation == key.generation
  }

  /// The reactor, while it lives. The result is to be released without a lock.
  func reactor(_ key: SlotKey) -> AnyObject? {
    isKnown(key) ? entries[Int(key.index)].reactor : nil
  }

  func type(of key: SlotKey) -> Unmanaged<ReactorType>? {
    isKnown(key) ? entries[Int(key.index)].type : nil
  }
}
