// Turns the ids that users give their effects into the machine's numbers.
// Never: shared between reactors; two reactors with the same id know nothing of each other.
// Guarded by: the turn. Hashing and comparing ids runs user code, so it happens here, without any lock.

/// The ids of one reactor under which something runs or waits.
struct EffectIDs {
  private var groups: [EffectID: SlotKey] = [:]
  private var ids: [SlotKey: EffectID] = [:]

  func group(of id: EffectID) -> SlotKey? {
    groups.isEmpty ? nil : groups[id]
  }

  mutating func remember(_ group: SlotKey, for id: EffectID) {
    if let old = groups.updateValue(group, forKey: id) { ids[old] = nil }
    ids[group] = id
  }

  mutating func forget(_ groups: [SlotKey]) {
    for group in groups { forget(group) }
  }

  mutating func forget(where isGone: (SlotKey) -> Bool) {
    for group in ids.keys.filter(isGone) { forget(group) }
  }

  private mutating func forget(_ group: SlotKey) {
    guard let id = ids.removeValue(forKey: group), groups[id] == group else { return }
    groups[id] = nil
  }
}

/// The effect in whose body a task runs. `perform` reads it to notice an effect that waits for itself.
package struct EffectOrigin: Sendable {
  /// It lives as long as its queue; a task that holds it holds no reactor.
  let lane: Lane
  package var effect: SlotKey

  @TaskLocal package static var current: EffectOrigin?

  /// Makes the tasks of one effect, and tells them whose they are.
  struct Runner: EffectRunner {
    let base: any EffectRunner
    let origin: EffectOrigin

    init(_ base: any EffectRunner, origin: EffectOrigin) {
      self.base = base
      self.origin = origin
    }

    func start(
      priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
      base.start(priority: priority) { [origin] in
        await EffectOrigin.$current.withValue(origin) { await operation() }
      }
    }
  }
}
