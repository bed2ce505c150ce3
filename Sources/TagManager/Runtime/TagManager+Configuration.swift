extension TagManager {
  /// What does not change while a tag manager runs (TM-1210).
  public struct Configuration: Sendable {
    /// What outcomes tell, until `traceDetail` is set.
    public var traceDetail: TraceDetail
    /// Lets image, conversion and http tags call plain http (TM-841).
    public var allowsInsecureTagRequests: Bool
    /// The only hosts that image, conversion and http tags may call; nil for any.
    public var allowedHosts: Set<String>?
    /// Where conversion tags report, without the conversion's id (TM-842).
    public var conversionBase: String

    /// Makes a configuration.
    public init(
      traceDetail: TraceDetail = .standard, allowsInsecureTagRequests: Bool = false,
      allowedHosts: Set<String>? = nil,
      conversionBase: String = "https://www.googleadservices.com/pagead/conversion/"
    ) {
      self.traceDetail = traceDetail
      self.allowsInsecureTagRequests = allowsInsecureTagRequests
      self.allowedHosts = allowedHosts
      self.conversionBase = conversionBase
    }
  }
}
