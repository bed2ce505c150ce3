import Hits

/// Who waits for the container.
extension ContainerLoader {
  /// One opener call.
  struct Opening: Sendable {
    var prepare: (@Sendable (Container) -> Void)?
    var notify: (@Sendable (OpenResult) -> Void)?
    var timer: Task<Void, Never>?
    let begin: UInt64
  }

  /// Waits for the container by a preference, at most so long; `notify` is called exactly once unless it is cancelled.
  @discardableResult
  func await(
    _ preference: OpenPreference, timeout: Duration, prepare: (@Sendable (Container) -> Void)?,
    notify: @escaping @Sendable (OpenResult) -> Void
  ) -> OpeningID {
    let id = OpeningID(number: nextNumber())
    let clock = environment.ports.clock
    let timer = Task { [weak self] in
      // Cancelled: the opening has ended.
      guard (try? await clock.sleep(for: timeout)) != nil else { return }
      self?.send(.openingTimedOut(id))
    }
    let opening = Opening(prepare: prepare, notify: notify, timer: timer, begin: clock.ageClock)
    state.withLock { $0.openings[id] = opening }
    environment.log(.info, "\(self.id) Opening begins, preferring \(preference).")
    send(.opening(id, preference))
    return id
  }

  /// Lets held events go when nobody waits for the container: 2.0 s after it was opened (TM-561).
  func releaseSoon() {
    let clock = environment.ports.clock
    Task { [weak self] in
      // Nobody cancels this task.
      guard (try? await clock.sleep(for: ContainerOpener.defaultTimeout)) != nil else { return }
      self?.send(.readyTimeout)
    }
  }

  /// Stops waiting; `notify` is not called any more.
  func cancel(_ id: OpeningID) {
    state.withLock { $0.openings[id]?.notify = nil }
    send(.openingCancelled(id))
  }

  func endOpening(_ id: OpeningID, _ end: OpenEnd, _ container: Container) {
    prepareAll(container)
    guard let opening = state.withLock({ $0.openings.removeValue(forKey: id) }) else { return }
    opening.timer?.cancel()
    let milliseconds = (environment.ports.clock.ageClock &- opening.begin) / 1_000_000
    environment.log(
      .info,
      "\(self.id) Opening ends after \(milliseconds) ms by \(end), with content from \(container.origin.rawValue).")
    environment.callbackPath.run {
      opening.notify?(OpenResult(container: container, source: container.origin, endedBy: end))
    }
  }

  /// Runs each opening's `prepare` once, before the first event and before any notifier (TM-306).
  func prepareAll(_ container: Container) {
    let prepares = state.withLock { state in
      let ids = state.openings.keys.sorted { $0.number < $1.number }
      return ids.compactMap { state.openings[$0]?.prepare.take() }
    }
    environment.callbackPath.run { for prepare in prepares { prepare(container) } }
  }

  /// Starts a refresh; `continuation` gets what comes of it.
  func refresh(_ continuation: CheckedContinuation<RefreshOutcome, Never>?) {
    let id = RefreshID(number: nextNumber())
    if let continuation { state.withLock { $0.refreshes[id] = continuation } }
    send(.refresh(id))
  }

  func answer(_ ids: [RefreshID], _ outcome: RefreshOutcome) {
    if case .rateLimited(let rest) = outcome, environment.once.isFirst(.rateLimited(id)) {
      environment.log(.warning, "\(id) is refreshed too often; the next refresh is possible in \(rest).")
    }
    let continuations = state.withLock { state in ids.compactMap { state.refreshes.removeValue(forKey: $0) } }
    for continuation in continuations { continuation.resume(returning: outcome) }
  }
}

extension Container {
  /// Asks the server for newer content, whatever the age of the content in force (TM-401).
  ///
  /// Too many of them make no request: at least 5 s apart, 30 at once, one more every 15 minutes (TM-402).
  public func refresh() { loader.refresh(nil) }

  /// Asks the server for newer content as `refresh` does, and waits for what comes of it.
  public func refreshed() async -> RefreshOutcome {
    await withCheckedContinuation { loader.refresh($0) }
  }

  /// Clears, pushes and draws what a server adds for an experiment (TM-126).
  func apply(_ supplementals: [Supplemental]) {
    for supplemental in supplementals {
      for key in supplemental.keysToClear { dataLayer.clear(prefix: key) }
      for case .map(let update) in supplemental.valuesToPush { dataLayer.push(update) }
      for random in supplemental.randoms { draw(random) }
    }
  }

  private func draw(_ random: ExperimentRandom) {
    if random.keepsOriginal {
      switch dataLayer.get(random.key) {
      case .int(let number) where random.range.contains(number): return
      case .double(let number)
      where Double(random.range.lowerBound)...Double(random.range.upperBound) ~= number: return
      default: break
      }
    }
    var update: [String: Value] = [random.key: .int(environment.ports.random.integer(in: random.range))]
    if random.lifetimeMilliseconds > 0 { update["gtm.lifetime"] = .string("\(random.lifetimeMilliseconds)") }
    dataLayer.push(update)
  }

  /// Tells the container that it is loaded, if it wants to know (TM-342).
  func pushLoadEvent() {
    guard content.plan.index(ofName: "_gtm.loadEventEnabled") != nil, bool(for: "_gtm.loadEventEnabled") else { return }
    dataLayer.push(["event": "gtm.load", "gtm.id": .string(id.text)])
  }
}
