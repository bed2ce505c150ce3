/// Decides where a container gets its content from, and when (TM-340): no clock, no file, no socket.
///
///     new ──open──▶ loadingSaved ──fresh──▶ waiting(due) ◀──────────────┐
///      │ │               │ stale, failed       │ due, reachable, refresh │ fetched, notChanged, failed
///      │ │ preview       ▼                     ▼                         │
///      │ └──────────▶ fetching(cause) ◀────────┴─── fetching(cause) ─────┘
///      └─default mode─▶ defaultOnly                    ▲
///                                                      │ previewStarted, from any but defaultOnly
///     previewEnded leads to loadingSaved, close from anywhere to closed.
///
/// Every piece of work has a ticket, and only the latest ticket's answer counts. Openings wait in `PendingOpenings`. An
/// event that has no place in a state changes nothing.
struct LoadingMachine: Sendable {
  /// How old content may get, and how much later the next check may come, in milliseconds (TM-400).
  static let freshness: Int64 = 12 * 3_600_000
  static let longestJitter: Int64 = 300_000
  /// How long a draft stays unasked for (TM-1006).
  static let previewPeriod: Int64 = 60_000

  enum State: Sendable, Equatable {
    case new
    case loadingSaved
    case fetching(Cause)
    /// Milliseconds of the age clock.
    case waiting(due: Int64)
    case defaultOnly
    case closed
  }

  enum Cause: Sendable, Equatable {
    case initial
    case scheduled
    case manual
    case preview
  }

  private(set) var state = State.new
  /// Whether the draft under preview is in force or on its way.
  private(set) var isPreview = false
  private var ticket = LoadingTicket(number: 0)
  private var etag: String?
  private var fingerprint: String?
  private var openings = PendingOpenings()
  private var refreshes: [RefreshID] = []
  private var limiter = RefreshLimiter()
  private var backOff = RefreshBackOff()
  private var lacksNetwork = false
  private var isReleased = false

  /// Takes in one event and gives what is to be done, in order.
  mutating func handle(_ event: LoadingEvent, at now: LoadingMoment) -> [LoadingAction] {
    var actions: [LoadingAction] = []
    switch event {
    case .open(let mode, let isPreview): open(mode, isPreview, now, &actions)
    case .opening(let id, let preference): add(id, preference, &actions)
    case .openingTimedOut(let id):
      if openings.remove(id) { end([id], .timeout, &actions) }
    case .openingCancelled(let id): _ = openings.remove(id)
    case .readyTimeout: if state != .closed { release(&actions) }
    case .savedLoaded(let saved, let ticket):
      if state == .loadingSaved, ticket == self.ticket { savedLoaded(saved, now, &actions) }
    case .savedFailed(let failure, let ticket):
      if state == .loadingSaved, ticket == self.ticket { savedFailed(failure, now, &actions) }
    case .fetched(let fetched, let ticket):
      if isFetching, ticket == self.ticket { self.fetched(fetched, now, &actions) }
    case .notChanged(let supplementals, let ticket):
      if isFetching, ticket == self.ticket { notChanged(supplementals, now, &actions) }
    case .failed(let failure, let retryAfter, let ticket):
      if isFetching, ticket == self.ticket { failed(failure, retryAfter, now, &actions) }
    case .refresh(let id): refresh(id, now, &actions)
    case .due(let ticket):
      if isWaiting, ticket == self.ticket { fetch(.scheduled, now, &actions) }
    case .becameActive:
      if case .waiting(let due) = state, now.age >= due { fetch(.scheduled, now, &actions) }
    case .reachable:
      if isWaiting, lacksNetwork { fetch(.scheduled, now, &actions) }
    case .previewStarted: startPreview(now, &actions)
    case .previewEnded: if isPreview { endPreview(now, &actions) }
    case .close: close(&actions)
    }
    return actions
  }

  private var isFetching: Bool { if case .fetching = state { true } else { false } }
  private var isWaiting: Bool { if case .waiting = state { true } else { false } }
}

extension LoadingMachine {
  private mutating func open(
    _ mode: RefreshMode, _ isPreview: Bool, _ now: LoadingMoment, _ actions: inout [LoadingAction]
  ) {
    guard state == .new else { return }
    actions.append(.installDefault)
    switch mode {
    case .defaultContainer:
      state = .defaultOnly
      end(openings.reach(.mode), .mode, &actions)
      release(&actions)
    case .standard where isPreview:
      self.isPreview = true
      fetch(.preview, now, &actions)
    case .standard: readSaved(&actions)
    }
  }

