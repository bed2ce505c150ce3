import DurableStore
import Foundation
public import Hits

/// A durable queue of hits and its trackers: the object an app keeps.
///
///     let analytics = try Analytics(store: .init(), transport: transport)
///     analytics.defaultDestination = .measurementProtocol("https://collect.example")
///     let tracker = try analytics.tracker(property: "UA-12345-1")
///     tracker.send(.screenView("Home"))
///     analytics.dispatch()
///
/// A hit with a durable receipt is delivered, or counted under one drop reason, whatever dies in between. Two objects on
/// one directory share its store, in one process and in several (HQ-320, HQ-322).
public final class Analytics: HitSink, HitDispatcher {
  private struct State: Sendable {
    var trackers: [String: Tracker] = [:]
    var defaultTracker: Tracker?
    var defaultDestination: Destination?
    var interval = 120.0
    var tracksExceptions = false
  }

  let store: HitStore
  let intake: Intake
  let couriers: Couriers
  private let dispatcher: Dispatcher
  private let connectivity: (any Connectivity)?
  let clock: any HitClock
  let crashFiles: CrashFiles
  private let watch: Task<Void, Never>?
  let warnings: OnceWarnings
  private let state = Locked(State())
  // One thread for the app's closures, which never run inside the call that brought them (HQ-410).
  #if canImport(Darwin)
    private let callbacks = DispatchQueue.main
  #else
    private let callbacks = DispatchQueue(label: "tagworks.hits.callbacks")
  #endif

  /// Opens the store, or makes it.
  ///
  /// Hits of an earlier run are delivered like new ones (HQ-405).
  ///
  /// - Parameters:
  ///   - connectivity: without one, there is assumed to be a network (HQ-413).
  ///   - consent: what holds for purposes about which the person has not said anything yet (HQ-220).
  ///   - identifiers: gives the advertising id to trackers that may use it (HQ-250).
  ///   - device: what hits tell of the app and the device (HQ-204); without one, nothing.
  /// - Throws: `HitQueueError` when the store cannot be opened; nothing is then kept or sent.
  public init(
    store configuration: HitStoreConfiguration, transport: any HTTPTransport, clock: any HitClock = SystemHitClock(),
    connectivity: (any Connectivity)? = nil, device: (any Device)? = nil,
    identifiers: (any IdentifierProvider)? = nil, consent: ConsentSnapshot = .granted,
    random: any RandomSource = SystemRandomSource(), logger: any HitLogger = StandardHitLogger()
  ) throws(HitQueueError) {
    let store = try HitStore.open(configuration, consent: consent, random: random)
    let couriers = Couriers(transport: transport, device: device)
    let warnings = OnceWarnings(logger)
    let dispatcher = Dispatcher(
      store: store, couriers: couriers, clock: clock, random: random, logger: logger,
      mode: .periodic(120 * 1_000_000_000))
    self.store = store
    self.couriers = couriers
    self.warnings = warnings
    self.dispatcher = dispatcher
    self.connectivity = connectivity
    intake = Intake(
      store: store, clock: clock, random: random, configuration: configuration, device: device,
      identifiers: identifiers, warnings: warnings,
      onPermissions: { dispatcher.handle(.optOut($0.isOptedOut)) },
      onCommit: { dispatcher.noteHit($0, lane: $1) })
    crashFiles = CrashFiles(directory: store.directory)
    self.clock = clock
    if store.permissions.isOptedOut { dispatcher.handle(.optOut(true)) }
    watch = connectivity.map { connectivity in
      dispatcher.handle(.online(connectivity.isOnline))
      return Task { for await state in connectivity.changes { dispatcher.handle(.online(state != .offline)) } }
    }
    reportCrashes()
    dispatcher.findWaitingHits()
  }

  deinit { watch?.cancel() }

  /// The tracker that takes hits without a name: the first that was made, unless set.
  public var defaultTracker: Tracker? {
    get { state.withLock { $0.defaultTracker } }
    set {
      state.withLock { $0.defaultTracker = newValue }
      noteCrashTracker()
    }
  }

  /// Where trackers send that are made without a destination.
  public var defaultDestination: Destination? {
    get { state.withLock { $0.defaultDestination } }
    set { state.withLock { $0.defaultDestination = newValue } }
  }

  var tracksExceptions: Bool {
    get { state.withLock { $0.tracksExceptions } }
    set { state.withLock { $0.tracksExceptions = newValue } }
  }

