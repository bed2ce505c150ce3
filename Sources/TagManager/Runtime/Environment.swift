import Hits

/// What every part of one running tag manager shares: its ports, its settings, what the app registered.
final class Environment: Sendable {
  let ports: TagManager.Ports
  let configuration: TagManager.Configuration
  let settings: Settings
  let handlers = HandlerRegistry()
  /// The app's tag kinds by canonical name (TM-850).
  let tagFunctions: [FunctionName: any TagFunction]
  /// Requests of http tags on their way.
  let requests: RequestSender
  /// What is kept for the life of the install.
  let facts: InstallFacts
  /// The preview under way.
  let previews = Previews()
  /// What of it goes to the server.
  let traces: PreviewTraces
  let fetchSlots = FetchSlots()
  let callbackPath = CallbackPath()
  /// What has been said once for the whole manager.
  let once = OnceLog()

  init(ports: TagManager.Ports, configuration: TagManager.Configuration, logger: any TagLogger) {
    self.ports = ports
    self.configuration = configuration
    let settings = Settings(logger: logger, traceDetail: configuration.traceDetail)
    self.settings = settings
    let table = FunctionKind.tag.table
    tagFunctions = Dictionary(
      ports.tagFunctions.sorted { $0.key < $1.key }
        .map { (table.name(ofID: $0.key) ?? FunctionName(rawValue: $0.key), $0.value) },
      uniquingKeysWith: { _, last in last })
    facts = InstallFacts(store: ports.deviceStore, settings: settings)
    traces = PreviewTraces(configuration: configuration, ports: ports, settings: settings)
    requests = RequestSender(transport: ports.transport, clock: ports.clock, settings: settings)
  }

  /// Finds the containers that the app ships with.
  var defaultLoader: DefaultContainerLoader {
    DefaultContainerLoader(
      source: ports.defaultContainers, installID: ports.device.installID, limits: configuration.limits)
  }

  /// Passes a message to the logger now in place; never called under a lock (TM-1103).
  func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    settings.logger.log(level, message())
  }
}

/// What an app may change while the manager runs.
final class Settings: Sendable {
  private struct State {
    var logger: any TagLogger
    var refreshMode = RefreshMode.standard
    var consent = Consent.all
    var traceDetail: TraceDetail
    var isTraced = false
  }

  private let state: Locked<State>

  init(logger: any TagLogger, traceDetail: TraceDetail) {
    state = Locked(State(logger: logger, traceDetail: traceDetail))
  }

  var logger: any TagLogger {
    get { state.withLock { $0.logger } }
    set { state.withLock { $0.logger = newValue } }
  }

  var refreshMode: RefreshMode {
    get { state.withLock { $0.refreshMode } }
    set { state.withLock { $0.refreshMode = newValue } }
  }

  var consent: Consent {
    get { state.withLock { $0.consent } }
    set { state.withLock { $0.consent = newValue } }
  }

  var traceDetail: TraceDetail {
    get { state.withLock { $0.traceDetail } }
    set { state.withLock { $0.traceDetail = newValue } }
  }
}

extension Settings {
  /// How much outcomes tell now: everything while a preview's outcomes are sent (TM-1008).
  var evaluationDetail: TraceDetail { state.withLock { $0.isTraced ? .full : $0.traceDetail } }

  /// Whether a preview's outcomes are sent.
  func setTraced(_ isTraced: Bool) { state.withLock { $0.isTraced = isTraced } }
}

/// Where containers get their content; the raw values are the original SDK's (TM-335).
public enum RefreshMode: Int, Sendable, Hashable {
  /// From the app, from disk and over the network.
  case standard = 0
  /// From the app alone.
  case defaultContainer = 1
}
