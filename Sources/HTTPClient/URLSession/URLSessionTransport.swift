#if canImport(Darwin)
  import Foundation
  public import Hits

  /// The HTTP transport over the platform's URL loading system.
  ///
  /// Make one for a process and share it. It keeps no cookies, no credentials and no cache. The platform has no time-out
  /// of its own for connecting: a connection that does not come is ended by the idle or the total time-out. The address
  /// rule is checked on the names' addresses before each hop.
  ///
  /// It does not check pins, and so refuses each request and redirect to a pinned host as `keyNotPinned`: pin such a host in
  /// the app's `Info.plist` (`NSPinnedDomains`), which the platform enforces for every connection of the app.
  public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let userAgent: String?
    private let pins: PublicKeyPins

    /// Makes the transport.
    ///
    /// - Parameters:
    ///   - userAgent: sent with a request that names none (HQ-601).
    ///   - connectionsPerHost: the most connections to one host at a time.
    ///   - pins: hosts that are not reached.
    public init(userAgent: String? = nil, connectionsPerHost: Int = 8, pins: PublicKeyPins = .none) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.httpCookieAcceptPolicy = .never
      configuration.urlCredentialStorage = nil
      configuration.urlCache = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpMaximumConnectionsPerHost = connectionsPerHost
      configuration.waitsForConnectivity = false
      session = URLSession(configuration: configuration)
      self.userAgent = userAgent
      self.pins = pins
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends one request and waits for its whole answer; any status is an answer.
    ///
    /// A hop of a redirect never changes the method: where it would, the 3xx is the answer.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let prepared = try request.prepared(userAgent: userAgent)
      guard let url = URL(string: prepared.url), let host = url.host else {
        throw TransportError(phase: .notSent, code: .invalidRequest, message: "the URL cannot be read")
      }
      guard pins.keys(of: host) == nil else {
        throw TransportError(phase: .notSent, code: .keyNotPinned, message: URLSessionExchange.pinsUnchecked)
      }
      if !prepared.addresses.allowsPrivate, await AddressLookup.isPrivate(host: host) {
        throw TransportError(phase: .notSent, code: .addressRefused, message: "the address is private")
      }
      let exchange = URLSessionExchange(prepared, pins: pins)
      let task = session.dataTask(with: prepared.urlRequest(for: url))
      task.delegate = exchange
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { exchange.begin(task, $0) }
      } onCancel: {
        exchange.stop(.cancelled, "cancelled")
      }
      return try result.get()
    }
  }

  extension HTTPRequest {
    fileprivate func urlRequest(for url: URL) -> URLRequest {
      var request = URLRequest(url: url)
      request.httpMethod = method
      request.timeoutInterval = (idleTimeout ?? timeout).inSeconds
      request.httpShouldHandleCookies = false
      for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
      if !body.isEmpty { request.httpBody = Data(body) }
      return request
    }
  }

  extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
  }

  /// Names to addresses, off the callers' threads.
  enum AddressLookup {
    static func isPrivate(host: String) async -> Bool {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: isPrivateNow(host: host)) }
      }
    }

    /// Whether any address of the name is private; blocks while the name is looked up.
    static func isPrivateNow(host: String) -> Bool {
      var list: UnsafeMutablePointer<addrinfo>?
      // A name without an address is left to the connection, which reports it better.
      guard getaddrinfo(host, nil, nil, &list) == 0 else { return false }
      defer { freeaddrinfo(list) }
      return sequence(first: list, next: { $0?.pointee.ai_next }).prefix { $0 != nil }.contains { entry in
        entry?.pointee.ai_addr.map { AddressRange.isPrivate($0) } ?? false
      }
    }
  }
#endif
