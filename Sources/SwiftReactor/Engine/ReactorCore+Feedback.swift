// Follows: the queries of the state, from the commit that changes them to the effects that they ask for.
// Never: starts or cancels anything before everybody was told of the commit; registers before anybody is (Contract G14).
// Guarded by: the turn; those that come before first use by the state's lock.

extension ReactorCore {
  /// From any thread.
  @usableFromInline
  func add(_ feedback: Feedback<Mutation, State>) {
    let isUnused = storage.lock.withLock {
      if !storage.isInUse { madeSharedParts.comingFeedbacks.append(feedback) }
      return !storage.isInUse
    }
    if !isUnused { take(.added(feedback)) }
  }

  private func take(_ event: FeedbackEvent<Mutation, State>) {
    if case .failed(let error) = event { return receive(.failure(error, nil), .failure) }
    receive(.feedback(event), .tidying)
  }

  /// What has come at another time than a commit. In a turn.
  func follow(_ event: FeedbackEvent<Mutation, State>) {
    switch event {
    case .failed: break
    case .added(let feedback):
      madeParts.feedbacks.append(feedback)
      if isFed {
        var orders: [EffectOrders] = []
        follow([feedback], &orders)
        carryOut(all: orders)
        begin(feedback)
      } else if isUsed {
        beginFeedback()
      } else if tree?.hasUsedParent == true {
        startForFeedback()
      }
    case .query(let change):
      guard isFed, tree?.isGone != true, let change = change() else { return }
      var orders: [EffectOrders] = []
      apply(change, &orders)
      carryOut(all: orders)
    }
  }

  /// First use: the state's queries are asked for from here on. In a turn, after the hooks were started.
  @usableFromInline
  func beginFeedback() {
    tree?.startMembersForFeedback()
    takeComingFeedbacks()
    guard let parts, !parts.feedbacks.isEmpty, !isFed, parts.replacement == nil else { return }
    isFed = true
    noteObservers()
    var orders: [EffectOrders] = []
    followFeedback(&orders)
    carryOut(all: orders)
    for feedback in parts.feedbacks { begin(feedback) }
  }

  private func takeComingFeedbacks() {
    var coming: [Feedback<Mutation, State>] = []
    storage.lock.withLock { if let sharedParts { swap(&coming, &sharedParts.comingFeedbacks) } }
    if !coming.isEmpty { madeParts.feedbacks = coming + madeParts.feedbacks }
  }

  /// What is handled just now, for the effects that it makes the state ask for.
  @usableFromInline
  func noteCause(call: SlotKey, effect: SlotKey) {
    madeParts.feedbackCause = (call, effect)
  }

  /// A reactor whose feedback waits for its first use is nested in one that is used.
  func startForFeedback() {
    let comes = storage.lock.withLock { sharedParts?.comingFeedbacks.isEmpty == false }
    let waits = comes || parts?.feedbacks.isEmpty == false
    if waits, !isUsed { receive(.nothing, .start) }
  }

  private func begin(_ feedback: Feedback<Mutation, State>) {
    feedback.begin(in: StreamContext(runner: runner)) { [weak self] in self?.take($0) }
  }

  /// A commit of a reactor that has feedback: its effects are known before anybody is told, and start afterwards.
  @usableFromInline
  func deliverWithFeedback() {
    var orders: [EffectOrders] = []
    followFeedback(&orders)
    if isWatched || parts?.hooks.state != nil { deliverToObservers() }
    carryOut(all: orders)
  }

  /// Asks the state for its queries and registers what has changed.
  func followFeedback(_ orders: inout [EffectOrders]) {
    follow(parts?.feedbacks ?? [], &orders)
  }

  private func follow(_ feedbacks: [Feedback<Mutation, State>], _ orders: inout [EffectOrders]) {
    for feedback in feedbacks {
      if let change = storage.withState({ feedback.follow($0) }) { apply(change, &orders) }
    }
  }

  private func apply(_ change: Feedback<Mutation, State>.Change, _ orders: inout [EffectOrders]) {
    // Found and kept first: the effect that has brought the change may be among those that end with it.
    let cause = madeParts.feedbackCause
    let call = change.started.isEmpty ? .none : lane.ask { $0.keepCall(cause.call, of: cause.effect) }
    if !change.ended.isEmpty { append(lane.decide { $0.cancel(effects: change.ended) }, to: &orders) }
    for start in change.started { start.keep(register(start.answer(), for: start.query, call: call, &orders)) }
    if !call.isNone { append(lane.decide { $0.didHandleAction(of: call) }, to: &orders) }
  }

  /// Makes the effects of one query known, and returns them.
  private func register(
    _ answer: Mutations<Mutation>, for query: any Sendable, call: SlotKey, _ orders: inout [EffectOrders]
  ) -> [SlotKey] {
    var keys: [SlotKey] = []
    if answer.first != nil {
      // What is there at once is an effect by itself: its values are an arrival, one commit, and go with the query.
      let handle = EffectHandle(of: self, stream: .empty, name: nil, action: nil, query: query, initial: answer.sync)
      keys.append(register(handle, call: call, &orders))
    }
    for request in answer.effects {
      switch request {
      case .cancel(let id): cancel(id, &orders)
      case .start(let stream, let name):
        let handle = EffectHandle(of: self, stream: stream, name: name, action: nil, query: query)
        keys.append(register(handle, call: call, &orders))
      }
    }
    return keys.filter { !$0.isNone }
  }

  private func carryOut(all orders: [EffectOrders]) {
    for order in orders { carryOutInStep(order) }
  }
}
