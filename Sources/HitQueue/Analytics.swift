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
  struct State: Sendable {
    var trackers: [String: Tracker] = [:]
    var defaultTracker: Tracker?
    var defaultDestination: Destination?
    var interval = 120.0
    var tracksExceptions = false
    /// Whether crashes of earlier runs wait for their trackers.
    var hasCrashReports = false
  }

  let store: HitStore
  let intake: Intake
  let couriers: Couriers
  let dispatcher: Dispatcher
  let connectivity: (any Connectivity)?
  let clock: any HitClock
  let crashFiles: CrashFiles
  private let watch: Task<Void, Never>?
  let warnings: OnceWarnings
  let board: StatusBoard
  let state = Locked(State())
  // One thread for the app's closures, which never run inside the call that brought them (HQ-410).
  #if canImport(Darwin)
    let callbacks = DispatchQueue.main
  #else
    let callbacks = DispatchQueue(label: "tagworks.hits.callbacks")
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
    let board = StatusBoard()
    let dispatcher = Dispatcher(
      store: store, couriers: couriers, clock: clock, random: random, logger: logger,
      mode: .periodic(120 * 1_000_000_000), board: board)
    self.store = store
    self.couriers = couriers
    self.warnings = warnings
    self.board = board
    self.dispatcher = dispatcher
    self.connectivity = connectivity
    intake = Intake(
      store: store, clock: clock, random: random, configuration: configuration, device: device,
      identifiers: identifiers, warnings: warnings,
      onPermissions: { dispatcher.handle(.optOut($0.isOptedOut)) },
      onCommit: { dispatcher.noteHit($0, lane: $1) }, onDelay: { dispatcher.lookAtStatus() })
    crashFiles = CrashFiles(directory: store.directory)
    self.clock = clock
    watch = connectivity.map { connectivity in
      dispatcher.handle(.online(connectivity.isOnline))
      return Task { for await state in connectivity.changes { dispatcher.handle(.online(state != .offline)) } }
    }
    store.whenUnlocked { [weak self] in
      guard let self else { return }
      self.start()
      self.intake.releaseHeld(self.store.permissions)
    }
  }

  /// Takes up what earlier runs have left.
  private func start() {
    if store.permissions.isOptedOut {
      intake.dropHeld(.optedOut)
      dispatcher.handle(.optOut(true))
    }
    reportCrashes()
    dispatcher.findWaitingHits()
    dispatcher.lookAtStatus()
  }

  deinit {
    watch?.cancel()
    board.end()
  }

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
    defer {
      noteCrashTracker()
      reportWaitingCrashes()
    }
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

  /// Returns when no request is under way and everybody is told; what waits for a time stays.
  package func whenIdle() async { await dispatcher.waitUntilIdle() }

  /// Ends the queue: requests under way are cancelled and their hits stay, callers are told, and everything in memory is
  /// committed before this returns (HQ-316).
  public func close() async {
    await intake.close()
    watch?.cancel()
    dispatcher.handle(.close)
    await dispatcher.waitUntilIdle()
    store.unlock()
    do throws(StoreError) {
      try await store.flushSoon()
      try await store.balance()
    } catch {
      warnings.fail("hits in memory could not be written: \(error.message)")
    }
    board.end()
  }
}
