import Foundation
import Hits

/// One universal tag in a page that is never shown, with its events, visitor, consent, session and commands (WT-110).
///
///     let manager = try WebTagManager.newInstance(forKey: "main", configuration: configuration, environment: environment)
///     manager.trackView(title: "Home", data: ["theme": "dark"])
///
/// Nothing here waits for the page, the network or the disk but what is `async`. What an instance does happens in one
/// loop, one piece of work after another; `PageMachine` decides, and the loop carries out.
public actor WebTagManager {
  /// The key.
  public nonisolated let key: String
  /// The configuration that the instance was made with.
  public nonisolated let configuration: WebTagsConfiguration
  /// The person's consent.
  public nonisolated let consent: ConsentManager
  /// The app's life.
  public nonisolated let lifecycle: Lifecycle

  nonisolated let shared: InstanceState
  nonisolated let environment: WebTagsEnvironment
  nonisolated let folder: URL
  nonisolated let notices = Broadcast<WebTagsNotice>(buffer: 1000)
  nonisolated let states = Broadcast<PageState>(buffer: 1000)
  nonisolated let log: WebTagsLog
  let eventStore: any EventStore
  let values: any KeyValueStore
  let collector: EventCollector
  let fetcher: PageFetcher

  var machine: PageMachine
  /// What the machine is to be told once the actions at hand are carried out.
  var inputs: [PageMachine.Input] = []
  var isPerforming = false
  var diagnosis = WebTagsDiagnostics(state: .idle(.notStarted))
  let callbacks: CallbackQueue
  /// Answers on their way to the page, in their order.
  let answers: CallbackQueue
  var timers: [PageMachine.Timer: Task<Void, Never>] = [:]
  var tasks: [Int: Task<Void, Never>] = [:]
  var lastTask = 0
  // Events
  var fates: [UUID: EventFate] = [:]
  /// Data that is at hand.
  var payloads = PayloadCache()
  var heldConsentEvents = 0
  // Page
  var host: (id: PageMachine.HostID, host: any PageHost)?
  var closingHosts: [Task<Void, Never>] = []
  var loadTask: Task<Void, Never>?
  var token = ""
  var currentLoad: LoadID?
  /// How many messages and lines of a page are listened to (WT-710).
  var messageRate = RateLimit(perSecond: 1000)
  var lineRate = RateLimit(perSecond: 100)
  var reloads: [Int: CheckedContinuation<Void, Never>] = [:]
  var lastReload = 0
  // Settings
  var published: PublishedSettings?
  var settings: PublishSettings
  var refresh = SettingsRefresh()
  var refreshWaiters: [CheckedContinuation<WebTagsError?, Never>] = []
  // Commands
  var mapped: [String: MappedCommandFile] = [:]
  /// Calls of the handlers of mapped commands: those of one id one after another.
  var mappedCalls: [String: CallbackQueue] = [:]
  /// The time limits of the commands that run, by their jobs' numbers.
  var commandLimits: [Int: Task<Void, Never>] = [:]
  var lifecycleState: LifecycleState
  /// When a full queue was last told of.
  var lastQueueWarning = Int64.min / 2
  var dropsSinceWarning = 0
  var lastSessionKept = Int64.min / 2

  init(
    key: String, _ configuration: WebTagsConfiguration, _ environment: WebTagsEnvironment, folder: URL,
    stores: (events: any EventStore, values: any KeyValueStore)
  ) {
    self.key = key
    self.configuration = configuration
    var environment = environment
    environment.host = configuration.host ?? environment.host
    self.environment = environment
    self.folder = folder
    (eventStore, values) = stores
    let stored = StoredValues(stores.values)
    published = stored.settings
    settings = PublishSettings.inForce(published: published?.settings, local: configuration.local)
    lifecycleState = stored.lifecycle
    let visitor = stored.visitorID ?? configuration.existingVisitorID ?? InstanceState.hex(environment.random)
    let choice = ConsentChoice(
      configuration.consent, stored: stores.values.value(of: StoredValues.consent),
      now: environment.clock.wallMilliseconds)
    let shared = InstanceState(
      .init(
        persistent: stored.persistent, visitorID: visitor,
        isVisitorNew: stored.visitorID == nil && configuration.existingVisitorID == nil, session: stored.session,
        consent: choice),
      clock: environment.clock, random: environment.random)
    self.shared = shared
    callbacks = CallbackQueue(shared, didCall: environment.didWork)
    answers = CallbackQueue(shared, didCall: environment.didWork)
    consent = ConsentManager(choice, configuration.consent, clock: environment.clock) { change in
      shared.data.withLock { $0.consent = change.after }
      shared.run { manager in await manager.consentChanged(change) }
    }
    lifecycle = Lifecycle(automatic: configuration.lifecycleAutomatic) { event in
      shared.run { manager in await manager.lived(event) }
    }
    log = WebTagsLog(configuration, environment.log)
    log.follow(settings)
    collector = EventCollector(
      configuration: configuration, device: environment.device, connectivity: environment.connectivity,
      power: environment.power)
    fetcher = PageFetcher(
      configuration: configuration, transport: environment.transport,
      userAgent: configuration.userAgent ?? UserAgent.text(version: ProductInfo.version, device: environment.device))
    machine = PageMachine(configuration, seed: environment.random.next())
    let http = Self.httpHandler(configuration.httpCommand, environment.transport)
    // The table is empty: the id cannot be taken.
    shared.commands.withLock { try? $0.add(.init(id: HTTPCommand.id, handler: http), isBuiltIn: true) }
  }

  /// Makes an instance; a live one of the same key and an equal configuration is given back (WT-111).
  ///
  /// It returns at once: page, engine and network start afterwards (WT-116).
  ///
  /// - Throws: `invalidConfiguration`, `keyInUse`, `storageInUse`, `storageFailed`, `engineUnavailable`.
  public static func newInstance(
    forKey key: String, configuration: WebTagsConfiguration, environment: WebTagsEnvironment
  ) throws(WebTagsError) -> WebTagManager {
    guard InstanceFolder.isKey(key) else { throw WebTagsConfiguration.invalid("key", "is not 1 to 128 bytes") }
    try configuration.validate()
    if configuration.webData == .appDefault, (configuration.host ?? environment.host)?.sharesAppSession == false {
      throw WebTagsError(.engineUnavailable, "webData", "sharing the app's web data needs the in-process host")
    }
    return try InstanceRegistry.shared.open(key, configuration) { () throws(WebTagsError) in
      let folder = InstanceFolder.url(of: key, below: configuration.storageRoot)
      let manager = WebTagManager(
        key: key, configuration, environment, folder: folder, stores: try environment.storage.open(folder))
      manager.begin()
      return manager
    }
  }

  /// The live instance of a key.
  public static func instance(forKey key: String) -> WebTagManager? { InstanceRegistry.shared.instance(key) }

  /// The keys of all live instances, in byte order.
  public static var instanceKeys: [String] { InstanceRegistry.shared.keys }

  /// Ends an instance: its page and processes are gone, and nothing is called any more, when this returns (WT-113).
  ///
  /// In a call of the app by the instance it does not wait for the end of that call; in `shouldDrop` and `shouldQueue`
  /// it returns at once, and the instance ends after the delegate's answer.
  ///
  /// - Parameter erase: whether queue, visitor, consent, persistent data and web data are deleted too (WT-114).
  public static func destroyInstance(forKey key: String, erase: Bool = false) async {
    guard let manager = InstanceRegistry.shared.beginClosing(key) else { return }
    let end = manager.askToEnd(erase: erase)
    let closing = Task {
      await manager.close(after: end)
      InstanceRegistry.shared.endClosing(key)
    }
    if !AppCall.holdsLoop(of: manager.shared) { await closing.value }
  }

  /// Ends the instance of a key, if there is one, and makes another that has its queue and visitor.
  ///
  /// - Throws: as `newInstance`; `keyInUse` in `shouldDrop` and `shouldQueue` of the instance, which ends after them.
  public static func replaceInstance(
    forKey key: String, configuration: WebTagsConfiguration, environment: WebTagsEnvironment
  ) async throws(WebTagsError) -> WebTagManager {
    await destroyInstance(forKey: key)
    return try newInstance(forKey: key, configuration: configuration, environment: environment)
  }

  /// Where the page is in its life.
  public var pageState: PageState { machine.state }

  /// The publish settings in force.
  public var currentSettings: PublishSettings { settings }

  /// What the instance is doing.
  public func diagnostics() -> WebTagsDiagnostics {
    var diagnosis = diagnosis
    diagnosis.state = machine.state
    diagnosis.queueLength = machine.queue.count + (machine.call?.events.count ?? 0)
    for entry in machine.queue.waiting { if let reason = entry.reason { diagnosis.waiting[reason, default: 0] += 1 } }
    diagnosis.hasPublishedSettings = published != nil
    diagnosis.settingsAge = published.map {
      Double(environment.clock.wallMilliseconds.since($0.time)) / 1000
    }
    return diagnosis
  }

  /// The states of the page from now on; it ends with the instance.
  public nonisolated func stateUpdates() -> AsyncStream<PageState> { states.stream() }

  /// What happens from now on; it ends with the instance.
  public nonisolated func events() -> AsyncStream<WebTagsNotice> { notices.stream() }
}

extension PageMachine {
  init(_ configuration: WebTagsConfiguration, seed: UInt64) {
    self.init(seed: seed)
    func milliseconds(_ duration: Duration) -> Int64 { Int64(duration.timerMilliseconds) }
    let limits = configuration.limits
    self.limits = Limits(
      open: milliseconds(limits.open), load: milliseconds(limits.load), probe: milliseconds(limits.probe),
      call: milliseconds(limits.call), ping: milliseconds(limits.ping))
    pageHosts = PageFetcher.pageHosts(configuration)
    dropsWithoutEngine = configuration.onEngineMissing == .drop
    isManual = configuration.pageStart == .manual
  }
}
