extension TagManager {
  /// What does not change while a tag manager runs (TM-1210).
  public struct Configuration: Sendable {
    /// Where containers are fetched; nil for nowhere.
    public var server: ContainerServer?
    /// Which of a container's environments is fetched.
    public var environment: String
    /// What the server wants to see for environments other than `live`.
    public var environmentToken: String?
    /// What becomes of events before a container is ready (TM-560).
    public var earlyEvents: EarlyEvents
    /// What is done when the app ships with a newer container than the saved one (TM-216).
    public var savedContainerPolicy: SavedContainerPolicy
    /// Which signatures containers need (TM-441).
    public var signature: SignaturePolicy
    /// How long an opening waits unless it is told (TM-302).
    public var timeout: Duration
    /// How much a container may hold.
    public var limits: DecodeLimits
    /// Lets containers be fetched over plain http from other machines.
    public var allowsInsecureServer: Bool
    /// What outcomes tell, until `traceDetail` is set.
    public var traceDetail: TraceDetail
    /// Sends outcomes to the server while a draft is previewed (TM-1008).
    public var previewTraces: Bool
    /// Lets image, conversion and http tags call plain http (TM-841).
    public var allowsInsecureTagRequests: Bool
    /// The only hosts that image, conversion and http tags may call; nil for any.
    public var allowedHosts: Set<String>?
    /// Where conversion tags report, without the conversion's id (TM-842).
    public var conversionBase: String
    /// Where lifecycle callbacks run; nil for a background thread (TM-311).
    public var callbackExecutor: CallbackExecutor?

    /// Makes a configuration.
    public init(
      server: ContainerServer? = nil, environment: String = "live", environmentToken: String? = nil,
      earlyEvents: EarlyEvents = .standard, savedContainerPolicy: SavedContainerPolicy = .newest,
      signature: SignaturePolicy = .off, timeout: Duration = ContainerOpener.defaultTimeout,
      limits: DecodeLimits = .standard, allowsInsecureServer: Bool = false, traceDetail: TraceDetail = .standard,
      previewTraces: Bool = true, allowsInsecureTagRequests: Bool = false, allowedHosts: Set<String>? = nil,
      conversionBase: String = "https://www.googleadservices.com/pagead/conversion/",
      callbackExecutor: CallbackExecutor? = nil
    ) {
      self.server = server
      self.environment = environment
      self.environmentToken = environmentToken
      self.earlyEvents = earlyEvents
      self.savedContainerPolicy = savedContainerPolicy
      self.signature = signature
      self.timeout = timeout
      self.limits = limits
      self.allowsInsecureServer = allowsInsecureServer
      self.traceDetail = traceDetail
      self.previewTraces = previewTraces
      self.allowsInsecureTagRequests = allowsInsecureTagRequests
      self.allowedHosts = allowedHosts
      self.conversionBase = conversionBase
      self.callbackExecutor = callbackExecutor
    }
  }
}
