// Chains effects in order of registration, through their records: ten thousand that run at once end one by one, in any
//   order, and each end costs the same.
// Never: decides anything, allocates.
// Guarded by: the machine's owner.

/// Effects in order: those of one reactor, or those under one id.
struct EffectChain: Hashable {
  fileprivate(set) var first: SlotKey?
  fileprivate(set) var last: SlotKey?

  var isEmpty: Bool { first == nil }
}

/// An effect's neighbours in the chains in which it stands.
struct EffectLinks: Hashable {
  struct Link: Hashable {
    var previous: SlotKey?
    var next: SlotKey?
  }

  enum Chain {
    case ofReactor, ofGroup
  }

  private var ofReactor = Link()
  private var ofGroup = Link()

  subscript(chain: Chain) -> Link {
    get { chain == .ofReactor ? ofReactor : ofGroup }
    set { if chain == .ofReactor { ofReactor = newValue } else { ofGroup = newValue } }
  }
}

extension SlotTable<ReactorMachine.EffectRecord> {
  /// Puts an effect that is in the table at the end of a chain.
  mutating func link(_ key: SlotKey, to chain: inout EffectChain, _ kind: EffectLinks.Chain) {
    if let last = chain.last {
      self[known: last].links[kind].next = key
      self[known: key].links[kind].previous = last
    } else {
      chain.first = key
    }
    chain.last = key
  }

  /// Takes an effect out of a chain. It is still in the table.
  mutating func unlink(_ key: SlotKey, from chain: inout EffectChain, _ kind: EffectLinks.Chain) {
    let link = self[known: key].links[kind]
    if let previous = link.previous {
      self[known: previous].links[kind].next = link.next
    } else {
      chain.first = link.next
    }
    if let next = link.next {
      self[known: next].links[kind].previous = link.previous
    } else {
      chain.last = link.previous
    }
    self[known: key].links[kind] = EffectLinks.Link()
  }

  /// The first effect of a chain of which something is true.
  func first(
    of chain: EffectChain, _ kind: EffectLinks.Chain, where isIt: (ReactorMachine.EffectRecord) -> Bool
  ) -> SlotKey? {
    var next = chain.first
    while let key = next {
      if isIt(self[known: key]) { return key }
      next = self[known: key].links[kind].next
    }
    return nil
  }

  func keys(of chain: EffectChain, _ kind: EffectLinks.Chain) -> [SlotKey] {
    var keys: [SlotKey] = []
    var next = chain.first
    while let key = next {
      keys.append(key)
      next = self[known: key].links[kind].next
    }
    return keys
  }
}
