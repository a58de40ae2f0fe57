// Names things by number: the machine's reactors, effects, ids, observers and calls.
// Never: gives out a number twice, never searches.
// Guarded by: whoever owns it (the machine, and so the lane's lock).

/// A number for something in a ``SlotTable``. It stays unknown to the table once the thing was removed, also when its
/// place was taken by something else.
@usableFromInline
package struct SlotKey: Hashable, Sendable {
  @usableFromInline package var index: UInt32
  @usableFromInline package var generation: UInt32

  /// The key of nothing.
  @inlinable package static var none: SlotKey { SlotKey(index: .max, generation: 0) }

  @inlinable
  init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }

  @inlinable package var isNone: Bool { index == .max }
}

/// What a ``SlotTable`` holds. The empty value fills its unused places, so that a record lies there as it is and can be
/// changed in place.
protocol SlotRecord {
  init()
}

/// A table with constant-time insertion, look-up and removal that reuses its places.
struct SlotTable<Record: SlotRecord> {
  fileprivate struct Slot {
    var generation: UInt32 = 0
    var record: Record
  }

  private var slots: ContiguousArray<Slot> = []
  private var free: ContiguousArray<UInt32> = []

  var count: Int { slots.count - free.count }
  var isEmpty: Bool { count == 0 }

  mutating func insert(_ record: Record) -> SlotKey {
    if let index = free.popLast() {
      slots[Int(index)].record = record
      return SlotKey(index: index, generation: slots[Int(index)].generation)
    }
    slots.growByQuarter()
    slots.append(Slot(record: record))
    return SlotKey(index: UInt32(slots.count - 1), generation: 0)
  }

  /// A place for a record that is filled where it lies; it is empty so far.
  mutating func insertEmpty() -> SlotKey {
    guard let index = free.popLast() else { return insert(Record()) }
    return SlotKey(index: index, generation: slots[Int(index)].generation)
  }

  /// Removes a record that is known to be in the table, without a look at it.
  mutating func clear(known key: SlotKey) {
    slots[Int(key.index)].record = Record()
    slots[Int(key.index)].generation &+= 1
    free.append(key.index)
  }

  /// A generation is only ever used by one record, so an equal one means that it is there.
  func contains(_ key: SlotKey) -> Bool {
    Int(key.index) < slots.count && slots[Int(key.index)].generation == key.generation
  }

  /// The record of a key that is known to be in the table, where it lies.
  subscript(known key: SlotKey) -> Record {
    _read { yield slots[Int(key.index)].record }
    _modify { yield &slots[Int(key.index)].record }
  }

  /// A copy of the record, if it is there.
  subscript(key: SlotKey) -> Record? {
    contains(key) ? slots[Int(key.index)].record : nil
  }

  @discardableResult
  mutating func remove(_ key: SlotKey) -> Record? {
    guard contains(key) else { return nil }
    let record = slots[Int(key.index)].record
    clear(known: key)
    return record
  }
}

extension SlotTable.Slot: Equatable where Record: Equatable {}
extension SlotTable.Slot: Hashable where Record: Hashable {}
extension SlotTable: Equatable where Record: Equatable {}
extension SlotTable: Hashable where Record: Hashable {}

extension ContiguousArray {
  /// Makes room for one more if there is none. Not twofold, as arrays do by themselves: a table may hold ten
  /// thousand reactors, and what is not used of it counts.
  mutating func growByQuarter() {
    if count == capacity { reserveCapacity(count + Swift.max(8, count / 4)) }
  }
}

/// What belongs to the keys of a ``SlotTable`` but is none of the machine's business: objects and closures.
struct SideTable<Handle> {
  private struct Entry {
    var generation: UInt32 = 0
    var handle: Handle?
  }

  private var entries: ContiguousArray<Entry> = []

  subscript(key: SlotKey) -> Handle? {
    isOf(key) ? entries[Int(key.index)].handle : nil
  }

  mutating func set(_ handle: Handle, for key: SlotKey) {
    while entries.count <= Int(key.index) {
      entries.growByQuarter()
      entries.append(Entry())
    }
    entries[Int(key.index)] = Entry(generation: key.generation, handle: handle)
  }

  /// Takes the handle out, so that the caller can release it after unlocking.
  mutating func take(_ key: SlotKey) -> Handle? {
    guard isOf(key) else { return nil }
    return entries[Int(key.index)].handle.take()
  }

  /// The place may belong to somebody else by now.
  private func isOf(_ key: SlotKey) -> Bool {
    Int(key.index) < entries.count && entries[Int(key.index)].generation == key.generation
  }
}

extension SideTable where Handle: AnyObject {
  /// The handle of a key that is known to be in the table, without counting the reference.
  func unmanaged(_ key: SlotKey) -> Unmanaged<Handle> {
    Unmanaged.passUnretained(entries[Int(key.index)].handle!)
  }
}
