/// A request with every bound that the transport enforces.
public struct HTTPRequest: Sendable, Hashable {
  /// The method, such as `GET`.
  public var method: String
  /// The absolute URL.
  public var url: String
  /// The fields to send; the transport adds `Host`, `Content-Length` and `Accept-Encoding`.
  public var headers: HTTPHeaders
  /// The body; empty for none.
  public var body: [UInt8]
  /// The whole exchange may take this long.
  public var timeout: Duration
  /// Connecting may take this long.
  public var connectTimeout: Duration
  /// The longest time without a byte; nil for no such bound.
  public var idleTimeout: Duration?
  /// Which redirects are followed.
  public var redirects: RedirectRule
  /// Which addresses may be connected to, at every hop.
  public var addresses: AddressRule
  /// The most bytes of an answer's body, counted after decompression.
  public var responseLimit: Int
  /// Whether the body is sent compressed (HQ-602).
  public var gzip: Bool

  /// Makes a request with the defaults of HQ-414: 30 s in all, 10 s to connect, no redirects, 1 MiB of answer.
  public init(
    method: String = "GET", url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    timeout: Duration = .seconds(30), connectTimeout: Duration = .seconds(10), idleTimeout: Duration? = nil,
    redirects: RedirectRule = .none, addresses: AddressRule = AddressRule(), responseLimit: Int = 1 << 20,
    gzip: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.idleTimeout = idleTimeout
    self.redirects = redirects
    self.addresses = addresses
    self.responseLimit = responseLimit
    self.gzip = gzip
  }
}

/// Which redirects a transport follows.
public struct RedirectRule: Sendable, Hashable {
  /// How many hops at most; 0 hands the redirect itself back.
  public var limit: Int
  /// The schemes a hop may lead to.
  public var schemes: Set<String>
  /// The hosts a hop may lead to; nil for any.
  public var hosts: Set<String>?

  /// Makes a rule.
  public init(limit: Int, schemes: Set<String> = ["https", "http"], hosts: Set<String>? = nil) {
    self.limit = limit
    self.schemes = schemes
    self.hosts = hosts
  }

  /// Follows nothing: a 3xx is the answer.
  public static let none = RedirectRule(limit: 0)

  /// Follows up to a number of hops, over https and http.
  public static func follow(_ limit: Int) -> RedirectRule { RedirectRule(limit: limit) }
}

/// Which addresses a transport connects to; checked after name resolution, at every hop (WT-520).
public struct AddressRule: Sendable, Hashable {
  /// Whether loopback, link-local and private ranges are allowed.
  public var allowsPrivate: Bool

  /// Makes a rule.
  public init(allowsPrivate: Bool = true) { self.allowsPrivate = allowsPrivate }
}
