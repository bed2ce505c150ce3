#if !canImport(Darwin)
  import CCurl
  import Foundation
  import Hits

  /// One of libcurl's easy handles with the answer it is receiving; it serves one exchange after another.
  ///
  /// Only the loop's thread touches it.
  final class CurlHandle {
    /// What a finished transfer means for its exchange.
    enum Conclusion {
      case done(TransportResult)
      case hop(String)
    }

    let easy: UnsafeMutableRawPointer
    private let trust: CurlTrust
    private(set) var exchange: CurlExchange?
    private var answer = CurlAnswer()
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    /// The fields that `headerLines` are made of, and the URL that is set: one request is often like the one before.
    private var headers: HTTPHeaders?
    private var url: String?
    private var lastActivity = ContinuousClock.now
    private var progress: (down: curl_off_t, up: curl_off_t) = (0, 0)
    private var isAddressRefused = false

    init(trust: CurlTrust) {
      self.trust = trust
      guard let easy = curl_easy_init() else {
        // It fails only without memory, where Swift itself stops.
        preconditionFailure("libcurl has no memory")
      }
      self.easy = easy
      let context = Unmanaged.passUnretained(self).toOpaque()
      ccurl_set_ptr(easy, CURLOPT_PRIVATE, context)
      ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
      // Otherwise a cancelled or late exchange blocks the loop until its name is resolved.
      ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
      ccurl_set_long(easy, CURLOPT_TCP_NODELAY, 1)
      ccurl_set_str(easy, CURLOPT_PROTOCOLS_STR, "http,https")
      ccurl_set_str(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
      ccurl_set_str(easy, CURLOPT_NOPROXY, Self.noProxy)
      ccurl_set_ptr(easy, CURLOPT_WRITEDATA, context)
      ccurl_set_write(easy, CURLOPT_WRITEFUNCTION, receiveBody)
      ccurl_set_ptr(easy, CURLOPT_HEADERDATA, context)
      ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, receiveHeader)
      ccurl_set_ptr(easy, CURLOPT_OPENSOCKETDATA, context)
      ccurl_set_open_socket(easy, openSocket)
      ccurl_set_ptr(easy, CURLOPT_PREREQDATA, context)
      ccurl_set_ptr(easy, CURLOPT_XFERINFODATA, context)
      ccurl_set_progress(easy, noteProgress)
      if let authorities = trust.authorities { ccurl_set_str(easy, CURLOPT_CAINFO, authorities) }
    }

    deinit {
      curl_easy_cleanup(easy)
      curl_slist_free_all(headerLines)
    }

    /// The handle of a libcurl handle that the loop added.
    static func of(_ easy: UnsafeMutableRawPointer) -> CurlHandle? {
      var context: UnsafeMutableRawPointer?
      guard ccurl_get_ptr(easy, CURLINFO_PRIVATE, &context) == CURLE_OK, let context else { return nil }
      return Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// Loopback never goes through a proxy.
    private static let noProxy: String = {
      let environment = ProcessInfo.processInfo.environment
      let named = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
      return named == "*" ? named : [named, "localhost,127.0.0.1,::1"].filter { !$0.isEmpty }.joined(separator: ",")
    }()

    /// Sets every option that differs between requests.
    func prepare(_ exchange: CurlExchange, url: String) -> TransportError? {
      let request = exchange.request
      let left = ContinuousClock.now.duration(to: exchange.deadline)
      self.exchange = exchange
      answer = CurlAnswer(limit: request.responseLimit)
      isAddressRefused = false
      // libcurl's own count is still that of the transfer before.
      let phase: TransportError.Phase = exchange.hopsMade > 0 ? .uncertain : .notSent
      guard left > .zero else {
        return TransportError(phase: phase, code: .timeout, message: "the time was over before the request was sent")
      }
      if url != self.url {
        self.url = nil
        guard ccurl_set_str(easy, CURLOPT_URL, url) == CURLE_OK else {
          return TransportError(phase: phase, code: .invalidRequest, message: "the URL cannot be read")
        }
        self.url = url
      }
      if let (code, message) = trust.hold(easy, to: url) {
        return TransportError(phase: phase, code: code, message: message)
      }
      ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.milliseconds(atMost: Self.longest))
      lastActivity = ContinuousClock.now
      progress = (0, 0)
      ccurl_set_long(easy, CURLOPT_NOPROGRESS, request.idleTimeout == nil ? 1 : 0)
      setMethod(request)
      setHeaders(exchange.hasLeftOrigin ? request.headers.withoutCredentials() : request.headers)
      // The socket's own check sees new connections only; this one sees a connection that is used again.
      ccurl_set_before_request(easy, request.addresses.allowsPrivate ? nil : checkConnection)
      ccurl_set_str(easy, CURLOPT_PROXY, request.addresses.allowsPrivate ? nil : "")
      return nil
    }

    private static let longest = Int(Int32.max)

    private func setMethod(_ request: HTTPRequest) {
      let carriesBody = !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method)
      ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
      if request.method == "HEAD" {
        ccurl_set_long(easy, CURLOPT_NOBODY, 1)
      } else if carriesBody {
        ccurl_set_long(easy, CURLOPT_POST, 1)
        ccurl_set_off(easy, CURLOPT_POSTFIELDSIZE_LARGE, request.body.count)
        _ = request.body.withUnsafeBytes { bytes in
          if let start = bytes.baseAddress {
            // libcurl copies at once; its C signature is not const.
            ccurl_set_ptr(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: start))
          } else {
            ccurl_set_str(easy, CURLOPT_COPYPOSTFIELDS, "")
          }
        }
      }
      let isPlain = request.method == "HEAD" || request.method == (carriesBody ? "POST" : "GET")
      ccurl_set_str(easy, CURLOPT_CUSTOMREQUEST, isPlain ? nil : request.method)
    }

    private func setHeaders(_ headers: HTTPHeaders) {
      guard headers != self.headers else { return }
      self.headers = headers
      curl_slist_free_all(headerLines)
      // Empty values take away what libcurl would add: a round trip for 100-continue, and a form's content type.
      headerLines = curl_slist_append(nil, "Expect:")
      if headers["Content-Type"] == nil { headerLines = curl_slist_append(headerLines, "Content-Type:") }
      for field in headers {
        headerLines = curl_slist_append(
          headerLines, field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
      }
      ccurl_set_ptr(easy, CURLOPT_HTTPHEADER, headerLines)
    }

    /// Gives up the exchange, for the handle to serve another.
    func release() -> CurlExchange? {
      defer { exchange = nil }
      answer = CurlAnswer()
      return exchange
    }

    func conclusion(of result: CURLcode) -> Conclusion {
      guard let exchange else { return .done(.failure(failure(.connection, "no exchange"))) }
      let status = long(CURLINFO_RESPONSE_CODE)
      exchange.bytesSent += offset(CURLINFO_SIZE_UPLOAD_T)
      // libcurl takes the end of the connection for that of the answer, also within the head.
      guard result != CURLE_OK || answer.isHeadWhole else {
        return .done(.failure(failure(.connection, "the connection ended within the head of the answer")))
      }
      // The body of a redirect that is followed does not count: the transfer may have stopped within it.
      if result == CURLE_OK || answer.isOverLimit, let step = redirect(status: status, exchange) { return step }
      if answer.isOverLimit {
        var error = failure(.tooLarge, "the answer is longer than \(exchange.request.responseLimit) bytes")
        error.response = response(status: status, body: [], exchange)
        return .done(.failure(error))
      }
      guard result == CURLE_OK else {
        if isAddressRefused { return .done(.failure(failure(.addressRefused, "the address is private"))) }
        var error = failure(
          TransportError.Code(result, systemError: long(CURLINFO_OS_ERRNO)), String(cString: curl_easy_strerror(result))
        )
        // libcurl's word for an answer in another protocol is the same as for a request in one.
        if error.code == .invalidRequest, error.phase == .uncertain { error.code = .connection }
        return .done(.failure(error))
      }
      return .done(.success(response(status: status, body: answer.takeBody(), exchange)))
    }

    private func redirect(status: Int, _ exchange: CurlExchange) -> Conclusion? {
      guard 300..<400 ~= status, let url = string(CURLINFO_REDIRECT_URL) else { return nil }
      let target = Origin(url: url)
      let step = RedirectStep(
        status: status, target: target, method: exchange.request.method, hopsMade: exchange.hopsMade,
        isRepeated: url == exchange.request.url || exchange.hops.contains(url), rule: exchange.request.redirects)
      switch step {
      case .answer: return nil
      case .refuse(let reason): return .done(.failure(failure(.redirectRefused, reason)))
      case .follow:
        exchange.hops.append(url)
        if target != string(CURLINFO_EFFECTIVE_URL).flatMap(Origin.init(url:)) { exchange.hasLeftOrigin = true }
        return .hop(url)
      }
    }

    private func response(status: Int, body: [UInt8], _ exchange: CurlExchange) -> HTTPResponse {
      HTTPResponse(
        status: status, headers: answer.headers, body: body,
        url: string(CURLINFO_EFFECTIVE_URL) ?? exchange.request.url, bytesSent: exchange.bytesSent)
    }

    func failure(_ code: TransportError.Code, _ message: String) -> TransportError {
      // The size counts what was written to the connection, the head of the request first.
      let wasSeen = (exchange?.hopsMade ?? 0) > 0 || long(CURLINFO_REQUEST_SIZE) > 0
      return TransportError(phase: wasSeen ? .uncertain : .notSent, code: code, message: message)
    }

    func cancelled() -> TransportError { failure(.cancelled, "cancelled") }

    /// The time until a bound of the exchange is passed.
    ///
    /// libcurl's own total time-out does not see a transfer that waits for a free connection.
    func timeLeft(at now: ContinuousClock.Instant) -> Duration {
      guard let exchange else { return .zero }
      let left = now.duration(to: exchange.deadline)
      return exchange.request.idleTimeout.map { min(left, $0 - lastActivity.duration(to: now)) } ?? left
    }

    private func long(_ info: CURLINFO) -> Int {
      var value = 0
      return ccurl_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    private func offset(_ info: CURLINFO) -> Int {
      var value: curl_off_t = 0
      return ccurl_get_off(easy, info, &value) == CURLE_OK ? Int(value) : 0
    }

    private func string(_ info: CURLINFO) -> String? {
      var value: UnsafePointer<CChar>?
      guard ccurl_get_str(easy, info, &value) == CURLE_OK, let value else { return nil }
      return String(cString: value)
    }

    func receive(body bytes: UnsafeRawBufferPointer) -> Int { answer.append(body: bytes) }

    func receive(header bytes: UnsafeRawBufferPointer) -> Int {
      if exchange?.request.idleTimeout != nil { lastActivity = .now }
      return answer.append(header: bytes)
    }

    func note(down: curl_off_t, up: curl_off_t) {
      guard (down, up) != progress else { return }
      progress = (down, up)
      lastActivity = .now
    }

    func allows(isPrivate: Bool) -> Bool {
      guard isPrivate, exchange?.request.addresses.allowsPrivate != true else { return true }
      isAddressRefused = true
      return false
    }
  }
#endif
