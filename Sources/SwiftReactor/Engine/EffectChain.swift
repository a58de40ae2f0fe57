// Chains effects in order of registration, through their records: ten thousand that run at once end one by one, in any
//   order, and each end costs the same.
// Never: decides anything, allocates.
// Guarded by: the machine's owner.

/// Effects in order: those of one reactor, or those under one id.
struct EffectChain: Hashable {
  fileprivate(set) var head = SlotKey.none
  fileprivate(set) var tail = SlotKey.none

  var isEmpty: Bool { head.isNone }
  var first: SlotKey? { head.isNone ? nil : head }
  var last: SlotKey? { tail.isNone ? nil : tail }
}

/// An effect's neighbours in the chains in which it stands.
struct EffectLinks: Hashable {
  struct Link: Hashable {
    var previous = SlotKey.none
    var next = SlotKey.none
  }

  enum Chain {
    case ofReactor, ofGroup
  }

  private var ofReactor = Link()
  private var ofGroup = Link()

  subscript(chain: Chain) -> Link {
    get { chain == .ofReactor ? ofReactor : ofGroup }
    _modify { if chain == .ofReactor { yield &ofReactor } else { yield &ofGroup } }
  }
}

extension SlotTable<ReactorMachine.EffectRecord> {
  /// Puts an effect that is in the table at the end of a chain.
  mutating func link(_ key: SlotKey, to chain: inout EffectChain, _ kind: EffectLinks.Chain) {
    if chain.tail.isNone {
      chain.head = key
    } else {
      self[known: chain.tail].links[kind].next = key
      self[known: key].links[kind].previous = chain.tail
    }
    chain.tail = key
  }

  /// Takes an effect out of a chain. It is still in the table.
  mutating func unlink(_ key: SlotKey, from chain: inout EffectChain, _ kind: EffectLinks.Chain) {
    let link = self[known: key].links[kind]
    if link.previous.isNone {
      chain.head = link.next
    } else {
      self[known: link.previous].links[kind].next = link.next
    }
    if link.next.isNone {
      chain.tail = link.previous
    } else {
      self[known: link.next].links[kind].previous = link.previous
    }
    self[known: key].links[kind] = EffectLinks.Link()
  }

  /// The first effect of a chain of which something is true.
  func first(
    of chain: EffectChain, _ kind: EffectLinks.Chain, where isIt: (ReactorMachine.EffectRecord) -> Bool
  ) -> SlotKey? {
    var key = chain.head
    while !key.isNone {
      if isIt(self[known: key]) { return key }
      key = self[known: key].links[kind].next
    }
    return nil
  }

  func keys(of chain: EffectChain, _ kind: EffectLinks.Chain) -> [SlotKey] {
    var keys: [SlotKey] = []
    var key = chain.head
    while !key.isNone {
      keys.append(key)
      key = self[known: key].links[kind].next
    }
    return keys
  }
}