  private mutating func readSaved(_ actions: inout [LoadingAction]) {
    state = .loadingSaved
    actions += [.begin(.saved), .readSaved(nextTicket())]
  }

  private mutating func savedLoaded(_ saved: SavedContent, _ now: LoadingMoment, _ actions: inout [LoadingAction]) {
    etag = saved.etag
    fingerprint = saved.content.container.fingerprint
    actions += [.install(saved.content, checkedAt: saved.fetchedAt), .pushLoadEvent, .success(.saved)]
    let age = Self.age(of: saved.fetchedAt, at: now.wall)
    end(openings.reach(.saved, for: age < Self.freshness ? [.nonDefault, .fresh] : [.nonDefault]), .saved, &actions)
    release(&actions)
    if age >= Self.freshness {
      fetch(.initial, now, &actions)
      return
    }
    if !refreshes.isEmpty { fetchByHand(now, &actions) }
    if !isFetching { wait(Self.freshness - age + Self.jitter(now.draw), now, &actions) }
  }

  private mutating func savedFailed(
    _ failure: RefreshFailure, _ now: LoadingMoment, _ actions: inout [LoadingAction]
  ) {
    actions.append(.failure(failure, .saved))
    fetch(.initial, now, &actions)
  }

  /// How old a time is; what lies in the future is new, but for a clock that was set back by more than a day (TM-321).
  static func age(of fetchedAt: Int64, at now: Int64) -> Int64 {
    let (age, overflow) = now.subtractingReportingOverflow(fetchedAt)
    if overflow || age < -24 * 3_600_000 { return .max }
    return max(0, age)
  }

  private static func jitter(_ draw: UInt64) -> Int64 { Int64(draw % UInt64(longestJitter + 1)) }
}

extension LoadingMachine {
  private mutating func fetch(_ cause: Cause, _ now: LoadingMoment, _ actions: inout [LoadingAction]) {
    state = .fetching(isPreview ? .preview : cause)
    let plan =
      isPreview
      ? FetchPlan(isPreview: true)
      : FetchPlan(etag: etag, fingerprint: fingerprint, bypassesCaches: cause == .manual)
    actions += [.begin(.network), .fetch(plan, nextTicket())]
  }

  private mutating func fetched(_ fetched: FetchedContent, _ now: LoadingMoment, _ actions: inout [LoadingAction]) {
    actions.append(.install(fetched.content, checkedAt: now.wall))
    if !isPreview {
      etag = fetched.etag
      fingerprint = fetched.content.container.fingerprint
      actions.append(.save(fetched))
    }
    apply(fetched.content.container.supplementals, &actions)
    actions += [.pushLoadEvent, .success(.network)]
    succeeded(.updated(version: fetched.content.container.version), isPreview ? .preview : .network, now, &actions)
  }

  private mutating func notChanged(
    _ supplementals: [Supplemental], _ now: LoadingMoment, _ actions: inout [LoadingAction]
  ) {
    if !isPreview { actions.append(.touchSaved(checkedAt: now.wall)) }
    apply(supplementals, &actions)
    actions.append(.success(.network))
    succeeded(.notChanged, .network, now, &actions)
  }

  private func apply(_ supplementals: [Supplemental], _ actions: inout [LoadingAction]) {
    if !supplementals.isEmpty { actions.append(.applySupplementals(supplementals)) }
  }

  private mutating func succeeded(
    _ outcome: RefreshOutcome, _ end: OpenEnd, _ now: LoadingMoment, _ actions: inout [LoadingAction]
  ) {
    lacksNetwork = false
    backOff.reset()
    answerRefreshes(outcome, &actions)
    self.end(openings.reach(end), end, &actions)
    release(&actions)
    wait(isPreview ? Self.previewPeriod : Self.freshness + Self.jitter(now.draw), now, &actions)
  }

