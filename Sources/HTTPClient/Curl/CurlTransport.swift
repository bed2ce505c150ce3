#if !canImport(Darwin)
  public import Hits

  /// The HTTP transport over libcurl: one thread for all exchanges, connections kept alive and used again.
  ///
  /// Make one for a process and share it. All bounds of a request are enforced while its answer is read. A host that
  /// `no_proxy` does not name is reached through the proxy of the environment; loopback, and a request with an address
  /// rule, never are: a proxy would resolve the name where the rule cannot see it. The thread ends when the transport
  /// is released.
  public final class CurlTransport: HTTPTransport {
    private let loop: CurlLoop
    private let userAgent: String?

    /// Starts the transport.
    ///
    /// - Parameters:
    ///   - userAgent: sent with a request that names none (HQ-601).
    ///   - connectionsPerHost: the most connections to one host at a time; further requests wait, within their own
    ///     time-outs.
    ///   - pins: the public keys that servers must have.
    public convenience init(
      userAgent: String? = nil, connectionsPerHost: Int = 8, pins: PublicKeyPins = .none
    ) {
      self.init(userAgent: userAgent, connectionsPerHost: connectionsPerHost, pins: pins, onEnd: {})
    }

    /// - Parameter authorities: a file of certificates to trust in place of the system's.
    package init(
      userAgent: String? = nil, connectionsPerHost: Int = 8, pins: PublicKeyPins = .none, authorities: String? = nil,
      onEnd: @escaping @Sendable () -> Void = {}
    ) {
      self.userAgent = userAgent
      loop = CurlLoop(
        connectionsPerHost: connectionsPerHost, trust: CurlTrust(pins: pins, authorities: authorities))
      loop.start(onEnd: onEnd)
    }

    deinit { loop.end() }

    /// Sends one request and waits for its whole answer; any status is an answer.
    ///
    /// A hop of a redirect never changes the method: where it would, the 3xx is the answer.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let exchange = CurlExchange(try request.prepared(userAgent: userAgent))
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          loop.begin(exchange, continuation)
        }
      } onCancel: {
        loop.cancel(exchange)
      }
      return try result.get()
    }
  }
#endif