  /// Makes a tracker, or gives the one of that name, with its old property and destination (HQ-200).
  public func tracker(
    name: String, property: String, destination: Destination
  ) throws(TrackerError) -> Tracker {
    if let tracker = state.withLock({ $0.trackers[name] }) {
      if tracker.property != property || tracker.lane.endpoint != destination.endpoint {
        warnings.warn("tracker \(name) keeps its property \(tracker.property) and its destination")
      }
      return tracker
    }
    guard TrackerNames.isName(name) else { throw TrackerError(.invalidName, "\(name) is no tracker name") }
    guard TrackerNames.isProperty(property) else {
      throw TrackerError(.invalidProperty, "\(property) is no property")
    }
    guard destination.isAllowed else {
      throw TrackerError(.invalidDestination, "hits may not go to \(destination.endpoint)")
    }
    let made = Tracker(name: name, property: property, destination: destination, analytics: intake)
    couriers.add(destination, for: made.lane)
    defer { noteCrashTracker() }
    return state.withLock { state in
      // Another thread may have made it meanwhile.
      if let tracker = state.trackers[name] { return tracker }
      if state.trackers.isEmpty, state.defaultTracker == nil { state.defaultTracker = made }
      state.trackers[name] = made
      return made
    }
  }

  /// Makes a tracker called by its property, with the default destination.
  public func tracker(property: String) throws(TrackerError) -> Tracker {
    if let tracker = state.withLock({ $0.trackers[property] }) { return tracker }
    guard let destination = defaultDestination else {
      throw TrackerError(.invalidDestination, "there is no default destination")
    }
    return try tracker(name: property, property: property, destination: destination)
  }

  /// Forgets a tracker; hits it has queued are still delivered (HQ-202).
  public func removeTracker(named name: String) {
    state.withLock { state in
      state.trackers[name] = nil
      if state.defaultTracker?.name == name { state.defaultTracker = nil }
    }
  }

  /// Sets a value for all later hits of all trackers, below the trackers' own (HQ-204); nil clears it.
  public func set(_ value: String?, for name: String) {
    let name = StickyFields.wireName(name)
    if !intake.set(value, for: name) { warnings.warn("\(name) cannot be set") }
  }

  /// Takes a hit in for a tracker; a beacon needs none (HQ-117).
  @discardableResult
  public func send(_ hit: HitBuilder, tracker name: String?) -> SendReceipt {
    if hit.kind == .beacon { return intake.sendBeacon(hit) }
    guard let tracker = tracker(for: name) else { return intake.refuse(.unknownTracker) }
    return tracker.send(hit)
  }

  private func tracker(for name: String?) -> Tracker? {
    guard let name else { return defaultTracker }
    do throws(TrackerError) { return try tracker(property: name) } catch {
      warnings.warn("no tracker \(name): \(error.message)")
      return nil
    }
  }

  /// Whether the person opted out, of all of the store's processes and for good until set to false (HQ-230, HQ-231).
  ///
  /// Setting true is on disk when it returns: hits that are not sent are deleted, requests under way are cancelled, and
  /// every call is refused with `optedOut`. Setting false resumes; deleted hits stay deleted.
  public var optOut: Bool {
    get { store.permissions.isOptedOut }
    set {
      do throws(StoreError) {
        try store.setOptOut(newValue)
        if newValue { try crashFiles.removeAll() }
      } catch {
        warnings.warn("the opt-out could not be written down: \(error.message)")
      }
      if newValue { intake.dropHeld(.optedOut) }
      dispatcher.handle(.optOut(newValue))
    }
  }

  /// Says what the person allows; it is on disk when this returns (HQ-220 to HQ-223).
  ///
  /// Granted releases the hits that waited for it, with the times they were made at. Denied deletes every hit that needs
  /// it, for good.
  public func consent(_ purpose: ConsentPurpose, _ state: ConsentState) {
    do throws(StoreError) {
      if try store.set(purpose, state) { dispatcher.findWaitingHits() }
    } catch {
      warnings.warn("consent could not be written down: \(error.message)")
    }
    intake.releaseHeld(store.permissions)
  }

  /// What the person allows now.
  public func consent(_ purpose: ConsentPurpose) -> ConsentState { store.permissions.consent[purpose] }

  /// Checks hits and answers, and lets nothing out: not hits queued before either (HQ-240).
  public var dryRun: Bool {
    get { intake.isDryRun }
    set {
      intake.isDryRun = newValue
      dispatcher.handle(.dryRun(newValue))
    }
  }

  /// Seconds between two passes: 120 unless set (HQ-400).
  ///
  /// Below 1, only `dispatch` sends. Setting it, to the same value too, starts the time anew; NaN is ignored, and a day is
  /// the most.
  public var dispatchInterval: Double {
    get { state.withLock { $0.interval } }
    set {
      guard !newValue.isNaN else { return warnings.warn("a dispatch interval that is no number is ignored") }
      state.withLock { $0.interval = min(newValue, 86_400) }
      dispatcher.handle(.intervalSet(newValue))
    }
  }

  /// Starts a pass over all lanes and returns at once (HQ-406).
  public func dispatch() {
    lookAtNetwork()
    dispatcher.handle(.dispatchRequested)
  }

