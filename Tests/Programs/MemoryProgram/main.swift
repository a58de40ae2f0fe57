// A program that measures its own memory, where nobody else allocates. On standard error the allocator says three
// times how much is in use: after 10 000 finished effects, after 10 000 more, and after 10 000 more. On standard output a line `consumers N` says how
// many resident bytes 100 000 commits add while consumers of states never ask.

import Dispatch
import Foundation
import SwiftReactor

#if canImport(Glibc)
  import Glibc
#endif

final class ProgramReactor: BaseReactor<ProgramReactor.Action, ProgramReactor.Mutation, ProgramReactor.State>,
  @unchecked Sendable
{
  // Safe to share: adds no stored property.
  struct State: Sendable {
    var n = 0
    /// Fresh memory with every commit, so that a state that is kept somewhere costs its kilobyte.
    var kilobyte: [UInt64] = []
  }
  enum Action: Sendable { case atOnce, later, nothing, named(Int), commit }
  enum Mutation: Sendable { case inc, fill }

  override func mutate(action: Action) -> Mutations<Mutation> {
    switch action {
    case .atOnce: Mutations(async: .just(.inc))
    case .later: .run { emit in emit(.inc) }
    case .nothing: Mutations(async: EventStream([Mutation]()))
    case .named(let id): Mutations<Mutation>.run { emit in emit(.inc) }.effect(id: id)
    case .commit: [.fill]
    }
  }

  override func reduce(into state: inout State, mutation: Mutation) {
    state.n += 1
    if case .fill = mutation { state.kilobyte = Array(repeating: UInt64(state.n), count: 128) }
  }
}

/// Has the allocator say on standard error how many bytes are in use. Its header is in no module, so it is asked by name.
func printBytesInUse() {
  #if canImport(Glibc)
    guard let symbol = dlsym(nil, "malloc_stats") else { return }
    unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()  // safe: this is the function's type in <malloc.h>
  #endif
}

/// Bytes of the process in memory.
func residentBytes() -> Int {
  #if canImport(Glibc)
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(getpagesize())
  #else
    0
  #endif
}

Thread.detachNewThread {
  Thread.sleep(forTimeInterval: 60)
  print("HANG")
  fflush(nil)
  exit(1)
}

let queue = DispatchQueue(label: "memory")

func effects(_ reactor: ProgramReactor, ids: Range<Int>) async {
  for id in ids {
    switch id % 4 {
    case 0: reactor.action(.atOnce)
    case 1: reactor.action(.later)
    case 2: reactor.action(.nothing)
    default: reactor.action(.named(id))
    }
    if id % 100 == 0 { await reactor.perform(.nothing) }
  }
  while !reactor.effects.isEmpty { await reactor.perform(.nothing) }
  for _ in 0..<100 { await Task.detached(priority: .background) {}.value }
}

func measureEffects() async {
  let reactor = ProgramReactor(initialState: .init(), queue: queue)
  await effects(reactor, ids: 0..<10_000)
  printBytesInUse()
  await effects(reactor, ids: 10_000..<20_000)
  printBytesInUse()
  await effects(reactor, ids: 20_000..<30_000)
  printBytesInUse()
}

func measureConsumers() async {
  let reactor = ProgramReactor(initialState: .init(), queue: queue)
  var consumers = (0..<3).map { _ in reactor.states.makeAsyncIterator() }
  for index in consumers.indices { _ = await consumers[index].next() }
  queue.sync { for _ in 0..<1000 { reactor.action(.commit) } }
  let before = residentBytes()
  queue.sync { for _ in 0..<100_000 { reactor.action(.commit) } }
  print("consumers \(residentBytes() - before)")
  defer { withExtendedLifetime(reactor) {} }
  for index in consumers.indices {
    let newest = await consumers[index].next()
    if newest?.n != 101_000 { print("wrong: the consumer got \(newest?.n ?? -1) instead of the newest state") }
  }
}

await measureEffects()
await measureConsumers()
fflush(nil)
