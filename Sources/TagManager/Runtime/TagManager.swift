public import Hits

/// A running tag manager: containers, the data layer that feeds them, and what they reach outside.
///
///     let tagManager = TagManager(ports: TagManager.Ports(sink: queue))
///     let container = try tagManager.openContainer("GTM-XXXX")
///     tagManager.dataLayer.push(["event": "openScreen", "screenName": "Home Screen"])
///
/// Several managers in one process know nothing of each other. Keep the manager as long as its containers are of use.
public final class TagManager: Sendable {
  /// The app's data layer.
  public let dataLayer: DataLayer
  let environment: Environment
  let registry = ContainerRegistry()
  private let evaluator: EventEvaluator
  private let watch: Task<Void, Never>?

  /// Makes a manager that reaches the outside through its ports only (TM-1200).
  ///
  /// Loading of kept data-layer values begins at once, so a logger that must miss nothing is given here.
  public init(
    configuration: Configuration = Configuration(), ports: Ports, logger: any TagLogger = StandardTagLogger()
  ) {
    environment = Environment(ports: ports, configuration: configuration, logger: logger)
    evaluator = EventEvaluator(environment: environment, registry: registry)
    dataLayer = DataLayer(environment: environment, evaluator: evaluator)
    let registry = registry
    watch = ports.connectivity.map { connectivity in
      Task {
        for await state in connectivity.changes where state != .offline {
          for container in registry.open { container.loader.send(.reachable) }
        }
      }
    }
  }

  // Containers know the data layer and the data layer the containers; the manager's end undoes that.
  deinit {
    watch?.cancel()
    registry.removeAll()
  }

  /// Where messages go; replaceable at any time (TM-1102).
  public var logger: any TagLogger {
    get { environment.settings.logger }
    set { environment.settings.logger = newValue }
  }

  /// Where containers opened from now on get their content (TM-335).
  public var refreshMode: RefreshMode {
    get { environment.settings.refreshMode }
    set { environment.settings.refreshMode = newValue }
  }

  /// The handlers that answer where a container has none; may be filled before any is opened (TM-821).
  public var handlers: HandlerRegistry { environment.handlers }

  /// What the person allows tags to do; everything unless set (TM-806).
  public var consent: Consent {
    get { environment.settings.consent }
    set { environment.settings.consent = newValue }
  }

  /// How much outcomes tell from now on (TM-1111).
  public var traceDetail: TraceDetail {
    get { environment.settings.traceDetail }
    set { environment.settings.traceDetail = newValue }
  }

  /// The outcome of every push from now on; of those a listener does not take in time, the newest 256 are kept (TM-1113).
  public var outcomes: AsyncStream<PushOutcome> { evaluator.outcomes.stream() }

  /// How many outcomes some listener did not take in time.
  public var lostOutcomes: Int { evaluator.outcomes.lost }
}

extension TagManager {
  /// Seconds between two automatic dispatches, passed to the dispatcher; below 1 only a call sends (HQ-400).
  ///
  /// Without a dispatcher it is 120 and setting it does nothing.
  public var dispatchInterval: Double {
    get { environment.ports.dispatcher?.dispatchInterval ?? 120 }
    set { environment.ports.dispatcher?.dispatchInterval = newValue }
  }

  /// Starts a dispatch of what the sink holds and returns at once (HQ-406).
  public func dispatch() { environment.ports.dispatcher?.dispatch() }

  /// Makes at most one request and tells how it went (HQ-407).
  public func dispatchNext() async -> DispatchResult {
    await environment.ports.dispatcher?.dispatchNext().result ?? .noData
  }
}

extension Diagnostic.Severity {
  var logLevel: LogLevel {
    switch self {
    case .error: .error
    case .warning: .warning
    case .info: .info
    }
  }
}