  /// Makes at most one request, then calls the closure, exactly once and never inside this call (HQ-407, HQ-410).
  ///
  /// Periodic dispatch is off until `dispatchInterval` is set again. Without a closure, the same as `dispatch()`.
  public func dispatch(completion: (@Sendable (DispatchResult) -> Void)?) {
    guard let completion else { return dispatch() }
    lookAtNetwork()
    dispatcher.call { [callbacks] report in callbacks.async { completion(report.result) } }
  }

  /// Makes at most one request and tells how it went (HQ-407).
  public func dispatchNext() async -> DispatchReport { await dispatchNext(isNext: false) }

  private func dispatchNext(isNext: Bool) async -> DispatchReport {
    lookAtNetwork()
    let call = Locked<CallID?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let id = dispatcher.call(isNext: isNext, wantsCount: !isNext) { continuation.resume(returning: $0) }
        call.withLock { $0 = id }
        // A cancellation before this line found no call to cancel.
        if Task.isCancelled { dispatcher.handle(.cancel(id)) }
      }
    } onCancel: {
      if let id = call.withLock({ $0 }) { dispatcher.handle(.cancel(id)) }
    }
  }

  /// Makes requests one after another until there is nothing to send, one fails, or the deadline is there (HQ-412).
  ///
  /// The report adds up all requests; its result is that of the last. A request under way at the deadline is cancelled,
  /// its hits stay.
  public func drain(until deadline: ContinuousClock.Instant? = nil) async -> DispatchReport {
    await drain(until: deadline, splitting: false)
  }

  /// The same, and where a server refuses a batch as it is, goes on with its parts (HQ-431).
  package func drain(until deadline: ContinuousClock.Instant?, splitting: Bool) async -> DispatchReport {
    var total = DispatchReport(result: .noData, reason: .empty)
    while !Task.isCancelled {
      let next = await dispatchNext(until: deadline)
      let isSplit = splitting && next.reason == .refused
      total.result = next.result
      // What goes again in parts is counted there.
      total.sent += isSplit ? next.rejected : next.sent
      total.accepted += next.accepted
      total.rejected += next.rejected
      if next.reason == .allRejected { total.rejected -= min(total.rejected, DispatchMachine.refusedSingles - 1) }
      total.reason = next.reason
      total.nextEligible = next.nextEligible
      guard next.result == .good || isSplit else { break }
    }
    total.remaining = await dispatcher.readyCount()
    return total
  }

  private func dispatchNext(until deadline: ContinuousClock.Instant?) async -> DispatchReport {
    guard let deadline else { return await dispatchNext(isNext: true) }
    return await withTaskGroup(of: DispatchReport?.self) { group in
      group.addTask { await self.dispatchNext(isNext: true) }
      group.addTask {
        // Cancelled: the request was answered in time.
        try? await Task.sleep(until: deadline, clock: .continuous)
        return nil
      }
      var report: DispatchReport?
      for await result in group {
        group.cancelAll()
        if let result { report = result }
      }
      return report ?? DispatchReport(result: .error, reason: .cancelled)
    }
  }

  private func lookAtNetwork() {
    if let connectivity { dispatcher.handle(.online(connectivity.isOnline)) }
  }

  /// The client id, made when there is none (HQ-210).
  public func clientID() async -> String {
    let intake = intake
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: intake.clientID()) }
    }
  }

  /// Makes a new client id for all later hits.
  ///
  /// - Throws: `HitQueueError` when it cannot be kept; the old one then stays.
  public func resetClientID() throws(HitQueueError) {
    do throws(StoreError) { try store.resetClientID() } catch { throw HitQueueError(error) }
  }

  /// What the store cannot do at the moment (HQ-902).
  public var status: QueueStatus { store.status(isOnline: connectivity?.isOnline ?? true) }

  /// All counters, up to now (HQ-900).
  public var counters: HitCounters {
    get async throws(HitQueueError) { try await statistics().counters }
  }

  /// Counters, lanes, and how many hits are in the store.
  public func statistics() async throws(HitQueueError) -> HitStatistics {
    do throws(StoreError) { return try await store.statistics() } catch { throw HitQueueError(error) }
  }

  /// Hits in the store, oldest first.
  public func inspect(_ query: HitQuery) async throws(HitQueueError) -> [HitSummary] {
    do throws(StoreError) { return try await store.inspect(query) } catch { throw HitQueueError(error) }
  }

  /// Returns when no request is under way and everybody is told; what waits for a time stays.
  package func whenIdle() async { await dispatcher.waitUntilIdle() }

  /// Ends the queue: requests under way are cancelled and their hits stay, callers are told, and everything in memory is
  /// committed before this returns (HQ-316).
  public func close() async {
    intake.close()
    watch?.cancel()
    dispatcher.handle(.close)
    await dispatcher.waitUntilIdle()
    do throws(StoreError) {
      try await store.flushSoon()
      try await store.balance()
    } catch {
      warnings.warn("hits in memory could not be written: \(error.message)")
    }
  }
}
