// How one brings actions from other threads to a queue by hand.

package import Dispatch

/// The senders append to an array that a mutex guards, and one `queue.async` empties it.
package final class HandOver<Action: Sendable, Mutation: Sendable, State: Sendable>: @unchecked Sendable {
  // Safe to share: what changes is only touched under the mutex, `batch` only on the queue.
  @usableFromInline let mutex = Mutex()
  @usableFromInline @exclusivity(unchecked) var waiting: [Action] = []
  @usableFromInline @exclusivity(unchecked) var isScheduled = false
  @usableFromInline @exclusivity(unchecked) var batch: [Action] = []
  @usableFromInline let target: HandWritten<Action, Mutation, State>
  @usableFromInline let queue: DispatchQueue

  package init(to target: HandWritten<Action, Mutation, State>, on queue: DispatchQueue) {
    self.target = target
    self.queue = queue
  }

  @inlinable
  package func send(_ action: Action) {
    mutex.lock()
    waiting.append(action)
    let isFirst = !isScheduled
    isScheduled = true
    mutex.unlock()
    if isFirst { queue.async { self.drain() } }
  }

  @inlinable
  func drain() {
    mutex.lock()
    swap(&waiting, &batch)
    isScheduled = false
    mutex.unlock()
    for action in batch { target.action(action) }
    batch.removeAll(keepingCapacity: true)
  }
}
