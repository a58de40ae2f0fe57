// A door for effects: a test decides when they go on.

internal import SwiftReactor

/// Holds tasks until a test lets them through: "it is loading" lasts as long as the test likes, without sleeping.
///
/// ```swift
/// let answered = Gate("answer")
/// let test = TestReactor(
///   DogsReactor(load: {
///     try await answered.wait()
///     return ["Bulldog"]
///   }))
/// await test.send(.load) { $0.isLoading = true }
/// answered.open()
/// await test.receive(.loaded(["Bulldog"])) { $0.dogs = ["Bulldog"] }
/// ```
///
/// **Threads.** All calls may be made from any thread and task.
public final class Gate: @unchecked Sendable {
  // Safe to share: everything that changes is only touched under `lock`.
  private struct Waiter {
    let continuation: UnsafeContinuation<Bool, Never>
    let parking: ParkedTask?

    func resume(_ mayPass: Bool) {
      parking?.end()
      continuation.resume(returning: mayPass)
    }
  }

  let name: String?
  private let lock = Lock()
  private var opened: Bool
  /// How many may pass a closed gate.
  private var passes = 0
  private var lastNumber = 0
  private var waiters: [(number: Int, waiter: Waiter)] = []
  private var cancelled: Set<Int> = []
  /// The exploration that it was made in. A constant.
  private weak var world: ExploredWorld?

  /// Makes a gate.
  ///
  /// - Parameters:
  ///   - name: What failures call it.
  ///   - isOpen: Is it open from the beginning?
  public init(_ name: String? = nil, isOpen: Bool = false) {
    self.name = name
    opened = isOpen
    world = ExploredWorld.current
  }

  /// Is it open for everybody?
  public var isOpen: Bool { lock.withLock { opened } }
  /// How many tasks stand in front of it.
  public var waiting: Int { lock.withLock { waiters.count } }

  /// Lets everybody through, from now on.
  public func open() {
    world?.noteThread()
    let released = lock.withLock {
      opened = true
      defer { waiters = [] }
      return waiters
    }
    for (_, waiter) in released { waiter.resume(true) }
  }

  /// Closes it again. Who went through is through.
  public func close() {
    world?.noteThread()
    lock.withLock {
      opened = false
      passes = 0
    }
  }

  /// Lets so many through, in the order in which they came, those to come included.
  public func letThrough(_ count: Int = 1) {
    world?.noteThread()
    let released = lock.withLock {
      let released = waiters.prefix(count)
      waiters.removeFirst(released.count)
      passes += count - released.count
      return released
    }
    for (_, waiter) in released { waiter.resume(true) }
  }

  /// Waits until it may pass. Throws `CancellationError` as soon as the task is cancelled.
  public nonisolated(nonsending) func wait() async throws {
    if await !enter(heedsCancellation: true) { throw CancellationError() }
  }

  /// Waits until it may pass, cancelled or not: the stubborn service whose answer comes late.
  public nonisolated(nonsending) func waitStubbornly() async {
    _ = await enter(heedsCancellation: false)
  }

  private nonisolated(nonsending) func enter(heedsCancellation: Bool) async -> Bool {
    if heedsCancellation, Task.isCancelled { return false }
    let number = lock.withLock {
      lastNumber += 1
      return lastNumber
    }
    let name = name
    let parking = TaskToken.current?.park(.gate(self, number)) {
      name.map { "waits at the gate \"\($0)\"" } ?? "waits at a gate"
    }
    defer { parking?.end() }
    let mayPass = await withTaskCancellationHandler {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
        let answer = lock.withLock { admit(Waiter(continuation: continuation, parking: parking), number) }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      if heedsCancellation { release(number) }
    }
    if heedsCancellation { lock.withLock { _ = cancelled.remove(number) } }
    return mayPass
  }

  /// Under the lock: whether it may pass; nil if it has to wait.
  private func admit(_ waiter: Waiter, _ number: Int) -> Bool? {
    if cancelled.remove(number) != nil { return false }
    if opened { return true }
    if passes > 0 {
      passes -= 1
      return true
    }
    waiters.append((number, waiter))
    return nil
  }

  /// Lets one through who waits.
  func letThrough(waiter number: Int) {
    lock.withLock { takeWaiter(number) }?.resume(true)
  }

  /// Under the lock.
  private func takeWaiter(_ number: Int) -> Waiter? {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return nil }
    return waiters.remove(at: index).waiter
  }

  private func release(_ number: Int) {
    let waiter = lock.withLock { () -> Waiter? in
      let waiter = takeWaiter(number)
      if waiter == nil { cancelled.insert(number) }
      return waiter
    }
    waiter?.resume(false)
  }
}