  private mutating func failed(
    _ failure: RefreshFailure, _ retryAfter: Int64?, _ now: LoadingMoment, _ actions: inout [LoadingAction]
  ) {
    lacksNetwork = failure.reason == .noNetwork
    actions.append(.failure(failure, .network))
    answerRefreshes(.failed(failure), &actions)
    let end = OpenEnd.failure(failure.reason)
    self.end(openings.reach(end), end, &actions)
    release(&actions)
    let rest = backOff.rest(after: failure, retryAfter: retryAfter, draw: now.draw)
    guard isPreview, [.forbidden, .notFound, .gone].contains(failure.detail) else { return wait(rest, now, &actions) }
    state = .waiting(due: now.age + rest)
    actions.append(.previewRefused(failure))
    endPreview(now, &actions)
  }

  private mutating func wait(_ rest: Int64, _ now: LoadingMoment, _ actions: inout [LoadingAction]) {
    let due = now.age + rest
    state = .waiting(due: due)
    actions.append(.wake(at: due, nextTicket()))
  }

  private mutating func nextTicket() -> LoadingTicket {
    ticket.number += 1
    return ticket
  }
}

extension LoadingMachine {
  private mutating func refresh(_ id: RefreshID, _ now: LoadingMoment, _ actions: inout [LoadingAction]) {
    switch state {
    case .new, .loadingSaved, .fetching: refreshes.append(id)
    case .waiting:
      refreshes.append(id)
      fetchByHand(now, &actions)
    case .defaultOnly: actions.append(.answerRefreshes([id], .defaultMode))
    case .closed: actions.append(.answerRefreshes([id], .closed))
    }
  }

  /// Fetches for the waiting refreshes if the limits allow it.
  private mutating func fetchByHand(_ now: LoadingMoment, _ actions: inout [LoadingAction]) {
    guard let rest = limiter.take(at: now.age) else { return fetch(.manual, now, &actions) }
    answerRefreshes(.rateLimited(retryAfter: .milliseconds(rest)), &actions)
  }

  private mutating func answerRefreshes(_ outcome: RefreshOutcome, _ actions: inout [LoadingAction]) {
    guard !refreshes.isEmpty else { return }
    actions.append(.answerRefreshes(refreshes, outcome))
    refreshes = []
  }

  private mutating func add(_ id: OpeningID, _ preference: OpenPreference, _ actions: inout [LoadingAction]) {
    if state == .closed {
      end([id], .closed, &actions)
    } else if let end = openings.add(id, preference) {
      self.end([id], end, &actions)
    }
  }

  private mutating func end(_ ids: [OpeningID], _ end: OpenEnd, _ actions: inout [LoadingAction]) {
    guard !ids.isEmpty else { return }
    actions += ids.map { .endOpening($0, end) }
    if end != .closed { release(&actions) }
  }

  private mutating func release(_ actions: inout [LoadingAction]) {
    guard !isReleased else { return }
    isReleased = true
    actions.append(.release)
  }
}

extension LoadingMachine {
  private mutating func startPreview(_ now: LoadingMoment, _ actions: inout [LoadingAction]) {
    switch state {
    case .new, .defaultOnly, .closed: return
    case .loadingSaved, .fetching, .waiting: break
    }
    isPreview = true
    cancel(&actions)
    openings.startAnew()
    backOff.reset()
    fetch(.preview, now, &actions)
  }

  private mutating func endPreview(_ now: LoadingMoment, _ actions: inout [LoadingAction]) {
    cancel(&actions)
    isPreview = false
    openings.startAnew()
    backOff.reset()
    (etag, fingerprint) = (nil, nil)
    actions.append(.installDefault)
    readSaved(&actions)
  }

  /// Gives up the work under way; a phase that has begun has its end all the same (TM-310).
  private func cancel(_ actions: inout [LoadingAction]) {
    actions.append(.cancelWork)
    let failure = RefreshFailure(.unknownError, .cancelled, "Loading was given up for a preview, or for its end.")
    switch state {
    case .loadingSaved: actions.append(.failure(failure, .saved))
    case .fetching: actions.append(.failure(failure, .network))
    case .new, .waiting, .defaultOnly, .closed: break
    }
  }

  private mutating func close(_ actions: inout [LoadingAction]) {
    guard state != .closed else { return }
    state = .closed
    isPreview = false
    actions.append(.cancelWork)
    answerRefreshes(.closed, &actions)
    end(openings.reach(.closed), .closed, &actions)
  }
}
