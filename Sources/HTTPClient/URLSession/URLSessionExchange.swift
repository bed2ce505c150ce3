#if canImport(Darwin)
  import Foundation
  import Hits

  /// One request's delegate: collects the answer within its bounds, judges each redirect, and answers exactly once.
  ///
  /// `@unchecked Sendable`: all variables are inside `state`; `NSObject` keeps the compiler from seeing it.
  final class URLSessionExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct State {
      var continuation: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?
      var task: URLSessionDataTask?
      var body: [UInt8] = []
      var failure: TransportError?
      /// The URLs asked by following redirects.
      var hops: [String] = []
    }

    private let request: HTTPRequest
    private let pins: PublicKeyPins
    private let state = Locked(State())

    static let pinsUnchecked = "pins are not checked on this platform; use NSPinnedDomains of Info.plist"

    init(_ request: HTTPRequest, pins: PublicKeyPins) {
      self.request = request
      self.pins = pins
    }

    func begin(
      _ task: URLSessionDataTask, _ continuation: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
    ) {
      let failure = state.withLock { state in
        state.continuation = continuation
        state.task = task
        return state.failure
      }
      task.resume()
      if failure != nil { task.cancel() }
      DispatchQueue.global().asyncAfter(deadline: .now() + request.timeout.inSeconds) { [weak self] in
        self?.stop(.timeout, "the whole exchange took too long")
      }
    }

    /// Ends the exchange with a failure of ours; the first one counts.
    func stop(_ code: TransportError.Code, _ message: String, response: HTTPResponse? = nil) {
      let task = state.withLock { state in
        if state.failure == nil {
          let wasSeen = (state.task?.countOfBytesSent ?? 0) > 0 || response != nil || !state.hops.isEmpty
          state.failure = TransportError(
            phase: wasSeen ? .uncertain : .notSent, code: code, message: message, response: response)
        }
        return state.task
      }
      task?.cancel()
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
      let target = newRequest.url.flatMap(Origin.init(url:))
      let hops = state.withLock { $0.hops }
      let place = newRequest.url?.absoluteString ?? ""
      let step = RedirectStep(
        status: response.statusCode, target: target, method: request.method, hopsMade: hops.count,
        isRepeated: place == request.url || hops.contains(place), rule: request.redirects)
      switch step {
      case .answer: completionHandler(nil)
      case .refuse(let reason):
        stop(.redirectRefused, reason, response: answer(response, body: [], task))
        completionHandler(nil)
      case .follow:
        state.withLock { $0.hops.append(place) }
        if let host = target?.host, pins.keys(of: host) != nil {
          stop(.keyNotPinned, Self.pinsUnchecked)
          completionHandler(nil)
          return
        }
        if !request.addresses.allowsPrivate, let host = target?.host, AddressLookup.isPrivateNow(host: host) {
          stop(.addressRefused, "the address is private")
          completionHandler(nil)
          return
        }
        var next = newRequest
        if target != response.url.flatMap(Origin.init(url:)) {
          for field in request.headers where request.headers.withoutCredentials()[field.name] == nil {
            next.setValue(nil, forHTTPHeaderField: field.name)
          }
        }
        completionHandler(next)
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      state.withLock { $0.body = [] }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isOverLimit = state.withLock { state in
        guard data.count <= request.responseLimit - state.body.count else { return true }
        state.body.append(contentsOf: data)
        return false
      }
      guard isOverLimit, let response = dataTask.response as? HTTPURLResponse else { return }
      stop(
        .tooLarge, "the answer is longer than \(request.responseLimit) bytes",
        response: answer(response, body: [], dataTask))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let (continuation, failure, body) = state.withLock { state in
        defer {
          state.continuation = nil
          state.task = nil
        }
        return (state.continuation, state.failure, state.body)
      }
      if let failure {
        continuation?.resume(returning: .failure(failure))
      } else if error == nil, let response = task.response as? HTTPURLResponse {
        continuation?.resume(returning: .success(answer(response, body: body, task)))
      } else {
        let code = (error as? URLError).map(TransportError.Code.init) ?? .connection
        continuation?.resume(
          returning: .failure(
            TransportError(
              phase: task.countOfBytesSent > 0 ? .uncertain : .notSent, code: code, message: code.rawValue)))
      }
    }

    private func answer(_ response: HTTPURLResponse, body: [UInt8], _ task: URLSessionTask) -> HTTPResponse {
      var headers = HTTPHeaders()
      for case (let name, let value) as (String, String) in response.allHeaderFields { headers.add(value, for: name) }
      return HTTPResponse(
        status: response.statusCode, headers: headers, body: body,
        url: response.url?.absoluteString ?? request.url, bytesSent: request.body.count)
    }
  }

  extension Origin {
    init?(url: URL) {
      guard let scheme = url.scheme, let host = url.host else { return nil }
      self.init(scheme: scheme, host: host, port: url.port ?? (scheme.lowercased() == "https" ? 443 : 80))
    }
  }

  extension TransportError.Code {
    init(_ error: URLError) {
      self =
        switch error.code {
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: .offline
        case .cannotFindHost, .dnsLookupFailed: .dns
        case .cannotConnectToHost: .refused
        case .timedOut: .timeout
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
          .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
          .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
          .tls
        case .badURL, .unsupportedURL: .invalidRequest
        case .cannotDecodeContentData, .cannotDecodeRawData: .encoding
        case .httpTooManyRedirects: .redirectRefused
        case .cancelled: .cancelled
        default: .connection
        }
    }
  }
#endif
